import GeoJSON
package import JSON

/// One page of an answer: OData 2 to 4, an OGC API, a FeatureCollection.
package struct Page: Equatable, Sendable {
    /// Entries of the page.
    package var entries = 0
    /// Where the next page is, as written; nil on the last one.
    package var next: String?
    /// The link to later changes as written; only on the last page.
    package var delta: String?
    /// How many entries there are on all pages, by the server.
    package var total: Int?
    /// How many there are on this page, by the server.
    package var returned: Int?
    /// The server's error, in place of entries.
    package var error: String?

    package init() {}
}

/// Reads the entries of a page as they come, in memory for one of them.
package struct PageReader {
    /// How entries and links are named.
    package enum Shape: Sendable {
        case odata, features
    }

    private let shape: Shape
    private var page = Page()
    private var hasList = false
    /// What is wrong with the reference system of the entries' places (JSON-FG), and whether an entry
    /// has none: beside a place its geometry is in WGS 84.
    private var placeFlaw: String?
    private var lacksPlace = false
    /// The server has left out the rest, as it says; a next page has that.
    private var isCut = false

    /// Bytes of one entry.
    private static let longestEntry = 4 << 20

    /// Limits for a reader that is given to ``read(_:entry:)``.
    package static var limits: JSONLimits {
        var limits = JSONLimits()
        limits.valueBytes = longestEntry
        return limits
    }

    package init(_ shape: Shape) { self.shape = shape }

    /// Reads the whole text.
    /// - Parameter entry: gets each entry and its number, from 0.
    /// - Throws: JSONError, ``FlawedPage``, and what `entry` throws.
    package mutating func read(
        _ reader: inout JSONReader, entry: (JSONValue, Int) throws -> Void
    ) throws -> Page {
        page = Page()
        hasList = false
        (placeFlaw, lacksPlace, isCut) = (nil, false, false)
        try object(&reader, isTop: true, entry)
        try reader.finish()
        if lacksPlace, let placeFlaw { throw FlawedPage(reason: placeFlaw) }
        if isCut, page.next == nil {
            throw FlawedPage(
                reason: "a part only: the server has cut the rest off (exceededTransferLimit)")
        }
        guard hasList || page.error != nil else {
            throw FlawedPage(reason: "the answer has no list of entries")
        }
        return page
    }

    private mutating func object(
        _ reader: inout JSONReader, isTop: Bool, _ entry: (JSONValue, Int) throws -> Void
    ) throws {
        guard try reader.next() == .beginObject else {
            throw FlawedPage(reason: "the answer is no JSON object")
        }
        while try reader.next() == .key {
            let key = reader.text
            switch (shape, key) {
            case (.odata, "d") where isTop:
                // Version 2 without an envelope of results: the list itself.
                if try reader.peek() == .beginArray {
                    try list(&reader, entry)
                } else if try reader.peek() == .beginObject {
                    try object(&reader, isTop: false, entry)
                } else {
                    try reader.skipValue()
                }
            case (.odata, "results"), (.odata, "value"), (.features, "features"):
                try list(&reader, entry)
            case (.odata, "__count"), (.odata, "@odata.count"), (.odata, "@count"),
                (.odata, "odata.count"), (.features, "numberMatched"),
                (.features, "totalFeatures"):
                // GeoServer writes "unknown".
                page.total = Self.count(try reader.readValue()) ?? page.total
            case (.features, "numberReturned"):
                page.returned = Self.count(try reader.readValue())
            case (.odata, "__next"), (.odata, "@odata.nextLink"), (.odata, "@nextLink"),
                (.odata, "odata.nextLink"):
                page.next = try Self.link(try reader.readValue())
            case (.odata, "@odata.deltaLink"), (.odata, "@deltaLink"):
                page.delta = try Self.link(try reader.readValue())
            case (.features, "coordRefSys"):
                placeFlaw = ReferenceSystem.flaw(try reader.readValue())
            case (.features, "geometryType"), (.features, "spatialReference"):
                throw FlawedPage(reason: "Esri JSON, and no GeoJSON: ask with f=geojson")
            case (.features, _) where ReferenceSystem.isNamed(by: key):
                if let flaw = ReferenceSystem.flaw(try reader.readValue()) {
                    throw FlawedPage(reason: flaw)
                }
            // ArcGIS says so at the top or among the properties of the collection.
            case (.features, "exceededTransferLimit"):
                isCut = try reader.readValue() == .bool(true)
            case (.features, "properties"):
                isCut = try reader.readValue()["exceededTransferLimit"] == .bool(true) || isCut
            case (.features, "links"):
                if let next = try Self.next(among: try reader.readValue()) { page.next = next }
            case (_, "error") where isTop:
                page.error = ServerMessage.text(of: try reader.readValue())
            default: try reader.skipValue()
            }
        }
    }

    private mutating func list(
        _ reader: inout JSONReader, _ entry: (JSONValue, Int) throws -> Void
    ) throws {
        guard try reader.peek() == .beginArray else {
            throw FlawedPage(reason: "the entries are no list")
        }
        guard !hasList else { throw FlawedPage(reason: "two lists of entries") }
        hasList = true
        _ = try reader.next()
        while try reader.peek() != .endArray {
            let value = try reader.readValue()
            lacksPlace = lacksPlace || value["place"]?.object == nil
            try entry(value, page.entries)
            page.entries += 1
        }
        _ = try reader.next()
    }

    /// A number, or its digits.
    private static func count(_ value: JSONValue) -> Int? {
        switch value {
        case .number(let number): number.integer.flatMap { $0 >= 0 ? Int($0) : nil }
        case .string(let text): Int(text).flatMap { $0 >= 0 ? $0 : nil }
        default: nil
        }
    }

    /// pyslet writes `{"uri":…}`.
    private static func link(_ value: JSONValue) throws -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .object:
            if let text = value["uri"]?.string { return text }
        default: break
        }
        throw FlawedPage(reason: "a next link that is no text")
    }

    /// RFC 8288: `rel` may have several words.
    private static func next(among links: JSONValue) throws -> String? {
        for link in links.array ?? [] {
            let words = (link["rel"]?.string ?? "").split(separator: " ")
            guard words.contains(where: { $0.lowercased() == "next" }) else { continue }
            // Others are the same page as HTML or another encoding.
            let type = (link["type"]?.string ?? "").split(separator: ";").first ?? ""
            guard type.isEmpty || type.lowercased().hasSuffix("json") else { continue }
            guard let target = link["href"]?.string else {
                throw FlawedPage(reason: "a next link that is no text")
            }
            return target
        }
        return nil
    }
}

/// An answer that is no page of entries.
package struct FlawedPage: Error, Hashable, Sendable {
    /// A phrase without a full stop.
    package var reason: String

    package init(reason: String) { self.reason = reason }
}
