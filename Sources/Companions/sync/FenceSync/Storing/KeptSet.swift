import Compression
import Files
import Glibc
package import JSON

// Unsafe: system calls take paths of ours; what is read is put into the memory that a reader lends, up
// to its count.

/// Lines of a set that can be read from the beginning, again and again.
package protocol SetLines {
    /// A reader from the beginning; it must not outlive this object.
    func json(limits: JSONLimits) throws(SyncFailure) -> JSONReader
}

extension SetLines {
    /// With the usual limits: of what was checked when it came.
    func json() throws(SyncFailure) -> JSONReader { try json(limits: JSONLimits()) }
}

/// The set that the daemon was given, compressed, `last.geojson.gz` of the state directory: only of a
/// source whose next set is made from it, see ``SourceSettings/needsFormerSet``.
package struct KeptSet {
    private let path: String
    /// Of versions that kept it as it was.
    private let former: String

    package init(directory: String) {
        former = "\(directory)/last.geojson"
        path = former + ".gz"
    }

    /// Brings what is there into the form of this version.
    /// - Parameter isNeeded: whether anything is to be there.
    package func upgrade(isNeeded: Bool) throws(SyncFailure) {
        guard isNeeded else {
            unsafe unlink(path)
            unsafe unlink(former)
            unsafe unlink(path + ".new")
            return
        }
        guard let set = SpoolFile(reading: former) else { return }
        try save(set)
    }

    /// Replaces it: after a power cut it is the former set or this one.
    package func save(_ set: SpoolFile) throws(SyncFailure) {
        let replacement = try SyncFailure.storing(path) { () throws(Errno) in
            try Replacement(of: path)
        }
        let writer = try compressing { () throws(CompressionError) in
            try GzipWriter(descriptor: replacement.file.descriptor)
        }
        var offset = 0
        while true {
            // What cannot be read is no end: a part of the set must not pass for all of it.
            let bytes = try set.bytes(at: offset, count: 1 << 16)
            if bytes.isEmpty { break }
            try compressing { () throws(CompressionError) in try writer.write(bytes) }
            offset += bytes.count
        }
        try compressing { () throws(CompressionError) in try writer.finish() }
        try SyncFailure.storing(path) { () throws(Errno) in try replacement.finish() }
        unsafe unlink(former)
    }

    private func compressing<Value>(
        _ body: () throws(CompressionError) -> Value
    ) throws(SyncFailure) -> Value {
        do throws(CompressionError) { return try body() } catch {
            throw SyncFailure(.notStored, "\(path): \(error)")
        }
    }

    /// What is there, without a check; nil if there is nothing.
    package func open() -> StoredSet? { StoredSet(path) }

    /// What is there and can be read to its end; nil otherwise.
    package func openWhole() -> StoredSet? {
        guard let set = open(), set.isWhole else { return nil }
        return set
    }
}

/// An open ``KeptSet``.
package final class StoredSet: SetLines {
    private let file: GzipFile

    fileprivate init?(_ path: String) {
        guard let opened = try? OpenFile(path, O_RDONLY | O_NOFOLLOW) else { return nil }
        defer { withExtendedLifetime(opened) {} }
        guard let file = try? GzipFile(descriptor: opened.descriptor, path: path) else {
            return nil
        }
        self.file = file
    }

    /// gzip has a checksum at the end.
    fileprivate var isWhole: Bool {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        do throws(CompressionError) {
            try file.rewind()
            while try file.read(into: &room) > 0 {}
            return true
        } catch { return false }
    }

    package func json(limits: JSONLimits) throws(SyncFailure) -> JSONReader {
        do throws(CompressionError) { try file.rewind() } catch {
            throw SyncFailure(.notStored, "the former set: \(error)")
        }
        let file = file
        return unsafe JSONReader(limits: limits) { room in
            var bytes = [UInt8](repeating: 0, count: room.count)
            let count = try file.read(into: &bytes)
            unsafe room.copyBytes(from: bytes[..<count])
            return count
        }
    }
}
