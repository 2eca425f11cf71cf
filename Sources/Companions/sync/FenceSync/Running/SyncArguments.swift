import Program
package import Systemd

/// The command line of geofenced-sync.
package struct SyncArguments: ProgramArguments, Equatable, Sendable {
    /// Of the source.
    package var name = ""
    /// `--config`; nil: `/etc/geofenced/sources.d/NAME.conf`.
    package var config: String?
    /// `--bus`: the bus of the daemon.
    package var bus = BusAddress.system
    /// `--state-dir`.
    package var stateDirectory: String?
    /// `--status-dir`.
    package var statusDirectory: String?
    /// `--check`.
    package var checksOnly = false
    /// `--dry-run`.
    package var isDryRun = false
    /// `--print`.
    package var prints = false
    /// `--accept`.
    package var accepts = false
    /// `--due`.
    package var onlyIfDue = false

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-sync [OPTION…] NAME

        Fetches the fences of the source NAME, /etc/geofenced/sources.d/NAME.conf, and gives them
        to geofenced: all of them, or none.

          --config FILE     another file
          --check           report every problem of the configuration and the credentials, and stop
          --dry-run         fetch, and say what would change
          --print           fetch, and write the set with its hash as GeoJSON; no daemon is asked
          --accept          take the set that is held, though many fences go
          --due             do nothing if the last look is not long ago
          --bus BUS         system (the default), session, or the address of the daemon's bus
          --state-dir DIR   where the last set is kept; by default $STATE_DIRECTORY
          --status-dir DIR  where geofencectl looks; by default $RUNTIME_DIRECTORY
          --help            show this, and stop
          --version         show the version, and stop

        See geofenced-sync(8).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .option("--config"): config = try reader.value()
            case .option("--state-dir"): stateDirectory = try reader.value()
            case .option("--status-dir"): statusDirectory = try reader.value()
            case .option("--bus"): bus = try reader.value(BusAddress.flaw, BusAddress.init(named:))
            case .option("--check"): checksOnly = true
            case .option("--dry-run"): isDryRun = true
            case .option("--print"): prints = true
            case .option("--accept"): accepts = true
            case .option("--due"): onlyIfDue = true
            case .option: throw reader.unknownOption
            case .operand(let word): operands.append(word)
            }
        }
        name = try InstanceName.only(operands)
    }
}
