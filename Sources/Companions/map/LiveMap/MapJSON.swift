import BusClient
import JSON

/// The bodies of the answers that are no object of geofencectl.
enum MapJSON {
    /// `{"metafence":{…} or null,"regions":[…]}`
    static func window(_ regions: [KnownRegion], _ metafence: KnownMetafence?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("metafence")
        if let metafence { metafence.write(to: &json) } else { json.null() }
        json.key("regions")
        write(regions, to: &json)
        json.endObject()
        return json.bytes
    }

    private static func write(_ regions: [KnownRegion], to json: inout JSONWriter) {
        json.beginArray()
        for (index, region) in regions.enumerated() { region.write(rank: index + 1, to: &json) }
        json.endArray()
    }

    /// The object of `geofencectl --json watch`.
    static func state(_ status: DaemonStatus, _ regions: [KnownRegion]) -> [UInt8] {
        var json = JSONWriter()
        status.write(to: &json)
        var window = JSONWriter()
        write(regions, to: &window)
        return json.bytes.dropLast() + Array(",\"window\":".utf8) + window.bytes
            + Array("}".utf8)
    }

    /// `{"events":[…],"next":…,"gap":…}`
    static func events(_ page: EventLogPage) -> [UInt8] {
        var bytes = Array("{\"events\":[".utf8)
        for (index, event) in page.told.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += event.json
        }
        return bytes + Array("],\"next\":\(page.next),\"gap\":\(page.hasGap)}".utf8)
    }

    /// A FeatureCollection of these features.
    static func fences(_ features: [String], total: Int, generation: UInt64) -> [UInt8] {
        Array(
            ("{\"type\":\"FeatureCollection\",\"generation\":\(generation),\"total\":\(total),"
                + "\"features\":[" + features.joined(separator: ",") + "]}").utf8)
    }

    /// A FeatureCollection without features, of too many: how many there are in each cell, row by
    /// row from the north-west.
    static func cells(
        _ counts: [UInt32], columns: Int, rows: Int, total: Int, generation: UInt64
    ) -> [UInt8] {
        let list = counts.map { String($0) }.joined(separator: ",")
        return Array(
            ("{\"type\":\"FeatureCollection\",\"generation\":\(generation),\"total\":\(total),"
                + "\"features\":[],\"cells\":{\"columns\":\(columns),\"rows\":\(rows),"
                + "\"counts\":[\(list)]}}").utf8)
    }

    /// `{"feature":{…},"presence":…,"since":…}`
    static func fence(
        _ fence: KnownFence, _ presence: KnownPresence?, since: String?
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("feature")
        json.raw(fence.feature)
        if let presence { presence.writeMembers(to: &json) }
        json.key("since")
        json.optional(since)
        json.endObject()
        return json.bytes
    }
}
