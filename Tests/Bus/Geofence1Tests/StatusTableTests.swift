import FormatsTestKit
import Foundation
import Geofence1
import JSON
import Metrics
import Model
import Systemd
import Testing

@Suite("the table of the daemon's status")
struct StatusTableTests {
    @Test("no property comes twice, and each value that stands for none is of a type")
    func names() {
        let names = StatusRow.all.map(\.name)
        #expect(Set(names).count == names.count)
        for row in StatusRow.all { #expect(!row.signature.isEmpty, "\(row.name)") }
    }

    @Test("no member of the status comes twice, whatever the daemon tells")
    func members() throws {
        for properties in [[:], ["PositionState": BusValue.string("lost")]] {
            var json = JSONWriter()
            DaemonStatus(properties: properties).write(to: &json)
            let keys = try #require(try JSONValue(parsing: json.bytes).object).map(\.key)
            #expect(Set(keys).count == keys.count)
            #expect(keys.contains("uncertain") == !properties.isEmpty)
        }
    }

    @Test("a value comes back from the bus, and what stands for none as none")
    func values() {
        func isSame<Value: Equatable>(_ property: StatusProperty<Value>, _ value: Value) -> Bool {
            let told = [property.row.name: property.bus(value)]
            return DaemonStatus(properties: told)[property] == value
        }
        #expect(isSame(.positionState, "lost"))
        #expect(isSame(.degraded, ["source", "copies"]))
        #expect(isSame(.lastSeq, 1 << 60))
        #expect(isSame(.windowSize, 20))
        #expect(isSame(.metafenceRadius, 812.5) && isSame(.metafenceRadius, nil))
        #expect(isSame(.fixInterval, 30.5) && isSame(.fixInterval, nil))
        #expect(isSame(.vehicleOdometer, 0) && isSame(.vehicleOdometer, nil))
        #expect(isSame(.resting, true))
        #expect(isSame(.lastFix, nil) && isSame(.lastFixArrival, nil))
        #expect(isSame(.fixCounters, [ToldCount("accepted", 3), ToldCount("stale", 1)]))
        var vehicle = VehicleState()
        vehicle.vehicle = Vehicle(profile: "tall", height: 4.1, axleLoad: 11.5, setBy: "uid 1000")
        vehicle.statedHeight = 3.9
        vehicle.certainty = .unconfirmed
        vehicle.profiles = ["tall", "flat"]
        vehicle.hasHazards = true
        #expect(isSame(.vehicle, vehicle) && isSame(.vehicle, nil))
    }

    @Test("nonsense of a stranger is no value", arguments: StatusRow.all.map(\.name))
    func nonsense(_ name: String) throws {
        for value: BusValue in [
            .string("\u{7}"), .uint64(.max), .double(.nan), .array(of: "s", []), .options([]),
        ] {
            var json = JSONWriter()
            DaemonStatus(properties: [name: value]).write(to: &json)
            #expect(throws: Never.self) { try JSONValue(parsing: json.bytes) }
            var text = MetricsText()
            DaemonStatus(properties: [name: value]).write(to: &text)
            #expect(!text.text.contains("nan"))
        }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("the interface and the manual page say what the table says")
    func pages() throws {
        for (file, text) in [
            (
                "systemd/usr/share/dbus-1/interfaces/org.geofenced.Geofence1.xml",
                StatusPages.interface
            ), ("docs/man/org.geofenced.Geofence1.5", StatusPages.manual),
        ] {
            let isSame = try TablePage.isAsWritten(
                Self.root.appendingPathComponent(file), "properties", from: "Sources/Bus/Interface",
                text)
            #expect(isSame, "\(file): GOLDEN=1 writes it")
        }
    }
}

/// The table as the pages have it.
private enum StatusPages {
    static var manual: String {
        ".Bl -tag -width LastFixTimestampMonotonic\n"
            + StatusRow.all.map { row in
                let text = (row.summary + notes(row)).replacing(" -1", with: " \\-1")
                return ".It Va \(row.name) Vt \(row.signature)\n\(text)\n"
            }.joined() + ".El\n"
    }

    static var interface: String {
        StatusRow.all.map { row in
            var text = comment(row.summary + (row.isRestricted ? unread : ""))
            let open =
                "    <property name=\"\(row.name)\" type=\"\(row.signature)\" access=\"read\""
            var annotations: [(String, String)] = []
            if let type = types[row.signature] {
                annotations.append(("org.qtproject.QtDBus.QtTypeName", type))
            }
            if let change = signal(row.change) {
                annotations.append(
                    ("org.freedesktop.DBus.Property.EmitsChangedSignal", change))
            }
            guard !annotations.isEmpty else { return text + open + "/>\n" }
            text += open + ">\n"
            for (name, value) in annotations {
                text += "      <annotation name=\"\(name)\" value=\"\(value)\"/>\n"
            }
            return text + "    </property>\n"
        }.joined()
    }

    private static let unread = "; empty, or 0, for callers without read-events"

    private static func notes(_ row: StatusRow) -> String {
        let change =
            switch row.change {
            case .constant: "; constant"
            case .silent: "; changes are not signalled"
            case .emitsInvalidation: "; a change is signalled without the value"
            case .emitsValue: ""
            }
        return (row.isRestricted ? unread : "") + change
    }

    private static func signal(_ change: BusPropertyChange) -> String? {
        switch change {
        case .constant: "const"
        case .silent: "false"
        case .emitsInvalidation: "invalidates"
        case .emitsValue: nil
        }
    }

    /// What a generator for Qt needs of types that D-Bus does not name.
    private static let types = [
        "a{ss}": "GeofenceTexts", "a{st}": "GeofenceCounters", "a{sv}": "QVariantMap",
        "aa{sv}": "GeofenceMaps", "a{sa{sv}}": "GeofenceNamedMaps",
    ]

    /// In lines of 100 characters.
    private static func comment(_ text: String) -> String {
        var lines = ["    <!--"]
        for word in (text + " -->").split(separator: " ") {
            if lines[lines.count - 1].count + word.count >= 100 { lines.append("        ") }
            lines[lines.count - 1] += " " + word
        }
        return lines.map { "\($0)\n" }.joined()
    }
}
