import Bytes
import GeoJSON
import Geodesy
import JSON
import Model

/// One Feature while it is read. A problem is recorded and reading continues, so that the next
/// Feature can be read; only invalid JSON throws.
struct GeoJSONFeature {
    private var type: Kind?
    private var id: String?
    private var geometry: GeometryReader?
    private var properties = GeoJSONProperties()
    private var flaw: String?
    /// Members that GeoJSON has not, the first few.
    private var others: [String] = []
    private static let mostOthers = 16
    /// The server that wrote it has left out the rest, as it says.
    private var isCut = false
    /// How many Features a server has for what was asked, of which this may be a page.
    private(set) var numberMatched: Int64?
    /// What is wrong with `crs`.
    private(set) var crsFlaw: String?
    /// What is wrong with `coordRefSys` (JSON-FG), the reference system of `place`.
    private(set) var placeFlaw: String?
    /// Whether it has a `place`.
    private(set) var hasPlace = false
    private var scratch: [UInt8] = []

    private enum Kind {
        case feature, collection
        case other(String)
    }

    var isCollection: Bool {
        if case .collection? = type { true } else { false }
    }

    /// Whether it says what it is.
    var hasType: Bool { type != nil }

    /// Of which other format it is, if it is neither a Feature nor a collection.
    var otherFormat: String? {
        switch type {
        case nil: OtherFormat.reason(keys: others, hasGeometry: geometry != nil)
        case .feature?, .collection?: nil
        case .other(let type)?: OtherFormat.reason(type: type)
        }
    }

    /// Why a collection with these members is refused.
    var collectionFlaw: String? {
        let isCut = isCut || properties.value(of: Self.cutMember) == .bool(true)
        return crsFlaw
            ?? (isCut ? "a part only: the server has cut the rest off (\(Self.cutMember))" : nil)
    }

    /// Of ArcGIS, at the top or among the properties of the collection.
    private static let cutMember = "exceededTransferLimit"

    /// Discards what was read, keeping the memory.
    mutating func removeAll() {
        type = nil
        id = nil
        geometry = nil
        properties.removeAll()
        flaw = nil
        others.removeAll(keepingCapacity: true)
        isCut = false
        numberMatched = nil
        crsFlaw = nil
        placeFlaw = nil
        hasPlace = false
    }

    /// Reads a complete Feature.
    mutating func read(_ reader: inout JSONReader) throws {
        guard try reader.peek() == .beginObject else {
            refuse("\(try reader.peek()?.name ?? "the end") where a Feature was expected")
            return try reader.skipValue()
        }
        _ = try reader.next()
        while try reader.next() == .key { try member(&reader) }
    }

    /// Reads the value of the member of the Feature whose key has just been read.
    mutating func member(_ reader: inout JSONReader) throws {
        if reader.isAt("type") {
            try readType(&reader)
        } else if reader.isAt("id") {
            id = try identifier(&reader)
        } else if reader.isAt("geometry") {
            guard try reader.peek() == .beginObject else {
                return try skip(&reader, or: "a geometry that is no object")
            }
            var geometry = GeometryReader()
            try geometry.read(&reader)
            self.geometry = geometry
        } else if reader.isAt("properties") {
            guard try reader.peek() == .beginObject else {
                return try skip(&reader, or: "properties that are no object")
            }
            _ = try reader.next()
            while try reader.next() == .key {
                if let flaw = try properties.read(&reader) { refuse(flaw) }
            }
        } else if reader.isAt("coordRefSys") {
            placeFlaw = ReferenceSystem.flaw(try reader.readValue())
        } else if reader.isAt("place") {
            hasPlace = try reader.peek() == .beginObject
            try reader.skipValue()
        } else {
            let key = reader.text
            try readOther(key, &reader)
        }
    }

