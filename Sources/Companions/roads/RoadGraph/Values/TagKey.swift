/// A key of OpenStreetMap that is read; all others are skipped.
package struct TagKey: Hashable, Sendable {
    private let number: UInt16

    /// As it is in the data.
    package var rawValue: String { Self.names[Int(number)] }

    // Ways without one of the first two are left out.

    /// What kind of road.
    package static let highway = TagKey("highway")
    /// What kind of rail.
    package static let railway = TagKey("railway")
    /// Of a road.
    package static let name = TagKey("name")
    /// The number of a road.
    package static let ref = TagKey("ref")
    /// In which direction it may be driven.
    package static let oneway = TagKey("oneway")
    /// A roundabout, for instance.
    package static let junction = TagKey("junction")
    /// It is on one.
    package static let bridge = TagKey("bridge")
    /// It is in one.
    package static let tunnel = TagKey("tunnel")
    /// What is above what.
    package static let layer = TagKey("layer")
    /// What stands in the way.
    package static let barrier = TagKey("barrier")
    /// A hint at the class of a road.
    package static let maxspeed = TagKey("maxspeed")
    /// Who may use it.
    package static let access = TagKey("access")
    /// Which vehicles may.
    package static let vehicle = TagKey("vehicle")
    /// Which motor vehicles may.
    package static let motorVehicle = TagKey("motor_vehicle")
    /// Whether there is a sign.
    package static let maxheightSigned = TagKey("maxheight:signed")

    /// How many of the first keys count: a way must have one of these.
    static let required = 2

    private static let plain = [
        "highway", "railway", "name", "ref", "oneway", "junction", "bridge", "tunnel", "layer",
        "barrier", "maxspeed", "access", "vehicle", "motor_vehicle", "maxheight:signed",
    ]

    private static let names =
        plain + LimitKind.allCases.flatMap { kind in suffixes.map { kind.key + $0.text } }

    private static let numbers = Dictionary(
        uniqueKeysWithValues: names.enumerated().map { ($1, UInt16($0)) })

    /// What stands behind the key of a limit, in the order in which it does, and the direction in which
    /// the value holds; nil: both.
    private static let suffixes: [(text: String, direction: LimitTags.Direction?)] = {
        let ends: [(String, LimitTags.Direction?)] = [
            ("", nil), (":lanes", nil), (":forward", .forward), (":backward", .backward),
            (":both_ways", nil), (":lanes:forward", .forward), (":lanes:backward", .backward),
            (":lanes:both_ways", nil),
        ]
        return ["", ":physical", ":legal", ":hgv"].flatMap { beginning in
            ends.flatMap { end, direction in
                ["", ":conditional"].map { (beginning + end + $0, direction) }
            }
        }
    }()

    /// All of them, by number.
    static let all = names.indices.map { TagKey(number: UInt16($0)) }

    /// The keys of a limit that count in a direction; over a node those that count in both.
    static func limits(_ kind: LimitKind, _ direction: LimitTags.Direction) -> [TagKey] {
        limits[kind]?[direction] ?? []
    }

    private static let limits: [LimitKind: [LimitTags.Direction: [TagKey]]] = {
        var limits: [LimitKind: [LimitTags.Direction: [TagKey]]] = [:]
        for kind in LimitKind.allCases {
            for direction in [LimitTags.Direction.forward, .backward, .node] {
                limits[kind, default: [:]][direction] = suffixes.compactMap { suffix in
                    guard suffix.direction == nil || suffix.direction == direction else {
                        return nil
                    }
                    return TagKey(rawValue: kind.key + suffix.text)
                }
            }
        }
        return limits
    }()

    private init(number: UInt16) { self.number = number }

    /// One of those above.
    private init(_ name: String) { number = UInt16(Self.plain.firstIndex(of: name) ?? 0) }

    /// Nil for a key that is not read.
    package init?(rawValue: String) {
        guard let number = Self.numbers[rawValue] else { return nil }
        self.number = number
    }

    /// Tells what may not pass, or how high what may.
    package var isLimit: Bool { number >= Self.plain.count || self == .maxheightSigned }
}

/// The tags of an object that were asked for; values of at most 1,000 bytes, the rest cut off.
package typealias Tags = [TagKey: String]
