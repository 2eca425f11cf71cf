/// A piece of road between two vertices, in one direction of travel.
package struct RoadEdge: Hashable, Comparable, Sendable {
    /// Twice the segment, plus 1 against the order of its nodes.
    package let number: Int32

    init(number: Int32) { self.number = number }

    package init(segment: Int, isForward: Bool) {
        number = Int32(segment) * 2 + (isForward ? 0 : 1)
    }

    /// Into ``RoadNetwork/segments``.
    package var segment: Int { Int(number >> 1) }
    /// In the order of its way's nodes.
    package var isForward: Bool { number & 1 == 0 }
    /// The same piece in the other direction.
    package var reversed: RoadEdge { RoadEdge(number: number ^ 1) }

    package static func < (a: RoadEdge, b: RoadEdge) -> Bool { a.number < b.number }
}

/// A place on an edge.
package struct RoadPosition: Hashable, Sendable {
    /// In the direction of travel.
    package let edge: RoadEdge
    /// m from its start.
    package let along: Double
}

/// A piece of a way between two vertices.
package struct RoadSegment: Sendable {
    /// The vertex at its first node.
    package let from: Int32
    /// The vertex at its last node.
    package let to: Int32
    /// Into ``RoadNetwork/ways``.
    package let way: Int32
    /// Its points, both included, as places in the network's shape.
    let first: Int32
    let last: Int32
    /// m.
    package let length: Float
}

/// A turn that a sign forbids: from a way over a vertex to another way.
struct TurnRule: Sendable {
    enum Kind: UInt8, Sendable { case forbidden, only }

    let kind: Kind
    /// Ids of ways.
    let from: Int64
    let to: Int64
}
