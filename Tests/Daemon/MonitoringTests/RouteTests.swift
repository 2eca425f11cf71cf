import Bytes
import Files
import Geodesy
import Law
import Model
import SystemTestKit
import Testing
import Time

@testable import Monitoring
@testable import Storage

extension MonitoringService {
    /// To the end.
    @discardableResult
    fileprivate func set(
        route positions: [Coordinate], name: String, isKept: Bool, at now: Uptime
    ) throws -> RouteHazards? {
        try setRoute(positions, name: name, isKept: isKept, at: now)(now) { false }
    }
}

@MainActor
@Suite("a route")
struct RouteTests {
    private let bench = MonitoringBench()

    private func line(from start: Double = 0, to end: Double) -> [Coordinate] {
        (0...10).map { MonitoringBench.place(start + (end - start) * Double($0) / 10) }
    }

    /// How often it is in the files of the log.
    private func traces(of position: Coordinate) -> Int {
        var bytes: [UInt8] = []
        for degrees in [position.latitude, position.longitude] {
            let number = Int32((degrees * 1e7).rounded())
            bytes += withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return ["events.sqlite", "events.sqlite-wal"].reduce(0) { count, name in
            let contents =
                (try? OpenFile.contents(of: bench.directory.file(name), limit: 1 << 24)) ?? []
            guard contents.count >= 8 else { return count }
            return count
                + (0...(contents.count - 8)).count {
                    contents[$0..<($0 + 8)].elementsEqual(bytes)
                }
        }
    }

    @Test(
        "it survives a kill with what is kept of it, and ends in the next process as it would have")
    func killed() throws {
        do {
            let service = try bench.start([TestSink("bus")])
            try service.set(
                route: line(to: 50_000), name: "to the harbour", isKept: false, at: bench.now)
            bench.drive(service, from: 0, to: 400)
            #expect(service.routeState == "set")
            #expect(service.route(at: bench.now)?.isOn == true)
            bench.drive(service, from: 420, to: 800, north: 300)
            #expect(service.route(at: bench.now)?.isOn == false)
        }
        do {
            let service = try bench.start([TestSink("bus")])
            #expect(service.route(at: bench.now)?.name == "to the harbour")
            #expect(service.route(at: bench.now)?.isOn == false)
            bench.drive(service, from: 820, to: 2_380, north: 300)
            #expect(service.routeState == "set")
            bench.drive(service, from: 2_400, to: 2_460, north: 300)
            #expect(service.routeState == "left")
        }
        let service = try bench.start([TestSink("bus")])
        #expect(service.routeState == "left" && service.route(at: bench.now) == nil)
    }

    @Test(
        "after a start of the machine it is over, unless it is to be kept",
        arguments: [false, true])
    func restarted(isKept: Bool) throws {
        do {
            let service = try bench.start([TestSink("bus")])
            bench.drive(service, from: 0, to: 100)
            try service.set(route: line(to: 50_000), name: "", isKept: isKept, at: bench.now)
            bench.drive(service, from: 120, to: 400)
            service.stop(at: bench.now)
        }
        let service = try bench.start([TestSink("bus")], bootID: String(repeating: "f", count: 32))
        #expect(service.routeState == (isKept ? "set" : "restarted"))
        #expect((service.engine.route != nil) == isKept)
        let left = service.route(at: bench.now).map { ($0.until - $0.setAt).seconds }
        #expect(left.map { abs($0 - 12 * 3_600) < 60 } ?? !isKept)
    }

    @Test("one that was set while the clock was ahead is not new at every start of the machine")
    func setAhead() throws {
        let set = try bench.start([TestSink("bus")])
        bench.drive(set, from: 0, to: 100)
        try set.set(route: line(to: 50_000), name: "", isKept: true, at: bench.now)
        let ahead = try #require(set.route(at: bench.now)).setAt
        bench.setBack(by: .seconds(86_400))
        var before = ahead
        for (number, boot) in ["e", "f"].enumerated() {
            let file = bench.directory.file("events.sqlite")
            let position = "UPDATE position SET time = \(1_700_000_000 + number) * 1000000000"
            #expect(Subprocess(["sqlite3", file, position]).wait()?.status == 0)
            let service = try bench.start(
                [TestSink("bus")], bootID: String(repeating: boot, count: 32))
            let route = try #require(service.route(at: bench.now))
            #expect(route.setAt < ahead && route.setAt <= before)
            before = route.setAt
        }
    }

    @Test("what has become of it is written when the disk takes it again")
    func endWaits() throws {
        let service = try bench.start([TestSink("bus")])
        let end = Route.rounded(MonitoringBench.place(50_000))
        bench.drive(service, from: 0, to: 100)
        try service.set(route: line(to: 50_000), name: "home", isKept: true, at: bench.now)
        do {
            let lock = try bench.lockLog()
            #expect(throws: StoreError.self) { try service.clearRoute(at: bench.now) }
            withExtendedLifetime(lock) {}
        }
        #expect(service.routeState == "cleared")
        #expect(try service.store.log.route()?.progress.end == nil)
        try bench.wake(service)
        #expect(try service.store.log.route()?.progress.end == .cleared)
        #expect(traces(of: end) == 0)
    }

    @Test("it expires in a parked vehicle, too, and its line is nowhere any more")
    func expired() throws {
        let service = try bench.start([TestSink("bus")])
        let end = Route.rounded(MonitoringBench.place(50_000))
        bench.drive(service, from: 0, to: 100)
        try service.set(route: line(to: 50_000), name: "home", isKept: true, at: bench.now)
        #expect(traces(of: end) > 0)
        let due = try #require(service.nextWake)
        #expect(due <= bench.now + .seconds(12 * 3_600))
        service.wake(at: bench.now + .seconds(12 * 3_600))
        #expect(service.routeState == "expired" && service.engine.route == nil)
        #expect(traces(of: end) == 0)
        try service.set(route: line(to: 40_000), name: "away", isKept: true, at: bench.now)
        #expect(try service.store.log.route()?.name == "away")
        try service.clearRoute(at: bench.now)
        #expect(service.routeState == "cleared")
        #expect(try service.store.log.route()?.positions == [])
        #expect(try service.store.log.route()?.name == "")
    }

    @Test("what is no route is refused, and the route is the one of before")
    func refused() throws {
        let service = try bench.start([TestSink("bus")])
        try service.set(route: line(to: 1_000), name: "a", isKept: false, at: bench.now)
        for (positions, name) in [
            ([MonitoringBench.place(0)], ""), (line(to: 10), ""), (line(to: 1_000), "a\nb"),
            (line(to: 1_000), String(repeating: "x", count: 129)),
            ([Coordinate](repeating: MonitoringBench.place(0), count: 100_001), ""),
        ] {
            #expect(throws: RouteRefusal.self) {
                try service.set(route: positions, name: name, isKept: false, at: bench.now)
            }
        }
        #expect(service.route(at: bench.now)?.name == "a")
    }

