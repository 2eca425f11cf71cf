import Law
package import Model
import Storage

/// A page of the event log.
package struct EventPage: Sendable {
    /// In ascending order.
    package var events: [LoggedEvent]
    /// The number to read on from.
    package var next: UInt64
    /// Events between the requested number and these have been deleted from the log, or were lost with
    /// its end, or the log was started again.
    package var gap: Bool
}

// Queries on the catalogue and the log.
extension MonitoringService {
    /// The catalogue's, increased by every committed change; 0 for the empty one.
    package var generation: Generation { store.generation }
    /// The log that the numbers belong to, see ``EventLog/id``.
    package var logID: String { store.log.id }
    /// The log that one number belongs to, see ``EventLog/id(of:)``.
    package func logID(of seq: UInt64) -> String { store.log.id(of: seq) }
    /// Number of the oldest event in the log; the next number if the log is empty.
    package var oldestSeq: UInt64 { store.log.oldestSeq }
    /// Number of the newest event; 0 before the first.
    package var lastSeq: UInt64 { store.log.lastSeq }
    /// Slots of the window, including the metafence.
    package var windowSize: Int { engine.settings.window.size }

    /// One fence by its id; nil if it does not exist. Throws if the store cannot be read.
    package func fence(id: String) throws -> CatalogueFence? {
        try store.catalogue.fence(id: id).map(Self.reading)
    }

    /// Ordered by id as UTF-8 bytes, see ``Catalogue/fences(after:offset:limit:)``.
    package func fences(
        after id: String = "", offset: Int = 0, limit: Int
    ) throws -> [CatalogueFence] {
        try store.catalogue.fences(after: id, offset: offset, limit: limit).map(Self.reading)
    }

    /// Like ``fences(after:offset:limit:)``, only those that `filter` matches. The result is a
    /// function to be called, each time with a time limit, until it returns the page.
    package func fences(
        _ filter: FenceFilter, after id: String, offset: Int, limit: Int
    ) -> (_ isTimeUp: () -> Bool) throws -> [CatalogueFence]? {
        let listing = store.catalogue.listing(filter, after: id, offset: offset, limit: limit)
        return { try listing.step(until: $0)?.map(Self.reading) }
    }

    /// The number of fences in each cell of `grid`, row by row from the north-west. The result is a
    /// function to be called, each time with a time limit, until it returns the counts.
    package func counts(in grid: FenceGrid) -> (_ isTimeUp: () -> Bool) throws -> [UInt32]? {
        let counting = store.catalogue.counting(grid)
        return { try counting.step(until: $0) }
    }

    /// Bytes of texts in a page of events; it ends with the event that exceeds this.
    private static let pageBytes = 1 << 20

    /// At most `limit` events with greater numbers than `seq`; fewer when their texts are large and where
    /// the next numbers are lost, at least one if there is any.
    /// - Parameter fences: ids; only of these, and the page that has the last of them ends with the
    ///   log. None: of all, and those of no fence.
    package func events(
        after seq: UInt64, limit: Int, of fences: [String] = []
    ) throws -> EventPage {
        var page = EventPage(
            events: [], next: min(seq, store.log.lastSeq),
            gap: seq > store.log.lastSeq || seq + 1 < store.log.oldestSeq)
        var bytes = 0
        /// The next number that is lost.
        var end: UInt64?
        while page.events.count < limit {
            // Few at a time: each may have 64 KiB of metadata.
            let size = min(16, limit - page.events.count)
            let portion =
                fences.isEmpty
                ? try store.log.events(after: page.next, limit: size)
                : try store.log.events(of: fences, after: page.next, limit: size)
            guard !portion.isEmpty else {
                if page.events.isEmpty, store.log.lost.isGap(after: page.next, before: .max) {
                    page.gap = true
                }
                if let end { page.next = end - 1 }
                if page.events.isEmpty && page.gap || !fences.isEmpty && end == nil {
                    page.next = store.log.lastSeq
                }
                break
            }
            for logged in portion {
                if page.events.isEmpty {
                    page.gap =
                        page.gap || store.log.lost.isGap(after: page.next, before: logged.seq)
                    end = store.log.lost.next(after: logged.seq)
                }
                if let end, logged.seq > end {
                    page.next = end - 1
                    return page
                }
                page.events.append(logged)
                page.next = logged.seq
                bytes += logged.event.textBytes
                guard bytes < Self.pageBytes else { return page }
            }
        }
        return page
    }

    private static func reading(_ stored: StoredFence) -> CatalogueFence {
        CatalogueFence(fence: stored.fence, origin: stored.origin)
    }
}

extension Event {
    /// Of what has no small limit of its own.
    fileprivate var textBytes: Int {
        metadata.utf8.count + title.utf8.count + (fence?.utf8.count ?? 0)
    }
}
