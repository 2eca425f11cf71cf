import Glibc

/// Gives back the pages of code that only the start has needed. They stay in the page cache; what is
/// needed again is mapped again, at the cost of a minor fault.
///
/// Starting touches most of the program once (reading fences, opening databases, connecting); a fix
/// needs a small part of it, and the box has little memory.
@MainActor
func shrinkFootprint() {
    for (address, length) in executableMappings() {
        // "Subsequent accesses of pages in the range will succeed, but will result in … repopulating
        // the memory contents from the up-to-date contents of the underlying mapped file"
        // (madvise(2)). Code is never written, so nothing can be lost.
        madvise(address, length, MADV_DONTNEED)
    }
}

/// Mappings of files that may be executed and not written.
private func executableMappings() -> [(UnsafeMutableRawPointer, Int)] {
    guard let file = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(file) }
    var mappings: [(UnsafeMutableRawPointer, Int)] = []
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        // 55d0c0a00000-55d0c0a02000 r-xp 00002000 fe:00 123456  /usr/sbin/geofenced
        let fields = text.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { continue }
        let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard range.count == 2, let start = UnsafeMutableRawPointer(bitPattern: range[0]) else {
            continue
        }
        mappings.append((start, Int(range[1] - range[0])))
    }
    return mappings
}
