import Program
package import WebServer

/// The command line of geofenced-board.
package struct BoardArguments: ProgramArguments, Equatable, Sendable {
    /// `--socket`, `--loopback`, `--port`.
    package var place = ListenPlace.activated
    /// `--config`; nil for ``BoardSettings/path``, which `--database` makes unnecessary.
    package var config: String?
    /// `--database`: instead of that of the settings.
    package var database: String?
    /// `--role`: instead of that of the settings.
    package var role: String?

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-board [--config FILE] [--database STRING] [--role NAME]
                               [--socket PATH | --loopback [--port PORT]]

        Shows in a browser which vehicle of a fleet is where, since when and how long, live, from
        the database of geofenced-ingest. It only reads, with the rights of a role of the database.

          --socket PATH      listen on a UNIX socket there; without this and --loopback on the one
                             that the service manager passes
          --loopback         listen on 127.0.0.1, and say the address, which has a token in it
          --port PORT        which port; without it any that is free
          --config FILE      settings, /etc/geofenced/board.conf
          --database STRING  a connection string of libpq, instead of that of the settings
          --role NAME        the role of the database that reads
          --help             show this, and stop
          --version          show the version, and stop

        See geofenced-board(8).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var listen = ListenOptions()
        while let argument = try reader.next() {
            switch argument {
            case .option("--config"): config = try reader.value()
            case .option("--database"): database = try reader.value()
            case .option("--role"): role = try reader.value()
            case .option(let name):
                guard try listen.take(name, from: &reader) else { throw reader.unknownOption }
            case .operand(let word): throw Failure.unexpected(word)
            }
        }
        place = try listen.place()
    }
}
