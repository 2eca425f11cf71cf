/// Splits the output or a log of gpsd into lines of limited length: a line that is too long is
/// skipped up to the next newline.
///
/// The caller takes one line at a time. No handler is called while lines are split, so that none
/// can clear them meanwhile: a line is decoded to a value, which is handled when the line is done.
package struct GpsdLines {
    /// Bytes of a line with its newline; gpsd's own longest response is 10,240
    /// (GPS_JSON_RESPONSE_MAX).
    package static let longest = 16_384

    /// Much more than a line: what has waited is read at once, and its events are committed together.
    package static let capacity = 131_072

    private var memory = [UInt8](repeating: 0, count: capacity)
    /// What has not been returned yet is `memory[start..<end]`.
    private var start = 0
    private var end = 0
    private var isPassingOver = false
    /// Lines that were longer than ``longest``.
    package private(set) var overlong = 0
    /// Lines that have ended, of any length.
    package private(set) var count = 0

    package init() {}

    /// Reads what is available, as much as there is room for, and at most `limit` bytes; 0 is the
    /// end, -1 an error in errno.
    package mutating func fill(from descriptor: Int32, atMost limit: Int = .max) -> Int {
        makeRoom()
        let count = read(descriptor, into: &memory, from: end, atMost: limit)
        if count > 0 { end += count }
        return count
    }

    /// Copies from the front of `bytes` what there is room for, and returns how many those were: at
    /// least one, if there are any.
    package mutating func fill(from bytes: Span<UInt8>) -> Int {
        makeRoom()
        let count = min(bytes.count, memory.count - end)
        for index in 0..<count { memory[end + index] = bytes[index] }
        end += count
        return count
    }

    /// The result of `read` for the next complete line, which is passed without its end and is
    /// never empty; nil if there is no complete line.
    package mutating func next<Word>(_ read: (Span<UInt8>) -> Word) -> Word? {
        while start < end {
            // Not beyond: what stands there is old.
            let newline = memory.span.extracting(..<end).firstIndex(
                of: UInt8(ascii: "\n"), from: start)
            guard let newline else {
                passOver()
                return nil
            }
            var line = start..<newline
            start = newline + 1
            count += 1
            if isPassingOver {
                isPassingOver = false
                continue
            }
            if line.count >= Self.longest {
                overlong += 1
                continue
            }
            if line.last.map({ memory[$0] }) == UInt8(ascii: "\r") { line = line.dropLast() }
            if !line.isEmpty { return read(memory.span.extracting(line)) }
        }
        return nil
    }

    /// Discards input from a connection that has ended.
    package mutating func clear() {
        (start, end) = (0, 0)
        isPassingOver = false
    }

    /// Discards what there is of a line that is too long already.
    private mutating func passOver() {
        guard isPassingOver || end - start >= Self.longest else { return }
        if !isPassingOver { overlong += 1 }
        isPassingOver = true
        (start, end) = (0, 0)
    }

    /// Makes room for at least one byte: removes lines that were returned, or all of them where the
    /// caller has let it fill up.
    private mutating func makeRoom() {
        if start > 0 {
            for index in start..<end { memory[index - start] = memory[index] }
            end -= start
            start = 0
        }
        if end == memory.count { passOver() }
    }
}