    @Test("without hazards nothing is known; with them they are told in the order of the route")
    func hazards() throws {
        let service = try bench.start([TestSink("bus")])
        try service.set(
            route: line(from: -9_000, to: 18_000), name: "", isKept: false, at: bench.now)
        let none = try #require(try service.routeHazards(at: bench.now)({ false }))
        #expect(!none.areKnown && none.hazards.isEmpty)
        _ = try service.apply(
            upserts: [
                try MonitoringBench.bridge("low", x: 6_000, limit: 3.8),
                try MonitoringBench.bridge("first", x: 2_000, limit: 3.9),
                try MonitoringBench.bridge("high", x: 4_000, limit: 4.5),
                try MonitoringBench.bridge("beside", x: 5_000, limit: 3.5, north: 400),
            ], removing: [], at: bench.now)
        // In portions of one piece each.
        let step = service.routeHazards(at: bench.now)
        var found: RouteHazards?
        var turns = 0
        while found == nil {
            turns += 1
            found = try step({ true })
        }
        let all = try #require(found)
        #expect(turns > 2)
        #expect(all.areKnown && all.isComplete && all.fitting == 1)
        #expect(all.hazards.map(\.hazard) == ["first", "low"])
        #expect(all.hazards.map { ($0.along / 100).rounded() } == [110, 150])
        #expect(all.hazards.allSatisfy { $0.fit == .breaks && $0.details?.toEscape == nil })
    }

    /// 2000 legs and 500 lines of a section upon each other: an older version has stored it.
    private func addCrowded(_ service: MonitoringService, ends: Int, at east: Double) throws {
        let lines =
            Array(repeating: [east - 1_000, east], count: ends)
            + Array(repeating: [east, east + 20], count: ends / 4)
        let legs = Array(
            repeating: Approach.Leg(endToGo: 0, chance: 0.5), count: ends)
        let area = try Area(
            .lines(lines.map { $0.map { MonitoringBench.place($0) } }, width: 2 * Approach.reach))
        let fence = Fence(
            id: "crowded", area: area,
            approach: Approach(
                limits: Limits([.height: 3], basis: .signed), course: .legs(legs)))
        let session = try service.store.beginImport(origin: .bus)
        try session.add(fence, added: nil)
        _ = try session.finish(replacing: false)
    }

