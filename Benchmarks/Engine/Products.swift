import EngineTestKit
import Geodesy
import Glibc
import Law
import Model
import Monitoring
import Storage
import Time

/// What two inputs multiply, each of which the daemon accepts: the longest turn of the loop that random
/// pairs of them make, by the processor's time.
/// - Parameter state: an empty directory.
@MainActor
func runProducts(state: String, _ options: Options) throws {
    let first = options.number("seed", otherwise: 1)
    for product in Product.allCases
    where options.text("only").map({ $0 == product.rawValue }) ?? true {
        var slowest: (seconds: Double, seed: Int, turn: String) = (0, 0, "")
        for seed in first..<first + options.number("count", otherwise: 5) {
            let bench = try ProductBench(
                "\(state)/\(product.rawValue)-\(seed)", seed: UInt64(seed))
            try product.run(bench)
            if bench.slowest.seconds > slowest.seconds {
                slowest = (bench.slowest.seconds, seed, bench.slowest.turn)
            }
        }
        say("ms_\(product.rawValue)", (slowest.seconds * 1e4).rounded() / 10)
        complain("\(product.rawValue): seed \(slowest.seed), \(slowest.turn)")
    }
}

/// A service that a test drives, and its longest turn.
@MainActor
final class ProductBench {
    private(set) var slowest: (seconds: Double, turn: String) = (0, "none")
    var random: SeededRandom
    private let service: MonitoringService
    private var now = Uptime(nanoseconds: 1_000_000_000_000)
    private var clock = UTCTime(nanoseconds: 1_800_000_000_000_000_000)

    nonisolated static let place = Coordinate(latitude: 48, longitude: 11)

    init(_ directory: String, seed: UInt64) throws {
        unsafe mkdir(directory, 0o700)
        random = SeededRandom(seed: seed)
        let store = try Store(directory: directory, bootID: nil)
        var settings = MonitoringSettings()
        settings.engine.vehicle = Vehicle(height: 4.2)
        service = try MonitoringService(
            settings: settings, store: store, bootID: nil, checkpoint: nil, trouble: { _, _ in })
        service.start(at: now)
    }

    private func turn<Result>(_ name: String, _ body: () throws -> Result) rethrows
        -> Result
    {
        let watch = Stopwatch()
        let result = try body()
        let seconds = watch.processorSeconds
        if seconds > slowest.seconds { slowest = (seconds, name) }
        return result
    }

    /// Not counted: an import is done in portions.
    func add(_ fences: [Fence]) throws {
        for fence in fences {
            if let flaw = FenceRules.flaw(fence) { fail("\(fence.id): \(flaw)") }
        }
        _ = try service.apply(upserts: fences, removing: [], at: now)
    }

    /// - Returns: whether it was accepted.
    @discardableResult
    func set(route positions: [Coordinate]) throws -> Bool {
        do {
            let step = try turn("SetRoute") {
                try service.setRoute(positions, name: "", isKept: false, at: now)
            }
            var portions = 0
            while true {
                portions += 1
                var looks = 0
                let found = try turn("portion \(portions) of SetRoute") {
                    try step(now) {
                        looks += 1
                        return looks.isMultiple(of: 8)
                    }
                }
                if found != nil { return true }
            }
        } catch let refusal as RouteRefusal {
            complain(refusal.description)
            return false
        }
    }

    func fix(_ east: Double, _ north: Double = 0, after seconds: Double = 1) {
        now = now + .seconds(seconds)
        clock = clock + .seconds(seconds)
        let report = PositionReport(
            time: clock, hasFix: true, coordinate: Self.at(east, north), error: 5, speed: 20,
            course: 90)
        turn("fix at \(Int(east)), \(Int(north))") { service.receive(report, at: now) }
    }

    func set(height: Double) {
        var change = VehicleChange()
        change.values = [.height: height]
        change.confirms = true
        turn("height \(height)") { try? service.setVehicle(change, at: now) }
    }

    func ask() {
        turn("ahead") { _ = service.engine.ahead }
    }

    nonisolated static func at(_ east: Double, _ north: Double = 0) -> Coordinate {
        place.moved(by: abs(east), toward: east < 0 ? 270 : 90)
            .moved(by: abs(north), toward: north < 0 ? 180 : 0)
    }
}

/// A pair of inputs.
enum Product: String, CaseIterable {
    case hazardsAndRoute = "hazards-route"
    case manyHazardsAndRoute = "many-hazards-route"
    case zigzagAndHazards = "zigzag-hazards"
    case rivalsAndPath = "rivals-path"
    case legsAndPath = "legs-path"
    case hoursAndFences = "hours-fences"
    case followedAndRoute = "followed-route"
    case areasAndPath = "areas-path"
    case hazardsAndVehicle = "hazards-vehicle"

