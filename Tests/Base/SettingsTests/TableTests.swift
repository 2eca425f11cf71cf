import Foundation
import Testing

@testable import Settings

extension SettingKey: CustomTestStringConvertible {
    package var testDescription: String { "[\(section)] \(name)" }
}

@Suite("The table of keys")
struct TableTests {
    private static let defaults = [
        "[Source] URI=gpsd://localhost:2947",
        "[Fix] DefaultErrorM=15m", "[Fix] MinErrorM=3m", "[Fix] MaxErrorM=100m",
        "[Fix] HDOPErrorM=15m", "[Fix] HDOPDifferentialErrorM=3.75m",
        "[Fix] ErrorScale=u-blox:2.45", "[Fix] StaleWindowSec=1min", "[Fix] StaleSec=5s",
        "[Fix] MaxSpeedMPS=90m/s",
        "[Fix] MaxSpeedMarginMPS=10m/s", "[Fix] MaxAccelerationMPS2=2m/s2", "[Fix] RebaseSec=30s",
        "[Fix] RebaseFixes=2", "[Fix] FrozenSec=3s", "[Fix] FrozenSpeedMPS=2m/s",
        "[Fix] LostSec=30s", "[Fix] DoubtfulSec=30min", "[Fix] MaxJam=127",
        "[Fix] ReplayLeapSec=1h",
        "[Crossing] SettleSec=10s", "[Crossing] SettleSlackSec=2s", "[Crossing] BufferMinM=30m",
        "[Crossing] BufferMaxM=100m", "[Crossing] MovingSpeedMPS=3m/s", "[Crossing] MovingSec=10s",
        "[Crossing] PathGapSec=30s", "[Crossing] PowerCutProofM=100m",
        "[Window] Size=20", "[Window] MetafenceMaxM=50km", "[Window] HeartbeatM=500m",
        "[Window] HeartbeatMinSec=1min",
        "[Hours] TimeZone=", "[Hours] PublicHolidays=",
        "[Terms] OverspeedSec=5s", "[Terms] SpeedErrorMPS=0.5m/s",
        "[Parking] TowedM=50m", "[Parking] TowedHoldSec=2min",
        "[Parking] RestAfterSec=10min", "[Parking] LookSec=1min",
        "[Parking] IgnitionSignal=", "[Parking] IgnitionGPIO=", "[Parking] MotionSignal=",
        "[Vehicle] HeightM=", "[Vehicle] WidthM=", "[Vehicle] LengthM=",
        "[Vehicle] WeightT=", "[Vehicle] AxleLoadT=", "[Vehicle] Profiles=",
        "[Vehicle] ConfirmWithinSec=1d", "[Vehicle] AssumedHeightM=4.2m",
        "[Beacons] Enabled=yes", "[Beacons] Adapter=",
        "[Journal] Location=no",
        "[Events] MaxEvents=100000", "[Events] MaxAgeSec=90d", "[Events] MaxSize=64M",
        "[Events] QueueMax=10000",
        "[Store] PositionIntervalSec=1min",
        "[Origins] MaxFences=25%",
        "[Bus] Bus=system", "[Bus] MaxFences=2000000", "[Bus] MaxBatch=10000",
        "[Bus] MaxImportSize=1G", "[Bus] MaxSubscriptions=16", "[Bus] MaxConsumers=64",
    ]

    @Test("every key has the default of the law")
    func everyDefault() {
        let table = SettingsTable.keys.map { "[\($0.section)] \($0.name)=\($0.defaultText)" }
        #expect(table == Self.defaults)
    }

    @Test("every default is a valid value and parses to itself", arguments: SettingsTable.keys)
    func defaultsAreValues(key: SettingKey) throws {
        var settings = Settings()
        try key.kind.assign(key.defaultText, to: &settings)
        #expect(settings == Settings())
    }

