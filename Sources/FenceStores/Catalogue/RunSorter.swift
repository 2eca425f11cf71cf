import CSQLite
import Glibc

/// Byte strings in the order of a key, and of their bytes where keys are equal, in memory that does
/// not grow with their number: sorted runs go to a file without a name, and are merged.
///
/// First ``append(key:_:)`` what there is, then ``next(_:)`` until it says false.
final class RunSorter {
    /// Bytes of one run. What stays below never sees a file.
    private static let runBytes = 1 << 20

    private struct Entry {
        var key: UInt64
        var start: UInt32
        var count: UInt32

        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    private let directory: String
    /// Bytes at the end of each string that do not count for the order.
    private let suffix: Int
    private var arena: [UInt8] = []
    private var entries: [Entry] = []
    private var file: Int32?
    private var fileSize = 0
    private var runs: [RunReader] = []
    /// A heap by the heads of the runs, while merging.
    private var heap: [Int] = []
    private var isSealed = false
    private var position = 0

    /// - Parameter directory: where a file may be made.
    init(directory: String, suffix: Int = 0) {
        self.directory = directory
        self.suffix = suffix
    }

    deinit {
        if let file { close(file) }
    }

    /// `write` appends the string to the bytes it is given.
    func append(key: UInt64, _ write: (inout [UInt8]) -> Void) throws(StoreError) {
        if arena.count >= Self.runBytes { try spill() }
        if arena.isEmpty { arena.reserveCapacity(Self.runBytes + 4_096) }
        let start = arena.count
        write(&arena)
        entries.append(
            Entry(key: key, start: UInt32(start), count: UInt32(arena.count - start)))
    }

    /// The next string in order; its bytes are gone with the call. False: there are no more.
    func next(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        if !isSealed { try seal() }
        if runs.isEmpty {
            guard position < entries.count else { return false }
            let entry = entries[position]
            position += 1
            try arena.withUnsafeBytes {
                try body(UnsafeRawBufferPointer(rebasing: $0[entry.range]))
            }
            return true
        }
        guard let first = heap.first else { return false }
        try runs[first].withHead { _, bytes in try body(bytes) }
        try runs[first].advance()
        if runs[first].isOver {
            heap[0] = heap[heap.count - 1]
            heap.removeLast()
        }
        siftDown()
        return true
    }

    private func seal() throws(StoreError) {
        isSealed = true
        guard file != nil else { return sort() }
        try spill()
        arena = []
        entries = []
        for index in runs.indices {
            try runs[index].advance()
            heap.append(index)
        }
        heap.sort { precedes($0, $1) }
    }

    private func sort() {
        arena.withUnsafeBytes { bytes in
            entries.sort { a, b in
                if a.key != b.key { return a.key < b.key }
                return Self.order(bytes[a.range].dropLast(suffix), bytes[b.range].dropLast(suffix))
                    < 0
            }
        }
    }

    private func spill() throws(StoreError) {
        guard !entries.isEmpty else { return }
        sort()
        let descriptor: Int32
        if let file { descriptor = file } else { descriptor = try Self.namelessFile(directory) }
        file = descriptor
        let start = fileSize
        var output: [UInt8] = []
        output.reserveCapacity(1 << 17)
        for entry in entries {
            output.append(raw: entry.key)
            output.append(raw: entry.count)
            output.append(contentsOf: arena[entry.range])
            if output.count >= 1 << 16 { try write(&output, descriptor) }
        }
        try write(&output, descriptor)
        runs.append(RunReader(descriptor, directory, from: start, to: fileSize))
        arena.removeAll(keepingCapacity: arena.capacity < 2 * Self.runBytes)
        entries.removeAll(keepingCapacity: true)
    }

    private func write(_ output: inout [UInt8], _ descriptor: Int32) throws(StoreError) {
        var written = 0
        while written < output.count {
            let count = output.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress?.advanced(by: written), output.count - written,
                    off_t(fileSize))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("writing", SQLITE_IOERR, directory) }
            written += count
            fileSize += count
        }
        output.removeAll(keepingCapacity: true)
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        runs[a].withHead { key, bytes in
            runs[b].withHead { otherKey, other in
                if key != otherKey { return key < otherKey }
                let order = Self.order(bytes.dropLast(suffix), other.dropLast(suffix))
                return order == 0 ? a < b : order < 0
            }
        }
    }

    private func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if precedes(heap[child], heap[least]) { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private static func order(
        _ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        let a = UnsafeRawBufferPointer(rebasing: a)
        let b = UnsafeRawBufferPointer(rebasing: b)
        if let start = a.baseAddress, let other = b.baseAddress {
            let order = memcmp(start, other, min(a.count, b.count))
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }

    private static func namelessFile(_ directory: String) throws(StoreError) -> Int32 {
        var template = Array("\(directory)/.sort-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("making", SQLITE_CANTOPEN, directory) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return descriptor
    }

    fileprivate static func failure(
        _ doing: String, _ code: Int32, _ directory: String
    ) -> StoreError {
        let reason = errno
        return StoreError(
            code: reason == ENOSPC || reason == EDQUOT
                ? SQLITE_FULL : reason == EROFS ? SQLITE_READONLY : code,
            message: "\(doing) a file to sort in: \(String(cString: strerror(reason)))",
            path: directory)
    }
}

extension RunSorter {
    /// One sorted run in the file, read a piece at a time.
    private struct RunReader {
        private static let pieceBytes = 1 << 15

        private let descriptor: Int32
        private let directory: String
        private var offset: Int
        private let end: Int
        private var buffer: [UInt8] = []
        private var position = 0
        private var key: UInt64 = 0
        private var count = 0
        private(set) var isOver = false

        init(_ descriptor: Int32, _ directory: String, from start: Int, to end: Int) {
            self.descriptor = descriptor
            self.directory = directory
            offset = start
            self.end = end
        }

        /// The string it stands on.
        func withHead<Result>(
            _ body: (UInt64, UnsafeRawBufferPointer) throws -> Result
        ) rethrows -> Result {
            try buffer.withUnsafeBytes {
                try body(
                    key, UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
            }
        }

        mutating func advance() throws(StoreError) {
            position += count
            count = 0
            guard position < buffer.count || offset < end else {
                isOver = true
                return
            }
            try need(12)
            (key, count) = buffer.withUnsafeBytes {
                (
                    UInt64(
                        littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
                    Int(
                        UInt32(
                            littleEndian: $0.loadUnaligned(
                                fromByteOffset: position + 8, as: UInt32.self)))
                )
            }
            position += 12
            try need(count)
        }

        /// Reads on until so many bytes lie behind the position.
        private mutating func need(_ needed: Int) throws(StoreError) {
            guard buffer.count - position < needed else { return }
            buffer.removeSubrange(..<position)
            position = 0
            let held = buffer.count
            let room = min(max(Self.pieceBytes, needed - held), end - offset)
            buffer.append(contentsOf: repeatElement(0, count: room))
            var filled = held
            while filled < buffer.count {
                let count = buffer.withUnsafeMutableBytes {
                    pread(
                        descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled,
                        off_t(offset))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw RunSorter.failure("reading", SQLITE_IOERR, directory)
                }
                filled += count
                offset += count
            }
            guard buffer.count >= needed else {
                throw RunSorter.failure("reading", SQLITE_IOERR, directory)
            }
        }
    }
}
