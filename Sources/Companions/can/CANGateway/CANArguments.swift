import Program
package import Systemd

/// The command line of geofenced-can.
package struct CANArguments: ProgramArguments, Equatable, Sendable {
    /// `--config`.
    package var config: String?
    /// `--interface`; nil: that of the file.
    package var interface: String?
    /// The bus on which it tells what it hears.
    package var bus = BusAddress.system
    /// `--check`: reads the file, and stops.
    package var isCheck = false

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-can [--config FILE] [--interface NAME] [--bus BUS] [--check]

        Hears the network of a vehicle (CAN: J1939, OBD-II) and tells geofenced what its wheels do:
        the speed, whether it stands, its odometer, and its ignition.

          --config FILE     settings, /etc/geofenced/can.conf
          --interface NAME  the network interface, instead of that of the file
          --bus BUS         system (the default), session, or the address of a bus
          --check           say what is wrong with the settings, and stop
          --help            show this, and stop
          --version         show the version, and stop

        See geofenced-can(8).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        while let argument = try reader.next() {
            switch argument {
            case .option("--config"): config = try reader.value()
            case .option("--interface"):
                interface = try reader.value("not a network interface") {
                    CANSettings.isInterface($0) ? $0 : nil
                }
            case .option("--bus"): bus = try reader.value(BusAddress.flaw, BusAddress.init(named:))
            case .option("--check"): isCheck = true
            case .option: throw reader.unknownOption
            case .operand(let word): throw Failure.unexpected(word)
            }
        }
    }
}
