/// A set of row numbers with one bit each: 128 KB for a million rows, where a set of their ids
/// would exceed the memory limit.
struct RowSet {
    private static let wordsInBlock = 64
    private var blocks: [Int64: [UInt64]] = [:]

    /// False if it was in the set already.
    mutating func insert(_ row: Int64) -> Bool {
        let (block, word, bit) = Self.place(row)
        var words = blocks[block] ?? Array(repeating: 0, count: Self.wordsInBlock)
        blocks[block] = nil
        defer { blocks[block] = words }
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        return true
    }

    func contains(_ row: Int64) -> Bool {
        let (block, word, bit) = Self.place(row)
        return blocks[block].map { $0[word] & bit != 0 } ?? false
    }

    /// Of a negative number too, which a damaged file may hold.
    private static func place(_ row: Int64) -> (block: Int64, word: Int, bit: UInt64) {
        (row >> 12, Int(row >> 6 & 63), 1 << UInt64(row & 63))
    }
}
