import Geodesy
import JSON
import Model

// Unsafe: JSON's input checks what is written into its memory.

/// Fences of a GeoJSON text (RFC 7946): the Features of a FeatureCollection, a Feature, or any
/// number of these in sequence, each on its own lines or after a record separator (RFC 8142).
final class GeoJSONFences: FenceFormat {
    private var reader: JSONReader
    private var place = Place.top
    /// The one being read; its memory is reused for the next.
    private var feature = GeoJSONFeature()
    private var count = 0

    private enum Place {
        /// Between texts.
        case top
        /// In the array of a FeatureCollection.
        case features
        /// After that array.
        case afterFeatures
    }

    private let input: FenceFileInput
    private let options: FenceFileReader.Options

    init(_ input: FenceFileInput, _ options: FenceFileReader.Options) {
        self.input = input
        self.options = options
        var limits = JSONLimits()
        limits.stringBytes = 1 << 19
        reader = unsafe JSONReader(limits: limits) { try unsafe input.read(into: $0) }
    }

    var line: Int { reader.position.line }

    func next() throws -> RawEntry? {
        while true {
            switch place {
            case .top:
                input.beginEntry()
                try reader.skipRecordSeparators()
                guard let token = try reader.peek() else { return nil }
                guard token == .beginObject else {
                    throw reader.failure("\(token.name) where a Feature was expected")
                }
                if let entry = try readText() { return entry }
            case .features:
                guard try reader.peek() != .endArray else {
                    _ = try reader.next()
                    place = .afterFeatures
                    continue
                }
                let line = reader.position.line
                input.beginEntry()
                feature.removeAll()
                try feature.read(&reader)
                return entry(line)
            case .afterFeatures:
                try readRest()
                place = .top
            }
        }
    }

    func forEachOther(_ body: (String) -> Void) { feature.forEachOther(body) }

    /// A Feature, or nil at the beginning of a FeatureCollection.
    private func readText() throws -> RawEntry? {
        let line = reader.position.line
        _ = try reader.next()
        feature.removeAll()
        while try reader.next() == .key {
            if reader.isAt("features") {
                if try reader.peek() == .beginArray {
                    _ = try reader.next()
                    place = .features
                    return nil
                }
                try reader.skipValue()
            } else {
                try feature.member(&reader)
            }
        }
        if feature.isCollection {
            throw FileFlaw(line: line, reason: "a FeatureCollection without features")
        }
        return entry(line)
    }

    /// The other members of a FeatureCollection, which are ignored.
    private func readRest() throws {
        while try reader.next() == .key {
            if reader.isAt("features") { throw reader.failure("features come twice") }
            try reader.skipValue()
        }
    }

    private func entry(_ line: Int) -> RawEntry {
        count += 1
        let outcome = feature.fence(options)
        return RawEntry(line: line, index: count, hasID: feature.hasID, outcome: outcome)
    }
}
