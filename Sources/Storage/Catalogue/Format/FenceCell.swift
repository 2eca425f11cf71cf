import Bytes
import Geodesy

/// Fences that lie near one another, in one row of the catalogue: a version byte, then each
/// ``FenceRecord`` preceded by its length as a varint.
///
/// A row and an R*Tree box for each fence would cost twice the space and most of the time of an
/// import; a search reads some two hundred of either kind.
enum FenceCell {
    static let version: UInt8 = 1
    /// A row of more bytes does not fit its page: "the maximum amount of payload which can be
    /// stored directly on the b-tree page" is the page less 35 bytes (sqlite.org/fileformat2.html).
    static let mostBytes = 4_040
    /// Numbers are relative to that of the cell, in one byte.
    static let mostFences = 255
    /// A longer record is alone in its cell, so that not every search nearby reads it.
    static let mostShared = 1_000

    /// The records of a cell, in order.
    struct Records {
        private var reader: ByteReader

        init(_ bytes: ByteView) throws(DamagedRecord) {
            reader = ByteReader(bytes)
            guard try reader.byte() == version else { throw DamagedRecord() }
        }

        /// Where the next record begins in the bytes of the cell, after its length.
        @inline(__always)
        mutating func next() throws(DamagedRecord) -> (record: FenceRecord, start: Int)? {
            guard !reader.isAtEnd else { return nil }
            let count = try reader.varint()
            let start = reader.position
            return (try FenceRecord(try reader.take(count)), start)
        }
    }

    /// Calls `each` with every record and its position. A record that `each` finds damaged is
    /// reported to `damaged` and skipped; so is, without a record, the rest of a cell in which no
    /// next record can be found.
    @inline(__always)
    static func forEach(
        _ bytes: ByteView, damaged: (FenceRecord?) -> Void,
        _ each: (FenceRecord, _ start: Int) throws -> Void
    ) throws {
        guard var records = try? Records(bytes) else { return damaged(nil) }
        while true {
            let next: (record: FenceRecord, start: Int)?
            do { next = try records.next() } catch { return damaged(nil) }
            guard let (record, start) = next else { return }
            do { try each(record, start) } catch is DamagedRecord { damaged(record) }
        }
    }

    /// The bytes of the record in `slot`; nil if there is no such record.
    static func record(
        _ slot: Int64, of bytes: ByteView
    ) throws(DamagedRecord) -> FenceRecord? {
        var records = try Records(bytes)
        while let (record, _) = try records.next() {
            if Int64(record.slot) == slot { return record }
        }
        return nil
    }

    /// The cell with new bytes for the records for which `change` returns them: empty bytes remove
    /// the record, nil leaves it. Nil when no record is left.
    static func rewritten(
        _ bytes: ByteView,
        _ change: (FenceRecord) throws -> [UInt8]?
    ) throws -> [UInt8]? {
        var result: [UInt8] = [version]
        var records = try Records(bytes)
        while let (record, _) = try records.next() {
            if let other = try change(record) {
                if !other.isEmpty { append(other, to: &result) }
            } else {
                append(record.bytes, to: &result)
            }
        }
        return result.count > 1 ? result : nil
    }

    static func append(_ record: some Collection<UInt8>, to cell: inout [UInt8]) {
        cell.append(varint: UInt64(record.count))
        cell.append(contentsOf: record)
    }
}

extension [UInt8] {
    /// The format that ``ByteReader/varint()`` reads.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
