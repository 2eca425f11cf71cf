import EngineTestKit
import Geodesy
import Glibc
import Law
import Model

/// One place, one height, one noise: all monitors on the same drives.
struct Run {
    private let options: Options
    private let roads: Roads
    private let height: Double
    private let sigma: Double
    private let hazards: [Hazard]
    private let fences: [Fence]

    init(extract: String, approaches: String, _ options: Options) throws {
        self.options = options
        height = options.number("height", otherwise: 4)
        sigma = options.number("sigma", otherwise: 6)
        roads = try Roads(extract: extract)
        let file = try readFile(approaches)
        fences = try Corridor.fences(file)
        let read = try Hazard.read(file, on: roads, vehicle: height)
        let network = roads
        let keep = read.hazards.indices.filter { index in
            options.text("class") == nil
                || read.hazards[index].edges.allSatisfy { network.road($0) >= .residential }
        }
        hazards = keep.map { read.hazards[$0] }
        if !read.unmatched.isEmpty {
            complain("not on the network: \(read.unmatched.joined(separator: " "))")
        }
        guard !hazards.isEmpty else { throw Unusable(description: "no hazard is too low") }
    }

    func run() throws {
        let seed = UInt64(options.number("seed", otherwise: 1))
        var trips = Trips(roads, seed: seed)
        var random = SeededRandom(seed: seed &+ 1000)
        let order = hazards.shuffled(using: &random)
        let thru = Int(options.number("thru", otherwise: 34))
        let od = Int(options.number("od", otherwise: 61))
        var sent: [Drive] = []
        for index in 0..<(3 * thru) where sent.count < thru {
            if let drive = trips.through(order[index % order.count]) { sent.append(drive) }
        }
        var free: [Drive] = []
        for _ in 0..<(3 * od) where free.count < od {
            if let drive = trips.between() { free.append(drive) }
        }
        var back: [Drive] = []
        for index in 0..<(3 * thru) where back.count < thru / 2 {
            if let drive = trips.andBack(order[index % order.count]) { back.append(drive) }
        }
        for (name, drives) in [("thru", sent), ("od", free), ("back", back)]
        where !drives.isEmpty {
            try judge(name, drives, seed: seed)
        }
    }

    private func judge(_ name: String, _ drives: [Drive], seed: UInt64) throws {
        let truth = Truth(roads, hazards)
        var router = Router(roads)
        let zones: [(String, Zone)] =
            options.text("zones") == "no"
            ? []
            : [
                ("circle, 100 m", .circle(100)), ("circle, 1 mile", .circle(Zone.mile)),
                ("cone ±30°, 1 mile", .cone(Zone.mile)), ("cone ±30°, 45 s", .coneSeconds(45)),
            ]
        var scores = Array(repeating: Score(timesEnds: false), count: zones.count)
        scores += Array(repeating: Score(timesEnds: true), count: 3)
        // Of each corridor.
        var spent = [Duration](repeating: .zero, count: 3)
        var count = 0
        for (number, drive) in drives.enumerated() {
            var receiver = Receiver(sigma: sigma, seed: seed &* 7919 &+ UInt64(number))
            let fixes = receiver.fixes(of: drive, on: roads)
            let passages = truth.passages(of: drive)
            let corridor = Corridor(fences, hazards, roads.plane, height: height)
            var warners: [any Warner] = zones.map { ZoneWarner($0.1, hazards) }
            let line = self.line(of: drive)
            let routed = [RouteSettings.OffRoute.asToday, .urgent].map {
                Corridor(
                    fences, hazards, roads.plane, height: height, route: (line: line, offRoute: $0))
            }
            count += fixes.count
            for (fix, _) in fixes {
                for index in warners.indices { warners[index].take(fix) }
                for (index, corridor) in ([corridor] + routed).enumerated() {
                    spent[index] += ContinuousClock().measure { corridor.take(fix) }
                }
            }
            warners += [corridor] + routed as [any Warner]
            for (index, warner) in warners.enumerated() {
                scores[index].add(
                    warner.alarms, drive, passages, hazards: hazards, label: "\(name) \(number)",
                    place: { place(drive, $0) }
                ) { hazard, time in
                    truth.canReach(hazard, from: drive.moment(at: time), of: drive, &router)
                }
            }
        }
        let title = options.text("name") ?? "\(height) m"
        print(
            "\n\(title), \(name): \(hazards.count) low places, \(drives.count) drives, ",
            terminator: "")
        print("\(Int((scores[0].way / 1000).rounded())) km, σ \(sigma) m\n\n\(Score.header)")
        let names =
            zones.map(\.0) + ["**corridor**", "with its route", "with its route, `urgent`"]
        for (zone, score) in zip(names, scores) { print(score.row(zone)) }
        if options.text("cost") != nil {
            let each = spent.map { $0 / max(count, 1) }
            print("- a fix without a route, with it, and urgent: \(each)")
        }
        for line in scores[zones.count].misses { print("- \(line)") }
        for line in scores[zones.count + 2].misses { print("- with its route, \(line)") }
        guard options.text("list") != nil else { return }
        for line in scores[zones.count].wrongs { print("- false: \(line)") }
        for line in scores[zones.count + 2].wrongs { print("- false with its route: \(line)") }
    }

    /// As a navigation program gives it that has the same map.
    private func line(of drive: Drive) -> [Coordinate] {
        let first = drive.route.first.map { roads.edges[$0].from }
        let nodes = [first].compactMap(\.self) + drive.route.map { roads.edges[$0].to }
        let line = nodes.map { Route.rounded(roads.positions[$0]) }
        guard options.text("cost") != nil, let end = line.last else { return line }
        // As long as may be: it goes on elsewhere, to and fro.
        return line
            + (line.count..<Route.mostPositions).map {
                Coordinate(
                    latitude: end.latitude + 0.05, longitude: end.longitude + Double($0 % 7) / 1_000
                )
            }
    }

    private func place(_ drive: Drive, _ time: Double) -> String {
        let moment = drive.moment(at: time)
        let edge = drive.route[moment.step]
        let at = roads.plane.coordinate(roads.point(edge, at: moment.offset))
        let way = roads.ways[roads.edges[edge].way]
        func digits(_ value: Double) -> Double { (value * 1e5).rounded() / 1e5 }
        return "(\(digits(at.latitude)) \(digits(at.longitude)) way \(way.id) \(way.name))"
    }
}
