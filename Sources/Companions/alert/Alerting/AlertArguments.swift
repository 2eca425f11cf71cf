/// The command line of geofenced-alert.
package struct AlertArguments: Equatable, Sendable {
    /// `system`, `session` or an address: the bus of the daemon.
    package var bus = "system"
    /// `--speak`.
    package var speech = SoundSettings.Speech.auto
    /// `--tone`.
    package var hasTone = true
    /// `--notify`.
    package var notifies = true
    /// `--units`.
    package var units = AlertUnits.auto
    /// Says a sample of each stage, and ends.
    package var isTrial = false

    /// Why it ends without running.
    package enum EarlyExit: Error, Equatable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-alert [--speak auto|off|COMMAND] [--tone on|off] [--notify auto|off]
                               [--units auto|m|ft] [--bus BUS] [--try]

        Says aloud what geofenced has to say to the driver: a low bridge ahead, the last way out.

          --speak WHAT       auto: with spd-say or espeak-ng, whichever works; off; or a command,
                             which gets the line as its last argument, without a shell
          --tone on|off      a tone before the line
          --notify auto|off  a notification on the desktop, where there is one
          --units UNITS      auto: those of the sign; m or ft
          --bus BUS          system (the default), session, or the address of the daemon's bus
          --try              say a sample of each kind, and stop: is the loudspeaker on?
          --help             show this, and stop
          --version          show the version, and stop

        See geofenced-alert(1).
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
            case "--speak": speech = try Self.speech(try Self.value(option, attached, &rest))
            case "--tone": hasTone = try Self.choice(option, attached, &rest, "on", "off")
            case "--notify": notifies = try Self.choice(option, attached, &rest, "auto", "off")
            case "--units":
                let value = try Self.value(option, attached, &rest)
                guard let units = AlertUnits(rawValue: value) else {
                    throw .usage("neither auto nor m nor ft: --units \(value)")
                }
                self.units = units
            case "--bus": bus = try Self.bus(try Self.value(option, attached, &rest))
            case "--try" where attached == nil: isTrial = true
            case "--help" where attached == nil, "-h" where attached == nil: throw .help
            case "--version" where attached == nil: throw .version
            case _ where argument.hasPrefix("-"): throw .usage("unknown option: \(argument)")
            default: throw .usage("unexpected argument: \(argument)")
            }
        }
    }

    private static func speech(_ text: String) throws(EarlyExit) -> SoundSettings.Speech {
        switch text {
        case "auto": return .auto
        case "off": return .off
        default:
            let words = text.split(separator: " ").map(String.init)
            guard !words.isEmpty else {
                throw .usage("neither auto nor off nor a command: --speak")
            }
            return .command(words)
        }
    }

    private static func bus(_ text: String) throws(EarlyExit) -> String {
        guard text == "system" || text == "session" || text.contains(":") else {
            throw .usage("neither system nor session nor a bus address: --bus \(text)")
        }
        return text
    }

    private static func choice(
        _ option: String, _ attached: String?, _ rest: inout ArraySlice<String>, _ yes: String,
        _ no: String
    ) throws(EarlyExit) -> Bool {
        let value = try value(option, attached, &rest)
        guard value == yes || value == no else {
            throw .usage("neither \(yes) nor \(no): \(option) \(value)")
        }
        return value == yes
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

/// The units of the lines.
package enum AlertUnits: String, Sendable {
    /// Those of the sign.
    case auto
    case metric = "m"
    case imperial = "ft"
}
