import Formats

/// `[Fields]`: where in an entry of theirs something of ours stands.
package struct FieldMap: Sendable, Equatable {
    /// What of ours may come from an entry: the id, the place, and every property of all fences.
    package struct Field: Hashable, Sendable {
        /// The key, made of the property's name: `NotifyOnEntry`.
        package let name: String
        /// The property of a Feature; nil for those that become its id and geometry.
        package let property: String?
        /// How a value of theirs is understood.
        package let type: ValueType

        /// Of the fence.
        package static let id = Field(FenceProperty.id)
        /// Its name for people.
        package static let title = Field(FenceProperty.title)
        /// What it is.
        package static let description = Field(FenceProperty.description)
        /// Of the centre of a circle, degrees.
        package static let latitude = Field(FenceProperty.latitude)
        /// Of the centre of a circle, degrees.
        package static let longitude = Field(FenceProperty.longitude)
        /// Of a circle, m.
        package static let radius = Field(FenceProperty.radius)
        /// Of a corridor, m.
        package static let width = Field(FenceProperty.width)
        /// GeoJSON or well-known text, in place of a centre.
        package static let geometry = Field(FenceProperty.geometry)

        /// All of them, in the order in which they are written.
        package static let all: [Field] = {
            let first = [id, title, description, latitude, longitude, radius, width, geometry]
            return first + FenceProperty.fields.map { Field($0) }.filter { !first.contains($0) }
        }()

        private init(_ property: FenceProperty) {
            let name = property.name.description
            self.name = name.split(separator: "_").map {
                $0.prefix(1).uppercased() + $0.dropFirst()
            }
            .joined()
            let isMember = property.places.contains(.feature) && property !== FenceProperty.id
            self.property = isMember ? name : nil
            type =
                switch property.form {
                case _ where property === FenceProperty.geometry: .geometry
                case .number, .seconds: .number
                case .flag: .flag
                case .text, .object: .text
                }
        }

        /// The one with this key; nil if there is none.
        package static func named(_ name: String) -> Field? { all.first { $0.name == name } }
    }

    /// Types of values.
    package enum ValueType: Hashable, Sendable {
        case text, number, flag, geometry
    }

    /// Where a value comes from.
    package enum Origin: Sendable, Equatable {
        /// Names of members, from the outside.
        case path([String])
        case constant(String)
    }

    /// What the file says.
    package var origins: [Field: Origin] = [:]
    /// Members of theirs that are kept as they are; nil: all that are not mapped, for Features, and
    /// none, for tables.
    package var metadata: [[String]]?

    package init() {}

    /// `Plant/Name` or `='constant'`.
    package static func origin(_ text: String) -> Origin? {
        let scalars = text.unicodeScalars
        if scalars.first == "'" {
            guard scalars.count >= 2, scalars.last == "'" else { return nil }
            return .constant(String(scalars.dropFirst().dropLast()))
        }
        return path(text).map(Origin.path)
    }

    /// Names with slashes between them; at most eight.
    package static func path(_ text: String) -> [String]? {
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= 8, names.allSatisfy({ !$0.isEmpty }) else { return nil }
        return names
    }
}
