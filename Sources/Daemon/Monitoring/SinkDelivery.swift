import Model
import Storage
import Time

/// Delivery to one sink, with its own position in the log: it neither delays another sink, nor
/// makes it repeat.
@MainActor
struct SinkDelivery {
    let sink: any EventSink
    /// Announced up to this number.
    private(set) var position: UInt64
    /// Up to which a power cut takes nothing back.
    private var settled: UInt64
    /// What it was, and when that was looked at, oldest first; it is ``settled`` after the sink's time.
    private var noted: [(position: UInt64, at: Uptime)] = []
    private(set) var backOff = BackOff(first: .milliseconds(100), limit: .seconds(5))
    private let trouble: Trouble
    /// Since when it could not announce.
    private var since: Uptime?

    /// A bus that is being connected to, or a journal that is briefly busy, is not reported as
    /// trouble.
    private static let patience = TimeSpan.seconds(5)

    /// - Parameter settled: not more than `position`.
    init(_ sink: any EventSink, from position: UInt64, settled: UInt64) {
        self.sink = sink
        self.position = position
        self.settled = settled
        trouble = Trouble(of: sink)
    }

    /// Announced up to this number, and not taken back by a power cut, as far as that is known.
    var lasting: UInt64 { sink.syncTime > .zero ? settled : position }

    /// It has announced what ``settle(at:)`` has not seen.
    var hasNews: Bool { sink.syncTime > .zero && position > (noted.last?.position ?? settled) }

    /// When ``lasting`` rises by itself.
    var settles: Uptime? { noted.first.map { $0.at + sink.syncTime } }

    /// To be called from time to time: ``lasting`` is as exact as that.
    mutating func settle(at now: Uptime) {
        if hasNews { noted.append((position, now)) }
        while let first = noted.first, now >= first.at + sink.syncTime {
            settled = first.position
            noted.removeFirst()
        }
    }

    /// Offers it what it has not announced yet, but not while its back-off holds: a sink that
    /// refuses for hours costs a fix nothing. `fresh` are the events just committed, so that a sink
    /// that is up to date needs no reading.
    mutating func bringUp(
        _ store: Store, fresh: [LoggedEvent], at now: Uptime, _ troubles: Troubles
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
        _ store: Store, _ fresh: [LoggedEvent]
    ) throws -> Bool {
        // One that has refused is tried with a single event.
        var limit = backOff.until == nil ? 64 : 1
        while position < store.log.lastSeq {
            let events =
                fresh.first?.seq == position + 1
                ? fresh : try store.log.events(after: position, limit: limit)
            limit = 64
            // Retention may have trimmed the log: there is nothing left to announce.
            guard !events.isEmpty else {
                position = store.log.lastSeq
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
