package import Bytes
package import Files
import Glibc

// Unsafe: the map is two halves of a fixed size; all reads and writes lie within one of them, as is
// checked before.

/// Bytes that survive a kill, though not a power cut: a small file in the runtime directory, which
/// is memory, so that writing causes no flash wear.
///
/// Two halves are written alternately, each with a counter and a checksum; a process killed during
/// a write leaves the other half intact. Additions follow the last write, each with its own
/// checksum. The file is mapped: a write needs no system call.
@safe package final class CheckpointFile {
    /// The content of the file.
    package struct Content {
        /// The format of the bytes, see ``version``.
        package var version: UInt8
        /// The last bytes written.
        package var bytes: [UInt8]
        /// Added since, oldest first.
        package var additions: [[UInt8]] = []
    }

    /// The capacity of one half, bytes.
    package static let capacity = 256 * 1024
    /// At most this number of additions follow a write, so that they are quick to read.
    package static let additionLimit = 32
    private static let header = 24
    private static let additionHeader = 16
    private static let half = capacity + header
    /// The format written now. Version 3, which had one position for all sinks, can be read, and so
    /// can later ones: they append. One that does anything else has another ``magic``.
    package static let version: UInt8 = 5
    private static let firstVersion: UInt8 = 3
    /// "geo"; the version of the content follows it.
    private static let magic: UInt32 = 0x6765_6f00

    /// Where the next addition goes.
    private struct Place {
        /// From the beginning of the half, bytes.
        var offset: Int
        var index = 0

        init(after count: Int) { offset = CheckpointFile.header + CheckpointFile.padded(count) }

        /// Nil after the last.
        var isThere: Bool {
            index < CheckpointFile.additionLimit
                && offset + CheckpointFile.additionHeader <= CheckpointFile.half
        }

        mutating func advance(over count: Int) {
            offset += CheckpointFile.additionHeader + CheckpointFile.padded(count)
            index += 1
        }
    }

    private let map: UnsafeMutableRawPointer
    private var counter: UInt64 = 0
    /// Nil until this process has written something.
    private var place: Place?
    /// Beside it: records that could not be committed yet; these bytes say how much of them counts.
    package let pendingRecords: PendingRecordsFile

    /// Opens the file at `path`, and creates it if there is none.
    /// - Throws: ``CheckpointFileError`` with the path and the system's error.
    package init(path: String) throws(CheckpointFileError) {
        do throws(Errno) {
            unsafe map = try OpenFile(path, O_RDWR | O_CREAT).map(2 * Self.half)
        } catch { throw CheckpointFileError(path: path, error: error) }
        pendingRecords = PendingRecordsFile(path: path + "-waiting")
        counter = max(counter(of: 0), counter(of: 1))
    }

    deinit { unsafe munmap(map, 2 * Self.half) }

    /// The last complete write; nil if there is none.
    package func read() -> Content? {
        [0, 1].sorted { counter(of: $0) > counter(of: $1) }.lazy.compactMap(content(of:)).first
    }

    /// Stores what `body` writes; false if it exceeds ``capacity``, and then the previous content
    /// stays.
    @discardableResult
    package func write(_ body: (inout ByteWriter) -> Void) -> Bool {
        let next = counter + 1
        let base = unsafe map + Int(next % 2) * Self.half
        // The half is invalid while it is written.
        unsafe base.storeBytes(of: 0, as: UInt32.self)
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: base + Self.header, count: Self.capacity)
        var writer = unsafe ByteWriter(room)
        body(&writer)
        guard let count = writer.count else { return false }
        counter = next
        unsafe base.storeBytes(of: UInt32(count), toByteOffset: 4, as: UInt32.self)
        unsafe base.storeBytes(of: counter, toByteOffset: 8, as: UInt64.self)
        let checksum = unsafe checksum(UnsafeRawBufferPointer(rebasing: room[..<count]), counter)
        unsafe base.storeBytes(of: checksum, toByteOffset: 16, as: UInt64.self)
        unsafe base.storeBytes(of: Self.magic | UInt32(Self.version), as: UInt32.self)
        place = Place(after: count)
        return true
    }

    /// Adds what `body` writes to this process's last write; false if there is no room for it or
    /// nothing was written: then everything must be written again.
    package func add(_ body: (inout ByteWriter) -> Void) -> Bool {
        guard var next = place, next.isThere else { return false }
        let base = unsafe map + Int(counter % 2) * Self.half + next.offset
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: base + Self.additionHeader,
            count: Self.half - next.offset - Self.additionHeader)
        var writer = unsafe ByteWriter(room)
        body(&writer)
        guard let count = writer.count else { return false }
        unsafe base.storeBytes(of: UInt64(count), toByteOffset: 8, as: UInt64.self)
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
        // Last: until then the remains of an earlier addition are here, or nothing.
        unsafe base.storeBytes(of: checksum(bytes, counter, next.index), as: UInt64.self)
        next.advance(over: count)
        place = next
        return true
    }

    /// Discards the content.
    package func clear() {
        place = nil
        unsafe map.storeBytes(of: 0, as: UInt32.self)
        unsafe (map + Self.half).storeBytes(of: 0, as: UInt32.self)
    }

    /// Nil if it is not a complete half of ours.
    private func version(of half: Int) -> UInt8? {
        let word = unsafe (map + half * Self.half).load(as: UInt32.self)
        let version = UInt8(truncatingIfNeeded: word)
        return word & ~0xFF == Self.magic && version >= Self.firstVersion ? version : nil
    }

    private func counter(of half: Int) -> UInt64 {
        let base = unsafe map + half * Self.half
        guard version(of: half) != nil else { return 0 }
        return unsafe base.load(fromByteOffset: 8, as: UInt64.self)
    }

    private func content(of half: Int) -> Content? {
        let base = unsafe map + half * Self.half
        let count = unsafe Int(base.load(fromByteOffset: 4, as: UInt32.self))
        guard let version = version(of: half), count <= Self.capacity else { return nil }
        let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: base + Self.header, count: count))
        let counter = unsafe base.load(fromByteOffset: 8, as: UInt64.self)
        let expected = unsafe base.load(fromByteOffset: 16, as: UInt64.self)
        let isWhole = unsafe bytes.withUnsafeBytes { unsafe checksum($0, counter) == expected }
        guard isWhole else { return nil }
        var content = Content(version: version, bytes: bytes)
        var place = Place(after: count)
        while place.isThere, let addition = unsafe addition(base, place, counter) {
            content.additions.append(addition)
            place.advance(over: addition.count)
        }
        return content
    }

    /// Nil if there is none with this counter: the checksum covers the counter.
    private func addition(
        _ half: UnsafeMutableRawPointer, _ place: Place, _ counter: UInt64
    ) -> [UInt8]? {
        let base = unsafe half + place.offset
        let room = Self.half - place.offset - Self.additionHeader
        let count = unsafe base.load(fromByteOffset: 8, as: UInt64.self)
        guard count <= room else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: base + Self.additionHeader, count: Int(count))
        guard unsafe base.load(as: UInt64.self) == checksum(bytes, counter, place.index) else {
            return nil
        }
        return unsafe [UInt8](bytes)
    }

    /// Keeps headers aligned.
    private static func padded(_ count: Int) -> Int { (count + 7) & ~7 }

    /// Detects a half-written file. `addition`: its index, -1 for the write that they follow.
    private func checksum(
        _ bytes: UnsafeRawBufferPointer, _ counter: UInt64, _ addition: Int = -1
    ) -> UInt64 {
        let which = counter << 8 | UInt64(addition + 1)
        return unsafe FNV1a.hash64(wordsOf: ByteView(lending: bytes), seed: which)
    }
}

/// The file of the checkpoint cannot be used.
package struct CheckpointFileError: Error, CustomStringConvertible {
    /// The file or directory.
    package let path: String
    /// Of the system call that failed.
    package let error: Errno

    package var description: String { "\(path): \(error)" }
}
