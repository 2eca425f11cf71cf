import Systemd

/// The command line of the daemon.
struct Arguments {
    var config: String?
    var source: String?
    var bus: String?
    var stateDirectory: String?
    var checksOnly = false

    /// Why the daemon exits without running.
    enum EarlyExit: Error, Equatable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
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

    init(_ arguments: some Sequence<String>) throws(EarlyExit) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let (option, attached) = (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
            switch option {
            case "--config": config = try Self.value(of: option, attached, &rest)
            case "--source": source = try Self.value(of: option, attached, &rest)
            case "--bus": bus = try Self.value(of: option, attached, &rest)
            case "--state-dir": stateDirectory = try Self.value(of: option, attached, &rest)
            case "--check" where attached == nil: checksOnly = true
            case "--help" where attached == nil, "-h" where attached == nil: throw .help
            case "--version" where attached == nil: throw .version
            case _ where argument.hasPrefix("-"): throw .usage("unknown option: \(argument)")
            default: throw .usage("unexpected argument: \(argument)")
            }
        }
    }

    private static func value(
        of option: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(EarlyExit) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw .usage("option needs a value: \(option)")
        }
        return value
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
