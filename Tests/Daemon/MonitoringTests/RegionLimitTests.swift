import Geodesy
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Section 4 of the law: room for 1,024 regions.
@MainActor
@Suite("more fences at one place than can be monitored")
struct RegionLimitTests {
    private static let place = Coordinate(latitude: 48, longitude: 11 + 1_000 / 74_600)

    /// Circles of 100 m around 1,000 m on the road.
    private func add(_ count: Int, to service: MonitoringService, _ bench: MonitoringBench) throws {
        let area = try Area(.circle(center: Self.place, radius: 100))
        let fences = (0..<count).map { Fence(id: "n\(10_000 + $0)", area: area) }
        _ = try service.apply(upserts: fences, removing: [], at: bench.now)
    }

    @Test(
        "the first by id are told, and end; nothing is told of the others",
        arguments: [false, true])
    func told(isKilled: Bool) throws {
        let bench = MonitoringBench()
        var service = try bench.start([])
        try add(1_500, to: service, bench)
        bench.drive(service, from: 0, to: 1_000)
        #expect(service.degradations == [.windowFull])
        if isKilled {
            service = try bench.start([])
            bench.drive(service, from: 1_020, to: 1_040)
            #expect(service.degradations == [.windowFull])
        }
        let from: Double = isKilled ? 1_060 : 1_020
        bench.drive(service, from: from, to: 1_500)
        #expect(service.degradations.isEmpty)
        let events = try service.store.log.events(after: 0, limit: 10_000).map(\.event)
        let expected = (0..<1_024).map { "n\(10_000 + $0)" }
        #expect(events.filter { $0.kind == .enter }.map(\.fence) == expected)
        #expect(events.filter { $0.kind == .exit }.map(\.fence) == expected)
        #expect(events.count == 2 * 1_024)
        #expect(service.fenceCount == 1_500)
    }

    @Test("room that becomes free is given to the next by id, with an enter and no more")
    func free() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try add(1_030, to: service, bench)
        bench.drive(service, from: 0, to: 1_000)
        _ = try service.apply(upserts: [], removing: ["n10000", "n10001"], at: bench.now)
        bench.drive(service, from: 1_020, to: 1_040)
        let events = try service.store.log.events(after: 1_024, limit: 10_000).map(\.event)
        #expect(
            events.map { "\($0.kind) \($0.fence ?? "")" } == [
                "exit n10000", "exit n10001", "enter n11024", "enter n11025",
            ])
    }

    @Test("the store answers with the first by id of those that are wanted")
    func store() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try add(3_000, to: service, bench)
        let box = GeoBox(around: Self.place, radius: 10)
        let isOdd = { (entry: CatalogueEntry) in entry.id.utf8.last.map { $0 % 2 } == 1 }
        let odd = (0..<20).map { "n\(10_001 + 2 * $0)" }
        for _ in 0..<2 {
            let found = try service.store.entries(meeting: box, limit: 20, where: isOdd)
            #expect(found.map(\.id) == odd)
            #expect(try service.store.entries(meeting: box, limit: 3_000).count == 3_000)
            // The next answer comes from cells that were read for this one.
            _ = try service.store.nearest(to: SurfacePoint(Self.place), limit: 20)
        }
    }
}
