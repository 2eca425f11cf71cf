import Geodesy
import Model
import Storage
import Testing
import Time

@testable import Monitoring

/// HANDBOOK, section 14, as the daemon keeps it.
@MainActor
@Suite struct ArrivingTests {
    /// Ten kilometres down the road.
    private func dock() throws -> Fence {
        let place = Coordinate(latitude: 48, longitude: 11 + 10_000 / 74_600.0)
        var dock = Fence(id: "dock", area: try Area(.circle(center: place, radius: 100)))
        dock.terms.arrive = .seconds(300)
        return dock
    }

    private func told(_ service: MonitoringService) throws -> [EventKind] {
        try service.store.log.events(of: ["dock"], after: 0, limit: 10).map(\.event.kind)
    }

    @Test(
        "an arrival is told once, among many fences, across a kill and a power cut",
        arguments: [true, false])
    func once(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        do {
            let service = try bench.start([])
            try bench.addFences(40, to: service)
            _ = try service.apply(upserts: [try dock()], removing: [], at: bench.now)
            bench.drive(service, from: 0, to: 9_000)
            #expect(try told(service) == [.arriving])
        }
        do {
            let service = try bench.start([])
            bench.drive(service, from: 9_020, to: 9_500)
            #expect(try told(service) == [.arriving])
            bench.drive(service, from: 9_500, to: 10_300)
            #expect(try told(service) == [.arriving, .enter, .exit])
        }
        let service = try bench.start([])
        bench.drive(service, from: 10_320, to: 11_000)
        #expect(try told(service) == [.arriving, .enter, .exit])
    }

    @Test("after a power cut one that turns away is over", arguments: [true, false])
    func over(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        do {
            let service = try bench.start([])
            try bench.addFences(40, to: service)
            _ = try service.apply(upserts: [try dock()], removing: [], at: bench.now)
            bench.drive(service, from: 0, to: 9_000)
        }
        let service = try bench.start([])
        // On a parallel road, past it and on.
        for east in stride(from: 9_020.0, through: 12_000, by: 20) {
            var report = bench.report(east: east)
            report.coordinate?.latitude += 0.002
            service.receive(report, at: bench.now + .seconds((east - 9_000) / 20))
        }
        #expect(try told(service) == [.arriving, .arrivingOver])
        let events = try service.store.log.events(of: ["dock"], after: 0, limit: 10)
        #expect(events.map { $0.event.terms?.eta != nil } == [true, false])
        #expect(events.last?.event.reason == .turnedOff)
    }
}
