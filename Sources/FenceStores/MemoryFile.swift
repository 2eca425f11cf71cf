package import Fencing
import Glibc

/// Bytes that outlive a kill, though not a power cut: a small file in the runtime directory, which
/// is memory and costs no wear.
///
/// Two halves are written in turn, each with a counter and a checksum; a process killed in the
/// middle of a write leaves the other half whole. The file is mapped: a write costs no system call.
package final class MemoryFile {
    /// What one half can hold, bytes.
    package static let capacity = 256 * 1024
    private static let header = 24
    private static let half = capacity + header
    /// "geo" and the version of what the bytes are.
    private static let magic: UInt32 = 0x6765_6f02

    private let map: UnsafeMutableRawPointer
    private var counter: UInt64 = 0
    /// Beside it: what waits for the disk, of which these bytes say how much counts.
    package let waiting: WaitingFile

    /// Opens the file at `path` and makes it where there is none.
    /// - Throws: ``MemoryFileError`` naming the path and what the system said.
    package init(path: String) throws(MemoryFileError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw MemoryFileError(path: path, errno: errno) }
        defer { close(file) }
        // Blocks are there before they are mapped: a full tmpfs is an error here, not a SIGBUS later.
        let failure = posix_fallocate(file, 0, off_t(2 * Self.half))
        guard failure == 0 else { throw MemoryFileError(path: path, errno: failure) }
        guard let map = mmap(nil, 2 * Self.half, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            map != MAP_FAILED
        else { throw MemoryFileError(path: path, errno: errno) }
        self.map = map
        waiting = WaitingFile(path: path + "-waiting")
        counter = max(counter(of: 0), counter(of: 1))
    }

    deinit { munmap(map, 2 * Self.half) }

    /// The bytes last written whole; nil where there are none.
    package func read() -> [UInt8]? {
        [0, 1].sorted { counter(of: $0) > counter(of: $1) }.lazy.compactMap(content(of:)).first
    }

    /// Remembers what `body` writes; false where that is more than ``capacity``, and then what was
    /// remembered before stays.
    @discardableResult
    package func write(_ body: (inout ByteWriter) -> Void) -> Bool {
        let next = counter + 1
        let base = map + Int(next % 2) * Self.half
        // The half is invalid while it is written.
        base.storeBytes(of: 0, as: UInt32.self)
        let room = UnsafeMutableRawBufferPointer(start: base + Self.header, count: Self.capacity)
        var writer = ByteWriter(room)
        body(&writer)
        guard let count = writer.count else { return false }
        counter = next
        base.storeBytes(of: UInt32(count), toByteOffset: 4, as: UInt32.self)
        base.storeBytes(of: counter, toByteOffset: 8, as: UInt64.self)
        let checksum = checksum(UnsafeRawBufferPointer(rebasing: room[..<count]), counter)
        base.storeBytes(of: checksum, toByteOffset: 16, as: UInt64.self)
        base.storeBytes(of: Self.magic, as: UInt32.self)
        return true
    }

    /// Forgets everything.
    package func clear() {
        map.storeBytes(of: 0, as: UInt32.self)
        (map + Self.half).storeBytes(of: 0, as: UInt32.self)
    }

    private func counter(of half: Int) -> UInt64 {
        let base = map + half * Self.half
        guard base.load(as: UInt32.self) == Self.magic else { return 0 }
        return base.load(fromByteOffset: 8, as: UInt64.self)
    }

    private func content(of half: Int) -> [UInt8]? {
        let base = map + half * Self.half
        let count = Int(base.load(fromByteOffset: 4, as: UInt32.self))
        guard base.load(as: UInt32.self) == Self.magic, count <= Self.capacity else { return nil }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: base + Self.header, count: count))
        let counter = base.load(fromByteOffset: 8, as: UInt64.self)
        let expected = base.load(fromByteOffset: 16, as: UInt64.self)
        let isWhole = bytes.withUnsafeBytes { checksum($0, counter) == expected }
        return isWhole ? bytes : nil
    }

    /// FNV-1a, 64 bits, over words: against a half-written file, not against an enemy.
    private func checksum(_ bytes: UnsafeRawBufferPointer, _ counter: UInt64) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ counter
        let words = bytes.count / 8
        for word in 0..<words {
            let value = bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
            hash = (hash ^ value) &* 0x100_0000_01b3
        }
        for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}

/// The memory file cannot be used.
package struct MemoryFileError: Error, CustomStringConvertible {
    package let path: String
    package let errno: Int32

    package var description: String { "\(path): \(String(cString: strerror(errno)))" }
}
