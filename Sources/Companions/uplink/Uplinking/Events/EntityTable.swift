import Formats
import HTTP
import JSON
import Model
import Settings
import Time

/// An entity set of an OData service, which has one entity for each event.
package struct EntityTable: Sendable {
    /// Versions of the protocol that can be spoken.
    package enum Version: String, CaseIterable, Sendable {
        case two = "2"
        case four = "4"
    }

    /// A property of the entities.
    struct Column: Sendable {
        var field: EntityField
        /// Its name on the server.
        var name: String
        var type: EntityType
    }

    /// Below the root of the service.
    package var entitySet: String
    /// Of the protocol.
    package var version: Version
    var columns: [Column]
    /// Names on the server of what makes an entity unique.
    var key: [String]
    private let box: BoxName

    /// Takes `EntitySet=`, `Version=`, `Key=` and the names of `[Fields]`. Without any of these all
    /// fields are sent, by their own names.
    init(from file: inout ProgramSettings, _ box: BoxName) {
        self.box = box
        entitySet = file.text("Uplink", "EntitySet") ?? ""
        if entitySet.isEmpty { file.refuse("Uplink", "EntitySet", "is missing") }
        let version = file.choice("Uplink", "Version", Version.four)
        self.version = version
        columns = EntityField.all.compactMap { field in
            file.value("Fields", field.name) { text throws(BadValue) in
                try Self.column(field, text, version)
            }
        }
        if columns.isEmpty {
            columns = EntityField.all.filter(\.isUsual).map {
                Column(field: $0, name: $0.name, type: $0.type(in: version))
            }
        }
        let names = columns
        key = file.list("Uplink", "Key").compactMap { word in
            if let column = names.first(where: { $0.name == word }), column.type.isKey {
                return word
            }
            file.refuse("Uplink", "Key", "\(word): no property of a type that a key has")
            return nil
        }
    }

    /// `NAME`, or `NAME:TYPE`.
    private static func column(
        _ field: EntityField, _ text: String, _ version: Version
    ) throws(BadValue) -> Column {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard !name.isEmpty, name.utf8.count <= 128, !name.contains(" ") else {
            throw BadValue(reason: "not the name of a property")
        }
        guard parts.count > 1 else {
            return Column(field: field, name: name, type: field.type(in: version))
        }
        guard let type = EntityType(rawValue: String(parts[1])) else {
            let words = EntityType.allCases.map(\.rawValue).joined(separator: ", ")
            throw BadValue(reason: "the type is not one of \(words)")
        }
        return Column(field: field, name: name, type: type)
    }

    /// The entity of an event; the allowed metadata are properties by their own names, as text.
    func write(
        _ event: LoggedEvent, log: String, _ filter: UplinkFilter, to json: inout JSONWriter
    ) {
        json.beginObject()
        for column in columns {
            guard let value = column.field.value(in: event, log: log, box, filter) else { continue }
            json.key(column.name)
            json.value(column.type.json(of: value, version))
        }
        for member in filter.metadata(of: event) {
            json.key(member.key)
            json.string(member.value.string ?? member.value.text)
        }
        json.endObject()
    }

    /// `Events(Box='box1',Seq=4711)`, where an entity that was written by ``write(_:log:_:to:)`` is; nil
    /// without a key.
    func path(of entity: [UInt8]) -> String? {
        guard !key.isEmpty, let json = try? JSONValue(parsing: entity) else { return nil }
        let parts = key.compactMap { name -> String? in
            guard let column = columns.first(where: { $0.name == name }),
                let value = json[name], let literal = column.type.literal(of: value, version)
            else { return nil }
            return key.count == 1 ? literal : "\(name)=\(literal)"
        }
        guard parts.count == key.count else { return nil }
        return "\(entitySet)(\(parts.joined(separator: ",")))"
    }
}