    @MainActor
    func run(_ bench: ProductBench) throws {
        switch self {
        case .hazardsAndRoute:
            let count = bench.random.integer(1..<30)
            try bench.add(
                (0..<count).map {
                    let ends = bench.random.integer(1..<256)
                    return try RouteAttack.hazard(
                        "h\($0)", ends: ends, sections: bench.random.integer(0..<257 - ends),
                        at: ProductBench.place)
                })
            var passes = 24_999
            for east in stride(from: -990.0, through: 200, by: 20) {
                bench.fix(east)
                guard east == -890 else { continue }
                while try !bench.set(
                    route: RouteAttack.route(passes: passes, at: ProductBench.place))
                { passes = passes * 2 / 3 }
            }
        case .manyHazardsAndRoute:
            try bench.add(
                (0..<10_000).map {
                    try RouteAttack.hazard(
                        "h\($0)", ends: 1, sections: 1,
                        at: ProductBench.at(
                            bench.random.uniform(-200...200), bench.random.uniform(-20...20)))
                })
            var passes = 1_000
            while try !bench.set(
                route: RouteAttack.route(passes: passes, at: ProductBench.place))
            { passes /= 2 }
            for east in stride(from: -990.0, through: 300, by: 20) { bench.fix(east) }
        case .zigzagAndHazards:
            try bench.add(
                (0..<bench.random.integer(20..<2_000)).map {
                    try RouteAttack.hazard(
                        "h\($0)", ends: 2, sections: 2,
                        at: ProductBench.at(
                            bench.random.uniform(0...8_000), bench.random.uniform(0...8_000)))
                })
            let line = (0..<bench.random.integer(100..<100_000)).map { _ in
                ProductBench.at(
                    bench.random.uniform(0...8_000), bench.random.uniform(0...8_000))
            }
            try bench.set(route: line)
            for east in stride(from: 0.0, through: 2_000, by: 20) { bench.fix(east, 4_000) }
        case .rivalsAndPath:
            try bench.add([Self.rivals(bench.random.integer(1_000..<50_000))])
            for east in stride(from: -990.0, through: 100, by: 20) { bench.fix(east, 3) }
        case .legsAndPath:
            try bench.add((0..<20).map { try Self.legs("h\($0)", bench.random.integer(1..<5_000)) })
            for east in stride(from: -990.0, through: 300, by: 20) { bench.fix(east) }
        case .hoursAndFences:
            let rules = (1...40).map { "Jan \($0 % 28 + 1) 0\($0 % 9):00-1\($0 % 9):30" }
            try bench.add(
                (0..<1_500).map { number in
                    var fence = Fence(
                        id: "f\(number)",
                        area: try Area(
                            .circle(center: ProductBench.place, radius: 500 + Double(number))))
                    fence.terms.active = rules.joined(separator: "; ")
                    return fence
                })
            for east in stride(from: -3_000.0, through: 300, by: 20) { bench.fix(east) }
        case .followedAndRoute:
            try bench.add(
                (0..<256).map { number in
                    var fence = Fence(
                        id: "f\(number)", area: try Self.disc(1_000, radius: 2_000))
                    fence.terms.arrive = .seconds(3_600)
                    return fence
                })
            try bench.set(
                route: [ProductBench.at(-40_000), ProductBench.at(-30_000)]
                    + (0..<90_000).map { ProductBench.at(-30_000 + Double($0) / 3) })
            for east in stride(from: -30_000.0, through: -29_000, by: 20) { bench.fix(east) }
        case .areasAndPath:
            try bench.add(
                (0..<2).map { Fence(id: "f\($0)", area: try Self.disc(100_000, radius: 3_000)) }
                    + (0..<1_500).map {
                        Fence(id: "s\($0)", area: try Self.disc(60, radius: 3_000))
                    })
            for index in 0..<60 {
                bench.fix(bench.random.uniform(-4_000...4_000), Double(index), after: 60)
                bench.fix(bench.random.uniform(-4_000...4_000), Double(index), after: 100)
            }
        case .hazardsAndVehicle:
            try bench.add(
                (0..<1_500).map {
                    try RouteAttack.hazard(
                        "h\($0)", ends: 2, sections: 2, at: ProductBench.at(0, Double($0) / 100),
                        limit: 4)
                })
            for round in 0..<4 {
                for east in stride(from: -990.0, through: -500, by: 20) { bench.fix(east) }
                bench.ask()
                bench.set(height: 3)
                bench.set(height: 4.5)
                // They turn off.
                for east in stride(from: -500.0, through: -200, by: 20) {
                    bench.fix(east, 400 + Double(round))
                }
            }
        }
    }

    /// Beside one leg as many rivals, which part from it at its start and fit better.
    private static func rivals(_ count: Int) throws -> Fence {
        let (start, end) = (ProductBench.at(-1_000), ProductBench.at(0))
        let joints = (0...5).map { ProductBench.at(-1_000 + 200 * Double($0), 3) }
        let pieces = zip(joints, joints.dropFirst()).map { [$0, $1] }
        return Fence(
            id: "rivals",
            area: try Area(.lines([[start, end]], width: 2 * Approach.reach)),
            approach: Approach(
                limits: Limits([.height: 3], basis: .signed),
                course: .legs([Approach.Leg(endToGo: 0, chance: 0.5)]),
                rivals: (0..<count).map { pieces[$0 % pieces.count] }))
    }

    /// That many legs after each other and beside each other.
    private static func legs(_ id: String, _ count: Int) throws -> Fence {
        let line = [ProductBench.at(-1_000), ProductBench.at(-500)]
        let last = [ProductBench.at(-500), ProductBench.at(0)]
        let legs =
            [Approach.Leg(endToGo: 0, chance: 0.5)]
            + Array(
                repeating: Approach.Leg(endToGo: 500, chance: 0.5, next: 0), count: count - 1)
        return Fence(
            id: id,
            area: try Area(
                .lines(
                    [last] + Array(repeating: line, count: count - 1), width: 2 * Approach.reach)),
            approach: Approach(
                limits: Limits([.height: 3], basis: .signed), course: .legs(legs)))
    }

    /// Round, with so many positions.
    private static func disc(_ count: Int, radius: Double) throws -> Area {
        let ring = (0..<count).map { index in
            ProductBench.place.moved(by: radius, toward: 360 * Double(index) / Double(count))
        }
        return try Area(.polygons([[ring + [ring[0]]]]))
    }
}
