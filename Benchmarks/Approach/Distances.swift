import EngineTestKit
import Geodesy
import Model

/// Made roads with one bridge, of which one distance differs from case to case.
struct Distances {
    /// A straight road to the east with a way out; then it, or a turn to the right, leads to the bridge.
    private struct Case {
        let name: String
        /// m from the start along the driven way: the last way out, a turn, the bridge and its end.
        var escape = 900.0
        var turn: Double?
        let bridge: Double
        var section = 12.0
        var chance = 0.4
        /// Legs lead to it from behind, too; the drive turns round 220 m behind it.
        var isBack = false
    }

    private static let cases =
        [1_100.0, 300, 100, 40, 10, 0, -40].map { behind in
            Case(
                name: "a turn \(Int(behind)) m behind the last way out, chance 0.001",
                turn: 900 + behind, bridge: 1_300 + max(behind, 0), chance: 0.001)
        }
        + [1_100.0, 550, 300, 120].map {
            Case(name: "the last way out \(Int($0)) m before the bridge", bridge: 900 + $0)
        }
        + [2.0, 12, 20, 30, 120].map {
            Case(
                name: "there and back under \(Int($0)) m", bridge: 1_200, section: $0, isBack: true)
        }

    private static let drives = 60
    private let plane = LocalPlane(around: Coordinate(latitude: 50, longitude: 20))

    /// Prints the table.
    func run(seed: UInt64, sigma: Double) throws {
        print("Made roads, \(Self.drives) drives at 13 to 21 m/s each, σ \(sigma) m\n")
        print(
            "| distance | passages | heard | before the last way out | urgent, s too late, 50 95 % | "
                + "`passed` said |\n|---|---|---|---|---|---|")
        for one in Self.cases { print(try row(one, seed: seed, sigma: sigma)) }
    }

    private func row(_ one: Case, seed: UInt64, sigma: Double) throws -> String {
        let fence = try fence(one)
        let hazard = Hazard(
            id: fence.id, title: "", height: 3.5, edges: [], centre: point(one.bridge, one), legs: 0
        )
        var random = SeededRandom(seed: seed)
        var (passages, heard, timely, passed) = (0, 0, 0, 0)
        var late: [Double] = []
        for number in 0..<Self.drives {
            let (roads, drive) = drive(one, factor: random.uniform(0.8...1.3))
            var receiver = Receiver(sigma: sigma, seed: seed &* 7919 &+ UInt64(number))
            let corridor = Corridor([fence], [hazard], plane, height: 4)
            for (fix, _) in receiver.fixes(of: drive, on: roads) {
                corridor.take(
                    Fix(
                        time: fix.time, point: plane.point(roads.plane.coordinate(fix.point)),
                        error: fix.error, speed: fix.speed, course: fix.course))
            }
            let back = 2 * (one.bridge + one.section + 220) - one.bridge - one.section
            for bridge in one.isBack ? [one.bridge, back] : [one.bridge] {
                passages += 1
                let enter = drive.time(at: bridge)
                guard
                    let alarm = corridor.alarms.last(where: {
                        $0.begin < enter && $0.end >= enter - 3
                    })
                else { continue }
                heard += 1
                if alarm.isPassed == true { passed += 1 }
                guard bridge == one.bridge else { continue }
                if alarm.begin <= drive.time(at: one.escape) - Score.margin { timely += 1 }
                let due = drive.time(at: max(one.escape + 10, one.bridge - 600))
                late.append((alarm.urgent ?? .infinity) - due)
            }
        }
        let first = late.count
        return "| "
            + [
                one.name, "\(passages)", Score.share(heard, of: passages),
                Score.share(timely, of: first), Score.percentiles(late, [0.5, 0.95]),
                Score.share(passed, of: heard),
            ].joined(separator: " | ") + " |"
    }

    // MARK: The road

    /// The place so many metres along the driven way.
    private func point(_ way: Double, _ one: Case) -> Point {
        guard let turn = one.turn, way > turn else { return Point(x: way, y: 0) }
        return Point(x: turn, y: turn - way)
    }

    private func line(_ from: Double, _ to: Double, _ one: Case) -> [Coordinate] {
        [from, to].map { plane.coordinate(point($0, one)) }
    }

    private func drive(_ one: Case, factor: Double) -> (Roads, Drive) {
        let end = one.bridge + one.section + (one.isBack ? 220 : 800)
        let stops = Set([0, one.escape, one.turn ?? 0, one.bridge, one.bridge + one.section, end])
            .sorted()
        func road(_ nodes: [Int]) -> RoadWay {
            RoadWay(
                id: 1, road: .primary, isLink: false, name: "", forward: true, backward: true,
                nodes: nodes)
        }
        var positions = stops.map { plane.coordinate(point($0, one)) }
        var ways = [road(Array(stops.indices))]
        // Where it turns the road goes straight on, too: vehicles brake for turns at junctions.
        if let turn = one.turn, let corner = stops.firstIndex(of: turn) {
            ways.append(road([corner, positions.count]))
            positions.append(plane.coordinate(Point(x: turn + 200, y: 0)))
        }
        let roads = Roads(ways: ways, positions: positions)
        let there = roads.edges.indices.filter {
            roads.edges[$0].isForward && roads.edges[$0].way == 0
        }
        let back = there.reversed().map { roads.edges[$0].reverse }
        return (roads, Drive(there + (one.isBack ? back : []), on: roads, factor: factor))
    }

    /// As the compiler writes it: what is behind the last way out does not name it.
    private func fence(_ one: Case) throws -> Fence {
        let starts = Set([0, one.escape, one.turn ?? 0]).sorted(by: >)
        var legs: [Approach.Leg] = []
        var lines: [[Coordinate]] = []
        var end = one.bridge
        for start in starts {
            let isBefore = one.turn.map { end <= $0 } ?? false
            legs.append(
                Approach.Leg(
                    endToGo: one.bridge - end, chance: isBefore || one.turn == nil ? one.chance : 1,
                    next: legs.isEmpty ? nil : legs.count - 1,
                    escapeToGo: end <= one.escape ? one.bridge - one.escape : nil,
                    turn: isBefore
                        ? Approach.Turn(toGo: one.bridge - (one.turn ?? 0), angle: 90) : nil))
            lines.append(line(start, end, one))
            end = start
        }
        let behind = one.bridge + one.section
        if one.isBack {
            legs.append(Approach.Leg(endToGo: 0, chance: one.chance))
            legs.append(
                Approach.Leg(
                    endToGo: 300, chance: one.chance, next: legs.count - 1, escapeToGo: 300))
            lines += [line(behind + 300, behind, one), line(behind + 2_000, behind + 300, one)]
        }
        lines.append(line(one.bridge, behind, one))
        return Fence(
            id: "bridge", area: try Area(.lines(lines, width: 2 * Approach.reach)), title: "",
            approach: Approach(
                limits: Limits([.height: 3.5], basis: .signed), course: .legs(legs)))
    }
}
