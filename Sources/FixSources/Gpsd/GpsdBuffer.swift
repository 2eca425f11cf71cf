import Glibc

/// What has come from gpsd and is not yet a whole line. Lines are given where they lie, without a
/// copy; one that does not end is passed over up to the next newline.
package final class GpsdBuffer {
    /// gpsd's own longest response is 10,240 bytes (GPS_JSON_RESPONSE_MAX).
    static let capacity = 32_768

    private let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: capacity)
    private var filled = 0
    private var isDiscarding = false
    /// Lines that were longer than the buffer.
    private(set) var overlong = 0

    package init() {}

    deinit { memory.deallocate() }

    /// Reads what there is, at most one buffer full; 0 is the end, -1 an error in errno.
    package func fill(from descriptor: Int32) -> Int {
        let room = UnsafeMutableBufferPointer(rebasing: memory[filled...])
        let count = read(descriptor, room.baseAddress, room.count)
        if count > 0 { filled += count }
        return count
    }

    /// Gives every whole line, NUL-terminated, for as long as `body` wants more.
    package func lines(_ body: (UnsafeMutableBufferPointer<CChar>) -> Bool) {
        var start = 0
        while start < filled, let base = memory.baseAddress,
            let newline = memchr(base + start, Int32(UInt8(ascii: "\n")), filled - start)
        {
            let end = newline.assumingMemoryBound(to: CChar.self) - base
            var last = end
            if last > start, memory[last - 1] == CChar(truncatingIfNeeded: UInt8(ascii: "\r")) {
                last -= 1
            }
            memory[last] = 0
            let line = UnsafeMutableBufferPointer(rebasing: memory[start...last])
            start = end + 1
            if isDiscarding {
                isDiscarding = false
                continue
            }
            if line.count > 1, !body(line) { break }
        }
        keep(from: start)
    }

    private func keep(from start: Int) {
        filled -= start
        if start > 0, filled > 0, let base = memory.baseAddress {
            memmove(base, base + start, filled)
        }
        guard filled == Self.capacity || isDiscarding else { return }
        if !isDiscarding { overlong += 1 }
        isDiscarding = true
        filled = 0
    }

    /// Forgets what came from a connection that is over.
    func clear() {
        filled = 0
        isDiscarding = false
    }
}
