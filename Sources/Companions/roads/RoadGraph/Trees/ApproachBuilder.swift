/// Makes approaches. Hazards of one kind are to be given in the order of their limits, the lowest
/// first, because a vehicle for which one is too low passes none of the lower ones.
package struct ApproachBuilder {
    private let network: RoadNetwork
    private let settings: TreeSettings
    private var roads: OpenRoads
    private let finder: RivalFinder

    /// - Parameter hazards: all of one kind, also those that no approach is made for.
    package init(
        _ network: RoadNetwork, _ grid: RoadGrid, hazards: [Hazard],
        settings: TreeSettings = TreeSettings()
    ) {
        self.network = network
        self.settings = settings
        roads = OpenRoads(network, hazards)
        finder = RivalFinder(network, grid)
    }

    /// The approach of a hazard; one without legs if no road leads to it.
    package mutating func approach(to hazard: Hazard) -> Approach {
        roads.close(upTo: hazard.limit.rank)
        var search = TreeSearch(network, settings, hazard.section)
        search.run(&roads)
        search = TreeSearch(network, settings, hazard.section, after: search.branches)
        search.run(&roads)
        let legs = legs(search.branches)
        let whole = section(hazard.section)
        let section = Array(whole.prefix(settings.mostEnds / 2))
        let kept = kept(legs, ends: settings.mostEnds - section.count)
        let isTruncated =
            search.isTruncated || kept.count < legs.count || section.count < whole.count
        var own = Set(search.branches.map(\.edge))
        if case .edges(let edges) = hazard.section { own.formUnion(edges) }
        return Approach(
            legs: kept, section: section,
            rivals: finder.rivals(beside: kept.map(\.points), without: own),
            isTruncated: isTruncated)
    }

    /// The first of them, as many as there may be, and of those that end at the hazard, `ends`; a leg
    /// comes after its next.
    private func kept(_ legs: [Leg], ends: Int) -> [Leg] {
        var kept: [Leg] = []
        var numbers: [Int?] = []
        var left = ends
        for var leg in legs {
            let next = leg.next.map { numbers[$0] }
            let isKept = kept.count < settings.mostLegs && next.map { $0 != nil } ?? (left > 0)
            numbers.append(isKept ? kept.count : nil)
            guard isKept else { continue }
            if leg.next == nil { left -= 1 }
            leg.next = next ?? nil
            kept.append(leg)
        }
        return kept
    }

    /// Chains of branches between which nothing changes become one leg.
    private func legs(_ branches: [Branch]) -> [Leg] {
        var children = [Int](repeating: 0, count: branches.count)
        for branch in branches where branch.next >= 0 { children[branch.next] += 1 }
        var legOf = [Int](repeating: 0, count: branches.count)
        var chains: [[Int]] = []
        for (index, branch) in branches.enumerated() {
            if branch.next >= 0, children[branch.next] == 1, isSame(branch, branches[branch.next]) {
                legOf[index] = legOf[branch.next]
                chains[legOf[index]].append(index)
            } else {
                legOf[index] = chains.count
                chains.append([index])
            }
        }
        return chains.map { chain in leg(chain.map { branches[$0] }, legOf) }
    }

    private func isSame(_ a: Branch, _ b: Branch) -> Bool {
        rounded(a.chance) == rounded(b.chance) && a.escape == b.escape && a.turn == b.turn
            && name(a) == name(b)
    }

    private func name(_ branch: Branch) -> String { network.name(of: network.way(of: branch.edge)) }

    /// Up to thousandths, and never 0.
    private func rounded(_ chance: Double) -> Double { max((chance * 1000).rounded(), 1) / 1000 }

    /// - Parameter chain: at least one, the last of the way first.
    private func leg(_ chain: [Branch], _ legOf: [Int]) -> Leg {
        let (last, first) = (chain[0], chain[chain.count - 1])
        var points = cut(line(first), keeping: first.kept)
        for branch in chain.dropLast().reversed() {
            points += line(branch).dropFirst()
        }
        let isWhole = first.kept >= network.length(of: first.edge) - first.tail
        return Leg(
            points: points, end: last.end, chance: rounded(last.chance),
            next: last.next >= 0 ? legOf[last.next] : nil, escape: last.escape, turn: last.turn,
            isCut: isWhole && network.isCut(network.start(of: first.edge)), road: name(last))
    }

    /// The points of a branch, as far as the hazard.
    private func line(_ branch: Branch) -> [RoadPoint] {
        let line = network.points(of: branch.edge)
        guard branch.tail > 0 else { return line }
        let length = network.length(of: branch.edge) - branch.tail
        return cut(line.reversed(), keeping: length).reversed()
    }

    /// The last so many metres of a line.
    private func cut(_ line: [RoadPoint], keeping length: Double) -> [RoadPoint] {
        var rest = length
        for index in stride(from: line.count - 1, to: 0, by: -1) {
            let piece = line[index].distance(to: line[index - 1])
            guard piece > rest + 0.05 else {
                rest -= piece
                continue
            }
            let kept = Array(line[index...])
            guard rest > 0.05 else {
                if kept.count >= 2 { return kept }
                break
            }
            let plane = LocalPlane(at: line[index])
            let offset = plane.offset(of: line[index - 1])
            let share = rest / piece
            let point = plane.point(
                at: Offset(east: offset.east * share, north: offset.north * share))
            return [point] + kept
        }
        return line
    }

    /// Of a node: 2 m of each road from it; of a place on a road: the 2 m before it.
    private func section(_ section: Hazard.Section) -> [[RoadPoint]] {
        switch section {
        case .edges(let edges):
            let segments = Set(edges.map(\.segment)).sorted()
            return segments.map { network.points(of: RoadEdge(segment: $0, isForward: true)) }
        case .vertex(let vertex):
            let edges = network.halfEdges(at: vertex).prefix(TurnChance.mostEdges)
            return edges.map { edge in
                let line = cut(network.points(of: edge.reversed), keeping: 2)
                return Array(line.reversed())
            }
        case .positions(let positions):
            return positions.map { position in
                let line = network.points(of: position.edge)
                let before = cut(line.reversed(), keeping: position.along)
                return cut(before.reversed(), keeping: 2)
            }
        case .point:
            return []
        }
    }
}
