import SharedLimits
package import Time

/// The events between the position that the daemon knows and the newest one that was read: what is
/// to be sent, what is under way, what has been acknowledged. The daemon's log is the queue; this is
/// the little of it that is under way, in order of number.
package struct SendWindow {
    /// The destination has everything up to this number.
    package private(set) var position: UInt64
    /// Events up to this number have been added.
    package private(set) var read: UInt64
    private var entries: [Entry] = []
    private let namesHoles: Bool

    private struct Entry {
        /// The last of several that are not for this destination.
        var seq: UInt64
        /// Empty: not for this destination.
        var body: [UInt8]
        var state: State
        /// How often it was sent.
        var attempts: Int64 = 0

        var isSkipped: Bool { body.isEmpty }
    }

    private enum State: Equatable {
        case unsent
        /// In the publication with that number; sent again at that time.
        case sent(id: Int32, again: Uptime)
        case done
    }

    /// Events that are sent together.
    package struct Batch: Equatable {
        /// Their numbers, ascending; at least one.
        package var numbers: [UInt64]
        /// Each of them.
        package var bodies: [[UInt8]]

        /// One event, or an array of several.
        package var payload: [UInt8] { bodies.count == 1 ? bodies[0] : array }
        /// Bytes of ``array``.
        package var size: Int { bodies.reduce(1) { $0 + $1.count + 1 } }
        /// An array, also of one.
        package var array: [UInt8] {
            [UInt8(ascii: "[")] + bodies.joined(separator: [UInt8(ascii: ",")])
                + [UInt8(ascii: "]")]
        }
    }

    /// Events that may be under way.
    package static let limit = SharedLimits.events
    /// Bytes of a batch; one larger event goes alone.
    package static let largest = SharedLimits.batch
    /// Without an acknowledgement it is sent again after the first delay, which doubles.
    private static let patience = DoublingDelay(first: .seconds(30), limit: .seconds(600))
    /// An acknowledgement is a matter of a second, also while a fleet catches up.
    private static let underWay = TimeSpan.seconds(5)
    /// What the broker refuses is not tried again soon.
    private static let denial = DoublingDelay(first: .seconds(60), limit: .seconds(3600))

    /// - Parameter namesHoles: whether what is sent says what was left out, so that ``position`` is
    ///   always a number that was sent.
    package init(position: UInt64, namesHoles: Bool = true) {
        self.position = position
        self.namesHoles = namesHoles
        read = position
    }

    /// How many more may be added.
    package var room: Int { max(0, Self.limit - entries.count) }
    /// Events that wait for an acknowledgement, or to be sent.
    package var waiting: Int { entries.count { $0.state != .done } }

    /// Adds the event after ``read``.
    /// - Parameter body: nil if it is not for this destination.
    package mutating func add(_ seq: UInt64, _ body: [UInt8]?) {
        guard seq > read else { return }
        read = seq
        if body == nil, let last = entries.last, last.state == .done {
            entries[entries.count - 1].seq = seq
            return
        }
        entries.append(Entry(seq: seq, body: body ?? [], state: body == nil ? .done : .unsent))
    }

    /// Numbers at the end that are not for this destination. They are not settled before something
    /// after them is acknowledged, so that ``position`` is always a number that was sent: what the
    /// destination lacks after a restart is then a hole, and not a filter.
    package var skipped: UInt64 {
        guard namesHoles, let last = entries.last, last.isSkipped else { return 0 }
        return last.seq - (entries.dropLast().last?.seq ?? position)
    }

    /// Sends `body` for the numbers in ``skipped``, so that they can be settled.
    package mutating func mark(_ body: [UInt8]) {
        guard let last = entries.last, last.isSkipped else { return }
        entries[entries.count - 1] = Entry(seq: last.seq, body: body, state: .unsent)
    }

    /// What is to be sent now; nil if nothing is due.
    /// - Parameters:
    ///   - most: events in one batch.
    ///   - bytes: of one batch; an event that is larger goes alone.
    package func next(at now: Uptime, most: Int = limit, bytes: Int = largest) -> Batch? {
        var batch = Batch(numbers: [], bodies: [])
        var size = 1
        for entry in entries where entry.state != .done {
            if case .sent(_, let again) = entry.state, again > now { continue }
            guard batch.numbers.count < most,
                batch.numbers.isEmpty || size + entry.body.count + 1 <= bytes
            else { break }
            size += entry.body.count + 1
            batch.bodies.append(entry.body)
            batch.numbers.append(entry.seq)
        }
        return batch.numbers.isEmpty ? nil : batch
    }

    /// The batch is under way, with the number of its publication.
    package mutating func sent(_ batch: Batch, id: Int32, at now: Uptime) {
        let numbers = Set(batch.numbers)
        for index in entries.indices where numbers.contains(entries[index].seq) {
            entries[index].attempts += 1
            let again = now + Self.patience.after(entries[index].attempts)
            entries[index].state = .sent(id: id, again: again)
        }
    }

    /// The destination has these; numbers that were never sent are ignored.
    package mutating func acknowledge(_ ranges: [ClosedRange<UInt64>]) {
        for index in entries.indices {
            guard case .sent = entries[index].state,
                ranges.contains(where: { $0.contains(entries[index].seq) })
            else { continue }
            entries[index].state = .done
        }
    }

    /// The destination lives: what was sent again and again while it did not is due after the first
    /// delay again.
    /// - Parameter isBack: it has just come back, and has lost what it was sent before: that is due
    ///   at once, except what may still be under way.
    package mutating func restart(at now: Uptime, isBack: Bool = false) {
        let wait = isBack ? Self.underWay : Self.patience.first
        for index in entries.indices where isBack || entries[index].attempts > 1 {
            guard case .sent(let id, let again) = entries[index].state else { continue }
            let sent = again - Self.patience.after(entries[index].attempts)
            entries[index].attempts = 1
            entries[index].state = .sent(id: id, again: min(again, max(now, sent + wait)))
        }
    }

    /// The publication has arrived, and that is all that is wanted.
    package mutating func arrived(_ id: Int32) {
        for index in entries.indices {
            if case .sent(id, _) = entries[index].state { entries[index].state = .done }
        }
    }

    /// The publication was refused: it is tried again much later.
    package mutating func refused(_ id: Int32, at now: Uptime) {
        for index in entries.indices {
            guard case .sent(id, _) = entries[index].state else { continue }
            let wait = Self.denial.after(entries[index].attempts)
            entries[index].state = .sent(id: id, again: now + wait)
        }
    }

    /// The publication found nobody to get it: it is tried again after the first delay.
    package mutating func unheard(_ id: Int32, at now: Uptime) {
        for index in entries.indices {
            guard case .sent(id, _) = entries[index].state else { continue }
            entries[index].attempts = 1
            entries[index].state = .sent(id: id, again: now + Self.patience.first)
        }
    }

    /// Sends another body instead; nil: the event is left out.
    package mutating func replace(_ seq: UInt64, _ body: [UInt8]?) {
        guard let index = entries.firstIndex(where: { $0.seq == seq }),
            entries[index].state != .done
        else { return }
        // What was left out counts as done, and not as filtered: its number may be acknowledged.
        if let body { entries[index].body = body }
        entries[index].state = body == nil ? .done : .unsent
    }

    /// What is sent for that event; nil if it does not wait.
    package func body(of seq: UInt64) -> [UInt8]? {
        entries.first { $0.seq == seq && $0.state != .done }?.body
    }

    /// Whether each event of the batch waits, as it is in it.
    package func holds(_ batch: Batch) -> Bool {
        zip(batch.numbers, batch.bodies).allSatisfy { body(of: $0) == $1 }
    }

    /// Whether nothing after that number is to be sent.
    package func isLast(_ seq: UInt64) -> Bool {
        !entries.contains { $0.seq > seq && !$0.isSkipped }
    }

    /// What that publication has, or with nil the largest one under way; nil if there is none.
    package func underWay(_ id: Int32? = nil) -> Batch? {
        var batches: [Int32: Batch] = [:]
        for entry in entries {
            guard case .sent(let found, _) = entry.state, id == nil || id == found else { continue }
            batches[found, default: Batch(numbers: [], bodies: [])].numbers.append(entry.seq)
            batches[found]?.bodies.append(entry.body)
        }
        return batches.values.max { $0.size < $1.size }
    }

    /// The publication is sent again at once, perhaps in parts.
    package mutating func release(_ id: Int32) {
        for index in entries.indices {
            if case .sent(id, _) = entries[index].state { entries[index].state = .unsent }
        }
    }

    /// Whether that publication is one of this window's.
    package func contains(_ id: Int32) -> Bool {
        entries.contains { if case .sent(id, _) = $0.state { true } else { false } }
    }

    /// The connection is new: whatever was under way is sent again, in order.
    package mutating func begin() {
        for index in entries.indices where entries[index].state != .done {
            entries[index].state = .unsent
        }
    }

    /// Moves ``position`` past everything that is done; the new one, nil if it stays.
    package mutating func advance() -> UInt64? {
        let done = entries.prefix { $0.state == .done }
        guard let last = done.lastIndex(where: { !namesHoles || !$0.isSkipped }) else { return nil }
        let count = last + 1
        position = entries[count - 1].seq
        entries.removeFirst(count)
        return position
    }

    /// When something is to be sent again; nil if nothing is under way.
    package var due: Uptime? {
        entries.compactMap { entry -> Uptime? in
            switch entry.state {
            case .unsent: .boot
            case .sent(_, let again): again
            case .done: nil
            }
        }.min()
    }
}
