import Model
import Storage
import Testing
import Time

@testable import Monitoring

/// HANDBOOK, section 2: a doubtful position, as the daemon tells it.
@MainActor
@Suite struct DoubtfulPositionTests {
    @Test("what a receiver says against itself is a state, until it has not for 30 s")
    func complaints() throws {
        let bench = MonitoringBench(hasCheckpoint: true)
        let service = try bench.start([])
        try bench.addFences(2, to: service)
        bench.drive(service, from: 0, to: 100)
        #expect(service.degradations.allSatisfy { $0 != .jammed && $0 != .antenna })
        var report = PositionReport(time: nil, hasFix: false, coordinate: nil)
        report.jam = 127
        service.receive(report, at: bench.now)
        #expect(!service.degradations.contains(.jammed))
        report.jam = 128
        report.antenna = .open
        service.receive(report, at: bench.now)
        let said = bench.now
        #expect(service.degradations.contains(.jammed) && service.degradations.contains(.antenna))
        report.antenna = nil
        service.receive(report, at: said + .seconds(20))
        report.jam = 0
        service.receive(report, at: said + .seconds(31))
        #expect(service.degradations.contains(.jammed) && !service.degradations.contains(.antenna))
        service.receive(report, at: said + .seconds(51))
        #expect(!service.degradations.contains(.jammed))
    }

    @Test("that the receiver gives no time is a state, until no such fix has come for 30 s")
    func withoutTime() throws {
        let bench = MonitoringBench(hasCheckpoint: true)
        let service = try bench.start([])
        try bench.addFences(2, to: service)
        bench.drive(service, from: 0, to: 100)
        #expect(!service.degradations.contains(.noReceiverTime))
        let said = bench.now
        var report = PositionReport(time: nil, hasFix: false, coordinate: nil)
        report.isTimedByArrival = true
        service.receive(report, at: said)
        report.isTimedByArrival = false
        service.receive(report, at: said + .seconds(30))
        #expect(service.degradations.contains(.noReceiverTime))
        service.receive(report, at: said + .seconds(31))
        #expect(!service.degradations.contains(.noReceiverTime))
    }

    @Test(
        "a jammed report that was only added to the checkpoint counts after a kill",
        arguments: [false, true])
    func killed(isJammed: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: true)
        do {
            let service = try bench.start([])
            try bench.addFences(2, to: service)
            bench.drive(service, from: -1_600, to: 1_000)
            service.setIgnition(false, at: bench.now)
            bench.drive(service, from: 23_000, to: 23_040)
            #expect(service.position == "doubtful")
        }
        var service = try bench.start([])
        let last = try #require(service.lastFix)
        func report(_ seconds: Double, jam: UInt8 = 0) {
            var report = PositionReport(
                time: last.time + .seconds(seconds), hasFix: true, coordinate: last.coordinate,
                error: 5, speed: 0)
            report.jam = jam
            service.receive(report, at: last.arrival + .seconds(seconds))
        }
        for second in stride(from: 20.0, through: 1_000, by: 20) { report(second) }
        report(1_010, jam: isJammed ? 255 : 0)
        service = try bench.start([])
        for second in stride(from: 1_020.0, through: 1_960, by: 20) { report(second) }
        #expect(service.position == (isJammed ? "doubtful" : "known"))
    }

    @Test(
        "a doubtful position is said, and stays so in the next process and after a power cut",
        arguments: [true, false])
    func said(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        do {
            let service = try bench.start([])
            try bench.addFences(2, to: service)
            bench.drive(service, from: -1_600, to: 1_000)
            service.setIgnition(false, at: bench.now)
            #expect(service.position == "known")
            bench.drive(service, from: 23_000, to: 23_100)
            #expect(service.position == "doubtful" && service.isPositionUncertain)
            #expect(service.degradations.contains(.positionDoubtful))
            let found = try service.states(of: ["f1"], at: bench.now)
            let state = try #require(found.first).state
            #expect(state.presence == .inside && state.isUncertain)
        }
        let service = try bench.start([])
        #expect(service.position == "doubtful")
        #expect(service.degradations.contains(.positionDoubtful))
        bench.drive(service, from: 1_020, to: 1_080)
        #expect(service.position == "known")
        #expect(!service.degradations.contains(.positionDoubtful))
        let events = try service.store.log.events(after: 0, limit: 10).map(\.event)
        #expect(events.map(\.kind) == [.enter, .positionDoubtful, .positionTrusted])
    }
}
