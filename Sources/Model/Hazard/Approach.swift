package import Geodesy

/// How a hazard is reached: a directed tree of legs that ends at the restricted section, or a cone
/// of courses towards a point. What it needs beside the area of its fence.
///
/// The area of a fence with a tree is ``Geometry/lines(_:width:)``: first the lines of the legs, in
/// their own direction of travel, then those of the restricted section. That of a cone is a circle
/// around the point.
package final class Approach: Sendable {
    /// One line of the tree, travelled in its own direction.
    package struct Leg: Hashable, Sendable {
        /// Metres to go to the restricted section from the end of the leg; 0 for the last.
        package var endToGo: Double
        /// In (0, 1]: that a vehicle at its end goes on to the hazard.
        package var chance: Double
        /// Index of the leg that continues it; nil for one that ends at the restricted section.
        package var next: Int?
        /// Metres to go to the hazard at the last escape; nil where there is none, or it is behind.
        package var escapeToGo: Double?
        /// Where it has none of its own: that of the legs that lead to it, the nearest. An approach
        /// works it out.
        package fileprivate(set) var escapeBehind: Double?
        /// The next turn above 40° that must be made.
        package var turn: Turn?
        /// The edge of the data cut the tree here.
        package var isCut: Bool
        /// Name of the road; empty where it has none.
        package var road: String
        /// Where the last escape leads; nil where it is not known.
        package var escape: Escape?

        package init(
            endToGo: Double, chance: Double, next: Int? = nil, escapeToGo: Double? = nil,
            turn: Turn? = nil, isCut: Bool = false, road: String = "", escape: Escape? = nil
        ) {
            self.endToGo = endToGo
            self.chance = chance
            self.next = next
            self.escapeToGo = escapeToGo
            self.turn = turn
            self.isCut = isCut
            self.road = road
            self.escape = escape
        }

        /// Metres to go to the hazard at the last escape, ahead or behind; nil where there is none.
        package var lastEscape: Double? { escapeToGo ?? escapeBehind }
    }

    /// A turn that must be made to stay on the approach.
    package struct Turn: Hashable, Sendable {
        /// Metres to go to the hazard at the turn.
        package var toGo: Double
        /// Degrees, above 40.
        package var angle: Double

        package init(toGo: Double, angle: Double) {
            self.toGo = toGo
            self.angle = angle
        }
    }

    /// The last way out.
    package struct Escape: Hashable, Sendable {
        /// Which way it turns off.
        package enum Side: UInt8, CaseIterable, Sendable {
            case left
            case right
            case ahead
            case back

            /// The name in `escape.side` and in events.
            package var name: String {
                switch self {
                case .left: "left"
                case .right: "right"
                case .ahead: "ahead"
                case .back: "back"
                }
            }
        }

        /// Name of the road to turn into; empty where it has none.
        package var road: String
        /// Which way it turns off; nil where it is not known.
        package var side: Side?

        package init(road: String, side: Side? = nil) {
            self.road = road
            self.side = side
        }
    }

    /// How the vehicle is told to be coming.
    package enum Course: Hashable, Sendable {
        /// Along legs; their lines are the first of the area.
        case legs([Leg])
        /// Towards the centre of the area; where `direction` is there, degrees true, only at
        /// courses about it.
        case cone(direction: Double?)
    }

    /// What the hazard lets pass.
    package let limits: Limits
    /// A tree or a cone.
    package let course: Course
    /// Lines near a leg that are no leg, in the direction of travel: only to tell which road the
    /// vehicle is on.
    package let rivals: [[Coordinate]]

    package init(limits: Limits, course: Course, rivals: [[Coordinate]] = []) {
        self.limits = limits
        self.course =
            switch course {
            case .legs(let legs): .legs(Self.knowingEscapes(legs))
            case .cone: course
            }
        self.rivals = rivals
    }

    /// Tells the legs without an escape which one is behind them.
    private static func knowingEscapes(_ legs: [Leg]) -> [Leg] {
        guard legs.contains(where: { $0.escapeToGo == nil }) else { return legs }
        var legs = legs
        for index in legs.indices {
            guard let escape = legs[index].escapeToGo else { continue }
            var next = legs[index].next
            // In a cycle, which the check refuses later, none is nearer the second time.
            while let leg = next, legs.indices.contains(leg), legs[leg].escapeToGo == nil,
                escape < legs[leg].escapeBehind ?? .infinity
            {
                legs[leg].escapeBehind = escape
                next = legs[leg].next
            }
        }
        return legs
    }

    /// Whether the engine can rely on it with an area of this geometry: a line for every leg, and
    /// no leg that leads away from the hazard. Part of ``ApproachCheck``, at no cost.
    package func fits(_ geometry: Geometry) -> Bool {
        switch (course, geometry) {
        case (.cone, .circle): return true
        case (.legs(let legs), .lines(let lines, _)):
            guard !legs.isEmpty, legs.count <= lines.count else { return false }
            return legs.allSatisfy { leg in
                guard let next = leg.next else { return true }
                return legs.indices.contains(next) && legs[next].endToGo <= leg.endToGo
            }
        default: return false
        }
    }

    /// Those of the tree; empty for a cone.
    package var legs: [Leg] {
        guard case .legs(let legs) = course else { return [] }
        return legs
    }

    /// Every leg and the section, widened by this to either side, is the area of the fence, m: the
    /// greatest matching distance, at the greatest error a fix may have.
    package static let reach = 175.0
    /// The radius of the area of a cone, m: the farthest advisory, and the 100 m beyond which its
    /// approach ends.
    package static let coneRadius = 1_750.0
    /// The most legs of a tree.
    package static let mostLegs = 5_000
    /// The most legs without `next` and lines of the restricted section, together: each is looked for on
    /// a route. An older version has stored more.
    package static let mostEnds = 256

    /// How many legs have no `next`; 1 for a cone.
    package var ends: Int {
        guard case .legs(let legs) = course else { return 1 }
        return legs.count { $0.next == nil }
    }
}

extension Approach: Hashable {
    package static func == (a: Approach, b: Approach) -> Bool {
        a === b || (a.limits == b.limits && a.course == b.course && a.rivals == b.rivals)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(limits)
        hasher.combine(course)
        hasher.combine(rivals.count)
    }
}
