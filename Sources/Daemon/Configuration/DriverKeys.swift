import Model
import Sentences
import Settings
package import VehicleInputs

extension Settings {
    /// `[Driver]`: who he is, and what he reads and hears.
    static let driverKeys: [SettingKey<Settings>] =
        [
            SettingKey(
                "Driver", "Signal", signal(\.driverSources.signal),
                """
                A signal on the system bus that tells who drives: sender=, path=, interface= and \
                member=, perhaps argument=, or property=, as of IgnitionSignal; its value is the id of \
                the driver, a text of 1 to 128 bytes, or empty for nobody.
                """),
            SettingKey(
                "Driver", "File",
                .text(\.driverSources.file, name: "path", check: pathFlaw),
                """
                A file, by its absolute path, whose content is the id of the driver, 1 to 128 bytes, or \
                nothing for nobody: of a reader of cards, for example. It is read again when it, or \
                another one of its directory, changes; where it is missing it says nothing. The user \
                geofenced must be able to read it, which sees neither /home nor the /tmp of others.
                """),
            SettingKey(
                "Driver", "Beacons",
                .value(
                    \.driverSources.keys, name: "keys", format: DriverBeacons.text,
                    parse: DriverBeacons.read),
                """
                Fences of beacons that drivers carry, and whose: for example key-7=jane; key-8=bob. Who \
                comes drives, also when his beacon goes, until there is another word. At most 256.
                """),
        ]
        + DriverSettings.keys(
            language: \.driver.language, units: \.driver.units, timeZone: \.driver.timeZone)

    /// What says who drives beside a call: HANDBOOK, section 9.
    package struct DriverSources: Hashable, Sendable {
        /// `Signal`; nil for none.
        package var signal: SignalLine?
        /// `File`; empty for none.
        package var file = ""
        /// `Beacons`: ids of drivers, by the ids of fences.
        package var keys: [String: String] = [:]
    }

    @Sendable private static func pathFlaw(_ path: String) -> String? {
        path.isEmpty || path.hasPrefix("/") && !path.hasSuffix("/")
            ? nil : "not the absolute path of a file"
    }
}

/// `Beacons=`: `key-7=jane; key-8=bob`.
private enum DriverBeacons {
    private static let limit = 256

    @Sendable static func read(_ text: String) throws(BadValue) -> [String: String] {
        var keys: [String: String] = [:]
        for entry in text.split(separator: ";") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let fence = trimmed(parts[0])
            guard parts.count == 2, !fence.isEmpty else {
                throw BadValue(reason: "not FENCE=DRIVER: \(trimmed(entry))")
            }
            let driver = trimmed(parts[1])
            if let flaw = RecordedDriver.flaw(in: driver) {
                throw BadValue(reason: "\(fence): \(flaw)")
            }
            guard keys.updateValue(driver, forKey: fence) == nil else {
                throw BadValue(reason: "twice: \(fence)")
            }
        }
        guard keys.count <= limit else { throw BadValue(reason: "more than \(limit) beacons") }
        return keys
    }

    @Sendable static func text(_ keys: [String: String]) -> String {
        keys.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
