import BusService
import Testing

@testable import Configuration
@testable import Settings

@Suite("Values")
struct ValueTests {
    @Test(
        "a quantity in any of its units",
        arguments: [
            (Quantity.timeSpan, "10s", 10.0), (.timeSpan, "10", 10), (.timeSpan, "2min", 120),
            (.timeSpan, "500ms", 0.5), (.timeSpan, "100ms", 0.1), (.timeSpan, "1h 30min", 5400),
            (.timeSpan, "1h30min", 5400), (.timeSpan, "1 h  30 min", 5400),
            (.timeSpan, "90d", 7_776_000),
            (.timeSpan, "2 weeks", 1_209_600), (.timeSpan, "1.5h", 5400), (.timeSpan, "20us", 2e-5),
            (.timeSpan, "1m", 60), (.timeSpan, "1M", 2_629_800), (.timeSpan, "1y", 31_557_600),
            (.timeSpan, "0", 0), (.timeSpan, "-5s", -5),
            (.length, "500m", 500), (.length, "500", 500), (.length, "50km", 50_000),
            (.length, "50 km", 50_000), (.length, "0.5km", 500), (.length, "3.75", 3.75),
            (.speed, "90m/s", 90), (.speed, "90", 90), (.speed, "324km/h", 90),
            (.speed, "36 km/h", 10),
            (.acceleration, "2m/s2", 2), (.acceleration, "2 m/s²", 2), (.acceleration, "2m/s^2", 2),
            (.acceleration, "2", 2),
        ])
    func quantities(quantity: Quantity, text: String, value: Double) throws {
        #expect(try quantity.parse(text) == value)
    }

    @Test(
        "an invalid quantity is refused with an example of a valid one",
        arguments: [
            (Quantity.timeSpan, "soon"), (.timeSpan, "10 parsec"), (.timeSpan, "s"),
            (.timeSpan, "1.2.3s"),
            (.timeSpan, ".5s"), (.timeSpan, "5.s"), (.timeSpan, "1e3"), (.timeSpan, "0x10"),
            (.timeSpan, "infinity"), (.timeSpan, "nan"), (.timeSpan, "10s,"), (.timeSpan, "--5s"),
            (.timeSpan, "1h -"), (.timeSpan, "10 S"),
            (.length, "500ft"), (.length, "1km 500m"), (.length, "10s"), (.length, "1,5km"),
            (.speed, "90mph"), (.speed, "90m"), (.acceleration, "2g"), (.acceleration, "2m/s"),
            (.length, String(repeating: "9", count: 400)),
        ])
    func noQuantities(quantity: Quantity, text: String) {
        let error = #expect(throws: BadValue.self) { try quantity.parse(text) }
        #expect(error?.reason.contains("such as") == true)
    }

    @Test(
        "a span is written with its units",
        arguments: [
            (10.0, "10s"), (60, "1min"), (90, "1min 30s"), (0.5, "500ms"), (0, "0s"),
            (5400, "1h 30min"),
            (7_776_000, "90d"), (86_400.001, "1d 1ms"), (3600, "1h"),
        ])
    func spans(seconds: Double, text: String) throws {
        #expect(Quantity.timeSpan.format(seconds) == text)
        #expect(try Quantity.timeSpan.parse(text) == seconds)
    }

    /// A bad value for every kind of key, with the whole line a user reads.
    @Test(
        "a bad value is refused with its reason and the default stands",
        arguments: [
            (
                "[Source]", "URI=http://x",
                "not a source: gpsd://HOST:PORT, gpsd:PATH, nmea:PATH or replay:FILE"
            ),
            ("[Source]", "URI=gpsd://", "no host behind gpsd://"),
            ("[Source]", "URI=nmea:", "no file behind nmea:"),
            ("[Source]", "URI=replay:", "no file behind replay:"),
            ("[Fix]", "RebaseFixes=two", "not a whole number"),
            ("[Fix]", "RebaseFixes=2.5", "not a whole number"),
            ("[Fix]", "RebaseFixes=+2", "not a whole number"),
            ("[Fix]", "RebaseFixes=-", "not a whole number"),
            ("[Fix]", "RebaseFixes=0", "out of range: from 1 to 10"),
            ("[Fix]", "RebaseFixes=99999999999999999999", "out of range: from 1 to 10"),
            ("[Fix]", "MaxErrorM=0.5", "out of range: from 1m to 10km"),
            ("[Fix]", "StaleSec=10ms", "out of range: from 100ms to 1h"),
            ("[Window]", "Size=1", "out of range: from 2 to 1000"),
            ("[Window]", "Size=1001", "out of range: from 2 to 1000"),
            ("[Window]", "MetafenceMaxM=1m 2", "not a length such as 500m or 50km"),
            ("[Journal]", "Location=maybe", "not a boolean: yes or no"),
            ("[Beacons]", "Adapter=eth0", "not an adapter such as hci0"),
            ("[Beacons]", "Adapter=hci", "not an adapter such as hci0"),
            ("[Bus]", "MaxImportSize=64X", "not a size such as 64M or 1G"),
            ("[Bus]", "MaxImportSize=M", "not a size such as 64M or 1G"),
            ("[Bus]", "MaxImportSize=9999999999999999T", "out of range: from 1K to 1T"),
            (
                "[Bus]", "Bus=dbus",
                "not a bus: system, session, none or an address such as unix:path=/run/bus"
            ),
        ])
    func badValues(section: String, line: String, reason: String) {
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array("\(section)\n\(line)\n".utf8), file: "x.conf")
        #expect(loaded.settings == Settings())
        let parts = line.split(separator: "=", maxSplits: 1)
        #expect(
            loaded.problems.map(\.description) == ["x.conf:2: \(parts[0]): \(parts[1]): \(reason)"])
    }

    @Test(
        "booleans in systemd's words",
        arguments: [
            ("yes", true), ("Y", true), ("true", true), ("t", true), ("ON", true), ("1", true),
            ("no", false), ("n", false), ("False", false), ("f", false), ("off", false),
            ("0", false),
        ])
    func booleans(text: String, value: Bool) {
        var loaded = LoadedSettings(Settings.table)
        loaded.settings.journalHasLocation = !value
        loaded.apply(Array("[Journal]\nLocation=\(text)".utf8), file: "x.conf")
        #expect(loaded.settings.journalHasLocation == value)
        #expect(loaded.problems.isEmpty)
    }

    @Test(
        "sizes in powers of 1024",
        arguments: [("4096", 4096), ("64K", 65_536), ("64M", 67_108_864)])
    func sizes(text: String, bytes: Int) {
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array("[Bus]\nMaxImportSize=\(text)".utf8), file: "x.conf")
        #expect(loaded.settings.bus.importLimit == bytes)
    }
}
