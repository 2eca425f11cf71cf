import BusClient
import Geofence1
import JSON
import Model
import Sentences

/// The bodies of the answers that are no object of geofencectl.
enum MapJSON {
    /// `{"metafence":{…} or null,"regions":[…]}`
    static func window(_ regions: [ToldRegion], _ metafence: ToldMetafence?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("metafence")
        if let metafence {
            ToldMetafence.told.writeObject(metafence, to: &json)
        } else {
            json.null()
        }
        json.key("regions")
        write(regions, to: &json)
        json.endObject()
        return json.bytes
    }

    /// `{"inside":[…]}`: the beacon fences that the vehicle is inside.
    static func beacons(_ beacons: [ToldBeacon]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("inside")
        json.beginArray()
        for beacon in beacons where beacon.isInside { beacon.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func write(_ regions: [ToldRegion], to json: inout JSONWriter) {
        json.beginArray()
        for (index, region) in regions.enumerated() { region.write(rank: index + 1, to: &json) }
        json.endArray()
    }

    /// The object of `geofencectl --json watch`.
    static func state(_ status: DaemonStatus, _ regions: [ToldRegion]) -> [UInt8] {
        var json = JSONWriter()
        status.write(to: &json)
        var window = JSONWriter()
        write(regions, to: &window)
        return json.bytes.dropLast() + Array(",\"window\":".utf8) + window.bytes
            + Array("}".utf8)
    }

    /// Events of some pages of the log.
    struct Events {
        private(set) var count = 0
        private var list: [UInt8] = []
        private var next: UInt64
        private var hasGap = false

        private let wording: Wording

        /// - Parameters:
        ///   - next: the number that is asked for.
        ///   - wording: of what the driver is told.
        init(next: UInt64, _ wording: Wording) {
            self.next = next
            self.wording = wording
        }

        /// Whether another page may be added.
        var hasRoom: Bool { list.count < 1 << 20 }

        mutating func add(_ page: EventLogPage) {
            for event in page.told(wording) {
                if count > 0 { list.append(UInt8(ascii: ",")) }
                list += event.json
                count += 1
            }
            next = page.next
            hasGap = hasGap || page.hasGap
        }

        /// `{"events":[…],"next":…,"gap":…}`
        var json: [UInt8] {
            Array("{\"events\":[".utf8) + list
                + Array("],\"next\":\(next),\"gap\":\(hasGap)}".utf8)
        }
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
        _ fence: CatalogueFence, _ vehicle: VehicleState?, _ presence: ToldPresence?,
        since: String?
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("feature")
        json.raw(fence.feature(for: vehicle))
        if let presence { presence.writeMembers(to: &json) }
        json.key("since")
        json.optional(since)
        json.endObject()
        return json.bytes
    }
}
