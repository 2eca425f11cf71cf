import Model
import Time

/// Which of gpsd's receivers is the source: section 2 of the law. Receivers differ by tens of
/// metres, so that a mixture of two is no path.
struct ReceiverChoice {
    /// The only one that may be the source; nil for any.
    private let wanted: String?
    private let patience: TimeSpan
    /// The source, as gpsd names it; nil before the first fix, and once gpsd has taken it away.
    private(set) var current: String?
    /// Whether there is another, of which reports have come.
    private(set) var isContested = false
    /// Since when it has had no fix, less the time in which gpsd was not listened to; nil while it
    /// is not.
    private var since: Uptime?
    /// How long it had had none when gpsd was last listened to.
    private var spent = TimeSpan.zero

    init(_ settings: ReceiverSettings, wanted: String? = nil) {
        self.wanted = wanted
        patience = settings.lostAfter
    }

    /// Goes on with the choice of an earlier process.
    mutating func resume(with device: String) {
        if wanted == nil || wanted == device { current = device }
    }

    /// gpsd is listened to from now on.
    mutating func resume(at now: Uptime) {
        if since == nil { since = now - spent }
    }

    /// gpsd is not listened to any more.
    mutating func pause(at now: Uptime) {
        if let since { spent = max(now - since, .zero) }
        since = nil
    }

    /// Whether a report is of the source; its fix may make its receiver the source.
    mutating func admits(
        _ report: PositionReport, from device: String?, at arrival: ClosedRange<Uptime>
    ) -> Bool {
        let hasFix = report.hasFix && report.coordinate != nil
        // One that is not named cannot be told from the source.
        guard let device, device != current else {
            if hasFix { noteFix(at: arrival.upperBound) }
            return true
        }
        if let wanted { guard device == wanted else { return false } }
        if current != nil {
            isContested = true
            // If the report has waited, so may have one of the source behind it.
            guard hasFix, let since, arrival.lowerBound - since > patience else { return false }
        }
        if hasFix {
            current = device
            noteFix(at: arrival.upperBound)
        }
        return true
    }

    /// gpsd has taken a receiver away; its name is as ``GpsdWord`` has it.
    mutating func remove(_ device: String) {
        if isSource(device) { current = nil }
    }

    /// gpsd has these receivers, and no other.
    mutating func keep(_ devices: [String: String?]) {
        if let current, devices[PeerText.shown(current)] == nil { self.current = nil }
    }

    /// Whether this receiver is the source, or may be for all that is known.
    func isSource(_ device: String) -> Bool {
        (current.map(PeerText.shown) ?? wanted).map { $0 == device } ?? true
    }

    private mutating func noteFix(at moment: Uptime) {
        since = moment
        spent = .zero
    }
}
