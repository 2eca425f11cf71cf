import Glibc

/// Gives back the pages of code that only the start has needed. They stay in the page cache; what is
/// needed again is mapped again, at the cost of a minor fault.
///
/// Starting touches most of the program once (reading fences, opening databases, connecting); a fix
/// needs a small part of it, and the box has little memory.
@MainActor
func shrinkFootprint() {
    guard let file = fopen("/proc/self/maps", "re") else { return }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    line.withUnsafeMutableBufferPointer { line in
        guard let base = line.baseAddress else { return }
        while fgets(base, Int32(line.count), file) != nil {
            guard let (address, length) = codeMapping(base) else { continue }
            // "Subsequent accesses of pages in the range will succeed, but will result in …
            // repopulating the memory contents from the up-to-date contents of the underlying
            // mapped file" (madvise(2)). Code is never written, so nothing can be lost.
            madvise(address, length, MADV_DONTNEED)
        }
    }
}

/// A line of /proc/self/maps, if it is a file that may be executed and not written:
/// `55d0c0a00000-55d0c0a02000 r-xp 00002000 fe:00 123456  /usr/sbin/geofenced`.
private func codeMapping(
    _ line: UnsafeMutablePointer<CChar>
) -> (UnsafeMutableRawPointer, Int)? {
    var rest: UnsafeMutablePointer<CChar>? = line
    let start = strtoul(line, &rest, 16)
    guard let dash = rest, dash.pointee == CChar(UInt8(ascii: "-")) else { return nil }
    let end = strtoul(dash + 1, &rest, 16)
    guard let rights = rest, strncmp(rights, " r-xp ", 6) == 0,
        strchr(rights, Int32(UInt8(ascii: "/"))) != nil, end > start
    else { return nil }
    return UnsafeMutableRawPointer(bitPattern: start).map { ($0, Int(end - start)) }
}
