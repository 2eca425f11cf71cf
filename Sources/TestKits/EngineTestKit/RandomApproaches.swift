package import Geodesy
package import Model

/// Hazards whose approaches lead along a drive, cross it, or run beside it.
package enum RandomApproaches {
    /// `places` are those of the drive, in order; ids are `h0`, `h1`, ….
    package static func fences(
        _ count: Int, along places: [Coordinate], _ random: inout SeededRandom
    ) -> [Fence] {
        guard places.count > 10 else { return [] }
        return (0..<count).compactMap { index in
            random.chance(0.2)
                ? cone("h\(index)", places, &random) : tree("h\(index)", places, &random)
        }
    }

    private static func limits(_ random: inout SeededRandom) -> Limits {
        switch random.integer(0..<6) {
        case 0: Limits([:], basis: .belowDefault)
        case 1: Limits([.height: 3.8, .weight: 7.5], sign: "12'6\"", basis: .signedActual)
        default:
            Limits([.height: random.uniform(3.5...4.6)], basis: .signed, date: "2024", source: "x")
        }
    }

    private static func cone(
        _ id: String, _ places: [Coordinate], _ random: inout SeededRandom
    ) -> Fence? {
        let center = places[random.integer(0..<places.count)]
            .moved(by: random.uniform(0...60), toward: random.uniform(0...360))
        let area = try? Area(.circle(center: center, radius: Approach.coneRadius))
        let direction = random.chance(0.3) ? random.uniform(0...360) : nil
        return area.map {
            Fence(
                id: id, area: $0,
                approach: Approach(
                    limits: limits(&random), course: .cone(direction: direction)))
        }
    }

    /// Legs along a part of the drive, each of a few places; beside it a leg or a rival at some
    /// metres; the section is the next part of the drive.
    private static func tree(
        _ id: String, _ places: [Coordinate], _ random: inout SeededRandom
    ) -> Fence? {
        let first = random.integer(0..<places.count - 8)
        let last = min(first + random.integer(4..<60), places.count - 3)
        var way: [Coordinate] = []
        for place in places[first...last]
        where way.last.map({ apart($0, place) > 5 && apart($0, place) < 3_000 }) ?? true {
            way.append(place)
        }
        guard way.count >= 3 else { return nil }
        if random.chance(0.2) { way.reverse() }
        let beside = random.uniform(-25...25)
        way = way.map { $0.moved(by: abs(beside) / 3, toward: beside < 0 ? 270 : 90) }
        let section = Array(way.suffix(2))
        way.removeLast()
        var lines: [[Coordinate]] = []
        var legs: [Approach.Leg] = []
        var toGo = 0.0
        var chance = random.uniform(0.4...1)
        let length = zip(way, way.dropFirst()).reduce(0) { $0 + apart($1.0, $1.1) }
        let escape = random.chance(0.7) ? random.uniform(0...min(400, length)) : nil
        var end = way.count - 1
        // From the hazard outwards: each leg leads to the one before.
        while end > 0 {
            let start = max(0, end - random.integer(1..<6))
            let line = Array(way[start...end])
            legs.append(
                Approach.Leg(
                    endToGo: toGo, chance: chance, next: legs.isEmpty ? nil : legs.count - 1,
                    escapeToGo: escape,
                    turn: random.chance(0.3) ? Approach.Turn(toGo: toGo, angle: 80) : nil,
                    road: "road \(legs.count)",
                    escape: escape.map { _ in Approach.Escape(road: "out", side: .left) }))
            lines.append(line)
            toGo += zip(line, line.dropFirst()).reduce(0) { $0 + apart($1.0, $1.1) }
            chance *= random.uniform(0.6...1)
            end = start
        }
        let rivals =
            random.chance(0.5)
            ? lines.map { line in line.map { $0.moved(by: abs(beside), toward: 45) } } : []
        let geometry = Geometry.lines(
            lines + (random.chance(0.8) ? [section] : []), width: 2 * Approach.reach)
        guard let area = try? Area(geometry) else { return nil }
        return Fence(
            id: id, area: area, title: "hazard \(id)",
            approach: Approach(limits: limits(&random), course: .legs(legs), rivals: rivals))
    }

    private static func apart(_ a: Coordinate, _ b: Coordinate) -> Double {
        SurfacePoint(a).distance(to: SurfacePoint(b))
    }
}
