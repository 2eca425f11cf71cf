import BusClient
import JSON

/// The retained status of a box.
enum StatusBody {
    /// Of the sources that are told; an ingest reads 16 KiB of a status.
    private static let most = 64

    /// `{"v":1,"online":true,"log":…,"last":4711,"oldest":1,…}`.
    /// - Parameter sources: of fences, as geofenced-sync tells of them.
    static func bytes(
        _ status: DaemonStatus, sources: [SourceStatus], waiting: Int, state: String,
        version: String
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key("online")
        json.bool(true)
        json.key("log")
        json.string(status.text("LogId"))
        json.key("last")
        json.integer(status.number("LastSeq"))
        json.key("oldest")
        json.integer(status.number("OldestSeq"))
        json.key("waiting")
        json.integer(waiting)
        json.key("state")
        json.string(state)
        json.key("degraded")
        json.value(.array(status.degraded.map { .string($0) }))
        json.key("generation")
        json.integer(status.number("Generation"))
        json.key("fences")
        json.integer(status.number("FenceCount"))
        json.key("version")
        json.string(version)
        json.key("origins")
        json.beginObject()
        for source in sources.prefix(most) {
            json.key("source/\(source.name)")
            json.beginObject()
            for (key, name) in [("hash", "sum"), ("state", "state")] {
                json.key(key)
                json.string(source.json[name]?.string ?? "")
            }
            json.key("fences")
            json.integer(source.json["fences"]?.integer ?? 0)
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