    @Test("a key sets its own field and no other key's", arguments: SettingsTable.keys)
    func fields(key: SettingKey) throws {
        let others = [
            key.kind.bounds?.upper, "session", "nmea:/dev/ttyS0", "30%", "yes", "no", "hci1",
            "rig height=4m", "Europe/Berlin", "12-25", "gpiochip0:1",
            "sender=a.b path=/ interface=a.b member=C",
        ]
        let other = others.compactMap(\.self).first { text in
            var settings = Settings()
            return (try? key.kind.assign(text, to: &settings)) != nil && settings != Settings()
        }
        var settings = Settings()
        try key.kind.assign(#require(other), to: &settings)
        let changed = SettingsTable.keys.filter { $0.kind.text(in: settings) != $0.defaultText }
        #expect(changed.map(\.name) == [key.name])
        key.kind.copy(from: Settings(), to: &settings)
        #expect(settings == Settings())
    }

    @Test(
        "both ends of a range are good, what lies beyond is refused", arguments: SettingsTable.keys)
    func ranges(key: SettingKey) throws {
        guard let bounds = key.kind.bounds else { return }
        var settings = Settings()
        try key.kind.assign(bounds.lower, to: &settings)
        #expect(key.kind.text(in: settings) == bounds.lower)
        try key.kind.assign(bounds.upper, to: &settings)
        #expect(key.kind.text(in: settings) == bounds.upper)
        let reason = BadValue(reason: "out of range: from \(bounds.lower) to \(bounds.upper)")
        for beyond in ["-1", "99999999999999999999"] {
            #expect(throws: reason) { try key.kind.assign(beyond, to: &settings) }
        }
        #expect(key.kind.text(in: settings) == bounds.upper)
    }

    @Test("no two keys share a name in a section, and sections are contiguous")
    func unique() {
        let names = SettingsTable.keys.map { "\($0.section).\($0.name)" }
        #expect(Set(names).count == names.count)
        let sections = SettingsTable.keys.map(\.section)
        let changes = zip(sections, sections.dropFirst()).count { $0 != $1 }
        #expect(changes == Set(sections).count - 1)
        for pair in SettingsTable.ordered {
            #expect(names.contains("\(pair.section).\(pair.lower)"))
            #expect(names.contains("\(pair.section).\(pair.upper)"))
        }
    }

    /// With GOLDEN in the environment the file is written instead, for review.
    @Test("the shipped file is the table, all comments")
    func shippedFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../etc/geofenced/geofenced.conf").standardized
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            try Data(SettingsTable.shippedFile.utf8).write(to: file)
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == SettingsTable.shippedFile)
        for line in text.split(separator: "\n") {
            #expect(line.hasPrefix("#") || line.hasPrefix("["))
            #expect(line.count <= 100)
        }
        var loaded = LoadedSettings()
        loaded.apply(Array(text.utf8), file: "geofenced.conf")
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings == Settings())
    }

    @Test("the shipped file with its keys uncommented gives the defaults")
    func uncommented() {
        let lines = SettingsTable.shippedFile.split(separator: "\n").map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") && line.contains("=")
                ? String(line.dropFirst()) : String(line)
        }
        var loaded = LoadedSettings()
        loaded.apply(Array(lines.joined(separator: "\n").utf8), file: "geofenced.conf")
        #expect(lines.count { !$0.hasPrefix("#") && $0.contains("=") } == SettingsTable.keys.count)
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings == Settings())
    }

    @Test("the manual has every key, once, in lists that are closed")
    func manual() {
        let lines = SettingsTable.manual.split(separator: "\n")
        for key in SettingsTable.keys {
            // A name may stand in two sections.
            #expect(
                lines.count { $0.hasPrefix(".It Ic \(key.name) ") }
                    == SettingsTable.keys.count { $0.name == key.name })
        }
        #expect(lines.count { $0.hasPrefix(".Bl ") } == 14)
        #expect(lines.count { $0 == ".El" } == 14)
        let macros = [".Ss ", ".Bl ", ".El", ".It ", ".Ql "]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(macros.contains { line.hasPrefix($0) })
        }
    }
}
