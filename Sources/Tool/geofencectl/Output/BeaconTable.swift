import BusClient
import Bytes
import Geofence1
import JSON
import Model
import Program
import Systemd
import Time

/// Beacons, for people and as JSON.
@MainActor
enum BeaconTable {
    // MARK: Beacon fences

    static func table(_ beacons: [ToldBeacon]) -> Table {
        var table = Table("ID", "PRESENCE", "SINCE", "HEARD", "BEACONS", "TITLE")
        for beacon in beacons {
            table.add([
                (beacon.id, nil), (presence(beacon), beacon.presence.colour),
                (beacon.since?.iso8601 ?? "–", nil), (heard(beacon) ?? "–", nil),
                (beacon.pattern?.text ?? "?", nil), (beacon.title, nil),
            ])
        }
        return table
    }

    /// `inside`, `inside?, by hand`, `ambiguous`
    private static func presence(_ beacon: ToldBeacon) -> String {
        if beacon.isAmbiguous { return "ambiguous" }
        return beacon.presence.text + (beacon.isManual ? ", by hand" : "")
    }

    /// `12.5 s ago`
    private static func heard(_ beacon: ToldBeacon) -> String? {
        guard let last = beacon.lastHeard else { return nil }
        let age = EventLoop.uptime - last
        return age < .zero ? nil : "\(age.text) ago"
    }

    static func json(_ beacons: [ToldBeacon]) throws {
        for beacon in beacons {
            var json = JSONWriter()
            write(beacon, to: &json)
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
    }

    private static func write(_ beacon: ToldBeacon, to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.string(beacon.id)
        json.key("title")
        json.string(beacon.title)
        json.key("beacons")
        json.optional(beacon.pattern?.text)
        json.key("presence")
        json.string(beacon.presence.presence.name)
        for (key, flag) in [
            ("uncertain", beacon.presence.isUncertain), ("manual", beacon.isManual),
            ("ambiguous", beacon.isAmbiguous), ("companion", beacon.isCompanion),
        ] {
            json.key(key)
            json.bool(flag)
        }
        json.key("group")
        json.optional(beacon.group)
        json.key("since")
        json.optional(beacon.since?.iso8601)
        json.key("heard_s")
        json.optional(
            beacon.lastHeard.map { (EventLoop.uptime - $0).roundedSeconds }, decimals: 3)
        json.key("rssi_mean")
        json.optional(beacon.level, decimals: 1)
        json.key("metadata")
        json.raw(beacon.metadata ?? "{}")
        json.endObject()
    }

    // MARK: The radio

    static func facts(
        _ status: DaemonStatus, _ beacons: [ToldBeacon]
    ) -> [(String, String)] {
        let inside = beacons.filter { $0.presence.presence == .inside }
        var facts = [
            ("radio", radio(status[.beaconState], status[.beaconReason])),
            ("fences", "\(beacons.count), inside \(inside.count)"),
        ]
        for beacon in beacons
        where beacon.isCompanion && (beacon.presence.presence == .inside || beacon.isAmbiguous) {
            let title = beacon.title.isEmpty ? "" : ", \(beacon.title)"
            facts.append(("companion", "\(beacon.id)\(title): \(presence(beacon))".printable))
        }
        return facts
    }

    static func json(_ status: DaemonStatus, _ beacons: [ToldBeacon]) throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("state")
        json.string(status[.beaconState])
        json.key("reason")
        json.string(status[.beaconReason])
        json.key("ranging_available")
        json.bool(status[.rangingAvailable])
        json.key("fences")
        json.integer(beacons.count)
        json.key("companions")
        json.beginArray()
        for beacon in beacons
        where beacon.isCompanion && (beacon.presence.presence == .inside || beacon.isAmbiguous) {
            write(beacon, to: &json)
        }
        json.endArray()
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }

    private static func radio(_ state: String, _ reason: String) -> String {
        (reason.isEmpty ? state : "\(state): \(reason)").printable
    }

    // MARK: Ranging

    /// The state of a session: a line on standard error, or an object with a "state".
    static func state(_ state: String, _ reason: String, isJSON: Bool) throws {
        guard isJSON else { return StandardError.warn("radio \(radio(state, reason))") }
        var json = JSONWriter()
        json.beginObject()
        json.key("state")
        json.string(state)
        json.key("reason")
        json.string(reason)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }

    /// The beacons that are near now: a line for each, or `none`; or an object with "beacons".
    static func ranged(_ beacons: [RangedBeacon], isJSON: Bool) throws {
        if isJSON { return try rangedJSON(beacons) }
        var table = Table([
            .init(title: "BEACON"), .init(title: "PROXIMITY"),
            .init(title: "DISTANCE", isNumber: true), .init(title: "RSSI", isNumber: true),
        ])
        for beacon in beacons {
            table.add(
                beacon.identity.text, beacon.proximity.name,
                beacon.distance.map { "\(decimal($0, 1)) m" } ?? "–",
                beacon.rssi.map { "\($0) dBm" } ?? "–")
        }
        if beacons.isEmpty { return try StandardOutput.line("none") }
        try table.print(hasHeader: false)
    }

    private static func rangedJSON(_ beacons: [RangedBeacon]) throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("beacons")
        json.beginArray()
        for beacon in beacons {
            json.beginObject()
            json.key("beacon")
            json.string(beacon.identity.text)
            json.key("proximity")
            json.string(beacon.proximity.name)
            json.key("distance_m")
            json.optional(beacon.distance, decimals: 2)
            json.key("distance_factor")
            json.optional(
                beacon.distance == nil ? nil : RangedBeacon.distanceFactor, decimals: 1)
            json.key("rssi")
            if let rssi = beacon.rssi { json.integer(rssi) } else { json.null() }
            json.key("rssi_mean")
            json.optional(beacon.level, decimals: 1)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}

extension BeaconProximity {
    fileprivate var name: String {
        switch self {
        case .unknown: "unknown"
        case .immediate: "immediate"
        case .near: "near"
        case .far: "far"
        }
    }
}
