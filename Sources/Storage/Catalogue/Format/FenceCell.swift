import Bytes
import Geodesy

/// Fences that lie near one another, in one row of the catalogue: a version byte, the ``CellProof``, then
/// each ``FenceRecord`` preceded by its length as a varint. A cell that an older program wrote has no
/// proof, and is as good; it gets one when it is next written.
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
        private let bytes: ByteView
        private let cell: Int64
        private let proof: CellProof?
        private var index = 0

        init(_ bytes: ByteView, of cell: Int64) throws(DamagedRecord) {
            reader = ByteReader(bytes)
            (self.bytes, self.cell) = (bytes, cell)
            guard try reader.byte() == version else { throw DamagedRecord() }
            proof = try CellProof(&reader, of: cell)
        }

        /// Where the next record begins in the bytes of the cell, after its length.
        /// - Throws: ``DamagedRecord`` for one that is not as it was written; the next call gives the one
        ///   behind it, if that can be found.
        @inline(__always)
        mutating func next() throws(DamagedRecord) -> (record: FenceRecord, start: Int)? {
            guard let raw = try nextRaw() else { return nil }
            guard raw.isAsWritten else { throw DamagedRecord() }
            return (try FenceRecord(raw.bytes, isProven: raw.check != nil), raw.start)
        }

        /// The same, whether it is as it was written or not.
        @inline(__always)
        fileprivate mutating func nextRaw() throws(DamagedRecord) -> Raw? {
            guard !reader.isAtEnd else {
                guard let proof, index < proof.count else { return nil }
                // The last ones are not there.
                index = proof.count
                throw DamagedRecord()
            }
            do throws(DamagedRecord) {
                let count = try reader.varint()
                let start = reader.position
                let record = try reader.take(count)
                guard let proof else {
                    return Raw(bytes: record, start: start, check: nil, isAsWritten: true)
                }
                guard index < proof.count else { throw DamagedRecord() }
                let check = proof.check(index, in: bytes)
                index += 1
                return Raw(
                    bytes: record, start: start, check: check,
                    isAsWritten: check == CellProof.check(record, of: cell))
            } catch {
                reader = ByteReader(bytes, from: bytes.count)
                index = proof?.count ?? 0
                throw error
            }
        }
    }

    fileprivate struct Raw {
        var bytes: ByteView
        var start: Int
        /// Nil in a cell without a proof.
        var check: UInt32?
        var isAsWritten: Bool
    }

    /// Calls `each` with every record and its position. A record that `each` finds damaged is
    /// reported to `damaged` and skipped; so is, without a record, one that is not as it was written,
    /// and the rest of a cell in which no next record can be found.
    @inline(__always)
    static func forEach(
        _ bytes: ByteView, of cell: Int64, damaged: (FenceRecord?) -> Void,
        _ each: (FenceRecord, _ start: Int) throws -> Void
    ) throws {
        guard var records = try? Records(bytes, of: cell) else { return damaged(nil) }
        while true {
            let next: (record: FenceRecord, start: Int)?
            do { next = try records.next() } catch {
                damaged(nil)
                continue
            }
            guard let (record, start) = next else { return }
            do { try each(record, start) } catch is DamagedRecord { damaged(record) }
        }
    }

    /// The bytes of the record in `slot`; nil if there is no such record that is as it was written.
    static func record(
        _ slot: Int64, of bytes: ByteView, _ cell: Int64
    ) throws(DamagedRecord) -> FenceRecord? {
        var records = try Records(bytes, of: cell)
        while let raw = try records.nextRaw() {
            guard raw.isAsWritten, raw.bytes.first.map(Int64.init) == slot else { continue }
            return try FenceRecord(raw.bytes, isProven: raw.check != nil)
        }
        return nil
    }

    /// Whether there is no record, not even one that is not as it was written.
    static func isEmpty(_ bytes: ByteView, _ cell: Int64) -> Bool {
        do {
            var records = try Records(bytes, of: cell)
            return try records.nextRaw() == nil
        } catch { return false }
    }

    /// The cell without the records that are not as they were written, and those that `keeps` refuses.
    /// - Returns: what is left, nil for nothing; whether that is something else.
    static func mended(
        _ bytes: ByteView, of cell: Int64, keeps: (FenceRecord) throws -> Bool
    ) rethrows -> (rest: [UInt8]?, isChanged: Bool) {
        var result = CellBytes()
        guard var records = try? Records(bytes, of: cell) else { return (nil, true) }
        var isChanged = false
        while true {
            let next: Raw?
            do { next = try records.nextRaw() } catch {
                isChanged = true
                continue
            }
            guard let raw = next else { break }
            guard raw.isAsWritten,
                let record = try? FenceRecord(raw.bytes, isProven: raw.check != nil),
                try keeps(record)
            else {
                isChanged = true
                continue
            }
            result.append(raw.bytes, of: cell)
        }
        return result.count > 0 ? (result.bytes(of: cell), isChanged) : (nil, true)
    }

    /// The cell with new bytes for the records for which `change` returns them: empty bytes remove
    /// the record, nil leaves it. Nil when no record is left. One that is not as it was written stays so.
    static func rewritten(
        _ bytes: ByteView, of cell: Int64,
        _ change: (FenceRecord) throws -> [UInt8]?
    ) throws -> [UInt8]? {
        var result = CellBytes()
        var records = try Records(bytes, of: cell)
        while let raw = try records.nextRaw() {
            guard raw.isAsWritten else {
                result.append(raw.bytes, check: raw.check ?? 0)
                continue
            }
            if let other = try change(try FenceRecord(raw.bytes, isProven: raw.check != nil)) {
                if !other.isEmpty { other.withByteView { result.append($0, of: cell) } }
            } else if let check = raw.check {
                result.append(raw.bytes, check: check)
            } else {
                result.append(raw.bytes, of: cell)
            }
        }
        return result.count > 0 ? result.bytes(of: cell) : nil
    }
}

/// A cell that is put together, record after record.
struct CellBytes {
    private var records: [UInt8] = []
    private var checks: [UInt32] = []

    var count: Int { checks.count }
    /// The most bytes that it has with one more record of that length.
    func size(with record: Int) -> Int {
        1 + CellProof.size(of: count + 1) + records.count + record + 2
    }

    /// Adds a record with its check.
    /// - Parameter slot: in place of the one that it has.
    mutating func append(_ record: ByteView, of cell: Int64, slot: UInt8? = nil) {
        let start = begin(record)
        if let slot { records[start] = slot }
        let check = records[start...].withByteView { CellProof.check($0, of: cell) }
        checks.append(check)
    }

    /// Adds one with a check that may not be its own.
    mutating func append(_ record: ByteView, check: UInt32) {
        _ = begin(record)
        checks.append(check)
    }

    private mutating func begin(_ record: ByteView) -> Int {
        records.append(varint: UInt64(record.count))
        records.append(contentsOf: record)
        return records.count - record.count
    }

    func bytes(of cell: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + CellProof.size(of: count) + records.count)
        bytes.append(FenceCell.version)
        CellProof.append(checks, of: cell, isFoundAtOnce: isFoundAtOnce, to: &bytes)
        bytes += records
        return bytes
    }

    private var isFoundAtOnce: Bool {
        guard count == 1 else { return false }
        return records.withByteView { bytes in
            var reader = ByteReader(bytes)
            guard let length = try? reader.varint(), let record = try? reader.take(length) else {
                return false
            }
            return (try? FenceRecord(record).isFoundAtOnce()) ?? false
        }
    }

    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        checks.removeAll(keepingCapacity: true)
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
