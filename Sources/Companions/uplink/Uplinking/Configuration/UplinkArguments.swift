import Settings

/// The command line of geofenced-uplink.
package struct UplinkArguments: Equatable, Sendable {
    /// The name of the destination.
    package var name = ""
    /// Path of its configuration; nil: `/etc/geofenced/uplink.d/NAME.conf`.
    package var config: String?
    /// `system`, `session` or an address: the bus of the daemon.
    package var bus = "system"
    /// Reports every problem of the configuration, and ends.
    package var isCheck = false

    /// Why it ends without running.
    package enum EarlyExit: Error, Equatable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-uplink [--config FILE] [--bus BUS] [--check] NAME

        Passes the events of geofenced on to the destination NAME, and acknowledges each when the
        destination has it.

          --config FILE  the configuration; /etc/geofenced/uplink.d/NAME.conf by default
          --bus BUS      system (the default), session, or the address of the daemon's bus
          --check        report every problem of the configuration, and stop
          --help         show this, and stop
          --version      show the version, and stop

        See geofenced-uplink(8).
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
            case "--bus":
                bus = try Self.value(option, attached, &rest)
                guard bus == "system" || bus == "session" || bus.contains(":") else {
                    throw .usage("neither system nor session nor a bus address: --bus \(bus)")
                }
            case "--check" where attached == nil: isCheck = true
            case "--help" where attached == nil, "-h" where attached == nil: throw .help
            case "--version" where attached == nil: throw .version
            case _ where argument.hasPrefix("-"): throw .usage("unknown option: \(argument)")
            case _ where name.isEmpty: name = argument
            default: throw .usage("unexpected argument: \(argument)")
            }
        }
        guard !name.isEmpty else { throw .usage("the name of a destination is missing") }
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
