import Program
import Systemd

/// The command line of the daemon.
struct Arguments: ProgramArguments {
    var config: String?
    var source: String?
    var bus: String?
    var stateDirectory: String?
    var checksOnly = false

    /// What a process does that the daemon has started as its helper; nil for the daemon.
    var task: Task?

    enum Task {
        /// See ``StoreChecks``.
        case checkDatabase(path: String)
        /// Likewise.
        case checkSets(path: String)
        /// See ``SetCopying``.
        case copySet(directory: String, origin: String)
    }

    static let help = """
        Usage: geofenced [--config FILE] [--source URI] [--bus BUS] [--state-dir DIR] [--check]

        Watches geofences on the fixes of a receiver and announces enter and exit through the
        journal and D-Bus.

          --config FILE      read FILE and FILE.d/*.conf instead of /etc/geofenced/geofenced.conf
                             and its drop-ins; fences.d is looked for beside it
          --source URI       gpsd://HOST:PORT[/DEVICE], gpsd:PATH, nmea:PATH or
                             replay:FILE[?rate=N]
          --bus BUS          system, session, none, or the address of a bus
          --state-dir DIR    keep the database there instead of /var/lib/geofenced
          --check            read configuration and fences, report every problem, and stop
          --help             show this, and stop
          --version          show the version, and stop

        See geofenced(8) and geofenced.conf(5).
        """

    init(_ words: some Sequence<String>) throws {
        let words = Array(words)
        if words.count == 2, words[0] == StoreChecks.option {
            task = .checkDatabase(path: words[1])
        } else if words.count == 2, words[0] == StoreChecks.optionOfSets {
            task = .checkSets(path: words[1])
        } else if words.count == 3, words[0] == SetCopying.option {
            task = .copySet(directory: words[1], origin: words[2])
        } else {
            var reader = OptionReader(words)
            while let argument = try reader.next() {
                switch argument {
                case .option("--config"): config = try reader.value()
                case .option("--source"): source = try reader.value()
                case .option("--bus"): bus = try reader.value()
                case .option("--state-dir"): stateDirectory = try reader.value()
                case .option("--check"): checksOnly = true
                case .option: throw reader.unknownOption
                case .operand(let word): throw Failure.unexpected(word)
                }
            }
        }
    }
}

extension Arguments {
    /// systemd passes the unit's directory in the environment.
    var statePath: String {
        stateDirectory ?? environment("STATE_DIRECTORY") ?? "/var/lib/geofenced"
    }

    /// Beside the configuration file.
    var fenceDirectory: String {
        guard let config else { return "/etc/geofenced/fences.d" }
        guard let slash = config.lastIndex(of: "/") else { return "fences.d" }
        return "\(config[..<slash])/fences.d"
    }
}
