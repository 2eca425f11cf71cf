import Bytes

/// The bytes of a text as they come in; only the current chunk is held. A token that extends over
/// the end of a chunk is moved to the front, so that it always lies in one piece.
///
/// Unsafe: it owns the memory it points to. Every byte that is read is checked to lie below `end`,
/// and what a source writes is checked to lie in the buffer it was given.
@safe struct JSONInput: ~Copyable {
    /// Fills the front of the given buffer and returns how many bytes it wrote; 0 is the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    /// The next byte to look at, as an index into `bytes`.
    var cursor = 0
    /// One past the last byte held.
    private(set) var end = 0
    /// The current line, from 1.
    private(set) var line = 1
    /// Offset in the whole input of the first byte of the current line.
    private(set) var lineOffset = 0

    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Offset in the whole input of `bytes[0]`.
    private var baseOffset = 0
    /// Where the token begins whose bytes must stay; negative when there is none.
    private var mark = -1
    private var ended = false
    private let source: Source

    init(bufferSize: Int, source: @escaping Source) {
        capacity = max(bufferSize, 16)
        unsafe bytes = .allocate(capacity: capacity)
        unsafe self.source = unsafe source
    }

    /// A text that is already whole in memory.
    init(_ text: [UInt8]) {
        unsafe self.init(bufferSize: text.count) { _ in 0 }
        end = text.count
        ended = true
        unsafe text.withUnsafeBufferPointer {
            if let from = $0.baseAddress { unsafe bytes.update(from: from, count: end) }
        }
    }

    deinit { unsafe bytes.deallocate() }

    /// The byte at that index, which must be held.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < end, "a byte that is not held")
        return unsafe bytes[index]
    }

    /// `count` bytes from `first` on, which must be held; not valid after the following `more`.
    func view(from first: Int, count: Int) -> ByteView {
        precondition(first >= 0 && count >= 0 && first <= end - count, "bytes that are not held")
        return unsafe ByteView(lending: UnsafeRawBufferPointer(start: bytes + first, count: count))
    }

    /// Offset of the cursor in the whole input.
    var offset: Int { baseOffset + cursor }

    /// The bytes from here on are kept until `release`.
    mutating func keep() { mark = cursor }

    mutating func release() { mark = -1 }

    /// The bytes since `keep`; not valid after the following `more`.
    var kept: ByteView { view(from: max(mark, 0), count: keptCount) }

    /// How many bytes since `keep`.
    var keptCount: Int { mark < 0 ? 0 : cursor - mark }

    /// Reads on behind what is held; false at the end of the input. May move the bytes.
    mutating func more() throws -> Bool {
        guard !ended else { return false }
        let first = mark < 0 ? cursor : mark
        if first > 0 {
            unsafe bytes.update(from: bytes + first, count: end - first)
            baseOffset += first
            cursor -= first
            end -= first
            if mark >= 0 { mark = 0 }
        }
        if end == capacity { grow() }
        let room = unsafe UnsafeMutableRawBufferPointer(start: bytes + end, count: capacity - end)
        let count = try unsafe source(room)
        precondition(count >= 0 && count <= room.count, "a source wrote beyond its room")
        ended = count == 0
        end += count
        return !ended
    }

    /// True when at least `count` bytes from the cursor on are held.
    @inline(__always)
    mutating func has(_ count: Int) throws -> Bool {
        end - cursor >= count ? true : try fetch(count)
    }

    private mutating func fetch(_ count: Int) throws -> Bool {
        while end - cursor < count {
            guard try more() else { return false }
        }
        return true
    }

    /// The next byte that is no white space, not consumed; nil at the end.
    @inline(__always)
    mutating func visible() throws -> UInt8? {
        if cursor < end, self[cursor] > 0x20 { return self[cursor] }
        return try skipSpace()
    }

    private mutating func skipSpace() throws -> UInt8? {
        while true {
            while cursor < end {
                switch self[cursor] {
                case 0x20, 0x09, 0x0D: cursor += 1
                case 0x0A:
                    cursor += 1
                    line += 1
                    lineOffset = offset
                case let byte: return byte
                }
            }
            guard try more() else { return nil }
        }
    }

    /// Skips the plain bytes of a string: ASCII except quote, backslash and control characters.
    mutating func skipPlain() {
        // Eight bytes at once: bit 7 of a lane is set where the byte is special. The borrow of one
        // lane can only raise a false alarm in a higher one, which the loop below then checks.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while end - cursor >= 8 {
            let word = unsafe UnsafeRawPointer(bytes + cursor).loadUnaligned(as: UInt64.self)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let special = (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | word
            guard special & highs == 0 else { break }
            cursor += 8
        }
        while cursor < end {
            let byte = self[cursor]
            guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { return }
            cursor += 1
        }
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        unsafe larger.update(from: bytes, count: end)
        unsafe bytes.deallocate()
        unsafe bytes = unsafe larger
        capacity *= 2
    }
}
