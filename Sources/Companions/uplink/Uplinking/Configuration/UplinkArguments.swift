import Program
package import Systemd

/// The command line of geofenced-uplink.
package struct UplinkArguments: ProgramArguments, Equatable, Sendable {
    /// The name of the destination.
    package var name = ""
    /// Path of its configuration; nil: `/etc/geofenced/uplink.d/NAME.conf`.
    package var config: String?
    /// The bus of the daemon.
    package var bus = BusAddress.system
    /// Reports every problem of the configuration, and ends.
    package var isCheck = false

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-uplink [--config FILE] [--bus BUS] [--check] NAME

        Passes the events of geofenced on to the destination NAME, and acknowledges each when the
        destination has it.

          --config FILE  the configuration; /etc/geofenced/uplink.d/NAME.conf by default
          --bus BUS      system (the default), session, or the address of the daemon's bus
          --check        report every problem of the configuration and the credentials, and stop
          --help         show this, and stop
          --version      show the version, and stop

        See geofenced-uplink(8).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .option("--config"): config = try reader.value()
            case .option("--bus"): bus = try reader.value(BusAddress.flaw, BusAddress.init(named:))
            case .option("--check"): isCheck = true
            case .option: throw reader.unknownOption
            case .operand(let word): operands.append(word)
            }
        }
        name = try InstanceName.only(operands)
    }
}
