import BusClient
import JSON
import SharedLimits

/// The retained status of a box.
enum StatusBody {
    /// What is said of more sources and troubles than fit is left out.
    /// - Parameter most: bytes.
    static func bytes(
        _ status: DaemonStatus, sources: [SourceStatus], waiting: Int, state: String,
        version: String, most: Int
    ) -> [UInt8] {
        var count = SharedLimits.sources
        while true {
            let body = bytes(
                status, sources: Array(sources.prefix(count)),
                // There are a few of them, and each is short.
                degraded: count > 0 ? status.degraded : Array(status.degraded.prefix(4)),
                waiting: waiting, state: state, version: version)
            if body.count <= most || count == 0 { return body }
            count /= 2
        }
    }

    /// `{"v":1,"online":true,"log":…,"last":4711,"oldest":1,…}`.
    /// - Parameter sources: of fences, as geofenced-sync tells of them.
    private static func bytes(
        _ status: DaemonStatus, sources: [SourceStatus], degraded: [String], waiting: Int,
        state: String, version: String
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
        json.value(.array(degraded.map { .string($0) }))
        json.key("generation")
        json.integer(status.number("Generation"))
        json.key("fences")
        json.integer(status.number("FenceCount"))
        json.key("version")
        json.string(version)
        json.key("origins")
        json.beginObject()
        for source in sources {
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