    private func rounds(_ count: Int) -> [Coordinate] {
        (0..<count).flatMap { _ in
            [(-300.0, 0.0), (100, 0), (100, 200), (-300, 200)].map {
                MonitoringBench.place(2_000 + $0.0, $0.1)
            }
        }
    }

    @Test(
        "one that leads past hazards too often is refused by the name of one, and nothing is kept")
    func tooOften() throws {
        let service = try bench.start([TestSink("bus")])
        try service.set(route: line(to: 9_000), name: "a", isKept: false, at: bench.now)
        try addCrowded(service, ends: 2_000, at: 2_000)
        let refusal = #expect(throws: RouteRefusal.self) {
            try service.set(route: rounds(2_000), name: "b", isKept: false, at: bench.now)
        }
        #expect(refusal?.exceedsLimit == true)
        #expect(refusal?.description.hasSuffix("at last past \"crowded\"") == true)
        #expect(service.route(at: bench.now)?.name == "a")
        #expect(try service.store.log.route()?.name == "a")
        // A few times are no more than other hazards.
        let found = try service.set(route: rounds(3), name: "b", isKept: false, at: bench.now)
        #expect(found?.isComplete == false && found?.hazards.count == RouteHazards.most)
        #expect(service.route(at: bench.now)?.name == "b")
    }

    @Test("it is set once it was looked at, unless another was set, or it was cleared, meanwhile")
    func late() throws {
        let service = try bench.start([TestSink("bus")])
        let first = try service.setRoute(
            line(to: 9_000), name: "first", isKept: false, at: bench.now)
        #expect(try first(bench.now) { true } == nil)
        #expect(service.routeState == "none")
        #expect(try service.store.log.route() == nil)
        try service.set(route: line(to: 8_000), name: "second", isKept: false, at: bench.now)
        #expect(throws: RouteRefusal.self) {
            while try first(bench.now, { true }) == nil {}
        }
        #expect(service.route(at: bench.now)?.name == "second")
        let third = try service.setRoute(
            line(to: 7_000), name: "third", isKept: false, at: bench.now)
        try service.clearRoute(at: bench.now)
        #expect(throws: RouteRefusal.self) { try third(bench.now) { false } }
        #expect(service.routeState == "cleared")
    }

    @Test("one that a crash was blamed on is left out, and refused, until another is set")
    func leftOut() throws {
        do {
            let service = try bench.start([TestSink("bus")])
            try service.set(route: line(to: 9_000), name: "a", isKept: true, at: bench.now)
        }
        let mark = Route.mark(of: line(to: 9_000).map(Route.rounded))
        InHand.leaveOut([InHand.Item(.route, mark)])
        defer { InHand.leaveOut([]) }
        let service = try bench.start([TestSink("bus")])
        var forgotten: [String] = []
        service.notify = { if case .routeForgotten(let mark) = $0 { forgotten.append(mark) } }
        #expect(service.routeState == "none" && service.engine.route == nil)
        let refusal = #expect(throws: RouteRefusal.self) {
            try service.set(route: line(to: 9_000), name: "a", isKept: false, at: bench.now)
        }
        #expect(refusal?.description.hasPrefix("left out: the daemon crashed") == true)
        #expect(forgotten.isEmpty)
        try service.set(route: line(to: 8_000), name: "b", isKept: false, at: bench.now)
        #expect(forgotten == [mark] && service.routeState == "set")
    }

    @Test("a line that goes to and fro over hazards is looked at once for each of them")
    func zigzag() throws {
        let service = try bench.start([TestSink("bus")])
        let bridges = try (0..<60).map {
            try MonitoringBench.bridge(
                "b\($0)", x: 2_000, limit: 3, north: 30 * Double($0))
        }
        _ = try service.apply(upserts: bridges, removing: [], at: bench.now)
        let line = (0..<20_000).map { index in
            MonitoringBench.place(index % 4 < 2 ? 1_000 : 3_000, 30 * Double(index / 2 % 60))
        }
        let step = try service.setRoute(line, name: "", isKept: false, at: bench.now)
        var (turns, found) = (0, RouteHazards?.none)
        while found == nil {
            turns += 1
            found = try step(bench.now) { true }
        }
        // Each 256 positions, each square and each hazard is a turn here.
        #expect(turns < 20_000 / 256 + 60 + 20, "\(turns)")
        #expect(Set(found?.hazards.map(\.hazard) ?? []).count > 30)
    }
}
