import Glibc

// Unsafe: mkstemp(3) writes into an array that ends with 0; write(2) is given an array's memory and
// no more than its size.

/// What is written appears whole under its name, or not at all: a temporary file beside it is
/// renamed at the end. Without a name: standard output.
struct OutputFile: ~Copyable {
    private let path: String?
    private let temporary: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isFinished = false

    /// - Throws: ``Failure`` if no file can be made there.
    init(_ path: String?) throws(Failure) {
        guard let path else {
            self.init(path: nil, temporary: "", descriptor: STDOUT_FILENO)
            return
        }
        var name = Array("\(path).XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw Failure("\(Self.lastError): \(path)") }
        let temporary = name.dropLast().map { UInt8(bitPattern: $0) }
        self.init(
            path: path, temporary: String(decoding: temporary, as: UTF8.self),
            descriptor: descriptor)
    }

    // All at once: Swift 6.2 fails on a partly initialized value that is thrown away.
    private init(path: String?, temporary: String, descriptor: Int32) {
        self.path = path
        self.temporary = temporary
        self.descriptor = descriptor
    }

    deinit {
        guard path != nil else { return }
        close(descriptor)
        if !isFinished { unsafe unlink(temporary) }
    }

    mutating func write(_ bytes: [UInt8]) throws(Failure) {
        buffer += bytes
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// Gives it its name.
    mutating func finish() throws(Failure) {
        try flush()
        guard let path else { return }
        // As open(2) would have made it.
        let mask = umask(0)
        _ = umask(mask)
        guard fchmod(descriptor, 0o666 & ~mask) == 0, fsync(descriptor) == 0,
            unsafe rename(temporary, path) == 0
        else { throw Failure("\(Self.lastError): \(path)") }
        isFinished = true
    }

    private mutating func flush() throws(Failure) {
        var sent = 0
        while sent < buffer.count {
            let count = unsafe buffer.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Failure("\(Self.lastError): \(path ?? "standard output")")
            }
            sent += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static var lastError: String { unsafe String(cString: strerror(errno)) }
}
