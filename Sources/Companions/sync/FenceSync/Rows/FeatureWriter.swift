import FenceFiles
import GeoJSON
package import JSON
package import Model
import SharedLimits

/// Makes a Feature of each entry: one line of GeoJSON, the same text for the same content.
package struct FeatureWriter: Sendable {
    private let idPrefix: String
    private let isFeatures: Bool
    private let id: FieldMap.Origin
    /// The configuration names the field of the id.
    private let isIDMapped: Bool
    /// Nil if the geometry is that of a Feature, or made from a place.
    private let geometry: FieldMap.Origin?
    /// Nil if the geometry of a Feature is used.
    private let place: (latitude: FieldMap.Origin, longitude: FieldMap.Origin?)?
    private let columns: [Column]
    private let metadata: [[String]]?
    /// The properties of a Feature that are fence properties, or are mapped to one.
    private let mapped: Set<String>

    /// A fence property.
    private struct Column {
        let property: String
        let type: FieldMap.ValueType
        let origin: FieldMap.Origin
    }

    /// Why an entry becomes no Feature.
    package struct Flaw: Error, Hashable, Sendable {
        /// With the prefix; nil: which fence it is is not known.
        package var id: String?
        /// A phrase without a full stop.
        package var reason: String

        package init(id: String?, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// A Feature.
    package struct Feature: Equatable, Sendable {
        /// With the prefix.
        package var id: String
        /// UTF-8, with a line feed at the end.
        package var line: [UInt8]
        /// What the daemon makes of it.
        package var fence: Fence
        /// Names of members beside the properties, which are not read.
        package var strays: [String]
    }

    /// Bytes of an id, as the daemon has it.
    private static let longestID = SharedLimits.fenceID

    /// - Parameter shape: whether entries are Features or records of a table.
    package init(_ map: FieldMap, idPrefix: String, shape: PageReader.Shape) {
        self.idPrefix = idPrefix
        let isFeatures = shape == .features
        self.isFeatures = isFeatures
        isIDMapped = map.origins[.id] != nil
        id = map.origins[.id] ?? .path([isFeatures ? "id" : "ID"])
        geometry = map.origins[.geometry]
        metadata = map.metadata
        /// The default field: for tables the classic column names, for Features the name of the
        /// property.
        func origin(_ field: FieldMap.Field) -> FieldMap.Origin? {
            if let origin = map.origins[field] { return origin }
            if isFeatures { return field.property.map { .path([$0]) } }
            switch field {
            case .title, .description, .latitude, .longitude, .radius:
                return .path([field.name])
            default: return nil
            }
        }
        let isPlace = map.origins[.latitude] != nil || !isFeatures
        place = isPlace ? origin(.latitude).map { ($0, origin(.longitude)) } : nil
        columns = FieldMap.Field.all.compactMap { field in
            guard let property = field.property, let origin = origin(field) else { return nil }
            return Column(property: property, type: field.type, origin: origin)
        }
        var mapped: Set = ["id"]
        for field in FieldMap.Field.all {
            if let property = field.property { mapped.insert(property) }
            if case .path(let path)? = map.origins[field], path.count == 1 {
                mapped.formUnion(path)
            }
        }
        self.mapped = mapped
    }

    /// The Feature of an entry, checked by the code of `geofencectl check`.
    /// - Parameter former: if the entry is a change, the previous Feature, from which missing
    ///   members
    ///   are taken.
    package func feature(
        of entry: JSONValue, former: JSONValue? = nil
    ) throws(Flaw) -> Feature {
        guard case .object = entry else {
            throw Flaw(id: nil, reason: "an entry that is no object")
        }
        let id = try id(of: entry)
        let geometry: JSONValue
        let properties: [JSONMember]
        do throws(FlawedValue) {
            geometry = try self.geometry(of: entry, former)
            properties = try self.properties(from: entry, former)
        } catch { throw Flaw(id: id, reason: error.reason) }
        var json = JSONWriter()
        json.beginObject()
        json.key("type")
        json.string("Feature")
        json.key("id")
        json.string(id)
        json.key("geometry")
        json.value(geometry)
        json.key("properties")
        json.beginObject()
        var bytes = 0
        for member in properties {
            json.key(member.key)
            let start = json.bytes.count
            json.value(member.value)
            bytes += member.key.utf8.count + json.bytes.count - start
        }
        json.endObject()
        json.endObject()
        json.endLine()
        let strays = strays(of: entry)
        do throws(FeatureCheck.Flaw) {
            let fence = try FeatureCheck.fence(
                id: id, geometry: geometry, properties: properties, bytes: bytes, strays: strays)
            return Feature(id: id, line: json.bytes, fence: fence, strays: strays)
        } catch { throw Flaw(id: id, reason: error.reason) }
    }

    /// The first few.
    private func strays(of entry: JSONValue) -> [String] {
        guard isFeatures else { return [] }
        let names = (entry.object ?? []).lazy.map(\.key)
        return Array(names.filter { !Self.read.contains($0) }.prefix(16))
    }

    /// The members of a Feature that count.
    private static let read: Set = [
        "type", "id", "geometry", "properties", "place", "coordRefSys",
    ]

    /// The same as a result.
    package func result(of entry: JSONValue, former: JSONValue? = nil) -> Result<Feature, Flaw> {
        do throws(Flaw) { return .success(try feature(of: entry, former: former)) } catch {
            return .failure(error)
        }
    }

    /// The id of an entry, with the prefix.
    package func id(of entry: JSONValue) throws(Flaw) -> String {
        var value: JSONValue?
        if case .path(let path) = id {
            value = RowValue.at(path, of: isIDMapped ? properties(of: entry) : entry)
            // Where it may also stand: the property of that name.
            if value == nil, isFeatures { value = RowValue.at(path, of: properties(of: entry)) }
        }
        guard let value, let text = try? RowValue.text(value), !text.isEmpty else {
            throw Flaw(id: nil, reason: "an entry without an id")
        }
        let id = idPrefix + text
        guard id.utf8.count <= Self.longestID else {
            throw Flaw(id: nil, reason: "an id of more than \(Self.longestID) bytes")
        }
        return id
    }

    private func properties(of entry: JSONValue) -> JSONValue {
        isFeatures ? entry["properties"] ?? .null : entry
    }

    /// A value of the entry; nil if there is none.
    /// - Parameter former: the previous Feature, for a value that a change does not contain.
    private func value(
        _ origin: FieldMap.Origin, of entry: JSONValue,
        _ former: @autoclosure () -> JSONValue? = nil
    ) -> JSONValue? {
        switch origin {
        case .constant(let text): return .string(text)
        case .path(let path):
            let all = properties(of: entry)
            if let value = RowValue.at(path, of: all) { return value }
            return RowValue.isMissing(path, in: all) ? former() : nil
        }
    }

    private func geometry(
        of entry: JSONValue, _ former: JSONValue?
    ) throws(FlawedValue) -> JSONValue {
        if let origin = geometry {
            guard let value = value(origin, of: entry, former?["geometry"]) else {
                throw FlawedValue(reason: "no geometry")
            }
            return try Self.plain(try RowValue.geometry(value))
        }
        guard let place else {
            guard let value = entry["geometry"], case .object = value else {
                throw FlawedValue(reason: "no geometry")
            }
            let system = entry["place"]?.object == nil ? entry["coordRefSys"] : nil
            if let flaw = ReferenceSystem.flaw(in: entry) ?? ReferenceSystem.flaw(system) {
                throw FlawedValue(reason: flaw)
            }
            return try Self.plain(value)
        }
        let was = former?["geometry"]?["coordinates"]
        return .object([
            JSONMember("type", .string("Point")),
            JSONMember(
                "coordinates",
                .array([
                    try Self.coordinate(
                        "longitude", 180, place.longitude.flatMap { value($0, of: entry, was?[0]) }
                    ),
                    try Self.coordinate("latitude", 90, value(place.latitude, of: entry, was?[1])),
                ])),
        ])
    }

    /// Leaves out other members that servers write, such as a bounding box.
    private static func plain(_ geometry: JSONValue) throws(FlawedValue) -> JSONValue {
        if let flaw = ReferenceSystem.flaw(in: geometry) { throw FlawedValue(reason: flaw) }
        let members = geometry.object ?? []
        let type = members.last { $0.key == "type" && $0.value.string != nil }
        let coordinates = members.last { $0.key == "coordinates" }
        return .object([type, coordinates].compactMap(\.self))
    }

    private static func coordinate(
        _ name: String, _ limit: Double, _ value: JSONValue?
    ) throws(FlawedValue) -> JSONValue {
        guard let value else { throw FlawedValue(reason: "no \(name)") }
        let number: JSONNumber
        do throws(FlawedValue) { number = try RowValue.number(value) } catch {
            throw FlawedValue(reason: "\(name): \(error.reason)")
        }
        guard number.double.magnitude <= limit else {
            throw FlawedValue(reason: "\(name) beyond ±\(Int(limit))°")
        }
        return .number(number)
    }

    private func properties(
        from entry: JSONValue, _ former: JSONValue?
    ) throws(FlawedValue) -> [JSONMember] {
        if isFeatures, let all = entry["properties"], all != .null, all.object == nil,
            all != .array([])
        {
            // An empty array is what PHP writes for an object without members.
            throw FlawedValue(reason: "properties that are no object")
        }
        let was = former?["properties"]
        // Metadata comes first: of two members with the same name the last counts.
        var members = metadata(of: entry, was)
        for column in columns {
            let name = column.property
            guard let value = value(column.origin, of: entry, was?[name]) else { continue }
            do throws(FlawedValue) {
                switch column.type {
                case .text:
                    // Where it is a time, as `expires` takes it.
                    let text = try RowValue.text(RowValue.kept(value))
                    members.append(JSONMember(name, .string(text)))
                case .number: members.append(JSONMember(name, .number(try RowValue.number(value))))
                case .flag: members.append(JSONMember(name, .bool(try RowValue.flag(value))))
                case .geometry: break
                }
            } catch { throw FlawedValue(reason: "\(name): \(error.reason)") }
        }
        return members
    }

    private func metadata(of entry: JSONValue, _ former: JSONValue?) -> [JSONMember] {
        guard let paths = metadata else {
            guard isFeatures else { return [] }
            // A server that does not keep the order of members must not look changed.
            return (properties(of: entry).object ?? [])
                .filter { !mapped.contains($0.key) && $0.value != .null }
                .sorted { $0.key < $1.key }
        }
        return paths.compactMap { path in
            guard let name = path.last,
                let value = value(.path(path), of: entry, former?[name])
            else { return nil }
            return JSONMember(name, RowValue.kept(value))
        }
    }
}
