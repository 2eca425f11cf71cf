import Law
import Model
import Testing
import Time

@testable import Monitoring

/// Section 2 of the law: when a report arrived that has waited for this process.
@MainActor
@Suite("reports that arrive together")
struct BurstTests {
    @Test("waiting reports arrive in order, each within its interval")
    func arrivals() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        bench.drive(service, from: 0, to: 200)
        let last = try #require(service.engine.lastFix?.arrival)
        let now = last + .seconds(8)
        var arrivals: [Uptime] = []
        for (number, east) in [220.0, 240, 260].enumerated() {
            // Those that waited longest come first; the process last read at 5 s.
            let report = bench.report(east: east)
            let first = number == 2 ? last + .seconds(5) : Uptime(nanoseconds: 0)
            service.receive([ArrivedReport(report, in: first...now)], at: now)
            arrivals.append(try #require(service.engine.lastFix?.arrival))
        }
        #expect(arrivals == [1, 2, 5].map { last + .seconds($0) })
        service.receive([ArrivedReport(bench.report(east: 280), at: now)], at: now)
        #expect(service.engine.lastFix?.arrival == now)
        // The same interval again: it is later than the previous ones.
        let burst = [300.0, 320].map { ArrivedReport(bench.report(east: $0), in: last...now) }
        service.receive(burst, at: now)
        #expect(service.engine.lastFix?.arrival == now)
    }

    @Test("the events of a burst are one transaction, and followed once, after it")
    func together() throws {
        let bench = MonitoringBench()
        let bus = TestSink("bus")
        let service = try bench.start([bus])
        try bench.addFences(2, to: service)
        bench.drive(service, from: 0, to: 500)
        var commits = 0
        var followed: [Int] = []
        service.notify = { notice in
            switch notice {
            case .committed: commits += 1
            case .handled: followed.append(commits)
            default: break
            }
        }
        let now = bench.now + .seconds(200)
        let burst = stride(from: 520.0, through: 2500, by: 20).map {
            ArrivedReport(bench.report(east: $0), in: bench.now...now)
        }
        service.receive(burst, at: now)
        #expect(bus.told == [1, 2, 3, 4] && commits == 1 && followed == [1])
    }
}
