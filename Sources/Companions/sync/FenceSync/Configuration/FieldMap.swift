/// `[Fields]`: where in an entry of theirs something of ours stands.
package struct FieldMap: Sendable, Equatable {
    /// What of ours may come from an entry.
    package enum Field: String, CaseIterable, Sendable {
        case id = "Id"
        case title = "Title"
        case description = "Description"
        case latitude = "Latitude"
        case longitude = "Longitude"
        case radius = "Radius"
        case width = "Width"
        case geometry = "Geometry"
        case dwell = "Dwell"
        case notifyOnEntry = "NotifyOnEntry"
        case notifyOnExit = "NotifyOnExit"
        case initialEnter = "InitialEnter"

        /// The property of a Feature; nil for those that become its id and geometry.
        package var property: String? {
            switch self {
            case .id, .latitude, .longitude, .geometry: nil
            case .title: "title"
            case .description: "description"
            case .radius: "radius"
            case .width: "width"
            case .dwell: "dwell"
            case .notifyOnEntry: "notify_on_entry"
            case .notifyOnExit: "notify_on_exit"
            case .initialEnter: "initial_enter"
            }
        }

        /// How a value of theirs is understood.
        package var type: ValueType {
            switch self {
            case .id, .title, .description: .text
            case .latitude, .longitude, .radius, .width, .dwell: .number
            case .notifyOnEntry, .notifyOnExit, .initialEnter: .flag
            case .geometry: .geometry
            }
        }
    }

    /// Types of values.
    package enum ValueType: Sendable {
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
        if text.hasPrefix("'") {
            guard text.count >= 2, text.hasSuffix("'") else { return nil }
            return .constant(String(text.dropFirst().dropLast()))
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
