/// A drive through a hazard, by the edges it drives.
struct Passage {
    /// Index of the hazard.
    let hazard: Int
    /// Index into the route: the first edge of the restricted section.
    let step: Int
    /// When the vehicle reaches the section, s since the start.
    let enter: Double
    /// When it has left it.
    let leave: Double
    /// When it passes the last place at which it could still leave; nil where none is on the route.
    let escape: Double?
}

/// What really happens on a drive, and what could have happened: from the network and the driven
/// edges, without a look at any monitor or at the compiler's legs.
struct Truth {
    private let roads: Roads
    private let hazards: [Hazard]
    /// By hazard: edges by which one gets away.
    private(set) var away: [[Bool]] = []
    /// Hazards by edge.
    private var at: [Int: [Int]] = [:]
    /// How far a vehicle looks ahead, m: what cannot be reached within it is impossible.
    static let reach = 2600.0

    init(_ roads: Roads, _ hazards: [Hazard]) {
        self.roads = roads
        self.hazards = hazards
        var cores: [Double: [Bool]] = [:]
        for (index, hazard) in hazards.enumerated() {
            for edge in hazard.edges { at[edge, default: []].append(index) }
            let closed = hazards.filter { $0.height <= hazard.height }
            let core =
                cores[hazard.height]
                ?? Self.core(roads, without: closed.reduce(into: []) { $0.formUnion($1.edges) })
            cores[hazard.height] = core
            away.append(core)
        }
    }

    /// Edges that are part of the greatest network without dead ends once some are closed.
    private static func core(_ roads: Roads, without closed: Set<Int>) -> [Bool] {
        var neighbours = roads.points.indices.map { node in
            Set(
                roads.leaving[node].filter { !closed.contains(Int($0)) }
                    .map { roads.edges[Int($0)].to }
                    + roads.arriving[node].filter { !closed.contains(Int($0)) }
                    .map { roads.edges[Int($0)].from })
        }
        var ends = neighbours.indices.filter { neighbours[$0].count == 1 }
        while let end = ends.popLast() {
            guard let other = neighbours[end].first else { continue }
            neighbours[end] = []
            neighbours[other].remove(end)
            if neighbours[other].count == 1 { ends.append(other) }
        }
        var part = Array(repeating: -1, count: neighbours.count)
        var sizes: [Int] = []
        for node in neighbours.indices where part[node] < 0 && !neighbours[node].isEmpty {
            var open = [node]
            part[node] = sizes.count
            var size = 0
            while let next = open.popLast() {
                size += 1
                for other in neighbours[next] where part[other] < 0 {
                    part[other] = sizes.count
                    open.append(other)
                }
            }
            sizes.append(size)
        }
        let greatest = sizes.indices.max { sizes[$0] < sizes[$1] } ?? 0
        return roads.edges.indices.map { edge in
            let (from, to) = (roads.edges[edge].from, roads.edges[edge].to)
            return !closed.contains(edge) && part[from] == greatest && part[to] == greatest
                && neighbours[from].contains(to)
        }
    }

    /// The hazards that a drive passes, in order.
    func passages(of drive: Drive) -> [Passage] {
        var passages: [Passage] = []
        for step in drive.route.indices.dropFirst() {
            for hazard in at[drive.route[step]] ?? []
            where !hazards[hazard].edges.contains(drive.route[step - 1]) {
                var end = step
                while end < drive.route.count, hazards[hazard].edges.contains(drive.route[end]) {
                    end += 1
                }
                passages.append(
                    Passage(
                        hazard: hazard, step: step, enter: drive.time(at: drive.starts[step]),
                        leave: drive.time(at: drive.starts[end]),
                        escape: escape(from: hazard, at: step, of: drive).map {
                            drive.time(at: drive.starts[$0])
                        }))
            }
        }
        return passages
    }

    /// The step of the route before which the vehicle could last have left it.
    private func escape(from hazard: Int, at step: Int, of drive: Drive) -> Int? {
        var index = step
        while index > 0 {
            let (last, next) = (drive.route[index - 1], drive.route[index])
            let leaves = roads.onward(last).contains { edge in
                edge != next && edge != roads.edges[next].reverse && away[hazard][edge]
                    && roads.road(edge) >= .residential && roads.turn(last, edge) <= 140
            }
            if leaves { return index }
            index -= 1
        }
        return nil
    }

    /// Whether a vehicle at this moment can come to a hazard at all.
    func canReach(_ hazard: Int, from moment: Moment, of drive: Drive, _ router: inout Router)
        -> Bool
    {
        let edge = drive.route[moment.step]
        return hazards[hazard].edges.contains(edge)
            || router.reaches(
                hazards[hazard].edges, from: edge, offset: moment.offset, within: Self.reach)
    }
}
