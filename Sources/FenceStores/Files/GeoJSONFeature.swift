import Fencing
import Geodesy
import JSON

/// One Feature while it is read. What is wrong in it is kept, and read over, so that the next one
/// can be read; only what is no JSON throws.
struct GeoJSONFeature {
    private(set) var type: String?
    private var id: String?
    private var propertyID: String?
    private var geometry: GeoJSONGeometry?
    private var properties: [(key: String, json: String)] = []
    private var flaw: String?

    /// Reads a whole Feature.
    mutating func read(_ reader: inout JSONReader) throws {
        guard try reader.peek() == .beginObject else {
            refuse("\(try reader.peek()?.name ?? "the end") where a Feature was expected")
            return try reader.skipValue()
        }
        _ = try reader.next()
        while try reader.next() == .key { try member(reader.text, &reader) }
    }

    /// Reads the value of one member of the Feature.
    mutating func member(_ key: String, _ reader: inout JSONReader) throws {
        switch key {
        case "type":
            type = try optionalText(key, &reader)
        case "id":
            id = try identifier(&reader)
        case "geometry":
            guard try reader.peek() == .beginObject else { return try reader.skipValue() }
            var geometry = GeoJSONGeometry()
            try geometry.read(&reader)
            self.geometry = geometry
        case "properties":
            guard try reader.peek() == .beginObject else { return try reader.skipValue() }
            _ = try reader.next()
            while try reader.next() == .key {
                let key = reader.text
                properties.append((key, try reader.rawValue()))
            }
        default:
            try reader.skipValue()
        }
    }

    /// What the whole Feature comes to.
    var fence: Result<Fence, EntryFlaw> {
        var name = id
        do throws(EntryFlaw) {
            if let flaw { throw EntryFlaw(reason: flaw) }
            guard type == "Feature" else {
                throw EntryFlaw(reason: type.map { "\"\($0)\" is no Feature" } ?? "no type")
            }
            var properties = GeoJSONProperties(properties)
            if name == nil { name = try properties.takeID() }
            guard let name else { throw EntryFlaw(reason: "no id") }
            guard let geometry else { throw EntryFlaw(reason: "no geometry") }
            let form = try geometry.form(&properties)
            let area: Area
            do {
                area = try Area(form)
            } catch {
                throw EntryFlaw(reason: error.description)
            }
            return .success(try properties.fence(name, area))
        } catch {
            return .failure(EntryFlaw(id: error.id ?? name, reason: error.reason))
        }
    }

    private mutating func optionalText(
        _ key: String, _ reader: inout JSONReader
    ) throws -> String? {
        guard try reader.peek() == .string else {
            refuse("\(try reader.peek()?.name ?? "nothing") as \(key)")
            try reader.skipValue()
            return nil
        }
        return try reader.readText()
    }

    private mutating func identifier(_ reader: inout JSONReader) throws -> String? {
        let json = try reader.rawValue()
        do throws(EntryFlaw) {
            return try GeoJSONProperties.identifier(json)
        } catch {
            refuse(error.reason)
            return nil
        }
    }

    /// The first flaw is the one to tell.
    private mutating func refuse(_ reason: String) { flaw = flaw ?? reason }
}
