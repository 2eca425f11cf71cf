package import Engine
import Storage

/// A fence and who gave it: "" for the bus, else the name of the administrator's file.
package struct CatalogueFence: Hashable, Sendable {
    /// The fence as it is stored.
    package var fence: Fence
    /// "" or the name of the file.
    package var origin: String
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
        let origin =
            switch stored.origin {
            case .bus: ""
            case .file(let name): name
            }
        return CatalogueFence(fence: stored.entry.fence, origin: origin)
    }
}
