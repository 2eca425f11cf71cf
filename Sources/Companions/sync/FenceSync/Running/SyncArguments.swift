import Settings

/// The command line of geofenced-sync.
package struct SyncArguments: Equatable, Sendable {
    /// Of the source.
    package var name = ""
    /// `--config`; nil: `/etc/geofenced/sources.d/NAME.conf`.
    package var config: String?
    /// `--bus`: `system`, `session` or an address.
    package var bus = "system"
    /// `--state-dir`.
    package var stateDirectory: String?
    /// `--status-dir`.
    package var statusDirectory: String?
    /// `--check`.
    package var checksOnly = false
    /// `--dry-run`.
    package var isDryRun = false
    /// `--accept`.
    package var accepts = false
    /// `--due`.
    package var onlyIfDue = false

    /// Why it ends without running.
    package enum EarlyExit: Error, Equatable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-sync [OPTION…] NAME

        Fetches the fences of the source NAME, /etc/geofenced/sources.d/NAME.conf, and gives them
        to geofenced: all of them, or none.

          --config FILE     another file
          --check           read the file, name every problem with its line, and stop
          --dry-run         fetch, and say what would change
          --accept          take the set that is held, though many fences go
          --due             do nothing if the last look is not long ago
          --bus BUS         system (the default), session, or the address of the daemon's bus
          --state-dir DIR   where the last set is kept; by default $STATE_DIRECTORY
          --status-dir DIR  where geofencectl looks; by default $RUNTIME_DIRECTORY
          --help            show this, and stop
          --version         show the version, and stop

        See geofenced-sync(8).
        """

    /// - Throws: ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws(EarlyExit) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = parts.first.map(String.init) ?? ""
            let attached = parts.count > 1 ? String(parts[1]) : nil
            switch option {
            case "--config": config = try Self.value(option, attached, &rest)
            case "--state-dir": stateDirectory = try Self.value(option, attached, &rest)
            case "--status-dir": statusDirectory = try Self.value(option, attached, &rest)
            case "--bus":
                bus = try Self.value(option, attached, &rest)
                guard bus == "system" || bus == "session" || bus.contains(":") else {
                    throw .usage("neither system nor session nor a bus address: --bus \(bus)")
                }
            case "--check" where attached == nil: checksOnly = true
            case "--dry-run" where attached == nil: isDryRun = true
            case "--accept" where attached == nil: accepts = true
            case "--due" where attached == nil: onlyIfDue = true
            case "--help" where attached == nil, "-h" where attached == nil: throw .help
            case "--version" where attached == nil: throw .version
            case _ where argument.hasPrefix("-"): throw .usage("unknown option: \(argument)")
            default:
                guard name.isEmpty else { throw .usage("unexpected argument: \(argument)") }
                name = argument
            }
        }
        guard !name.isEmpty else { throw .usage("the name of a source is missing") }
        guard InstanceName.isValid(name) else {
            throw .usage("no name of letters, digits, - and _ that begins with a letter: \(name)")
        }
    }

    private static func value(
        _ option: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(EarlyExit) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw .usage("option needs a value: \(option)")
        }
        return value
    }
}
