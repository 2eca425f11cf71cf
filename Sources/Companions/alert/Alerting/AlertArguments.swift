import Program
package import Sentences
package import Systemd

/// The command line of geofenced-alert.
package struct AlertArguments: ProgramArguments, Equatable, Sendable {
    /// The bus of the daemon.
    package var bus = BusAddress.system
    /// `--speak`.
    package var speech = SoundSettings.Speech.auto
    /// `--tone`.
    package var hasTone = true
    /// `--notify`.
    package var notifies = true
    /// `--language`; nil: that of the configuration.
    package var language: DriverLanguage?
    /// `--units`; nil: those of the configuration.
    package var units: UnitChoice?
    /// `--config`; nil: the files of the system.
    package var config: String?
    /// Says a sample of each stage, and ends.
    package var isTrial = false

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-alert [--speak auto|off|COMMAND] [--tone on|off] [--notify auto|off]
                               [--language CODE] [--units sign|metric|imperial|us]
                               [--config FILE] [--bus BUS] [--try]

        Says aloud what geofenced has to say to the driver: a low bridge ahead, the last way out.

          --speak WHAT       auto: with spd-say or espeak-ng, whichever works; off; or a command,
                             which gets the line as its last argument, without a shell
          --tone on|off      a tone before the line
          --notify auto|off  a notification on the desktop, where there is one
          --language CODE    cs, de, en, es, fr, it, nl, pl, pt, ro, tr or uk, perhaps with the
                             country: en-US; without this Language= of geofenced.conf, and
                             without that the language of the system
          --units UNITS      sign: those of the sign; metric; imperial; us; without this Units= of
                             geofenced.conf
          --config FILE      geofenced.conf, /etc/geofenced/geofenced.conf and what is beside it
          --bus BUS          system (the default), session, or the address of the daemon's bus
          --try              say a sample of each kind, and stop: is the loudspeaker on? 1: no
          --help             show this, and stop
          --version          show the version, and stop

        See geofenced-alert(1).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        while let argument = try reader.next() {
            switch argument {
            case .option("--speak"): speech = try Self.speech(try reader.value())
            case .option("--tone"):
                hasTone = try reader.value("neither on nor off") { ["on": true, "off": false][$0] }
            case .option("--notify"):
                notifies = try reader.value("neither auto nor off") {
                    ["auto": true, "off": false][$0]
                }
            case .option("--units"):
                units = try reader.value(
                    "not one of sign, metric, imperial, us", UnitChoice.init(rawValue:))
            case .option("--language"):
                language = try reader.value("there are no sentences in it", DriverLanguage.init)
            case .option("--config"): config = try reader.value()
            case .option("--bus"): bus = try reader.value(BusAddress.flaw, BusAddress.init(named:))
            case .option("--try"): isTrial = true
            case .option: throw reader.unknownOption
            case .operand(let word): throw Failure.unexpected(word)
            }
        }
    }

    private static func speech(_ text: String) throws -> SoundSettings.Speech {
        switch text {
        case "auto": return .auto
        case "off": return .off
        default:
            let words = text.split(separator: " ").map(String.init)
            guard !words.isEmpty else {
                throw Failure.usage("neither auto nor off nor a command", "--speak")
            }
            return .command(words)
        }
    }
}
