import Model
import Time

/// The promises of sections 4 and 5, for fences with terms.
package enum OnTerms {
    package static let windowed = Property(
        "with terms, a window gives the same events as monitoring every fence"
    ) {
        Scenario(seed: $0, steps: 60).onTerms().windowFlaw(EventLaws.alternationFlaw)
    }

    package static let restored = Property(
        "with terms, an engine restored after every input gives the same events"
    ) {
        Scenario(seed: $0, steps: 60).onTerms().restoringFlaw()
    }

    package static let powerCut = Property(
        "with terms, events still alternate after a power cut"
    ) {
        Scenario(seed: $0, steps: 60).onTerms().powerCutFlaw()
    }
}

extension Scenario {
    /// The same drive, with terms that matter within it on two of three fences.
    package func onTerms() -> Scenario {
        var random = SeededRandom(seed: seed ^ 0x7e4)
        let times = reports.compactMap(\.time)
        let fences = self.fences.map { fence in
            var fence = fence
            guard random.chance(0.67) else { return fence }
            if random.chance(0.6) { fence.terms.active = Self.hours(times, &random) }
            if random.chance(0.5) {
                fence.terms.speedLimit = Double(random.integer(5..<120))
            }
            if random.chance(0.4) { fence.terms.stop = .seconds(random.uniform(2...40)) }
            if random.chance(0.5) {
                fence.terms.arrive = .seconds(random.uniform(30...600))
            }
            if random.chance(0.4) { fence.terms.maxStay = .seconds(random.uniform(2...120)) }
            fence.terms.once = random.chance(0.2)
            // Not both: a fence ends for ever as soon as its end is noticed, also for a clock that
            // goes back, and a window does not notice all ends.
            if !fence.terms.once, random.chance(0.25),
                let time = times.randomElement(using: &random)
            {
                fence.terms.expires = time.iso8601
            }
            return fence
        }
        return Scenario(self, fences: fences)
    }

    /// One to three spans of a few minutes around the times of the drive.
    private static func hours(_ times: [UTCTime], _ random: inout SeededRandom) -> String {
        let spans = (0..<random.integer(1..<4)).map { _ in
            let time = times.randomElement(using: &random)?.nanoseconds ?? 0
            let minute = Int(time / 60_000_000_000) + random.integer(0..<3) - 1
            return clock(minute) + "-" + clock(minute + random.integer(1..<6))
        }
        return (random.chance(0.3) ? "24/7; " : "") + spans.joined(separator: ",")
            + (random.chance(0.3) ? " off" : "")
    }

    private static func clock(_ minute: Int) -> String {
        let minute = ((minute % 1440) + 1440) % 1440
        return pair(minute / 60) + ":" + pair(minute % 60)
    }

    private static func pair(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
