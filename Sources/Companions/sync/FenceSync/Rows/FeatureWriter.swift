import Formats
package import JSON

/// Makes a Feature of each entry: one line of GeoJSON, the same text for the same content.
package struct FeatureWriter: Sendable {
    private let map: FieldMap
    private let idPrefix: String
    private let isFeatures: Bool

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
    }

    /// Bytes of an id, as the daemon has it.
    private static let longestID = 255

    /// - Parameter shape: whether entries are Features or records of a table.
    package init(_ map: FieldMap, idPrefix: String, shape: PageReader.Shape) {
        self.map = map
        self.idPrefix = idPrefix
        isFeatures = shape == .features
    }

    /// The Feature of an entry, which the code of `geofencectl check` has judged.
    package func feature(of entry: JSONValue) throws(Flaw) -> Feature {
        guard case .object = entry else {
            throw Flaw(id: nil, reason: "an entry that is no object")
        }
        let id = try id(of: entry)
        let geometry: JSONValue
        let properties: [JSONMember]
        do throws(FlawedValue) {
            geometry = try self.geometry(of: entry)
            properties = try self.properties(from: entry)
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
        let flaw = FeatureCheck.flaw(
            id: id, geometry: geometry, properties: properties, bytes: bytes)
        if let flaw { throw Flaw(id: id, reason: flaw) }
        return Feature(id: id, line: json.bytes)
    }

    /// The same as a result.
    package func result(of entry: JSONValue) -> Result<Feature, Flaw> {
        do throws(Flaw) { return .success(try feature(of: entry)) } catch { return .failure(error) }
    }

    private func id(of entry: JSONValue) throws(Flaw) -> String {
        let origin = map.origins[.id] ?? .path([isFeatures ? "id" : "ID"])
        var value: JSONValue?
        switch origin {
        case .path(let path):
            value = RowValue.at(
                path,
                of: isFeatures && map.origins[.id] != nil
                    ? properties(of: entry) : entry)
            // Where it may also stand: the property of that name.
            if value == nil, isFeatures { value = RowValue.at(path, of: properties(of: entry)) }
        case .constant: break
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

    /// The value of a field of ours; nil where theirs has none.
    private func value(_ field: FieldMap.Field, of entry: JSONValue) -> JSONValue? {
        switch map.origins[field] {
        case .constant(let text): .string(text)
        case .path(let path): RowValue.at(path, of: properties(of: entry))
        case nil: defaultPath(field).flatMap { RowValue.at([$0], of: properties(of: entry)) }
        }
    }

    /// Tables: the names of the classic one. Features: those of the property.
    private func defaultPath(_ field: FieldMap.Field) -> String? {
        if isFeatures { return field.property }
        switch field {
        case .title, .description, .latitude, .longitude, .radius: return field.rawValue
        default: return nil
        }
    }

    private func geometry(of entry: JSONValue) throws(FlawedValue) -> JSONValue {
        if map.origins[.geometry] != nil {
            guard let value = value(.geometry, of: entry) else {
                throw FlawedValue(reason: "no geometry")
            }
            return Self.plain(try RowValue.geometry(value))
        }
        let isPoint = map.origins[.latitude] != nil || !isFeatures
        guard isPoint else {
            guard let value = entry["geometry"], case .object = value else {
                throw FlawedValue(reason: "no geometry")
            }
            return Self.plain(value)
        }
        return .object([
            JSONMember("type", .string("Point")),
            JSONMember(
                "coordinates",
                .array([
                    try coordinate(.longitude, 180, of: entry),
                    try coordinate(.latitude, 90, of: entry),
                ])),
        ])
    }

    /// Without what else servers write there: a reference system, a box.
    private static func plain(_ geometry: JSONValue) -> JSONValue {
        let members = geometry.object ?? []
        let type = members.last { $0.key == "type" && $0.value.string != nil }
        let coordinates = members.last { $0.key == "coordinates" }
        return .object([type, coordinates].compactMap(\.self))
    }

    private func coordinate(
        _ field: FieldMap.Field, _ limit: Double, of entry: JSONValue
    ) throws(FlawedValue) -> JSONValue {
        let name = field.rawValue.lowercased()
        guard let value = value(field, of: entry) else { throw FlawedValue(reason: "no \(name)") }
        let number: JSONNumber
        do throws(FlawedValue) { number = try RowValue.number(value) } catch {
            throw FlawedValue(reason: "\(name): \(error.reason)")
        }
        guard number.double.magnitude <= limit else {
            throw FlawedValue(reason: "\(name) beyond ±\(Int(limit))°")
        }
        return .number(number)
    }

    private func properties(from entry: JSONValue) throws(FlawedValue) -> [JSONMember] {
        // Metadata comes first: of two members with the same name the last counts.
        var members = metadata(of: entry)
        for field in FieldMap.Field.allCases {
            guard let property = field.property, let value = value(field, of: entry) else {
                continue
            }
            do throws(FlawedValue) {
                switch field.type {
                case .text: members.append(JSONMember(property, .string(try RowValue.text(value))))
                case .number:
                    members.append(JSONMember(property, .number(try RowValue.number(value))))
                case .flag: members.append(JSONMember(property, .bool(try RowValue.flag(value))))
                case .geometry: break
                }
            } catch { throw FlawedValue(reason: "\(property): \(error.reason)") }
        }
        return members
    }

    private func metadata(of entry: JSONValue) -> [JSONMember] {
        let all = properties(of: entry)
        guard let paths = map.metadata else {
            guard isFeatures else { return [] }
            // A server that does not keep the order of members must not look changed.
            return (all.object ?? []).filter { !isMapped($0.key) && $0.value != .null }
                .sorted { $0.key < $1.key }
        }
        return paths.compactMap { path in
            guard let name = path.last, let value = RowValue.at(path, of: all) else { return nil }
            return JSONMember(name, RowValue.kept(value))
        }
    }

    /// Whether a property of a Feature is one of ours, or becomes one.
    private func isMapped(_ name: String) -> Bool {
        name == "id"
            || FieldMap.Field.allCases.contains {
                $0.property == name || map.origins[$0] == .path([name])
            }
    }
}
