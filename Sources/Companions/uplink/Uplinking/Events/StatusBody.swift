import BusClient
import JSON

/// The retained status of a box.
enum StatusBody {
    /// `{"v":1,"online":true,"log":…,"last":4711,"oldest":1,…}`.
    static func bytes(
        _ status: DaemonStatus, waiting: Int, state: String, version: String
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
        json.endObject()
        return json.bytes
    }
}