    /// A member that GeoJSON has not.
    private mutating func readOther(_ key: String, _ reader: inout JSONReader) throws {
        if others.count < Self.mostOthers { others.append(key) }
        if ReferenceSystem.isNamed(by: key) {
            let flaw = ReferenceSystem.flaw(try reader.readValue())
            crsFlaw = crsFlaw ?? flaw
        } else if key == Self.cutMember {
            isCut = try reader.readValue() == .bool(true)
        } else if key == "numberMatched" {
            numberMatched = try reader.readValue().integer
        } else {
            try reader.skipValue()
        }
    }

    /// A value where an object was expected: refused unless it is null or an empty array, as PHP writes
    /// an object without members.
    private mutating func skip(_ reader: inout JSONReader, or flaw: String) throws {
        let value = try reader.readValue()
        if value != .null, value != .array([]) { refuse(flaw) }
    }

    /// Whether the last decoded Feature has an id.
    private(set) var hasID = false

    /// The fence of a complete Feature; consumes it. Without an id it is empty.
    /// - Parameter placeFlaw: of the collection.
    mutating func fence(
        _ options: FenceFileReader.Options, placeFlaw: String?
    ) -> Result<Fence, EntryFlaw> {
        var name = options.idProperty == nil ? id : nil
        hasID = false
        do throws(EntryFlaw) {
            if let flaw { throw EntryFlaw(reason: flaw) }
            switch type {
            case .feature?: break
            case .collection?: throw EntryFlaw(reason: "\"FeatureCollection\" is no Feature")
            case .other(let type)?:
                throw EntryFlaw(reason: otherFormat ?? "\"\(excerpt(type))\" is no Feature")
            case nil: throw EntryFlaw(reason: otherFormat ?? typeless)
            }
            if let flaw = crsFlaw ?? (hasPlace ? nil : self.placeFlaw ?? placeFlaw) {
                throw EntryFlaw(reason: flaw)
            }
            if let key = options.idProperty {
                name = try properties.identifier(in: key)
                guard name != nil else {
                    throw EntryFlaw(id: id, reason: "no property \(excerpt(key)) for the id")
                }
            } else if name == nil {
                name = try properties.takeID()
            }
            hasID = name != nil
            guard hasID || options.makesIDs else { throw EntryFlaw(reason: "no id") }
            return .success(
                try properties.fence(name ?? "", geometry, options, strays: others))
        } catch {
            return .failure(error.of(name))
        }
    }

    private var typeless: String {
        let names = others.prefix(3).map { "\"\(excerpt($0))\"" }.joined(separator: ", ")
        return "no type" + (others.isEmpty ? "" : ", but an object with \(names)")
    }

    /// Passes on the names of the members beside the properties that GeoJSON has not.
    func forEachStray(_ body: (String) -> Void) { others.forEach(body) }

    /// Passes on the keys of the last decoded Feature that became metadata.
    func forEachOther(_ body: (String) -> Void) { properties.forEachOther(body) }

    private mutating func readType(_ reader: inout JSONReader) throws {
        guard try reader.peek() == .string else {
            refuse("\(try reader.peek()?.name ?? "nothing") as type")
            type = nil
            return try reader.skipValue()
        }
        _ = try reader.next()
        type =
            reader.isAt("Feature")
            ? .feature : reader.isAt("FeatureCollection") ? .collection : .other(reader.text)
    }

    private mutating func identifier(_ reader: inout JSONReader) throws -> String? {
        scratch.removeAll(keepingCapacity: true)
        // At most with every character escaped.
        guard try reader.rawValue(to: &scratch, atMost: 6 * FenceRules.longestID + 2) else {
            refuse("the id is longer than \(FenceRules.longestID) bytes")
            return nil
        }
        do throws(EntryFlaw) {
            return try GeoJSONProperties.identifier(scratch[...])
        } catch {
            refuse(error.reason)
            return nil
        }
    }

    /// The first flaw is reported.
    private mutating func refuse(_ reason: String) { flaw = flaw ?? reason }
}
