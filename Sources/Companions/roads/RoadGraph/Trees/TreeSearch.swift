/// Walks from a hazard against the traffic: a shortest-path tree over edges, without U-turns, as far
/// as the last escape and somewhat beyond.
struct TreeSearch {
    private let network: RoadNetwork
    private let settings: TreeSettings
    private let chances: TurnChance
    private let members: Set<RoadEdge>
    private var heap = MinimumHeap<Candidate>()
    private var settled: Set<RoadEdge> = []
    /// Shares of turns, by the edge before them.
    private var shares: [RoadEdge: [(edge: RoadEdge, share: Double)]] = [:]
    private(set) var branches: [Branch] = []
    /// Those of an earlier search of the same hazard: where a fork leads to it by either way, the
    /// longer way is not yet known when the shorter one is walked.
    private let known: [RoadEdge: Branch]
    private(set) var isTruncated = false

    init(
        _ network: RoadNetwork, _ settings: TreeSettings, _ section: Hazard.Section,
        after earlier: [Branch] = []
    ) {
        known = Dictionary(earlier.map { ($0.edge, $0) }, uniquingKeysWith: { first, _ in first })
        self.network = network
        self.settings = settings
        chances = TurnChance(network)
        switch section {
        case .edges(let edges):
            members = Set(edges)
            for edge in edges { begin(before: network.start(of: edge)) }
        case .vertex(let vertex):
            members = []
            begin(before: vertex)
        case .positions(let positions):
            members = []
            for position in positions {
                // 1 m at least, so that there is a leg.
                let length = network.length(of: position.edge)
                let along = min(max(position.along, min(1, length)), length)
                heap.insert(
                    Candidate(
                        end: 0, edge: position.edge, next: -1, tail: length - along))
            }
        case .point:
            members = []
        }
    }

    /// A node counts whatever the vehicle does next; an edge of a section, if it may be entered.
    private mutating func begin(before vertex: Int) {
        let arriving = network.halfEdges(at: vertex)
        guard arriving.count <= TurnChance.mostEdges else { return }
        for edge in arriving.lazy.map(\.reversed)
        where network.isOpen(edge) && !members.contains(edge) {
            let isEntry =
                members.isEmpty
                || arriving.contains { members.contains($0) && network.mayTurn(edge, $0) }
            if isEntry { heap.insert(Candidate(end: 0, edge: edge, next: -1)) }
        }
    }

    /// - Parameter roads: those that are open to a vehicle for which this hazard is too low.
    mutating func run(_ roads: inout OpenRoads) {
        while let candidate = heap.popMinimum() {
            guard !settled.contains(candidate.edge) else { continue }
            guard branches.count < settings.mostBranches else {
                isTruncated = true
                return
            }
            let branch = branch(candidate, &roads)
            guard branch.kept >= 0.1 else { continue }
            settled.insert(candidate.edge)
            branches.append(branch)
            expand(branch)
        }
    }

    private mutating func expand(_ branch: Branch) {
        let length = network.length(of: branch.edge) - branch.tail
        guard branch.kept >= length else { return }
        let vertex = network.start(of: branch.edge)
        let arriving = network.halfEdges(at: vertex)
        guard arriving.count <= TurnChance.mostEdges else { return }
        for edge in arriving.lazy.map(\.reversed)
        where network.isOpen(edge) && !members.contains(edge) && !settled.contains(edge)
            && network.mayTurn(edge, branch.edge)
        {
            heap.insert(
                Candidate(end: branch.end + length, edge: edge, next: branches.count - 1))
        }
    }

    private mutating func branch(_ candidate: Candidate, _ roads: inout OpenRoads) -> Branch {
        let edge = candidate.edge
        let options = options(edge)
        let next = candidate.next >= 0 ? branches[candidate.next] : nil
        // Into the section, or on along the tree; at a node there is nothing to choose.
        let goals = options.filter { next.map(\.edge) == $0.edge || isEntry(next, $0.edge) }
        let share = goals.reduce(0) { $0 + $1.share }
        var chance = (next?.chance ?? 1) * (isVertex(next) ? 1 : min(share, 1))
        let goal = goals.max { ($0.share, $1.edge) < ($1.share, $0.edge) }?.edge

        var escape = next?.escape
        var time = 0.0
        if let next, escape != nil {
            let speed = Double(network.way(of: next.edge).speed)
            time = next.timeToEscape + network.length(of: next.edge) / speed
        } else if let goal {
            escape = self.escape(edge, candidate.end, goal, options.map(\.edge), &roads)
        }
        if let next {
            let others = otherWays(candidate.end, next, options)
            // Never more than that of the leg that follows, which an approach promises.
            chance = min(chance + others.chance, next.chance)
            if let metres = others.escape, let last = escape, metres > last.metres + 1 {
                escape = fork(edge, next.edge, at: metres, candidate.end, earlier: last)
                time = max(candidate.end - metres, 0) / Double(network.way(of: edge).speed)
            }
        }
        var turn = next?.turn
        if let goal, options.count > 1 {
            let angle = network.angle(edge, goal).magnitude
            if angle > settings.sharpTurn { turn = SharpTurn(metres: candidate.end, angle: angle) }
        }
        return Branch(
            edge: edge, next: candidate.next, end: candidate.end, chance: chance, escape: escape,
            timeToEscape: time, turn: turn, tail: candidate.tail,
            kept: kept(candidate, chance, escape, time))
    }

