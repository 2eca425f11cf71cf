import Model
import Testing
import Time

@testable import Monitoring

/// HANDBOOK, sections 2 and 12: what ought to come and does not is a state.
@MainActor
@Suite struct AwaitedTests {
    /// Without a position, and with one whose error is too large.
    private func report(
        _ bench: MonitoringBench, _ second: Int, error: Double?
    ) -> PositionReport {
        guard let error else { return PositionReport(time: nil, hasFix: false, coordinate: nil) }
        var report = bench.report(east: Double(second), speed: 0)
        report.error = error
        return report
    }

    @Test(
        "no accepted fix for 120 s since the start is a state, with the reason that counts most",
        arguments: [
            (0, 0, "none has come since the start"),
            (80, 30, "none was accepted since the start: 80 of 110 were refused as no-fix"),
            (20, 90, "none was accepted since the start: 90 of 110 were refused as inaccurate"),
        ])
    func fix(_ without: Int, _ inaccurate: Int, _ reason: String) throws {
        let bench = MonitoringBench()
        // Of a process before this one: its refusals are no reason of now.
        let former = try bench.start([])
        for _ in 0..<500 { former.receive(report(bench, 0, error: nil), at: bench.now) }
        former.stop(at: bench.now)
        var told: [TroubleChange] = []
        let service = try bench.start([], trouble: { if $0 == .noFix { told.append($1) } })
        service.expectFix(at: bench.now)
        for second in 0..<119 {
            bench.pass(1, service, at: nil)
            if second < without {
                service.receive(report(bench, second, error: nil), at: bench.now)
            } else if second < without + inaccurate {
                service.receive(report(bench, second, error: 500), at: bench.now)
            }
        }
        #expect(told.isEmpty && !service.degradations.contains(.noFix))
        bench.pass(1, service, at: nil)
        #expect(told == [.began(reason)] && service.degradations.contains(.noFix))
        bench.pass(1, service, at: 0)
        #expect(told == [.began(reason), .ended] && !service.degradations.contains(.noFix))
        // Later it is the event of a lost position.
        bench.pass(300, service, at: nil)
        #expect(!service.degradations.contains(.noFix) && service.position == "lost")
    }

    @Test("no fix is told once, and not while its receiver is away or rests")
    func noFixIsNoConsequence() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        service.expectFix(at: bench.now)
        service.sourceChanged(fails: "no gpsd")
        bench.pass(200, service, at: nil)
        #expect(service.degradations == [.source])
        service.sourceChanged(fails: nil)
        bench.pass(120, service, at: nil)
        #expect(service.degradations == [.noFix])
        service.rest(true, at: bench.now)
        #expect(service.degradations.isEmpty)
        bench.pass(500, service, at: nil)
        #expect(service.degradations.isEmpty)
        service.rest(false, at: bench.now)
        bench.pass(119, service, at: nil)
        #expect(service.degradations.isEmpty)
        bench.pass(1, service, at: nil)
        #expect(service.degradations == [.noFix])
    }

    @Test("an ignition whose source has gone for 30 s is a state, until it is there or it is set")
    func ignition() throws {
        let bench = MonitoringBench()
        var told: [TroubleChange] = []
        let service = try bench.start([], trouble: { if $0 == .ignition { told.append($1) } })
        service.awaitIgnition("nothing yet", at: bench.now)
        bench.pass(10, service, at: 0)
        service.readIgnition(true, at: bench.now)
        bench.pass(60, service, at: 0)
        #expect(told.isEmpty && service.ignition == true)
        service.awaitIgnition("the sender is not there", at: bench.now)
        bench.pass(20, service, at: 0)
        // Another word of the same.
        service.awaitIgnition("it says 7", at: bench.now)
        bench.pass(9, service, at: 0)
        #expect(told.isEmpty && service.ignition == nil)
        bench.pass(1, service, at: 0)
        #expect(told == [.began("it says 7")] && service.degradations.contains(.ignition))
        service.readIgnition(true, at: bench.now)
        #expect(told.last == .ended && service.degradations.isEmpty)
        service.awaitIgnition("gone", at: bench.now)
        bench.pass(31, service, at: 0)
        service.setIgnition(false, at: bench.now)
        #expect(told.count == 4 && service.degradations.isEmpty)
        service.awaitIgnition("gone", at: bench.now)
        bench.pass(31, service, at: 0)
        service.ignitionIsSilent()
        #expect(service.degradations.isEmpty && service.ignition == nil)
        service.awaitIgnition("gone", at: bench.now)
        bench.pass(31, service, at: 0)
        #expect(service.degradations == [.ignition])
        // No source is configured any more.
        service.awaitIgnition(nil, at: bench.now)
        #expect(service.degradations.isEmpty)
    }
}
