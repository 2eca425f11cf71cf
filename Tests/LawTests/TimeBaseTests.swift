import EngineTestKit
import Law
import Model
import Testing
import Time

/// Section 2 of the law, another time base: wrong times of a receiver as they come live, where each
/// report has an arrival.
@Suite("receiver times that leap, live")
struct TimeBaseTests {
    /// A report and when it arrives, s.
    private typealias Arriving = (report: PositionReport, at: Double)

    private static let leads = [0.5, 1, 2, 3, 4.5, 5, 6, 10, 18, 29, 29.9, 30, 31, 60, 600, 3600]
    private static let signed = leads + leads.map { -$0 }
    /// Reports of a drive, and one in the middle of it.
    private static let count = 180
    private static let middle = 77

    private static func fences() throws -> [Fence] {
        try (0..<21).map { try Script.circle("\($0)", x: 150 * Double($0) + 100, radius: 60) }
    }

    /// 20 m/s to the east, one report each `interval` s.
    private static func drive(
        interval: Double = 1, jitter: Double = 0, lead: (Int) -> Double = { _ in 0 }
    ) -> [Arriving] {
        var random = SeededRandom(seed: 27)
        return (0..<Int(Double(count) / interval)).map { index in
            let second = Double(index) * interval
            let report = Script.report(second + lead(index), x: 20 * second, speed: 20)
            return (report, second + random.uniform(0...jitter))
        }
    }

    private struct Found {
        var events: [Event] = []
        var counters = GateCounters()

        /// Kind and fence, in order.
        var told: [String] { events.map { "\($0.kind.name) \($0.fence ?? "")" } }
        /// With sparse fixes two fences may change places.
        var kinds: [String] { told.sorted() }
    }

    /// `isKilled`: before each report the engine is replaced by what its checkpoint gives.
    private static func run(_ reports: [Arriving], isKilled: Bool = false) throws -> Found {
        let store = MemoryFenceStore(try fences())
        var tracker = Tracker.fresh(store)
        var found = Found(events: tracker.events(.start, at: Script.uptime(-1)))
        for (report, at) in reports {
            if isKilled, let restored = tracker.restored(from: store) { tracker = restored }
            found.events += tracker.events(
                .report(report), at: Script.uptime(at), committingTo: store)
        }
        found.counters = tracker.engine.counters
        return found
    }

    @Test("one wrong time costs nothing but its fix", arguments: signed, [0.5, 1, 5])
    func single(lead: Double, interval: Double) throws {
        let middle = Int(Double(Self.middle) / interval)
        for burst in 1...2 {
            let wrong = middle..<middle + burst
            var reports = Self.drive(interval: interval) { wrong.contains($0) ? lead : 0 }
            let found = try Self.run(reports)
            // Behind by less than the time to the one before: the way here was slow, it counts.
            if (-5..<0).contains(lead), -lead < interval * Double(burst) {
                #expect(found.kinds == (try Self.run(Self.drive(interval: interval))).kinds)
                continue
            }
            reports.removeSubrange(wrong)
            let without = try Self.run(reports)
            #expect(found.events == without.events)
            #expect(found.counters.accepted == without.counters.accepted)
            #expect(found.counters.refused.reduce(0, +) == UInt64(burst))
        }
    }

    @Test(
        "wrong times between right ones cost nothing but their fixes",
        arguments: signed.filter { abs($0) >= 1 })
    func interleaved(lead: Double) throws {
        for period in [2, 3] {
            var reports = Self.drive { $0 > 20 && $0 % period == 0 ? lead : 0 }
            let found = try Self.run(reports)
            reports = reports.enumerated().filter { !($0.offset > 20 && $0.offset % period == 0) }
                .map(\.element)
            #expect(found.events == (try Self.run(reports)).events)
        }
    }

    @Test("a step of the receiver's time costs no fence", arguments: signed, [0.1, 1, 5])
    func step(lead: Double, interval: Double) throws {
        let right = try Self.run(Self.drive(interval: interval))
        let middle = Int(Double(Self.middle) / interval)
        let reports = Self.drive(interval: interval) { $0 >= middle ? lead : 0 }
        let found = try Self.run(reports)
        #expect(found.kinds == right.kinds)
        #expect(found.events.allSatisfy { $0.reason != .jump })
        // Not before they have agreed for a second; a small step back is over before that.
        let lost = right.counters.accepted - found.counters.accepted
        #expect(lost <= UInt64(max(4, 1 / interval)))
        guard interval >= 1 else { return }
        #expect(found.events == (try Self.run(reports, isKilled: true)).events)
    }

    @Test("three wrong ones in a row are believed, and the right ones again", arguments: signed)
    func three(lead: Double) throws {
        let right = try Self.run(Self.drive())
        let reports = Self.drive { (Self.middle..<Self.middle + 3).contains($0) ? lead : 0 }
        let found = try Self.run(reports)
        #expect(found.told == right.told)
        #expect(found.counters.accepted + 4 >= right.counters.accepted)
        #expect(found.events == (try Self.run(reports, isKilled: true)).events)
    }

    @Test("the very first time is wrong", arguments: signed)
    func first(lead: Double) throws {
        let right = try Self.run(Self.drive())
        let found = try Self.run(Self.drive { $0 == 0 ? lead : 0 })
        #expect(found.told == right.told)
        #expect(found.counters.accepted + 4 >= right.counters.accepted)
    }

