package import Engine
import Storage

/// A fence and who gave it.
package struct CatalogueFence: Hashable, Sendable {
    /// The fence as it is stored.
    package var fence: Fence
    /// The one that may change it.
    package var origin: FenceOrigin
}

/// A portion of the event log.
package struct EventPage: Sendable {
    /// By number, rising.
    package var events: [LoggedEvent]
    /// Read on after this number.
    package var next: UInt64
    /// Events after the number that was asked for have been cut off the log, or the log has begun
    /// anew.
    package var gap: Bool
}

// What readers of catalogue and log may ask.
extension MonitoringService {
    /// Of the catalogue, raised by every committed change; 0 is the empty one.
    package var generation: Generation { store.generation }
    /// Which log the numbers are of, see ``SQLiteFenceStore/logID``.
    package var logID: String { store.logID }
    /// Number of the oldest event in the log; the next number where the log is empty.
    package var oldestSeq: UInt64 { store.oldestSeq }
    /// Number of the newest event; 0 before the first.
    package var lastSeq: UInt64 { store.lastSeq }
    /// Slots of the window, the metafence included.
    package var windowSize: Int { engine.settings.window.size }

    /// One fence by its id; nil where there is none. Throws where the store cannot be read.
    package func fence(id: String) throws -> CatalogueFence? {
        try store.fence(id: id).map(Self.reading)
    }

    /// Ordered by id as UTF-8 bytes, see ``SQLiteFenceStore/fences(after:offset:limit:)``.
    package func fences(
        after id: String = "", offset: Int = 0, limit: Int
    ) throws -> [CatalogueFence] {
        try store.fences(after: id, offset: offset, limit: limit).map(Self.reading)
    }

    /// As ``fences(after:offset:limit:)``, of those alone that `filter` lets through. What it gives
    /// is called until it answers with the page, and told each time how long it may take.
    package func fences(
        _ filter: FenceFilter, after id: String, offset: Int, limit: Int
    ) -> (_ isTimeUp: () -> Bool) throws -> [CatalogueFence]? {
        let listing = store.listing(filter, after: id, offset: offset, limit: limit)
        return { try listing.step(until: $0)?.map(Self.reading) }
    }

    /// How many fences there are in each cell of `grid`, row by row from the north-west. What it
    /// gives is called until it answers, and told each time how long it may take.
    package func counts(in grid: FenceGrid) -> (_ isTimeUp: () -> Bool) throws -> [UInt32]? {
        let counting = store.counting(grid)
        return { try counting.step(until: $0) }
    }

    /// At most `limit` events with greater numbers than `seq`; fewer when their metadata are large,
    /// at least one when there is one.
    package func events(after seq: UInt64, limit: Int) throws -> EventPage {
        var page = EventPage(
            events: [], next: min(seq, store.lastSeq),
            gap: seq > store.lastSeq || seq + 1 < store.oldestSeq)
        var bytes = 0
        while page.events.count < limit, bytes < 1 << 20 {
            let portion = try store.events(
                after: page.next, limit: min(64, limit - page.events.count))
            guard let last = portion.last else { break }
            page.events += portion
            page.next = last.seq
            bytes += portion.reduce(0) { $0 + $1.event.metadata.utf8.count }
        }
        return page
    }

    private static func reading(_ stored: StoredFence) -> CatalogueFence {
        CatalogueFence(fence: stored.entry.fence, origin: stored.origin)
    }
}
