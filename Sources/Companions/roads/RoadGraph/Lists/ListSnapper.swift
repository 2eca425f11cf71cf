import Glibc

/// Finds the roads that a list means.
package struct ListSnapper {
    /// m.
    private static let reach = 30.0
    /// Degrees between a road and the direction of the list.
    private static let widest = 45.0
    private static let mostSegments = 2_000

    private let network: RoadNetwork
    private let grid: RoadGrid

    /// Where an entry meets an edge.
    private struct Match {
        let position: RoadPosition
        let distance: Double
        let way: RoadWay
    }

    package init(_ network: RoadNetwork, _ grid: RoadGrid) {
        self.network = network
        self.grid = grid
    }

    /// The hazards of a list, in its order; where no road is near, or there is no network, they are
    /// points. Of several rows that mean the same place the lowest counts.
    package static func hazards(
        _ list: BridgeList, _ snapper: ListSnapper?
    ) -> (hazards: [Hazard], disagreements: [Disagreement]) {
        var hazards: [Hazard] = []
        var taken: Set<String> = []
        for entry in list.entries {
            let (section, limit) = snapper?.section(entry) ?? (nil, entry.limit)
            var (id, number) = (entry.id, 2)
            while !taken.insert(id).inserted {
                id = "\(entry.id)-\(number)"
                number += 1
            }
            let title = limit.kind.title
            hazards.append(
                Hazard(
                    id: id, limit: limit,
                    section: section
                        ?? .point(RoadPoint(entry.place), direction: entry.direction),
                    source: entry.source, date: nil,
                    title: entry.title.isEmpty ? title : "\(title), \(entry.title)", way: nil,
                    isPrivate: false))
        }
        return distinct(hazards)
    }

    /// What tells places apart: edges and points, to 10 m.
    private struct Place: Hashable {
        let kind: LimitKind
        let edges: [RoadEdge]
        let numbers: [Int]

        init(_ hazard: Hazard) {
            kind = hazard.limit.kind
            switch hazard.section {
            case .positions(let positions):
                edges = positions.map(\.edge)
                numbers = positions.map { Int($0.along / 10) }
            case .point(let point, let direction):
                edges = []
                // 1e-4 degrees are 11 m.
                numbers = [
                    Int(point.longitude / 1000), Int(point.latitude / 1000),
                    direction.map { Int($0) } ?? -1,
                ]
            case .edges, .vertex:
                (edges, numbers) = ([], [])
            }
        }
    }

    private static func distinct(
        _ hazards: [Hazard]
    ) -> (hazards: [Hazard], disagreements: [Disagreement]) {
        var lowest: [Place: Int] = [:]
        var disagreements: [Disagreement] = []
        for (index, hazard) in hazards.enumerated() {
            let place = Place(hazard)
            if let known = lowest[place] {
                if let found = Disagreement(hazards[known], hazard) { disagreements.append(found) }
                if hazards[known].limit.rank <= hazard.limit.rank { continue }
            }
            lowest[place] = index
        }
        return (lowest.values.sorted().map { hazards[$0] }, disagreements)
    }

    /// Positions on the roads meant. Several roads that nothing tells apart are all taken, in doubt.
    private func section(_ entry: BridgeList.Entry) -> (Hazard.Section?, Limit) {
        var matches = matches(entry)
        if matches.contains(where: { ($0.way.structure == .bridge) == (entry.level == .over) }) {
            matches.removeAll { ($0.way.structure == .bridge) != (entry.level == .over) }
        }
        let scores = matches.map { score(entry, $0.way) }
        if let best = scores.max(), best > 0 {
            matches = zip(matches, scores).filter { $0.1 == best }.map(\.0)
        }
        guard let nearest = matches.min(by: { $0.distance < $1.distance }) else {
            return (nil, entry.limit)
        }
        let others = matches.filter {
            $0.way.id != nearest.way.id && !network.haveSameName($0.way, nearest.way)
        }
        var limit = entry.limit
        if others.isEmpty {
            // Of one road: the carriageway that is meant, not each piece within reach.
            matches.removeAll { $0.distance > nearest.distance + 5 }
        } else {
            limit = Limit(
                kind: limit.kind, value: limit.value, sign: limit.sign, basis: limit.basis,
                doubt: limit.doubt ?? "several roads")
        }
        return (.positions(matches.map(\.position)), limit)
    }

    private func matches(_ entry: BridgeList.Entry) -> [Match] {
        let point = RoadPoint(entry.place)
        let near = grid.segments(near: point, within: Self.reach, budget: Self.mostSegments)
        var matches: [Match] = []
        for segment in near {
            for isForward in [true, false] {
                let edge = RoadEdge(segment: segment, isForward: isForward)
                guard network.isOpen(edge), let match = match(edge, point, entry.direction) else {
                    continue
                }
                matches.append(match)
            }
        }
        return matches
    }

    private func match(_ edge: RoadEdge, _ point: RoadPoint, _ direction: Double?) -> Match? {
        let plane = LocalPlane(at: point)
        let line = network.points(of: edge)
        var best: (distance: Double, along: Double, heading: Double)?
        var before = 0.0
        for index in line.indices.dropLast() {
            let (a, b) = (plane.offset(of: line[index]), plane.offset(of: line[index + 1]))
            let (dx, dy) = (b.east - a.east, b.north - a.north)
            let length = Offset(east: dx, north: dy).length
            guard length > 0 else { continue }
            let share = max(0, min(1, -(a.east * dx + a.north * dy) / (length * length)))
            let distance = Offset(east: a.east + share * dx, north: a.north + share * dy).length
            if best.map({ distance < $0.distance }) ?? true {
                best = (distance, before + share * length, atan2(dx, dy) * 180 / .pi)
            }
            before += length
        }
        guard let best, best.distance <= Self.reach else { return nil }
        if let direction, turn(from: direction, to: best.heading).magnitude > Self.widest {
            return nil
        }
        return Match(
            position: RoadPosition(edge: edge, along: best.along), distance: best.distance,
            way: network.way(of: edge))
    }

    /// How many words of the text that name the lower road are in the road's name or number.
    private func score(_ entry: BridgeList.Entry, _ way: RoadWay) -> Int {
        var words: Set<String> = []
        for word in Self.words(entry.title) {
            if word == "UNDER" { break }
            words.insert(word)
        }
        return Set(Self.words(network.allNames(of: way))).intersection(words).count
    }

    private static func words(_ text: String) -> [String] {
        text.uppercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
