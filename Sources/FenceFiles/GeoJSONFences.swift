import Formats
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
    /// What is wrong with the reference system of the collection's places (JSON-FG).
    private var placeFlaw: String?
    /// Of which other format the collection seems to be.
    private var otherFormat: String?
    /// Every Feature so far has such a place, beside which the geometry is in WGS 84.
    private var havePlaces = true
    private var count = 0
    /// How many Features a server has, of which these may be a page.
    private var matched: Int64 = 0
    private var isAtEnd = false

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

    var emptiness: String { "a FeatureCollection without Features" }

    var doubts: [String] {
        guard isAtEnd, matched > count else { return [] }
        return [
            "\(counted(count, "entry", "entries")) of \(matched) (numberMatched): if these are a page "
                + "of a server's answer, the others are missing"
        ]
    }

    func next() throws -> RawEntry? {
        while true {
            switch place {
            case .top:
                input.beginEntry()
                try reader.skipRecordSeparators()
                guard let token = try reader.peek() else {
                    isAtEnd = true
                    return nil
                }
                guard token != .beginArray else {
                    throw reader.failure(
                        "an array where a Feature was expected: a set of fences is a "
                            + "FeatureCollection with such an array of Features")
                }
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
                return try entry(line)
            case .afterFeatures:
                try readRest()
                place = .top
            }
        }
    }

    func forEachOther(_ body: (String) -> Void) { feature.forEachOther(body) }

    func forEachStray(_ body: (String) -> Void) { feature.forEachStray(body) }

    /// A Feature, or nil at the beginning of a FeatureCollection.
    private func readText() throws -> RawEntry? {
        let line = reader.position.line
        _ = try reader.next()
        feature.removeAll()
        while try reader.next() == .key {
            if reader.isAt("features") {
                if try reader.peek() == .beginArray {
                    // Of another format its name says more.
                    if let reason = feature.collectionFlaw {
                        throw reader.failure(feature.otherFormat ?? reason)
                    }
                    matched = max(matched, feature.numberMatched ?? 0)
                    placeFlaw = feature.placeFlaw
                    otherFormat = feature.otherFormat
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
        return try entry(line)
    }

    /// The other members of a FeatureCollection, of which none says where its Features are.
    private func readRest() throws {
        feature.removeAll()
        while try reader.next() == .key {
            if reader.isAt("features") { throw reader.failure("features come twice") }
            try feature.member(&reader)
        }
        // What comes last concerns what was read: the whole file is refused.
        let reason = feature.collectionFlaw ?? (havePlaces ? nil : feature.placeFlaw)
        if let reason { throw reader.failure(reason) }
        matched = max(matched, feature.numberMatched ?? 0)
        placeFlaw = nil
        havePlaces = true
    }

    private func entry(_ line: Int) throws(FileFlaw) -> RawEntry {
        count += 1
        // The first says it for all.
        let format = feature.otherFormat ?? (feature.hasType ? nil : otherFormat)
        if count == 1, let format { throw FileFlaw(line: line, reason: format) }
        havePlaces = havePlaces && feature.hasPlace
        let outcome = feature.fence(options, placeFlaw: placeFlaw)
        return RawEntry(line: line, index: count, hasID: feature.hasID, outcome: outcome)
    }
}
