import Foundation
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Section 5 of the law: what was told is not told again after a power cut, but what was told just before.
@MainActor
@Suite("how far each sink has announced survives a power cut")
struct PowerCutTests {
    /// Another boot finds neither the checkpoint nor what was not synced.
    private static let nextBoot = "fedcba9876543210fedcba9876543210"

    private func sinks() -> (journal: TestSink, bus: TestSink) {
        (TestSink("journal", syncTime: .seconds(300)), TestSink("bus"))
    }

    /// Drives into the first fence and out of it.
    private func firstDrive(
        _ bench: MonitoringBench, telling sinks: [TestSink]
    ) throws -> MonitoringService {
        let service = try bench.start(sinks)
        try bench.addFences(1, to: service)
        bench.drive(service, from: 860, to: 1_500)
        return service
    }

    /// What is told again after a cut, which comes so long after the last event, s.
    private func again(
        after seconds: Int, moving: Bool = false, _ hasCheckpoint: Bool = true
    ) throws -> (journal: [UInt64], bus: [UInt64]) {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        do {
            let (journal, bus) = sinks()
            let service = try firstDrive(bench, telling: [journal, bus])
            #expect(bus.told == [1, 2] && journal.told == [1, 2])
            if moving {
                bench.drive(service, from: 1_520, to: 1_500 + 20 * Double(seconds))
            } else {
                bench.pass(seconds, service, at: nil)
            }
            #expect(bus.told.count == journal.told.count)
        }
        let (journal, bus) = sinks()
        _ = try bench.start([journal, bus], bootID: Self.nextBoot)
        return (journal.told.filter { $0 <= 2 }, bus.told.filter { $0 <= 2 })
    }

    @Test(
        "after a minute nothing is told again on the bus, after six in the journal",
        arguments: [0, 30, 61, 290, 361, 86_400], [false, true])
    func told(seconds: Int, moving: Bool) throws {
        let (journal, bus) = try again(after: min(seconds, moving ? 600 : .max), moving: moving)
        // The exit comes some seconds after it was driven out.
        if seconds > 60 { #expect(bus.isEmpty) }
        if seconds > 360 { #expect(journal.isEmpty) }
        // What the power cut may have taken from the journal is not lost.
        if seconds < 290 { #expect(journal.last == 2) }
        if seconds < 30 { #expect(bus.last == 2) }
    }

    @Test("the only sink that there is repeats nothing after a minute either")
    func alone() throws {
        let bench = MonitoringBench()
        do {
            let service = try firstDrive(bench, telling: [TestSink("bus")])
            bench.pass(61, service, at: nil)
        }
        let bus = TestSink("bus")
        _ = try bench.start([bus], bootID: Self.nextBoot)
        #expect(bus.told.isEmpty)
    }

    @Test("so it is without a runtime directory")
    func withoutCheckpoint() throws {
        let (journal, bus) = try again(after: 400, false)
        #expect(journal.isEmpty && bus.isEmpty)
    }

    @Test(
        "at any moment of a drive the bus repeats one minute at most, and the journal loses nothing"
    )
    func anywhere() throws {
        for cut in stride(from: 7, to: 900, by: 61) {
            let bench = MonitoringBench()
            var announced: [Uptime] = []
            do {
                let (journal, bus) = sinks()
                let service = try bench.start([journal, bus])
                try bench.addFences(18, to: service)
                for second in 0..<cut {
                    let east = 20 * Double(second)
                    bench.drive(service, from: east, to: east)
                    if let due = service.nextWake, due <= bench.now { service.wake(at: bench.now) }
                    while announced.count < bus.told.count { announced.append(bench.now) }
                }
            }
            let (journal, bus) = sinks()
            _ = try bench.start([journal, bus], bootID: Self.nextBoot)
            for (index, time) in announced.enumerated() {
                let (number, age) = (UInt64(index + 1), bench.now - time)
                if age > .seconds(60) { #expect(!bus.told.contains(number), "\(cut)") }
                if age > .seconds(360) { #expect(!journal.told.contains(number), "\(cut)") }
                if age < .seconds(300) { #expect(journal.told.contains(number), "\(cut)") }
            }
        }
    }

    @Test("a kill repeats nothing, and an orderly stop nothing in the next boot")
    func noCut() throws {
        let bench = MonitoringBench()
        do {
            let (journal, bus) = sinks()
            _ = try firstDrive(bench, telling: [journal, bus])
        }
        do {
            let (journal, bus) = sinks()
            let service = try bench.start([journal, bus])
            #expect(journal.told.isEmpty && bus.told.isEmpty)
            service.stop(at: bench.now)
        }
        let (journal, bus) = sinks()
        _ = try bench.start([journal, bus], bootID: Self.nextBoot)
        #expect(journal.told.isEmpty && bus.told.isEmpty)
    }

    @Test("a position that a kill has left in the runtime directory is written as well")
    func afterKill() throws {
        let bench = MonitoringBench()
        do {
            let (journal, bus) = sinks()
            _ = try firstDrive(bench, telling: [journal, bus])
        }
        do {
            let (journal, bus) = sinks()
            let service = try bench.start([journal, bus])
            bench.pass(400, service, at: nil)
            // The position was lost meanwhile.
            #expect(journal.told == [3] && bus.told == [3])
        }
        let (journal, bus) = sinks()
        _ = try bench.start([journal, bus], bootID: Self.nextBoot)
        #expect(journal.told.isEmpty && bus.told.isEmpty)
    }

    @Test(
        "nothing is written for fixes that change nothing, and at most once a minute for what was told"
    )
    func writes() throws {
        let bench = MonitoringBench()
        let (journal, bus) = sinks()
        let service = try firstDrive(bench, telling: [journal, bus])
        var written = [bench.logSize]
        for _ in 0..<1_200 {
            bench.pass(1, service, at: 1_500)
            if bench.logSize != written.last { written.append(bench.logSize) }
        }
        // The bus, and the journal when it is sure; the position is where it was.
        #expect(written.count <= 4, "\(written)")
    }
}

extension MonitoringBench {
    /// Bytes of the log's write-ahead log, to which everything is appended that is written.
    fileprivate var logSize: Int {
        let path = directory.file("events.sqlite-wal")
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }
}
