package import BusClient
import Model
import SharedLimits
package import Time

/// Events that the office has lost, sent again under their own numbers beside the window. The daemon is
/// told nothing about them: what does not arrive is a hole for the office still, which asks again.
@MainActor
package final class Resending {
    private let client: DaemonClient
    private let filter: UplinkFilter
    private let format: EventFormat
    private let handlers: UplinkHandlers
    private let changed: @MainActor () -> Void
    /// The log that is written now.
    private var current = ""
    /// What was asked for and is not read yet.
    private var parts: [Part] = []
    /// What was read; nil while nothing is to be sent.
    private var window: SendWindow?
    private var isReading = false

    private struct Part: Equatable {
        var log: String
        var range: ClosedRange<UInt64>
    }

    /// - Parameter changed: called when there is something to send.
    package init(
        _ client: DaemonClient, _ settings: UplinkSettings, _ handlers: UplinkHandlers,
        changed: @escaping @MainActor () -> Void
    ) {
        self.client = client
        filter = settings.filter
        format = settings.format
        self.handlers = handlers
        self.changed = changed
    }

    /// The office lacks these numbers of a log.
    /// - Parameters:
    ///   - current: the log that is written now.
    ///   - position: what is after it is in the feed's window.
    package func ask(_ lacking: BackendAck, current: String, after position: UInt64) {
        self.current = current
        for range in lacking.ranges where range.lowerBound > 0 && range.lowerBound <= position {
            let wanted = range.lowerBound...min(range.upperBound, position)
            guard parts.count < SharedLimits.ranges,
                !parts.contains(where: { $0.log == lacking.log && $0.range.overlaps(wanted) })
            else { continue }
            parts.append(Part(log: lacking.log, range: wanted))
        }
        read()
    }

    /// Forgets everything: the connection has ended, or another log has begun.
    package func stop() {
        parts = []
        window = nil
    }

    /// What is to be sent now; nil if there is nothing.
    package func next(at now: Uptime, most: Int, bytes: Int) -> SendWindow.Batch? {
        window?.next(at: now, most: most, bytes: bytes)
    }

    /// The batch is under way, with the number of its publication.
    package func sent(_ batch: SendWindow.Batch, id: Int32, at now: Uptime) {
        window?.sent(batch, id: id, at: now)
    }

    /// The event is too long for the broker.
    package func shorten(_ number: UInt64) {
        guard let body = window?.body(of: number) else { return }
        window?.replace(number, format.shorter(body))
        advance()
    }

    /// The broker has answered a publication.
    /// - Returns: whether it is one of these.
    package func published(_ id: Int32, isGood: Bool) -> Bool {
        guard window?.contains(id) == true else { return false }
        if isGood { window?.arrived(id) } else { stop() }
        advance()
        return true
    }

    private func advance() {
        _ = window?.advance()
        guard window?.waiting == 0 else { return }
        window = nil
        read()
    }

    private func read() {
        guard !isReading, window == nil, let part = parts.first else { return }
        isReading = true
        let after = part.range.lowerBound - 1
        do throws(ClientError) {
            try client.beginEvents(after: after, limit: UInt32(SendWindow.limit)) {
                [weak self] answer in
                self?.handle(answer, of: part)
            }
        } catch { fail(error) }
    }

    private func fail(_ error: ClientError) {
        isReading = false
        stop()
        handlers.log(nil, "cannot read events that the office lacks: \(error)")
    }

    private func handle(_ answer: Result<EventLogPage, ClientError>, of part: Part) {
        isReading = false
        guard parts.first == part else { return read() }
        switch answer {
        case .failure(let error): return fail(error)
        case .success(let page):
            parts.removeFirst()
            // The numbers may be of a log that this disk never had.
            guard page.log ?? current == part.log else {
                parts.removeAll { $0.log == part.log }
                return read()
            }
            let (first, last) = (part.range.lowerBound, part.range.upperBound)
            let end = min(page.next, last)
            guard end >= first else { return read() }
            if end < last { parts.insert(Part(log: part.log, range: end + 1...last), at: 0) }
            window = Self.window(page, first...end, part.log, format, filter)
            changed()
            advance()
        }
    }

    /// What a page says about a range that it covers: events, and what the log no longer has.
    static func window(
        _ page: EventLogPage, _ range: ClosedRange<UInt64>, _ log: String, _ format: EventFormat,
        _ filter: UplinkFilter
    ) -> SendWindow {
        var previous = range.lowerBound - 1
        var window = SendWindow(position: previous)
        func add(_ number: UInt64, _ body: [UInt8]?) {
            guard let body else { return }
            window.add(number, body)
            previous = number
        }
        if page.hasGap {
            let last = min(page.events.first.map { $0.seq - 1 } ?? page.next, range.upperBound)
            if last > previous {
                add(last, format.body(of: .gap, to: last, log: log, previous: previous))
            }
        }
        for event in page.events where event.seq > previous && event.seq <= range.upperBound {
            guard filter.admits(event) else { continue }
            add(event.seq, format.body(of: event, log: log, previous: previous, filter))
        }
        // Events that are not for this destination.
        if range.upperBound > previous {
            let last = range.upperBound
            add(last, format.body(of: .skip, to: last, log: log, previous: previous))
        }
        return window
    }
}
