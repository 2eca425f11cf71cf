import SharedLimits
import Time

/// The odometer of a vehicle, which counts in steps of 5 to 125 m, with the speed of the wheels
/// between two of them.
struct OdometerSteps: Sendable {
    private struct Count {
        var node: CANNode
        /// m
        var step: Double
        /// As it was last sent, m.
        var sent: Double
        var at: Uptime
        /// With what was driven since, m; nil until the first step, before which nobody knows how much
        /// of one is behind the vehicle.
        var shown: Double?
        /// Of all its steps.
        var surplus: Surplus

        init(node: CANNode, step: Double, sent: Double, at: Uptime) {
            self.node = node
            self.step = step
            self.sent = sent
            self.at = at
            surplus = Surplus(over: mostSpeed, limit: 2 * step)
        }
    }

    private var count: Count?
    private(set) var ignored: UInt64 = 0

    /// How long what was sent counts.
    private static let fresh = TimeSpan.seconds(5)
    /// After so long another node may count.
    private static let silence = TimeSpan.seconds(30)
    /// No vehicle is faster, m/s.
    private static let mostSpeed = 90.0

    init() {}

    /// A node says what it shows, m. A finer one takes over at once. What no odometer shows is ignored: with
    /// it nothing of the vehicle's motion would be believed.
    mutating func take(_ metres: Double, step: Double, of node: CANNode, at now: Uptime) {
        guard metres + step <= SharedLimits.odometer else { return ignored += 1 }
        guard var count, count.node == node else {
            if let count, count.step <= step, now - count.at <= Self.silence {
                ignored += 1
            } else {
                count = Count(node: node, step: step, sent: metres, at: now)
            }
            return
        }
        let driven = metres - count.sent
        if driven < 0 || !count.surplus.take(driven, in: now - count.at) {
            count.shown = nil
        } else if driven > 0 {
            count.shown = max(count.shown ?? 0, metres)
        }
        count.sent = metres
        count.at = now
        self.count = count
    }

    /// The wheels have turned at that speed, m/s, for so long.
    mutating func drive(_ speed: Double, for span: TimeSpan) {
        guard let count, let shown = count.shown, span <= .seconds(2) else { return }
        // The next step is still to come.
        self.count?.shown = min(shown + speed * span.seconds, count.sent + count.step)
    }

    /// What it shows, and who counts; nil where that is not known.
    func shown(at now: Uptime) -> (metres: Double, node: CANNode)? {
        guard let count, let shown = count.shown, now - count.at <= Self.fresh else { return nil }
        return (shown, count.node)
    }
}
