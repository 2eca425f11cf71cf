/// What has come from gpsd, or stands in a log of it, cut into lines of bounded length: one that
/// does not end is passed over up to the next newline.
///
/// Whoever wants a line takes the next one. Nothing is called while lines are cut, so that nothing
/// can forget them meanwhile: what a line says is a value, and is acted upon when the line is done.
package struct GpsdLines {
    /// Bytes of a line with its newline; gpsd's own longest response is 10,240
    /// (GPS_JSON_RESPONSE_MAX).
    package static let longest = 16_384

    private var memory = [UInt8](repeating: 0, count: longest)
    /// What has not been given yet is `memory[start..<end]`.
    private var start = 0
    private var end = 0
    private var isPassingOver = false
    /// Lines that were longer than ``longest``.
    package private(set) var overlong = 0
    /// Lines that have ended, of any length.
    package private(set) var count = 0

    package init() {}

    /// Reads what there is, as much as there is room for, and `limit` bytes at most; 0 is the end, -1
    /// an error in errno.
    package mutating func fill(from descriptor: Int32, atMost limit: Int = .max) -> Int {
        makeRoom()
        let count = read(descriptor, into: &memory, from: end, atMost: limit)
        if count > 0 { end += count }
        return count
    }

    /// Takes from the front of `bytes` what there is room for, and gives how many that were: at
    /// least one, if there are any.
    package mutating func fill(from bytes: Span<UInt8>) -> Int {
        makeRoom()
        let count = min(bytes.count, memory.count - end)
        for index in 0..<count { memory[end + index] = bytes[index] }
        end += count
        return count
    }

    /// What `read` makes of the next whole line, which it is given without its end and never empty;
    /// nil when there is none.
    package mutating func next<Word>(_ read: (Span<UInt8>) -> Word) -> Word? {
        while start < end,
            let newline = memory.span.firstIndex(of: UInt8(ascii: "\n"), from: start),
            newline < end
        {
            var line = start..<newline
            start = newline + 1
            count += 1
            if isPassingOver {
                isPassingOver = false
                continue
            }
            if line.last.map({ memory[$0] }) == UInt8(ascii: "\r") { line = line.dropLast() }
            if !line.isEmpty { return read(memory.span.extracting(line)) }
        }
        return nil
    }

    /// Forgets what came from a connection that is over.
    package mutating func clear() {
        (start, end) = (0, 0)
        isPassingOver = false
    }

    /// Room for one byte at least: what was given goes, and a line that fills all of it.
    private mutating func makeRoom() {
        if start > 0 {
            for index in start..<end { memory[index - start] = memory[index] }
            end -= start
            start = 0
        }
        guard end == memory.count || isPassingOver else { return }
        if !isPassingOver { overlong += 1 }
        isPassingOver = true
        end = 0
    }
}
