import Files
import Glibc
import Program

/// What is written appears whole under its name, or not at all. Without a name: standard output.
struct OutputFile {
    private let path: String
    private let replacement: Replacement?
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Throws: ``Failure`` if no file can be made there.
    init(_ path: String?) throws(Failure) {
        self.path = path ?? "standard output"
        // As open(2) would make it.
        let mask = umask(0)
        _ = umask(mask)
        do throws(Errno) {
            replacement = try path.map { path throws(Errno) in
                try Replacement(of: path, mode: 0o666 & ~mask, .unique)
            }
        } catch { throw Failure(error, self.path) }
        descriptor = replacement?.file.descriptor ?? STDOUT_FILENO
    }

    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        buffer += bytes
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// Gives it its name.
    mutating func finish() throws(Failure) {
        try flush()
        do throws(Errno) { try replacement?.finish() } catch { throw Failure(error, path) }
    }

    private mutating func flush() throws(Failure) {
        do throws(Errno) { try OpenFile.write(buffer, to: descriptor) } catch {
            throw Failure(error, path)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
