import Geodesy
import Law
import Model
import Time

/// Fixes that receivers report although no vehicle moves like this.
package enum OddReceivers {
    /// As if the two had not come: what lies between their neighbours is a longer path then.
    package static let jump = Property("a jump of 20 km for two fixes says nothing") { seed in
        var random = SeededRandom(seed: seed)
        var drive = Honest(&random)
        let away = drive.place.moved(by: 20_000, toward: random.uniform(0...360))
        var fences: [Fence] = []
        for (name, center) in [("here", drive.place), ("there", away)] {
            for radius in [20.0, 300, 5000] {
                guard let area = try? Area(.circle(center: center, radius: radius)) else {
                    return "no area"
                }
                fences.append(Fence(id: "\(name) \(radius)", area: area))
            }
        }
        func events(jumping: Bool) -> ([Event], GateCounters) {
            var drive = drive
            var tracker = Tracker.fresh(MemoryFenceStore(fences), size: 3)
            var events: [Event] = []
            for step in 0..<120 {
                var (report, now) = drive.next()
                if 60..<62 ~= step {
                    guard jumping else { continue }
                    report.coordinate = away.moved(by: Double(step), toward: 90)
                }
                events += tracker.events(.report(report), at: now)
            }
            return (events, tracker.engine.counters)
        }
        let (silent, _) = events(jumping: false)
        let (jumped, counters) = events(jumping: true)
        let wrong = jumped.filter { $0.fence?.hasPrefix("there") == true }
        if let event = wrong.first { return "told at the far place: \(event)" }
        if silent.map(\.summary) != jumped.map(\.summary) {
            return "\(silent.map(\.summary)) became \(jumped.map(\.summary))"
        }
        return counters[.implausible] == 2 ? nil : "counted: \(counters)"
    }

    package static let jitter = Property("ten honest fixes a second are all accepted") { seed in
        var random = SeededRandom(seed: seed)
        var drive = Honest(&random, interval: 0.1, jitter: 5)
        var tracker = Tracker.fresh(MemoryFenceStore())
        for step in 0..<600 {
            let (report, now) = drive.next()
            _ = tracker.events(.report(report), at: now)
            let refused = tracker.engine.counters.refused.reduce(0, +)
            if refused > 0 { return "fix \(step): \(tracker.engine.counters)" }
        }
        return nil
    }

    /// A drive that starts, stops and turns as vehicles do, with white noise.
    private struct Honest {
        private var random: SeededRandom
        private(set) var place: Coordinate
        private let interval: Double
        private let jitter: Double
        private let statesSpeed: Bool
        private var speed: Double
        private var course: Double
        private var time = 0.0

        init(_ random: inout SeededRandom, interval: Double = 1, jitter: Double = 2) {
            place = Coordinate(
                latitude: random.uniform(-70...70), longitude: random.uniform(-180...180))
            self.interval = interval
            self.jitter = jitter
            statesSpeed = random.chance(0.5)
            speed = random.uniform(0...40)
            course = random.uniform(0...360)
            self.random = random
            _ = random.next()
        }

        mutating func next() -> (PositionReport, Uptime) {
            time += interval
            speed = max(0, min(45, speed + random.uniform(-3...3) * interval))
            course += random.uniform(-20...20) * interval
            place = place.moved(by: speed * interval, toward: course)
            let seen = place.moved(
                by: jitter * random.unit().squareRoot(), toward: random.uniform(0...360))
            let report = PositionReport(
                time: UTCTime(nanoseconds: 1_700_000_000_000_000_000) + .seconds(time),
                hasFix: true, coordinate: seen, error: 5, speed: statesSpeed ? speed : nil)
            return (report, Uptime(nanoseconds: 1_000_000_000_000) + .seconds(time))
        }
    }
}

extension Event {
    fileprivate var summary: String { "\(kind.name) \(fence ?? "")" }
}
