import Law
import Storage

/// Events that could not be committed yet, as one transaction: in this process, and in the runtime
/// directory, where a kill does not lose them. Limited: the oldest events are dropped, because the
/// newest matter most on the road.
@MainActor
final class PendingRecords {
    private let file: PendingRecordsFile?
    /// Number of events.
    private let limit: Int
    private(set) var record: EventRecord?
    /// Bytes, encoded: at least those of ``record``.
    private var size = 0
    /// All of it is in the file: a process that continues from ``mark`` has it.
    private(set) var isKept: Bool

    init(file: PendingRecordsFile?, limit: Int) {
        self.file = file
        self.limit = limit
        isKept = file != nil
    }

    var isEmpty: Bool { record == nil }

    /// Belongs to the engine's state, see ``PendingRecordsFile``.
    var mark: PendingRecordsFile.Mark { isEmpty ? .empty : file?.mark ?? .empty }

    /// Restores what was pending when the previous process ended.
    /// - Parameters:
    ///   - committing: what it was about to commit, after the rest.
    ///   - committed: how many events have been committed since the first became pending. The
    ///     process was killed before it could note that; or a commit reported as failed has reached
    ///     the disk: one that failed at its fsync may be found complete by the next process.
    /// - Returns: false if more has been committed than it knew of: all of it is of an earlier time.
    func recover(
        _ mark: PendingRecordsFile.Mark, committing: EventRecord?, committed: UInt64
    ) -> Bool {
        for piece in file?.recover(mark) ?? [] {
            guard let next = EventRecord(bytes: piece) else { continue }
            record = record?.followed(by: next) ?? next
            size += piece.count
        }
        // In the file too: from the next checkpoint on its mark covers everything pending.
        if let committing { _ = add(committing) }
        guard committed > 0 else { return true }
        guard var left = record, committed <= left.events.count else {
            clear()
            return false
        }
        // The rest of the record is stored twice, which is harmless.
        left.events.removeFirst(Int(committed))
        record = left
        return true
    }

    /// Appends `next` to what is pending; returns how many events were dropped for it.
    func add(_ next: EventRecord) -> Int {
        let piece = next.bytes
        var all = record?.followed(by: next) ?? next
        let count = all.events.count
        size += piece.count
        while all.events.count > limit || size > PendingRecordsFile.capacity, !all.events.isEmpty {
            // Drops more than necessary, so that not every further event costs this work.
            all.events.removeFirst(max(all.events.count - limit, all.events.count / 8, 1))
            size = all.bytes.count
        }
        record = all
        if let file {
            isKept = isKept && file.append(piece) || file.rewrite(all.bytes)
        }
        return count - all.events.count
    }

    /// Everything was committed. The content of the file counts until ``forget()``.
    func clear() {
        record = nil
        size = 0
    }

    /// The checkpoint no longer refers to the file.
    func forget() {
        guard isEmpty else { return }
        file?.clear()
        isKept = file != nil
    }
}
