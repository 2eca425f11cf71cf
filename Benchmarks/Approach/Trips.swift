import EngineTestKit

/// Makes the routes of the drives: seeded, shortest in time, within the well connected network.
struct Trips {
    private let roads: Roads
    private var router: Router
    private var random: SeededRandom
    /// Where drives begin and end.
    private let ends: [Int]
    private let connected: [Bool]

    init(_ roads: Roads, seed: UInt64) {
        self.roads = roads
        router = Router(roads)
        random = SeededRandom(seed: seed)
        connected = roads.largestPart()
        let connected = connected
        ends = roads.edges.indices.filter {
            connected[$0] && roads.road($0) >= .residential && roads.road($0) < .trunk
        }
    }

    /// A drive between two random places.
    mutating func between() -> Drive? {
        guard let route = router.fastest(from: place(), to: place()) else { return nil }
        return drive(route)
    }

    /// A drive from a random place through a hazard, in one of its directions, to another.
    mutating func through(_ hazard: Hazard) -> Drive? {
        let entries = hazard.edges.sorted().filter { edge in
            connected[edge]
                && roads.arriving[roads.edges[edge].from].contains {
                    !hazard.edges.contains(Int($0)) && connected[Int($0)]
                }
        }
        guard !entries.isEmpty else { return nil }
        let entry = entries[random.integer(0..<entries.count)]
        guard let before = router.fastest(from: place(), to: entry),
            let after = router.fastest(from: entry, to: place())
        else { return nil }
        return drive(before + after.dropFirst())
    }

    /// A drive through a hazard on a road with two directions, 200 m on, round on the spot, and back.
    mutating func andBack(_ hazard: Hazard) -> Drive? {
        guard let there = through(hazard)?.route,
            let entry = there.firstIndex(where: { hazard.edges.contains($0) }),
            let end = there[entry...].firstIndex(where: { !hazard.edges.contains($0) })
        else { return nil }
        guard let onward = count(of: there[end...], making: 200),
            let before = count(of: there[..<entry].reversed(), making: 2_000)
        else { return nil }
        let way = Array(there[..<(end + onward)])
        let home = way[(entry - before)...].reversed().map { roads.edges[$0].reverse }
        return home.allSatisfy { $0 >= 0 } ? drive(way + home) : nil
    }

    /// How many edges make so many metres; nil where all are less.
    private func count(of edges: some Sequence<Int>, making metres: Double) -> Int? {
        var way = 0.0
        for (count, edge) in edges.enumerated() {
            way += roads.edges[edge].length
            if way >= metres { return count + 1 }
        }
        return nil
    }

    private mutating func place() -> Int { ends[random.integer(0..<ends.count)] }

    private mutating func drive(_ route: [Int]) -> Drive? {
        let drive = Drive(route, on: roads, factor: random.uniform(0.8...1.1))
        return drive.length > 1000 ? drive : nil
    }
}
