import Geodesy
import Law
import Model
import Storage
import Testing
import Time

@testable import Monitoring

/// Section 11 of the law: fences that come to an end by themselves.
@MainActor
@Suite("fences that have ended")
struct RetiringTests {
    private func addOnce(_ service: MonitoringService, _ bench: MonitoringBench) throws {
        try bench.addFences(2, to: service)
        var fence = try #require(try service.store.catalogue.fence(id: "f1")).fence
        fence.terms.once = true
        _ = try service.apply(upserts: [fence], removing: [], at: bench.now)
    }

    @Test("after its only exit a fence is removed from the catalogue, and no other is")
    func removed() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try addOnce(service, bench)
        bench.drive(service, from: 0, to: 1_500)
        #expect(service.fenceCount == 1)
        #expect(try service.store.catalogue.fence(id: "f1") == nil)
        #expect(service.engine.spent.isEmpty)
    }

    @Test(
        "if the clock goes back before the exit, it is removed all the same, and only once",
        arguments: [60.0, 7_200.0])
    func clockBack(seconds: Double) throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try addOnce(service, bench)
        bench.drive(service, from: 0, to: 1_000)
        bench.setBack(by: .seconds(seconds))
        bench.drive(service, from: 1_020, to: 1_500)
        let events = try service.store.log.events(after: 0, limit: 10).map(\.event)
        try #require(events.map(\.kind) == [.enter, .exit])
        #expect(events[1].time < events[0].time)
        #expect(try service.store.catalogue.fence(id: "f1") == nil && service.fenceCount == 1)
        #expect(try service.store.log.spentFences().isEmpty && service.engine.spent.isEmpty)
        // A source that still lists it adds it again: this is another fence, which has not ended.
        try addOnce(service, bench)
        bench.drive(service, from: 1_520, to: 2_500)
        #expect(try service.store.catalogue.fence(id: "f1") != nil && service.fenceCount == 2)
    }

    @Test("while an import is under way it rests, and is removed afterwards")
    func importing() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try addOnce(service, bench)
        let session = try service.store.beginImport(origin: .named("source/x"))
        bench.drive(service, from: 0, to: 1_500)
        #expect(service.fenceCount == 2 && !service.engine.spent.isEmpty)
        session.cancel()
        bench.drive(service, from: 1_520, to: 2_700)
        #expect(service.fenceCount == 1 && service.engine.spent.isEmpty)
    }

    @Test(
        "killed before it could be removed, it is removed at the start", arguments: [true, false])
    func killed(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        do {
            let service = try bench.start([])
            try addOnce(service, bench)
            let session = try service.store.beginImport(origin: .named("source/x"))
            bench.drive(service, from: 0, to: 1_500)
            #expect(service.fenceCount == 2)
            session.cancel()
        }
        let service = try bench.start([])
        #expect(service.fenceCount == 1 && service.engine.spent.isEmpty)
    }

    /// At one place, and expired from the start.
    private func addExpired(
        _ count: Int, to service: MonitoringService, _ bench: MonitoringBench
    ) throws {
        try bench.addFences(2, to: service)
        var fence = try #require(try service.store.catalogue.fence(id: "f1")).fence
        fence.terms.expires = "2020-01-01T00:00:00Z"
        let fences = (0..<count).map { number in
            var other = fence
            other.id = "e\(number)"
            return other
        }
        _ = try service.apply(upserts: fences, removing: [], at: bench.now)
        // Of another origin.
        var foreign = fence
        foreign.id = "x"
        _ = try service.apply(
            upserts: [foreign], removing: [], of: .named("source/x"), ChangeConditions(),
            at: bench.now)
    }

    @Test("many at once are removed in portions of one transaction, with a wake-up for the next")
    func portions() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try addExpired(250, to: service, bench)
        let generation = service.store.generation
        bench.drive(service, from: 900, to: 900)
        #expect(service.fenceCount == 2 + 151)
        for left in [51, 0] {
            let due = try #require(service.nextWake)
            #expect(due - bench.now <= .milliseconds(100))
            service.wake(at: due)
            #expect(service.fenceCount == 2 + left)
        }
        // The last one of the other origin goes with the others, in one transaction of two changes.
        #expect(service.store.generation == generation + 4)
        #expect(service.engine.spent.isEmpty && service.retiring.due == nil)
        #expect(try service.store.log.spentFences().isEmpty)
        #expect(try service.store.log.events(after: 0, limit: 10).isEmpty)
    }

    @Test("killed between two portions, the next process removes the rest")
    func killedBetween() throws {
        let bench = MonitoringBench()
        do {
            let service = try bench.start([])
            try addExpired(150, to: service, bench)
            bench.drive(service, from: 900, to: 900)
            #expect(service.fenceCount == 2 + 51)
        }
        let service = try bench.start([])
        #expect(service.fenceCount == 2 && service.engine.spent.isEmpty)
    }

    @Test(
        "the ignition is known to the next process, and after a power cut",
        arguments: [true, false])
    func ignition(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        do {
            let service = try bench.start([])
            #expect(service.ignition == nil)
            service.setIgnition(false, at: bench.now)
        }
        #expect(try bench.start([]).ignition == false)
    }
}