    @Test("the first time after a hole is wrong", arguments: signed, [10, 20, 90])
    func hole(lead: Double, length: Int) throws {
        func drive(_ lead: Double) -> [Arriving] {
            let reports = Self.drive { $0 == 120 ? lead : 0 }
            return reports.enumerated().filter {
                !(120 - length..<120).contains($0.offset)
            }.map(\.element)
        }
        let found = try Self.run(drive(lead))
        let right = try Self.run(drive(0).filter { $0.at != 120 })
        #expect(Set(right.told).subtracting(found.told).isEmpty)
        #expect(found.told.filter { $0.hasPrefix("position") }.count == (length > 30 ? 2 : 0))
        #expect(found.counters.accepted + 4 >= right.counters.accepted)
    }

    @Test(
        "of two receivers the first is believed, and the other when it is alone",
        arguments: leads.filter { $0 >= 1 })
    func twoReceivers(lead: Double) throws {
        for other in [lead, -lead] {
            let first = Self.drive()
            let second = Self.drive { _ in other }.map { (report: $0.report, at: $0.at + 0.3) }
            // One fix alone proves nothing: the second receiver comes some seconds later.
            let both = first[..<3] + zip(first, second).dropFirst(3).flatMap { [$0, $1] }
            #expect(try Self.run(Array(both)).events == (try Self.run(first)).events)
            // The first one ends.
            let found = try Self.run(
                Array(both.prefix(2 * Self.middle - 3)) + second[Self.middle...])
            #expect(found.told == (try Self.run(first)).told)
        }
    }

    @Test("two receivers and a first fix of neither's time: one of them is believed")
    func neither() throws {
        let first = Self.drive { $0 == 0 ? 86_400 : 0 }
        let second = Self.drive { _ in 18 }.map { (report: $0.report, at: $0.at + 0.3) }
        let found = try Self.run(zip(first, second).flatMap { [$0, $1] })
        #expect(found.counters.accepted > 170)
        #expect(!found.told.contains("position-lost "))
    }

    @Test(
        "the burst after a stall is no time base, however fast the receiver", arguments: [0.1, 1])
    func burst(interval: Double) throws {
        let reports = Self.drive(interval: interval).map { (report: $0.report, at: max($0.at, 0)) }
        let stalled = reports.map { report in
            let isHeldUp = (60..<80.0).contains(report.at)
            return (report: report.report, at: isHeldUp ? 80 : report.at)
        }
        let found = try Self.run(stalled)
        let stale = reports.count { (60..<75.0).contains($0.at) }
        #expect(found.counters[.stale] == UInt64(stale))
        #expect(found.events.allSatisfy { $0.reason != .jump })
        // And a step just then.
        let stepped = stalled.map { report -> Arriving in
            var report = report
            if report.at > 80 { report.report.time = report.report.time.map { $0 + .seconds(18) } }
            return report
        }
        let after = try Self.run(stepped)
        #expect(after.told == found.told)
    }

    @Test(
        "a way to the daemon that is slow at times refuses no more than a few",
        arguments: [0.4, 2, 4])
    func jitter(jitter: Double) throws {
        var reports = Self.drive(jitter: jitter)
        var latest = 0.0
        for index in reports.indices {
            latest = max(latest, reports[index].at)
            reports[index].at = latest
        }
        let found = try Self.run(reports)
        #expect(found.counters.accepted >= UInt64(Self.count - 4))
        #expect(found.told == (try Self.run(Self.drive())).told)
        // Right times are not translated: a stay is as long as the receiver says.
        let stays = found.events.compactMap(\.stay?.seconds)
        #expect(stays.allSatisfy { abs($0 - 6) < 2 }, "\(stays)")
    }

    @Test(
        "a recording that is played faster than it was driven is judged", arguments: [2, 10, 100.0])
    func fast(rate: Double) throws {
        let right = try Self.run(Self.drive())
        let found = try Self.run(Self.drive().map { ($0.report, $0.at / rate) })
        #expect(found.told == right.told)
        #expect(found.events.map(\.time) == right.events.map(\.time))
        #expect(found.counters.accepted + 2 >= right.counters.accepted)
    }

    @Test("a stay goes on through a step in monotonic time, and so does what is pending")
    func durations() throws {
        var script = Script([try Script.circle("home", x: 0, radius: 100, dwell: 60)])
        for second in 0..<30 { script.at(Double(second), x: 0) }
        for second in 30..<70 { script.at(Double(second) + 18, x: 0, arriving: Double(second)) }
        #expect(script.told == ["initial home initial", "dwell home"])
        #expect(script.times == [0, 78])
        for second in 70..<90 {
            script.at(Double(second) + 18, x: 160, error: 15, arriving: Double(second))
        }
        #expect(script.told.last == "exit home certain")
    }

    @Test("an exit that settles goes on settling through a step")
    func settling() throws {
        var script = Script([try Script.circle("home", x: 0, radius: 500)])
        for second in 0..<5 { script.at(Double(second), x: 0, error: 20) }
        // Beyond the buffer of 50 m with d − e > 0, but not certain.
        for second in 20..<26 { script.at(Double(second), x: 560, error: 40, speed: 0) }
        for second in 26..<34 {
            script.at(Double(second) + 18, x: 560, error: 40, speed: 0, arriving: Double(second))
        }
        #expect(script.told.last == "exit home settled")
        #expect(script.times.last.map { $0 > 18 } == true)
    }
}
