import SharedLimits
import Time

/// Events that are taken of each box: many at once, as after an outage, and then so many a minute. What
/// is beyond is left to the box, which sends it again.
struct BoxBudget {
    /// Events that are not paid off, at a time; no box of which nothing is owed.
    private var debts: [BoxTopic: (events: Double, at: Uptime)] = [:]

    private static let limit = SharedLimits.eventsOfBox

    /// Whether the box may send that many events more.
    mutating func take(_ events: Int, of box: BoxTopic, at now: Uptime) -> Bool {
        let owed = owed(by: box, at: now) + Double(events)
        guard owed <= Double(Self.limit.burst) else { return false }
        debts[box] = (owed, now)
        return true
    }

    /// Forgets boxes that owe nothing; now and then.
    mutating func tidy(at now: Uptime) {
        for box in debts.keys where owed(by: box, at: now) <= 0 { debts[box] = nil }
    }

    private func owed(by box: BoxTopic, at now: Uptime) -> Double {
        guard let debt = debts[box] else { return 0 }
        let paid = (now - debt.at).seconds * Double(Self.limit.minute) / 60
        return max(0, debt.events - paid)
    }
}
