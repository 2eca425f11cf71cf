/// The roads of an extract as a graph. Vertices are junctions, ends of ways and restricted nodes;
/// between them lie segments, each of which is two directed edges, of which one may be closed.
package struct RoadNetwork: Sendable {
    /// Sorted by id.
    package let ways: [RoadWay]
    /// In the order of the ways, and of each way's nodes.
    package let segments: [RoadSegment]
    /// All points of roads.
    let points: [RoadPoint]
    /// Indices of points, one way's after the other's.
    let shape: [Int32]
    /// By vertex: its point.
    let vertexPoints: [Int32]
    /// By vertex: where its edges begin in `leaving`.
    let firstLeaving: [Int32]
    /// Edges that leave a vertex, closed ones too, ascending.
    let leaving: [RoadEdge]
    /// Vertices behind which the extract ends.
    let cutVertices: Set<Int32>
    /// By vertex.
    let turnRules: [Int32: [TurnRule]]
    /// The first is empty.
    let names: [String]

    /// No roads.
    package static let empty = RoadNetwork(
        ways: [], segments: [], points: [], shape: [], vertexPoints: [], firstLeaving: [0],
        leaving: [], cutVertices: [], turnRules: [:], names: [""])

    /// How many junctions and ends there are.
    package var vertexCount: Int { vertexPoints.count }

    /// The position of a vertex.
    package func position(ofVertex vertex: Int) -> RoadPoint {
        points[Int(vertexPoints[vertex])]
    }

    /// All edges that leave a vertex, including those against a one-way road; ascending.
    package func halfEdges(at vertex: Int) -> ArraySlice<RoadEdge> {
        leaving[Int(firstLeaving[vertex])..<Int(firstLeaving[vertex + 1])]
    }

    /// The edges by which one may leave a vertex.
    package func outgoing(_ vertex: Int) -> [RoadEdge] {
        halfEdges(at: vertex).filter { isOpen($0) }
    }

    /// The edges by which one may arrive at a vertex.
    package func incoming(_ vertex: Int) -> [RoadEdge] {
        halfEdges(at: vertex).lazy.map(\.reversed).filter { isOpen($0) }
    }

    /// Whether the road may be driven in this direction.
    package func isOpen(_ edge: RoadEdge) -> Bool {
        switch way(of: edge).oneWay {
        case .both: true
        case .forward: edge.isForward
        case .backward: !edge.isForward
        }
    }

    /// The way that an edge is a piece of.
    package func way(of edge: RoadEdge) -> RoadWay { ways[Int(segments[edge.segment].way)] }

    /// The vertex at which an edge begins.
    package func start(of edge: RoadEdge) -> Int {
        let segment = segments[edge.segment]
        return Int(edge.isForward ? segment.from : segment.to)
    }

    /// The vertex at which an edge ends.
    package func end(of edge: RoadEdge) -> Int { start(of: edge.reversed) }

    /// m.
    package func length(of edge: RoadEdge) -> Double { Double(segments[edge.segment].length) }

    /// The points of an edge in its direction of travel: at least two, no two equal in a row.
    package func points(of edge: RoadEdge) -> [RoadPoint] {
        let segment = segments[edge.segment]
        let indices = shape[Int(segment.first)...Int(segment.last)]
        let line = indices.map { points[Int($0)] }
        return edge.isForward ? line : line.reversed()
    }

    /// Its name, or its number, or nothing.
    package func name(of way: RoadWay) -> String {
        way.name != 0 ? names[Int(way.name)] : names[Int(way.reference)]
    }

    /// Its name and its number.
    func allNames(of way: RoadWay) -> String {
        names[Int(way.name)] + " " + names[Int(way.reference)]
    }

    /// Whether two ways carry the same name or the same number.
    package func haveSameName(_ a: RoadWay, _ b: RoadWay) -> Bool {
        (a.name != 0 && a.name == b.name) || (a.reference != 0 && a.reference == b.reference)
    }

    /// Whether one may go on from an edge to one that leaves its end: no U-turn, no sign against it.
    package func mayTurn(_ from: RoadEdge, _ to: RoadEdge) -> Bool {
        guard to != from.reversed, isOpen(to) else { return false }
        guard !turnRules.isEmpty, let rules = turnRules[Int32(end(of: from))] else { return true }
        let (here, there) = (way(of: from).id, way(of: to).id)
        for rule in rules where rule.from == here {
            switch rule.kind {
            case .forbidden: if rule.to == there { return false }
            case .only: if rule.to != there { return false }
            }
        }
        return true
    }

    /// Whether the extract ends behind a vertex, so that roads may be missing there.
    package func isCut(_ vertex: Int) -> Bool { cutVertices.contains(Int32(vertex)) }

    /// The turn from the end of one edge into another, degrees, positive to the right; 0 where a
    /// direction is unknown. Directions are those of the 15 m beside the junction, because the last
    /// few metres of a mapped road often bend.
    package func angle(_ from: RoadEdge, _ to: RoadEdge) -> Double {
        guard let before = direction(leaving: from.reversed), let after = direction(leaving: to)
        else { return 0 }
        return turn(from: before + 180, to: after)
    }

    /// The direction of an edge at its start.
    private func direction(leaving edge: RoadEdge) -> Double? {
        let segment = segments[edge.segment]
        let step = edge.isForward ? 1 : -1
        var place = Int(edge.isForward ? segment.first : segment.last)
        let stop = Int(edge.isForward ? segment.last : segment.first)
        let origin = points[Int(shape[place])]
        let plane = LocalPlane(at: origin)
        while place != stop {
            place += step
            if place == stop || plane.offset(of: points[Int(shape[place])]).length >= 15 { break }
        }
        return origin.bearing(to: points[Int(shape[place])])
    }
}
