import Engine
import GeoJSON
import Geodesy
import JSON
import Time

/// A fence as a Feature; what has its usual value is left out.
enum FenceFeature {
    static func write(_ fence: Fence, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("type")
        writer.string("Feature")
        writer.key("id")
        writer.string(fence.id)
        writer.key("geometry")
        writer.write(fence.area.geometry)
        writer.key("properties")
        writer.beginObject()
        writeMetadata(fence.metadata, to: &writer)
        writeProperties(fence, to: &writer)
        writer.endObject()
        writer.endObject()
    }

    /// Behind the metadata: of two members with one name the last counts.
    private static func writeProperties(_ fence: Fence, to writer: inout JSONWriter) {
        switch fence.area.geometry {
        case .circle(_, let radius):
            writer.key("radius")
            writer.number(radius)
        case .corridor(_, let width):
            writer.key("width")
            writer.number(width)
        case .polygons: break
        }
        for (key, text) in [("title", fence.title), ("description", fence.description)]
        where !text.isEmpty {
            writer.key(key)
            writer.string(text)
        }
        if fence.dwell != .zero {
            writer.key("dwell")
            writer.raw(seconds(fence.dwell))
        }
        for (key, value, usual) in [
            ("notify_on_entry", fence.notifyOnEntry, true),
            ("notify_on_exit", fence.notifyOnExit, true),
            ("initial_enter", fence.initialEnter, false),
        ] where value != usual {
            writer.key(key)
            writer.bool(value)
        }
    }

    /// Metadata is the text of an object, which every door has seen to.
    private static func writeMetadata(_ metadata: String, to writer: inout JSONWriter) {
        guard metadata != "{}" else { return }
        var members: [(String, String)] = []
        var reader = JSONReader(metadata)
        try? reader.readObject { reader, key in
            members.append((key, try reader.rawValue()))
        }
        for (key, json) in members {
            writer.key(key)
            writer.raw(json)
        }
    }

    /// Whole nanoseconds as decimals, all of them.
    private static func seconds(_ span: TimeSpan) -> String {
        let magnitude = span.nanoseconds.magnitude
        var text = String(magnitude / 1_000_000_000)
        let rest = magnitude % 1_000_000_000
        if rest > 0 {
            let digits = String(rest)
            text += "." + String(repeating: "0", count: 9 - digits.count) + digits
            while text.hasSuffix("0") { text.removeLast() }
        }
        return (span.nanoseconds < 0 ? "-" : "") + text
    }
}
