import Program
package import Systemd
package import WebServer

/// The command line of geofenced-map.
package struct MapArguments: ProgramArguments, Equatable, Sendable {
    /// `--socket`, `--loopback`, `--port`.
    package var place = ListenPlace.activated
    /// The bus of the daemon.
    package var bus = BusAddress.system
    /// `--config`.
    package var config = MapSettings.path
    /// `--daemon-config`: geofenced.conf, for `[Driver]`; nil: the files of the system.
    package var daemonConfig: String?
    /// Ends after this long without a connection, s; 0: never, unless it is asked for with
    /// `--loopback`.
    package var idleSeconds = 60

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-map [--bus BUS] [--config FILE] [--daemon-config FILE]
                             [--idle SECONDS] [--socket PATH | --loopback [--port PORT]]

        Shows the drive that is under way, the fences, what is ahead and why it was told, in a
        browser.

          --socket PATH         listen on a UNIX socket there; without this and --loopback on the
                                one that the service manager passes
          --loopback            listen on 127.0.0.1, and say the address, which has a token in it
          --port PORT           which port; without it any that is free
          --config FILE         settings, /etc/geofenced/map.conf
          --daemon-config FILE  geofenced.conf, which says the driver's language, units and time
                                zone
          --idle SECONDS        end after this long without anybody who looks: 60; 0 for never
          --bus BUS             system (the default), session, or the address of the daemon's bus
          --help                show this, and stop
          --version             show the version, and stop

        See geofenced-map(8).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var listen = ListenOptions()
        var idle: UInt16?
        while let argument = try reader.next() {
            switch argument {
            case .option("--idle"):
                idle = try reader.value("not a number from 0 to 65535") { UInt16($0) }
            case .option("--config"): config = try reader.value()
            case .option("--daemon-config"): daemonConfig = try reader.value()
            case .option("--bus"): bus = try reader.value(BusAddress.flaw, BusAddress.init(named:))
            case .option(let name):
                guard try listen.take(name, from: &reader) else { throw reader.unknownOption }
            case .operand(let word): throw Failure.unexpected(word)
            }
        }
        place = try listen.place()
        if let idle {
            idleSeconds = Int(idle)
        } else if case .loopback = place {
            idleSeconds = 0
        }
    }
}
