package import BusClient
package import Geofence1
import JSON
import SharedLimits
package import Time

/// The retained status of a box.
package struct StatusBody {
    /// The word of an ``UplinkState``.
    package var state: String
    /// Since when that is so.
    package var since: UTCTime
    /// Now.
    package var time: UTCTime
    /// What the daemon says, or said last where it is not there; nil: it has said nothing yet.
    package var daemon: DaemonStatus?
    /// Whether it is there: of one that is not nobody knows what does not work.
    package var isThere: Bool
    /// Since when each of the things that do not work is so.
    package var troubles: [String: UTCTime]
    /// Events that are not acknowledged; nil: that is not known.
    package var waiting: Int?
    /// Of this program.
    package var version: String
    /// Of fences, as geofenced-sync tells of them.
    package var sources: [SourceStatus]

    package init(
        state: String, since: UTCTime, time: UTCTime, daemon: DaemonStatus?, isThere: Bool,
        troubles: [String: UTCTime], waiting: Int?, version: String, sources: [SourceStatus]
    ) {
        self.state = state
        self.since = since
        self.time = time
        self.daemon = daemon
        self.isThere = isThere
        self.troubles = troubles
        self.waiting = waiting
        self.version = version
        self.sources = sources
    }

    /// Of more than fits the times of sources are left out first, then sources, and troubles at last.
    /// - Parameter most: bytes.
    package func bytes(most: Int) -> [UInt8] {
        var count = min(sources.count, SharedLimits.sources)
        let whole = bytes(sources: count, haveTimes: true)
        if whole.count <= most { return whole }
        while true {
            let body = bytes(sources: count, haveTimes: false)
            if body.count <= most || count == 0 { return body }
            count = min(count - 1, count * 9 / 10)
        }
    }

    /// `{"v":1,"online":true,"log":…,"last":4711,"oldest":1,…}`.
    private func bytes(sources count: Int, haveTimes: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(1)
        json.key("online")
        json.bool(true)
        if let daemon {
            json.key("log")
            json.string(daemon[.logID])
            json.key("last")
            json.integer(daemon[.lastSeq])
            json.key("oldest")
            json.integer(daemon[.oldestSeq])
        }
        if let waiting {
            json.key("waiting")
            json.integer(waiting)
        }
        json.key("state")
        json.string(state)
        // There are a few of them, and each is short.
        let degraded =
            isThere ? (daemon?[.degraded] ?? []).prefix(count > 0 || haveTimes ? .max : 4) : []
        json.key("degraded")
        json.value(.array(degraded.map { .string($0) }))
        if let daemon {
            json.key("generation")
            json.integer(daemon[.generation])
            json.key("fences")
            json.integer(daemon[.fenceCount])
        }
        json.key("version")
        json.string(version)
        json.key("origins")
        json.beginObject()
        for source in sources.prefix(count) { Self.write(source, haveTimes, to: &json) }
        json.endObject()
        if count < sources.count {
            json.key("origins_left_out")
            json.integer(sources.count - count)
        }
        writeTimes(degraded, to: &json)
        json.endObject()
        return json.bytes
    }

    private func writeTimes(_ degraded: ArraySlice<String>, to json: inout JSONWriter) {
        json.key("time")
        json.string(time.iso8601)
        json.key("since")
        json.string(since.iso8601)
        if isThere, let began = daemon?[.started] {
            json.key("started")
            json.string(began.iso8601)
        }
        json.key("degraded_since")
        json.beginObject()
        for trouble in degraded {
            guard let since = troubles[trouble] else { continue }
            json.key(trouble)
            json.string(since.iso8601)
        }
        json.endObject()
    }

    private static func write(
        _ source: SourceStatus, _ hasTimes: Bool, to json: inout JSONWriter
    ) {
        json.key("source/\(source.name)")
        json.beginObject()
        for (key, name) in [("hash", "sum"), ("state", "state")] {
            json.key(key)
            json.string(source.json[name]?.string ?? "")
        }
        json.key("fences")
        json.integer(source.json["fences"]?.integer ?? 0)
        if !source.held.isEmpty {
            json.key("held")
            json.string(source.held)
        }
        guard hasTimes else { return json.endObject() }
        for (key, name) in [("looked", "tried_at"), ("next", "next_at")] {
            guard let time = source.json[name]?.integer, time > 0, time < 1 << 40 else { continue }
            json.key(key)
            json.string(UTCTime(secondsSince1970: time).iso8601)
        }
        json.endObject()
    }
}
