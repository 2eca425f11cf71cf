import Geodesy
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Fences that are left out after a crash. The vehicle begins at 0 and drives to f1, at 1,000 m.
@MainActor
@Suite("fences that are left out")
struct LeftOutTests {
    /// The vehicle is in f1 when the process is killed.
    private func killedInside(_ bench: MonitoringBench) throws {
        let service = try bench.start([])
        try bench.addFences(3, to: service)
        bench.drive(service, from: 0, to: 1_000)
        #expect(try told(service) == ["enter f1"])
    }

    private func told(_ service: MonitoringService) throws -> [String] {
        try service.store.log.events(after: 0, limit: 100).map {
            "\($0.event.kind) \($0.event.fence ?? "")"
        }
    }

    private func retitle(_ id: String, _ service: MonitoringService, _ bench: MonitoringBench)
        throws
    {
        let area = try Area(
            .circle(center: Coordinate(latitude: 48, longitude: 11 + 1_000 / 74_600), radius: 100))
        var fence = Fence(id: id, area: area)
        fence.title = "repaired"
        _ = try service.apply(upserts: [fence], removing: [], at: bench.now)
    }

    @Test(
        "its stay is held, and ends when the fence is back and was left", arguments: [true, false])
    func held(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        try killedInside(bench)
        let service = try bench.start([], without: ["f1"])
        var back: [String] = []
        service.notify = { if case .readAgain(let fences) = $0 { back += fences } }
        bench.drive(service, from: 1_000, to: 2_000)
        // Left long ago, but not told; the others are as always.
        #expect(try told(service) == ["enter f1", "enter f2"])
        #expect(service.fenceCount == 3 && back.isEmpty)
        #expect(service.store.unreadable.contains { $0.contains("f1") })
        try retitle("f1", service, bench)
        #expect(back == ["f1"] && !service.store.catalogue.leavesOut("f1"))
        #expect(try told(service) == ["enter f1", "enter f2"])
        bench.drive(service, from: 2_020, to: 2_300)
        #expect(try told(service).sorted() == ["enter f1", "enter f2", "exit f1", "exit f2"])
    }

    @Test("back while the vehicle is still in it: nothing is told until it leaves")
    func inside() throws {
        let bench = MonitoringBench()
        try killedInside(bench)
        let service = try bench.start([], without: ["f1"])
        bench.drive(service, from: 1_000, to: 1_020)
        try retitle("f1", service, bench)
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(try told(service) == ["enter f1"])
        bench.drive(service, from: 1_060, to: 1_400)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test("the next process, which uses it again, goes on with its stay", arguments: [true, false])
    func nextStart(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        try killedInside(bench)
        do {
            let service = try bench.start([], without: ["f1"])
            bench.drive(service, from: 1_000, to: 1_020)
        }
        let service = try bench.start([])
        #expect(try told(service) == ["enter f1"])
        bench.drive(service, from: 1_020, to: 1_400)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test("removed while it is left out: its stay ends as with any fence that is removed")
    func removed() throws {
        let bench = MonitoringBench()
        try killedInside(bench)
        let service = try bench.start([], without: ["f1"])
        bench.drive(service, from: 1_000, to: 1_020)
        _ = try service.apply(upserts: [], removing: ["f1"], at: bench.now)
        #expect(try told(service) == ["enter f1", "exit f1"])
        let exit = try #require(try service.store.log.events(after: 1, limit: 1).first?.event)
        #expect(exit.reason == .fenceRemoved)
    }

    @Test("every query does without it, and finds the others; the file stays where it is")
    func queries() throws {
        let bench = MonitoringBench()
        try killedInside(bench)
        let store = try Store(
            directory: bench.directory.path, bootID: MonitoringBench.bootID)
        try store.catalogue.leaveOut(["f1", "none"])
        let place = SurfacePoint(Coordinate(latitude: 48, longitude: 11 + 1_000 / 74_600))
        let box = GeoBox(around: place.coordinate, radius: 5_000)
        for _ in 0..<3 {
            #expect(try store.nearest(to: place, limit: 2).map(\.entry.id) == ["f2", "f3"])
            #expect(try store.nearest(to: place, limit: 20).map(\.entry.id) == ["f2", "f3"])
            #expect(try store.entries(meeting: box).map(\.id).sorted() == ["f2", "f3"])
            #expect(try store.entries(ids: ["f1", "f2"]).map(\.id) == ["f2"])
        }
        #expect(try store.catalogue.takeChangedBack().isEmpty)
        #expect(store.setAside.isEmpty && store.count == 3)
    }
}
