import Engine
import Geodesy
import JSON
import Time

/// `_type=transition` of OwnTracks (owntracks.org/booklet/tech/json), for Home Assistant and the
/// Recorder. It has no number: what arrives twice cannot be told from two events.
enum OwnTracksTransition {
    /// Writes an enter or an exit whose position is known; false for any other event.
    static func write(
        _ event: Event, _ box: BoxName, to json: inout JSONWriter
    ) -> Bool {
        guard let name = [EventKind.enter: "enter", .exit: "leave"][event.kind],
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
        json.key("tst")
        json.integer(event.time.nanoseconds / 1_000_000_000)
        // When the region was made, which nobody knows here.
        json.key("wtst")
        json.integer(0)
        json.endObject()
        return true
    }
}
