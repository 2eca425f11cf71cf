/// What a limit is about.
package enum LimitKind: String, CaseIterable, Comparable, Sendable {
    case height, width, length, weight
    case axleLoad = "axle-load"

    /// Its key in OpenStreetMap.
    var key: String {
        switch self {
        case .height: "maxheight"
        case .width: "maxwidth"
        case .length: "maxlength"
        case .weight: "maxweight"
        case .axleLoad: "maxaxleload"
        }
    }

    /// Its name among the `limits` of a fence; m, or t.
    package var property: String {
        switch self {
        case .height: "height_m"
        case .width: "width_m"
        case .length: "length_m"
        case .weight: "weight_t"
        case .axleLoad: "axle_load_t"
        }
    }

    /// In t; the others are in m.
    package var isMass: Bool { self == .weight || self == .axleLoad }

    /// Values outside are mistakes of the one who entered them; m, or t.
    package var plausible: ClosedRange<Double> {
        switch self {
        case .height: 1...9.9
        case .width: 0.5...10
        case .length: 1...60
        case .weight, .axleLoad: 0.5...200
        }
    }

    /// In which most numbers of a list are, if they are in m or t: what is more is no limit for a vehicle on
    /// the road, but one in feet, or in kilograms, may be.
    var usual: ClosedRange<Double> {
        switch self {
        case .height: 1...7
        case .width: 0.5...6
        case .length: 1...30
        case .weight, .axleLoad: 0.5...100
        }
    }

    /// What a hazard of this kind is called, before the name of its road.
    package var title: String {
        switch self {
        case .height: "Low bridge"
        case .width: "Narrow passage"
        case .length: "Length limit"
        case .weight: "Weight limit"
        case .axleLoad: "Axle load limit"
        }
    }

    package static func < (a: LimitKind, b: LimitKind) -> Bool { a.rawValue < b.rawValue }
}
