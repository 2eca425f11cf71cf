/// The importance of a road, from its `highway` tag. Ways of other values are no roads.
package enum RoadClass: UInt8, CaseIterable, Sendable {
    case motorway, motorwayLink, trunk, trunkLink, primary, primaryLink, secondary, secondaryLink
    case tertiary, tertiaryLink, unclassified, residential, livingStreet, service

    /// - Parameter tag: value of `highway`.
    package init?(tag: String) {
        switch tag {
        case "motorway": self = .motorway
        case "motorway_link": self = .motorwayLink
        case "trunk": self = .trunk
        case "trunk_link": self = .trunkLink
        case "primary": self = .primary
        case "primary_link": self = .primaryLink
        case "secondary": self = .secondary
        case "secondary_link": self = .secondaryLink
        case "tertiary": self = .tertiary
        case "tertiary_link": self = .tertiaryLink
        case "unclassified", "road": self = .unclassified
        case "residential": self = .residential
        case "living_street": self = .livingStreet
        case "service": self = .service
        default: return nil
        }
    }

    /// 0 (motorway) to 8 (service); a link counts one step less than its road.
    package var rank: Int {
        switch self {
        case .motorway: 0
        case .motorwayLink, .trunk: 1
        case .trunkLink, .primary: 2
        case .primaryLink, .secondary: 3
        case .secondaryLink, .tertiary: 4
        case .tertiaryLink, .unclassified: 5
        case .residential: 6
        case .livingStreet: 7
        case .service: 8
        }
    }

    /// A lorry may be sent there when it must leave its road: residential or better.
    package var isThroughRoad: Bool { rank <= RoadClass.residential.rank }

    /// What traffic does there without a sign, m/s.
    package var usualSpeed: Double {
        switch self {
        case .motorway: 25
        case .motorwayLink, .trunkLink: 16
        case .trunk: 22
        case .primary, .secondary: 17
        case .primaryLink, .secondaryLink, .tertiary, .tertiaryLink, .unclassified: 14
        case .residential: 10
        case .livingStreet, .service: 6
        }
    }
}
