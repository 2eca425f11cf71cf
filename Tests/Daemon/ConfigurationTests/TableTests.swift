import FixSources
import Foundation
import Law
import Model
import Testing

@testable import Configuration
@testable import Monitoring
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
        "[Trips] Record=no", "[Trips] StandSec=5min", "[Trips] EverySec=0s",
        "[Vehicle] Wheels=no", "[Vehicle] HeightM=", "[Vehicle] WidthM=", "[Vehicle] LengthM=",
        "[Vehicle] WeightT=", "[Vehicle] AxleLoadT=", "[Vehicle] Profiles=",
        "[Vehicle] ConfirmWithinSec=1d", "[Vehicle] AssumedHeightM=4.2m",
        "[Route] OffRoute=as-today", "[Route] LeftM=2km", "[Route] LeftSec=5min",
        "[Route] MaxAgeSec=12h",
        "[Beacons] Enabled=yes", "[Beacons] Adapter=",
        "[Journal] Location=no", "[Journal] Driver=no",
        "[Journal] SyncIntervalSec=5min",
        "[Events] MaxEvents=100000", "[Events] MaxAgeSec=90d", "[Events] MaxSize=64M",
        "[Events] QueueMax=10000",
        "[Store] PositionIntervalSec=1min",
        "[Origins] MaxFences=25%",
        "[Bus] Bus=system", "[Bus] MaxFences=2000000", "[Bus] MaxBatch=10000",
        "[Bus] MaxImportSize=1G", "[Bus] MaxSubscriptions=16", "[Bus] MaxConsumers=64",
        "[Driver] Signal=", "[Driver] File=", "[Driver] Beacons=",
        "[Driver] Language=", "[Driver] Units=sign", "[Driver] TimeZone=",
        "[Say] Kinds=overspeed no-stop overstay", "[Say] QuietHours=", "[Say] Unwatched=yes",
        "[Say] UnwatchedSec=5min",
    ]

    @Test("every key has the default of the law")
    func everyDefault() {
        let table = Settings.table.keys.map {
            "[\($0.section)] \($0.name)=\(Settings.table.defaultText(of: $0))"
        }
        #expect(table == Self.defaults)
    }

    @Test("every default is a valid value and parses to itself", arguments: Settings.table.keys)
    func defaultsAreValues(key: SettingKey<Settings>) throws {
        var settings = Settings()
        try key.kind.assign(Settings.table.defaultText(of: key), to: &settings)
        #expect(settings == Settings())
    }

    @Test("a key sets its own field and no other key's", arguments: Settings.table.keys)
    func fields(key: SettingKey<Settings>) throws {
        let others = [
            key.kind.bounds?.upper, "session", "nmea:/dev/ttyS0", "30%", "yes", "no", "hci1",
            "rig height=4m", "Europe/Berlin", "12-25", "gpiochip0:1",
            "sender=a.b path=/ interface=a.b member=C", "de", "metric", "enter",
            "22:00-06:00", "urgent", "/run/card",
        ]
        let other = others.compactMap(\.self).first { text in
            var settings = Settings()
            return (try? key.kind.assign(text, to: &settings)) != nil && settings != Settings()
        }
        var settings = Settings()
        try key.kind.assign(#require(other), to: &settings)
        let changed = Settings.table.keys.filter {
            $0.kind.text(settings) != Settings.table.defaultText(of: $0)
        }
        #expect(changed.map(\.name) == [key.name])
        key.kind.copy(Settings(), &settings)
        #expect(settings == Settings())
    }

    @Test(
        "both ends of a range are good, what lies beyond is refused", arguments: Settings.table.keys
    )
    func ranges(key: SettingKey<Settings>) throws {
        guard let bounds = key.kind.bounds else { return }
        var settings = Settings()
        try key.kind.assign(bounds.lower, to: &settings)
        #expect(key.kind.text(settings) == bounds.lower)
        try key.kind.assign(bounds.upper, to: &settings)
        #expect(key.kind.text(settings) == bounds.upper)
        let reason = BadValue(reason: "out of range: from \(bounds.lower) to \(bounds.upper)")
        for beyond in ["-1", "99999999999999999999"] {
            #expect(throws: reason) { try key.kind.assign(beyond, to: &settings) }
        }
        #expect(key.kind.text(settings) == bounds.upper)
    }

    @Test("a whole number fits where an Int has 32 bits", arguments: Settings.table.keys)
    func narrow(key: SettingKey<Settings>) throws {
        guard key.kind.name == "number", let bounds = key.kind.bounds else { return }
        #expect(Int32(bounds.lower) != nil && Int32(bounds.upper) != nil)
    }

    @Test("no two keys share a name in a section, and sections are contiguous")
    func unique() {
        let names = Settings.table.keys.map { "\($0.section).\($0.name)" }
        #expect(Set(names).count == names.count)
        let sections = Settings.table.keys.map(\.section)
        let changes = zip(sections, sections.dropFirst()).count { $0 != $1 }
        #expect(changes == Set(sections).count - 1)
        for rule in Settings.table.rules {
            for key in rule.keys { #expect(names.contains("\(rule.section).\(key)")) }
        }
    }

    /// With GOLDEN in the environment the file is written instead, for review.
    @Test("the shipped file is the table, all comments")
    func shippedFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../etc/geofenced/geofenced.conf").standardized
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            try Data(Settings.shippedFile.utf8).write(to: file)
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == Settings.shippedFile)
        for line in text.split(separator: "\n") {
            #expect(line.hasPrefix("#") || line.hasPrefix("["))
            #expect(line.count <= 100)
        }
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array(text.utf8), file: "geofenced.conf")
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings == Settings())
    }

    @Test("the shipped file with its keys uncommented gives the defaults")
    func uncommented() {
        let loaded = uncommentedFile()
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings == Settings())
    }

    private func uncommentedFile() -> LoadedSettings<Settings> {
        let lines = Settings.shippedFile.split(separator: "\n").map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") && line.contains("=")
                ? String(line.dropFirst()) : String(line)
        }
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array(lines.joined(separator: "\n").utf8), file: "geofenced.conf")
        #expect(lines.count { !$0.hasPrefix("#") && $0.contains("=") } == Settings.table.keys.count)
        return loaded
    }

    @Test("what ships is the law as it stands in the engine: with every key, and without a file")
    func law() {
        var settings = EngineSettings()
        for loaded in [Settings.load(root: "/nowhere"), uncommentedFile()] {
            let parts = loaded.settings.forMonitoring(arrivalIsDerived: false)
            #expect(parts.engine == settings)
            #expect(parts.originLimit == 500_000 && parts.vehicle == VehicleSettings())
            #expect(loaded.settings.forSource == ReceiverSettings())
        }
        settings.gates.arrivalIsDerived = true
        #expect(Settings().forMonitoring(arrivalIsDerived: true).engine == settings)
    }

    @Test("the manual has every key, once, in lists that are closed")
    func manual() {
        let lines = Settings.table.manual.split(separator: "\n")
        for key in Settings.table.keys {
            // A name may stand in two sections.
            #expect(
                lines.count { $0.hasPrefix(".It Ic \(key.name) ") }
                    == Settings.table.keys.count { $0.name == key.name })
        }
        #expect(lines.count { $0.hasPrefix(".Bl ") } == 18)
        #expect(lines.count { $0 == ".El" } == 18)
        let macros = [".Ss ", ".Bl ", ".El", ".It ", ".Ql "]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(macros.contains { line.hasPrefix($0) })
        }
    }
}
