import Engine
import GeoJSON
import Geodesy
import JSON

/// One Feature while it is read. What is wrong in it is kept, and read over, so that the next one
/// can be read; only what is no JSON throws.
struct GeoJSONFeature {
    private var type: Kind?
    private var id: String?
    private var geometry: GeometryReader?
    private var properties = GeoJSONProperties()
    private var flaw: String?
    private var scratch: [UInt8] = []

    private enum Kind {
        case feature, collection
        case other(String)
    }

    var isCollection: Bool {
        if case .collection? = type { true } else { false }
    }

    /// Forgets what was read, and keeps its memory.
    mutating func removeAll() {
        type = nil
        id = nil
        geometry = nil
        properties.removeAll()
        flaw = nil
    }

    /// Reads a whole Feature.
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
            guard try reader.peek() == .beginObject else { return try reader.skipValue() }
            var geometry = GeometryReader()
            try geometry.read(&reader)
            self.geometry = geometry
        } else if reader.isAt("properties") {
            guard try reader.peek() == .beginObject else { return try reader.skipValue() }
            _ = try reader.next()
            while try reader.next() == .key {
                if let flaw = try properties.read(&reader) { refuse(flaw) }
            }
        } else {
            try reader.skipValue()
        }
    }

    /// What the whole Feature comes to; takes it apart.
    mutating func fence() -> Result<Fence, EntryFlaw> {
        var name = id
        do throws(EntryFlaw) {
            if let flaw { throw EntryFlaw(reason: flaw) }
            switch type {
            case .feature?: break
            case .collection?: throw EntryFlaw(reason: "\"FeatureCollection\" is no Feature")
            case .other(let type)?: throw EntryFlaw(reason: "\"\(excerpt(type))\" is no Feature")
            case nil: throw EntryFlaw(reason: "no type")
            }
            if name == nil { name = try properties.takeID() }
            guard let name else { throw EntryFlaw(reason: "no id") }
            guard let geometry else { throw EntryFlaw(reason: "no geometry") }
            var length: Double?
            if let key = geometry.lengthName { length = try properties.takeNumber(key) }
            return .success(try properties.fence(name, try area(geometry, length)))
        } catch {
            return .failure(EntryFlaw(id: error.id ?? name, reason: error.reason))
        }
    }

    private func area(_ read: GeometryReader, _ length: Double?) throws(EntryFlaw) -> Area {
        let geometry: Geometry
        do {
            geometry = try read.geometry(length: length)
        } catch {
            throw EntryFlaw(reason: error.description)
        }
        do {
            return try Area(geometry)
        } catch {
            throw EntryFlaw(reason: error.description)
        }
    }

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
        // With every character an escape.
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

    /// The first flaw is the one to tell.
    private mutating func refuse(_ reason: String) { flaw = flaw ?? reason }
}
