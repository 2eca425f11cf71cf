import Law
import Model
import Time

/// Deletes the oldest events. What that requires is read from the file only when the result can
/// matter, which is at few commits. Each commit works on a copy, which replaces this one when it
/// succeeds.
struct LogTrim {
    private let retention: Retention
    /// Number of the oldest event that is kept; the next number if the log is empty.
    var oldest: UInt64
    /// Bytes that may be written before the file can exceed its limit.
    private var room: Int64 = 0
    /// The event that ends the next portion to delete, once it was looked up.
    private var end: (seq: UInt64, fixTime: UTCTime?)?

    init(_ retention: Retention, oldest: UInt64) {
        self.retention = retention
        self.oldest = oldest
    }

    static func oldestKept(_ database: Database) throws -> UInt64? {
        try database.first("SELECT seq FROM event ORDER BY seq LIMIT 1") { $0.number(0) }
    }

    /// Within the transaction of a commit, after everything else.
    mutating func trim(
        _ database: Database, after record: EventRecord, checkpoint: [UInt8]?, last: UInt64,
        announced: UInt64
    ) throws {
        room -= Int64(Self.mostWritten(record, checkpoint))
        guard let newest = record.events.last?.fixTime else { return }
        try trimCount(database, last: last, announced: announced, newest: newest)
        if room < 0 { try trimSize(database, last: last, announced: announced) }
    }

    /// In portions, so that no commit has to wait for a large deletion; events that were not
    /// announced stay until the log has twice its limit.
    private mutating func trimCount(
        _ database: Database, last: UInt64, announced: UInt64, newest: UTCTime
    ) throws {
        let portion: UInt64 = 64
        for _ in 0..<4 {
            guard last >= oldest + portion + UInt64(retention.always) else { return }
            let end = oldest + portion - 1
            let kept = last - end
            guard announced >= end || kept > 2 * UInt64(retention.count) else { return }
            if kept < UInt64(retention.count) {
                guard let time = try fixTime(of: end, database), newest - time > retention.age
                else { return }
            }
            try delete(through: end, database, last: last)
        }
    }

    /// The file does not shrink, but grows only when it has no free page. A commit adds less than
    /// is deleted here, unless it has hundreds of events: then the next commits make up for it.
    private mutating func trimSize(
        _ database: Database, last: UInt64, announced: UInt64
    ) throws {
        let portion: UInt64 = 4
        for _ in 0..<64 {
            let pages =
                try database.pragma("page_count") - database.pragma("freelist_count")
            let size = pages * (try database.pragma("page_size"))
            room = max(retention.size - size, 0)
            guard size > retention.size, last >= oldest + 2 * portion else { return }
            let end = oldest + portion - 1
            guard announced >= end || size / 2 > retention.size else { return }
            try delete(through: end, database, last: last)
        }
    }

    private mutating func delete(through end: UInt64, _ database: Database, last: UInt64) throws {
        try database.run("DELETE FROM event WHERE seq <= ?", .number(end))
        oldest = try Self.oldestKept(database) ?? last + 1
    }

    private mutating func fixTime(of seq: UInt64, _ database: Database) throws -> UTCTime? {
        if let end, end.seq == seq { return end.fixTime }
        // That number may be one that is lost.
        let time = try database.first(
            "SELECT fix_time FROM event WHERE seq <= ? ORDER BY seq DESC LIMIT 1", .number(seq)
        ) { UTCTime(nanoseconds: $0.integer(0)) }
        end = (seq, time)
        return time
    }

    /// A generous upper bound: eight pages that a row may add to its table, the index and above
    /// them, and its texts, one of which is in both. The few rows written otherwise are less.
    private static func mostWritten(_ record: EventRecord, _ checkpoint: [UInt8]?) -> Int {
        let row = 8 * 4_096
        var bytes = row * (record.events.count + record.opened.count) + (checkpoint?.count ?? 0)
        for event in record.events {
            bytes += event.title.utf8.count + event.metadata.utf8.count
            bytes += 2 * (event.fence?.utf8.count ?? 0)
        }
        return bytes
    }
}
