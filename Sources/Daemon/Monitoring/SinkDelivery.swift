import Engine
import Storage
import Time

/// Delivery to one sink, with its own position in the log: it neither delays another sink, nor
/// makes it repeat.
@MainActor
struct SinkDelivery {
    let sink: any EventSink
    /// Announced up to this number.
    private(set) var position: UInt64
    private(set) var backOff = BackOff(first: .milliseconds(100), limit: .seconds(5))
    private let trouble: Trouble
    /// Since when it could not announce.
    private var since: Uptime?

    /// A bus that is being connected to, or a journal that is briefly busy, is not reported as
    /// trouble.
    private static let patience = TimeSpan.seconds(5)

    init(_ sink: any EventSink, from position: UInt64) {
        self.sink = sink
        self.position = position
        trouble = Trouble(of: sink)
    }

    /// Offers it what it has not announced yet, but not while its back-off holds: a sink that
    /// refuses for hours costs a fix nothing. `fresh` are the events just committed, so that a sink
    /// that is up to date needs no reading.
    mutating func bringUp(
        _ store: SQLiteFenceStore, fresh: [LoggedEvent], at now: Uptime, _ troubles: Troubles
    ) {
        guard !backOff.holds(at: now) else { return }
        let before = position
        do {
            if try announce(store, fresh) {
                backOff.succeed()
                since = nil
                troubles.end(trouble)
                return
            }
            if now - (since ?? now) >= Self.patience {
                troubles.begin(
                    trouble, "events wait to be announced, from number \(position + 1) on")
            }
        } catch {
            troubles.begin(trouble, "\(error)")
        }
        since = since ?? now
        // After an outage, journald accepts waiting events only as fast as its socket allows.
        if position != before { backOff.succeed() }
        backOff.fail(at: now)
    }

    /// It can announce again, as it says itself.
    mutating func endBackOff() { backOff.succeed() }

    /// False if the sink must be offered the rest later.
    private mutating func announce(
        _ store: SQLiteFenceStore, _ fresh: [LoggedEvent]
    ) throws -> Bool {
        // One that has refused is tried with a single event.
        var limit = backOff.until == nil ? 64 : 1
        while position < store.lastSeq {
            let events =
                fresh.first?.seq == position + 1
                ? fresh : try store.events(after: position, limit: limit)
            limit = 64
            // Retention may have trimmed the log: there is nothing left to announce.
            guard !events.isEmpty else {
                position = store.lastSeq
                break
            }
            for event in events {
                if event.event.announced, !sink.announce(event) { return false }
                position = event.seq
            }
        }
        return true
    }
}
