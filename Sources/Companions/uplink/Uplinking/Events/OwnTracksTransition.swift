import Geodesy
import JSON
import Model
import Time

/// `_type=transition` of OwnTracks (owntracks.org/booklet/tech/json), for Home Assistant and the
/// Recorder. It has no number: what arrives twice cannot be told from two events.
enum OwnTracksTransition {
    /// Writes an enter, an exit, or that it was found inside, where the position is known; false for any
    /// other event.
    static func write(
        _ event: Event, _ box: BoxName, to json: inout JSONWriter
    ) -> Bool {
        guard let name = [EventKind.enter: "enter", .initial: "enter", .exit: "leave"][event.kind],
            let fence = event.fence, let position = event.coordinate
        else { return false }
        json.beginObject()
        let texts = [
            ("_type", "transition"), ("event", name), ("rid", fence),
            ("desc", event.title.isEmpty ? fence : event.title),
            // Two characters, by the book.
            ("tid", String(box.box.suffix(2))), ("t", "c"),
        ]
        for (key, text) in texts {
            json.key(key)
            json.string(text)
        }
        json.key("lat")
        json.number(position.latitude, decimals: 7)
        json.key("lon")
        json.number(position.longitude, decimals: 7)
        json.key("acc")
        json.number(event.error ?? 0, decimals: 0)
        // When the boundary was crossed, which the fix that says so may be later than.
        json.key("tst")
        json.integer(event.time.nanoseconds / 1_000_000_000)
        json.key(fixTime)
        json.integer(event.fixTime.nanoseconds / 1_000_000_000)
        // When the region was made, which nobody knows here.
        json.key("wtst")
        json.integer(0)
        json.endObject()
        return true
    }

    /// The place is that of a fix, of this time; no word of OwnTracks.
    private static let fixTime = "fix_tst"

    /// `_type=location` of the fix, its place and its time: what is drawn.
    /// - Parameters:
    ///   - transition: as ``write(_:_:to:)`` has written it.
    ///   - places: where the vehicle is at present; nil: not known, or of no matter for an older event.
    /// - Returns: nil for a text that is no such thing.
    static func location(of transition: [UInt8], in places: [Place]?) -> [UInt8]? {
        guard let old = try? JSONValue(parsing: transition), old["_type"]?.string == "transition"
        else { return nil }
        var json = JSONWriter()
        json.beginObject()
        json.key("_type")
        json.string("location")
        let members = ["lat", "lon", "acc", "tid", "t"].map { ($0, old[$0]) }
        // What waits since before this version has one time.
        for (key, value) in members + [("tst", old[fixTime] ?? old["tst"])] {
            guard let value else { continue }
            json.key(key)
            json.value(value)
        }
        if let places {
            json.key("inregions")
            json.value(.array(places.map { .string($0.title) }))
            json.key("inrids")
            json.value(.array(places.map { .string($0.id) }))
        }
        json.endObject()
        return json.bytes
    }
}
