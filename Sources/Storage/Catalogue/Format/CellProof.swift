import Bytes

/// The checks of a cell's records, which stand in front of them. A bit that has changed in a record, or
/// a row that lies where it was not written, is found before anything of the record is believed.
///
/// Programs that know no checks take it for a record: a fence that has no place and no origin, whose id
/// is empty, so that none of their answers has it. What they write of the cell has the lengths of all
/// records in as few bytes as there can be; ours of the proof has one more. So a proof that stands for
/// an earlier state of the cell is told from one that holds, and no single bit makes one of the other.
///
///     varint length of the rest, one byte longer than it has to be
///     UInt8  slot 255, which no fence has, and what it needs to be passed over
///     UInt32 check of these, the number of the cell, and how many records there are
///     UInt32 check of each record, in their order
struct CellProof {
    /// Where the check of the first record is, in the bytes of the cell.
    private let start: Int
    /// How many records there are.
    let count: Int

    /// No fence has it: there are at most ``FenceCell/mostFences`` in a cell.
    private static let slot: UInt8 = 255
    /// An id of no bytes, generation 0, and the number of an origin that does not exist.
    private static let nobody: [UInt8] = [0, 0, 0xFF, 0xFF, 0xFF, 0x7F]
    /// Of a fence of beacons, which no search for a place looks at.
    private static let usual: [UInt8] =
        [slot, FenceRecord.Form([.beacons, .origin]).rawValue] + nobody
    /// In a cell that is found at once, where fences of beacons are looked for: of one whose place is
    /// not a number, which no place is near.
    private static let placed: [UInt8] =
        [slot, FenceRecord.Form.origin.rawValue]
        + [[UInt8]](repeating: [0, 0, 0xC0, 0x7F], count: 4).joined() + nobody

    /// Reads the proof of a cell, which begins there.
    /// - Returns: nil if there is none that stands for what follows: an older program wrote the cell.
    /// - Throws: ``DamagedRecord`` for one that is not as it was written.
    init?(_ reader: inout ByteReader, of cell: Int64) throws(DamagedRecord) {
        let begin = reader
        guard !reader.isAtEnd else { return nil }
        let (length, isPadded) = try Self.length(&reader)
        guard isPadded || reader.rest.first == Self.slot else {
            reader = begin
            return nil
        }
        let bytes = try reader.take(length)
        let head = bytes.count > 1 && bytes[1] == Self.usual[1] ? Self.usual : Self.placed
        guard bytes.count >= head.count + 4, (bytes.count - head.count) % 4 == 0,
            bytes.starts(with: head)
        else { throw DamagedRecord() }
        count = (bytes.count - head.count) / 4 - 1
        start = reader.position - 4 * count
        guard bytes.integer(at: head.count) == Self.check(head, of: cell, count) else {
            throw DamagedRecord()
        }
        if !isPadded { return nil }
    }

    /// The check of that record, which ``record(_:of:)`` must give again.
    @inline(__always)
    func check(_ index: Int, in bytes: ByteView) -> UInt32 {
        bytes.integer(at: start + 4 * index)
    }

    /// The check of a record of that cell.
    static func check(_ record: ByteView, of cell: Int64) -> UInt32 {
        UInt32(
            truncatingIfNeeded: FNV1a.mixed(
                FNV1a.hash64(wordsOf: record, seed: UInt64(bitPattern: cell))))
    }

    private static func check(_ head: [UInt8], of cell: Int64, _ count: Int) -> UInt32 {
        // Of another use: no record has such a seed.
        head.withByteView { check($0, of: ~(cell &* 256 &+ Int64(count))) }
    }

    /// Adds the proof of records with these checks to the bytes of a cell.
    /// - Parameter isFoundAtOnce: as ``FenceRecord/isFoundAtOnce()`` of its record.
    static func append(
        _ checks: [UInt32], of cell: Int64, isFoundAtOnce: Bool, to bytes: inout [UInt8]
    ) {
        let head = isFoundAtOnce ? placed : usual
        bytes.append(varint: UInt64(head.count + 4 + 4 * checks.count))
        // One byte more: the value stays the same.
        bytes[bytes.count - 1] |= 0x80
        bytes.append(0)
        bytes.append(contentsOf: head)
        append(check(head, of: cell, checks.count), to: &bytes)
        for check in checks { append(check, to: &bytes) }
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
        }
    }

    /// The most bytes that the proof of so many records takes.
    static func size(of count: Int) -> Int { 3 + placed.count + 4 + 4 * count }

    private static func length(
        _ reader: inout ByteReader
    ) throws(DamagedRecord) -> (UInt64, isPadded: Bool) {
        let start = reader.position
        let length = try reader.varint()
        let bits = UInt64.bitWidth - length.leadingZeroBitCount
        return (length, reader.position - start > max((bits + 6) / 7, 1))
    }
}
