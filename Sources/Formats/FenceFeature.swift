import GeoJSON
import Geodesy
package import JSON
package import Model
import Sentences
import Time

/// A fence as a Feature; default values are left out.
package enum FenceFeature {
    /// What is wrong with metadata of the fence. Properties and metadata are members of one object
    /// in a Feature: metadata with the name of a property would be read as that property, and a wrong
    /// `say` is refused.
    /// - Returns: nil if the Feature is read as the fence that was written.
    package static func flaw(ofMetadata members: [JSONMember], in fence: Fence) -> String? {
        let own = own(fence)
        let member = members.first { member in
            func names(_ property: FenceProperty) -> Bool {
                property.name.description == member.key
            }
            // Only an object describes beacons.
            return own.contains(where: names) || FenceProperty.fields.contains(where: names)
                || (names(.beacon) && member.value.object != nil)
        }
        if let member {
            return "metadata cannot be called \(member.key), which is a property"
        }
        return SayList.flaw(of: members.last { $0.key == SayList.property }?.value)
    }

    /// The properties that count for a fence of this kind, besides those of all fences.
    package static func own(_ fence: Fence) -> [FenceProperty] {
        switch (fence.subject, fence.approach) {
        case (.area, .some): [.approach] + FenceProperty.ofApproaches
        case (.area(let area), nil):
            switch area.geometry {
            case .circle: [.approach, .radius]
            case .corridor, .lines: [.approach, .width]
            case .polygons: [.approach]
            }
        case (.beacons, _): [.beacon] + FenceProperty.ofBeacons
        }
    }

    static func write(_ fence: Fence, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("type")
        writer.string("Feature")
        writer.key("id")
        writer.string(fence.id)
        writer.key("geometry")
        switch (fence.subject, fence.approach) {
        case (.area(let area), let approach?):
            writer.write(ApproachJSON.geometry(approach, of: area))
        case (.area(let area), nil): writer.write(area.geometry)
        // "The value of this member SHALL be either a Geometry object … or, in the case that the
        // Feature is unlocated, a JSON null value" (RFC 7946, 3.2).
        case (.beacons, _): writer.null()
        }
        writer.key("properties")
        writer.beginObject()
        let metadata = writeMetadata(fence.metadata, to: &writer)
        writeProperties(fence, besides: metadata, to: &writer)
        writer.endObject()
        writer.endObject()
    }

    /// After the metadata: of members with the same name the last counts. A default is written where
    /// metadata has another name of the property, which would be read in its place.
    private static func writeProperties(
        _ fence: Fence, besides metadata: [String], to writer: inout JSONWriter
    ) {
        switch (fence.subject, fence.approach) {
        case (.area(let area), let approach?):
            ApproachJSON.write(approach, of: area, to: &writer)
        case (.area(let area), nil): writeLength(area.geometry, to: &writer)
        case (.beacons(let rule), _): BeaconJSON.write(rule, to: &writer)
        }
        for property in FenceProperty.fields {
            let isHidden = property.aliases.contains { metadata.contains($0.description) }
            guard
                let value = isHidden
                    ? property.value(in: fence) : property.unusualValue(in: fence)
            else { continue }
            writer.key(property.name.description)
            switch value {
            case .text(let text): writer.string(text)
            case .flag(let flag): writer.bool(flag)
            case .span(let span): writer.raw(seconds(span))
            case .number(let number): writer.number(number)
            }
        }
    }

    /// The radius or the width.
    private static func writeLength(_ geometry: Geometry, to writer: inout JSONWriter) {
        switch geometry {
        case .circle(_, let radius):
            writer.key("radius")
            writer.number(radius)
        case .corridor(_, let width), .lines(_, let width):
            writer.key("width")
            writer.number(width)
        case .polygons: break
        }
    }

    /// Metadata is the text of an object, which has been validated on input.
    /// - Returns: its keys.
    private static func writeMetadata(
        _ metadata: String, to writer: inout JSONWriter
    ) -> [String] {
        guard metadata != "{}" else { return [] }
        var members: [(String, String)] = []
        var reader = JSONReader(metadata)
        try? reader.readObject { reader, key in
            members.append((key, try reader.rawValue()))
        }
        for (key, json) in members {
            writer.key(key)
            writer.raw(json)
        }
        return members.map(\.0)
    }

    /// Exact nanoseconds as decimals.
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
