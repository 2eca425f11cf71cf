import Compression

// Unsafe: an archive is given the memory of an array, whose count it is told.

/// The file of a recording, which may be compressed with gzip, or the recording in a zip archive; its
/// errors name the file and the line.
@safe final class TrackFile {
    private let file: GzipFile
    /// Nil if it is no archive.
    private var member: ZipMember?
    private let isArchive: Bool
    /// Read to see whether it is an archive, and not given yet: a pipe cannot go back.
    private var front: ArraySlice<UInt8>

    /// How names of recordings end.
    private static let endings = [".nmea", ".nma", ".log", ".txt", ".gpx", ".json", ".jsonl"]

    var path: String { file.path }

    convenience init(path: String) throws(TrackError) {
        do throws(CompressionError) {
            self.init(try GzipFile(path: path))
        } catch { throw TrackError(error.description, path: path) }
    }

    convenience init(descriptor: Int32, path: String) throws(TrackError) {
        do throws(CompressionError) {
            self.init(try GzipFile(descriptor: descriptor, path: path))
        } catch { throw TrackError(error.description, path: path) }
    }

    private init(_ file: GzipFile) {
        self.file = file
        var mark = [UInt8](repeating: 0, count: ZipMember.mark.count)
        // A file that is broken this early is reported by the first read.
        let count = (try? file.read(into: &mark)) ?? 0
        isArchive = count == mark.count && mark == ZipMember.mark
        front = mark[..<count]
    }

    /// The bytes of the file itself.
    private func readRaw(into buffer: inout [UInt8]) throws(CompressionError) -> Int {
        guard !front.isEmpty else { return try file.read(into: &buffer) }
        // Together with what follows: the format is told by the first read.
        var rest = [UInt8](repeating: 0, count: max(buffer.count - front.count, 0))
        let count = rest.isEmpty ? 0 : try file.read(into: &rest)
        let given = (front + rest[..<count]).prefix(buffer.count)
        front = front.dropFirst(given.count)
        buffer.replaceSubrange(..<given.count, with: given)
        return given.count
    }

    /// False for a zip archive without a file that is named like a recording.
    var mayBeRecording: Bool {
        guard isArchive, member == nil else { return true }
        member = try? found()
        return member != nil
    }

    /// Like ``GzipFile/read(into:)``; `line` is the reader's position, for the error.
    func read(into buffer: inout [UInt8], line: Int) throws(TrackError) -> Int {
        do {
            guard isArchive else { return try readRaw(into: &buffer) }
            let member = try member ?? found()
            self.member = member
            return try unsafe buffer.withUnsafeMutableBytes { try unsafe member.read(into: $0) }
        } catch { throw TrackError("\(error)", path: path, line: line) }
    }

    /// Back to the beginning.
    func rewind() throws(TrackError) {
        member = nil
        front = []
        do throws(CompressionError) {
            try file.rewind()
        } catch { throw TrackError(error.description, path: path) }
    }

    private func found() throws -> ZipMember {
        var names: [String] = []
        do {
            return try unsafe ZipMember(
                { [unowned self] room in
                    var bytes = [UInt8](repeating: 0, count: room.count)
                    let count = try readRaw(into: &bytes)
                    unsafe room.copyBytes(from: bytes[..<count])
                    return count
                },
                where: { name in
                    let name = name.lowercased()
                    if names.count < 8 { names.append(name) }
                    // Of macOS, beside each file.
                    guard !name.hasPrefix("__macosx/") else { return false }
                    return Self.endings.contains(where: name.hasSuffix)
                })
        } catch let error as CompressionError where !names.isEmpty {
            guard names.contains(where: { $0.hasSuffix(".kml") }) else { throw error }
            throw CompressionError(
                "KMZ, which is KML in a zip archive, is not read: a track is GPX, NMEA or gpsd's JSON"
            )
        }
    }
}