    /// The other ways by which a fork leads to the hazard without a detour: the chance that a vehicle
    /// takes them, and the metres to go, by the shortest way, at the earliest of their last escapes.
    /// On one that has none, the fork is its last escape.
    private func otherWays(
        _ end: Double, _ next: Branch, _ options: [(edge: RoadEdge, share: Double)]
    ) -> (chance: Double, escape: Double?) {
        var chance = 0.0
        var escape: Double?
        for option in options where option.edge != next.edge {
            guard let other = known[option.edge] else { continue }
            let length = other.end + network.length(of: option.edge)
            guard length <= end + settings.longestDetour else { continue }
            chance += option.share * other.chance
            guard option.share * other.chance >= settings.likelyFork else { continue }
            let room = other.escape.map { length - $0.metres } ?? 0
            escape = max(escape ?? 0, end - room)
        }
        return (chance, escape)
    }

    /// The escape of a fork whose other way has its last one earlier.
    private func fork(
        _ edge: RoadEdge, _ next: RoadEdge, at metres: Double, _ end: Double, earlier: Escape
    ) -> Escape {
        guard metres >= end else {
            return Escape(metres: metres, road: earlier.road, side: earlier.side)
        }
        let way = network.way(of: next)
        return Escape(
            metres: metres, road: network.name(of: way), side: side(network.angle(edge, next)))
    }

    private func side(_ angle: Double) -> Escape.Side {
        switch angle {
        case -settings.sharpTurn...settings.sharpTurn: .ahead
        case ..<0: .left
        default: .right
        }
    }

    private mutating func options(_ edge: RoadEdge) -> [(edge: RoadEdge, share: Double)] {
        if let known = shares[edge] { return known }
        let new = chances.shares(after: edge)
        shares[edge] = new
        return new
    }

    private func isEntry(_ next: Branch?, _ edge: RoadEdge) -> Bool {
        next == nil && members.contains(edge)
    }

    private func isVertex(_ next: Branch?) -> Bool { next == nil && members.isEmpty }

    /// How much of an edge belongs to the approach, m; 0: nothing.
    private func kept(
        _ candidate: Candidate, _ chance: Double, _ escape: Escape?, _ time: Double
    ) -> Double {
        let length = network.length(of: candidate.edge) - candidate.tail
        guard let escape else { return min(length, max(settings.farthest - candidate.end, 0)) }
        let before = candidate.end - escape.metres
        let speed = Double(network.way(of: candidate.edge).speed)
        var room = max(
            (settings.timeBeyondEscape - time) * speed, settings.leastBeyondEscape - before)
        if chance >= settings.leastChance { room = max(room, settings.beyondEscape - before) }
        return min(length, max(room, 0))
    }

    /// The best way out at the end of an edge: the most important road, then the least turn.
    private func escape(
        _ edge: RoadEdge, _ end: Double, _ goal: RoadEdge, _ options: [RoadEdge],
        _ roads: inout OpenRoads
    ) -> Escape? {
        var best: (rank: Int, angle: Double, edge: RoadEdge)?
        for option in options where option != goal && !members.contains(option) {
            let angle = network.angle(edge, option)
            guard angle.magnitude <= settings.sharpestEscape, roads.leadsOut(option) else {
                continue
            }
            let rank = network.way(of: option).roadClass.rank
            if best.map({ (rank, angle.magnitude) < ($0.rank, $0.angle.magnitude) }) ?? true {
                best = (rank, angle, option)
            }
        }
        guard let best else { return nil }
        return Escape(
            metres: end, road: network.name(of: network.way(of: best.edge)),
            side: side(best.angle))
    }
}
