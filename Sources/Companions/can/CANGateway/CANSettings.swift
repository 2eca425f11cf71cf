package import Settings
package import VehicleBus

/// /etc/geofenced/can.conf.
package struct CANSettings: Equatable, Sendable {
    /// `Interface=`: of the network, 1 to 15 bytes.
    package var interface = "can0"
    /// `Protocol=`: what is understood.
    package var language = CANProtocol.auto
    /// `Request=`: whether a car is asked, with OBD-II; otherwise nothing is ever sent.
    package var requests = false

    /// Where it lies unless a command line says otherwise.
    package static let path = "/etc/geofenced/can.conf"

    package init() {}

    /// Reads the file; nil if something is wrong, which is then among the problems.
    package static func read(
        _ file: ProgramSettings
    ) -> (settings: CANSettings?, problems: [SettingsProblem]) {
        var file = file
        var settings = CANSettings()
        settings.interface =
            file.value("Can", "Interface") { text throws(BadValue) in
                guard isInterface(text) else { throw BadValue(reason: "not a network interface") }
                return text
            } ?? settings.interface
        settings.language = file.choice("Can", "Protocol", settings.language)
        settings.requests = file.flag("Can", "Request", settings.requests)
        if settings.requests, settings.language == .j1939 {
            file.refuse("Can", "Request", "only of OBD-II: J1939 tells everything unasked")
        }
        file.finish()
        return (file.problems.isEmpty ? settings : nil, file.problems)
    }

    /// As the kernel takes it: dev_valid_name of net/core/dev.c.
    package static func isInterface(_ text: String) -> Bool {
        (1...15).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F && $0 != 0x3A }
    }
}
