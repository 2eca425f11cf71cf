import Engine
import Storage

/// What could not be committed yet, as one transaction: in this process, and in the runtime
/// directory, where a kill does not reach it. Bounded: the oldest events are given up, for the
/// newest are what matters on the road.
@MainActor
final class PendingRecords {
    private let file: PendingRecordsFile?
    /// Events.
    private let limit: Int
    private(set) var record: EventRecord?
    /// Encoded, bytes: at least what ``record`` takes.
    private var size = 0
    /// All of it is in the file: a process that goes on from ``mark`` has it.
    private(set) var isKept: Bool

    init(file: PendingRecordsFile?, limit: Int) {
        self.file = file
        self.limit = limit
        isKept = file != nil
    }

    var isEmpty: Bool { record == nil }

    /// Belongs to the engine's state, see ``PendingRecordsFile``.
    var mark: PendingRecordsFile.Mark { isEmpty ? .empty : file?.mark ?? .empty }

    /// Takes over what was pending when the process before this one ended.
    /// - Parameters:
    ///   - committing: what it was about to commit, behind the rest.
    ///   - committed: that many events have been committed since the first became pending. The
    ///     process was killed before it could say so; or the disk has kept what it said it had not:
    ///     an attempt that failed at its fsync may be found whole by the next process.
    func recover(
        _ mark: PendingRecordsFile.Mark, committing: EventRecord?, committed: UInt64
    ) {
        for piece in file?.recover(mark) ?? [] {
            guard let next = EventRecord(bytes: piece) else { continue }
            record = record?.followed(by: next) ?? next
            size += piece.count
        }
        // In the file too: from the next checkpoint on its mark says all that is pending.
        if let committing { _ = add(committing) }
        guard var left = record, committed > 0 else { return }
        if committed > left.events.count {
            clear()
        } else {
            // The rest of the record says the same twice, which does no harm.
            left.events.removeFirst(Int(committed))
            record = left
        }
    }

    /// Puts `next` behind what is pending; how many events were given up for it.
    func add(_ next: EventRecord) -> Int {
        let piece = next.bytes
        var all = record?.followed(by: next) ?? next
        let count = all.events.count
        size += piece.count
        while all.events.count > limit || size > PendingRecordsFile.capacity, !all.events.isEmpty {
            // More than there must be, so that not every next event costs this work.
            all.events.removeFirst(max(all.events.count - limit, all.events.count / 8, 1))
            size = all.bytes.count
        }
        record = all
        if let file {
            isKept = isKept && file.append(piece) || file.rewrite(all.bytes)
        }
        return count - all.events.count
    }

    /// Everything was committed. What is in the file counts until ``forget()``.
    func clear() {
        record = nil
        size = 0
    }

    /// The checkpoint no longer names the file.
    func forget() {
        guard isEmpty else { return }
        file?.clear()
        isKept = file != nil
    }
}
