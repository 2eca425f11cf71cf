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

    private mutating func place() -> Int { ends[random.integer(0..<ends.count)] }

    private mutating func drive(_ route: [Int]) -> Drive? {
        let drive = Drive(route, on: roads, factor: random.uniform(0.8...1.1))
        return drive.length > 1000 ? drive : nil
    }
}
