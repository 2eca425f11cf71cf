import Bytes
import CSQLite
import Glibc

// Unsafe: strings are copied into memory that was allocated large enough just before; all reads are
// checked.

/// Sorts byte strings by a key, and by their bytes where keys are equal, in memory that does not
/// grow with their number: sorted runs go to an unnamed file and are merged.
///
/// First ``append(key:_:number:)`` all of them, then call ``next()`` until it returns nil. Copies
/// share the memory: the only owner must not copy it.
struct RunSorter {
    /// Bytes of one run. A smaller input needs no file.
    private static let runBytes = 1 << 20
    /// Bytes that are kept when no file can be made: as many as the database may have then, which
    /// is in memory too.
    private static let mostInMemory = 64 << 20

    private struct Entry {
        var key: UInt64
        var start: UInt32
        var count: UInt32
    }

    private struct Head {
        var key: UInt64
        var run: Int
    }

    private let directory: String
    private var arena = RawMemory(capacity: 0)
    private var used = 0
    private var entries: [Entry] = []
    private var file: SortFile?
    private var runs: [SortedRun] = []
    /// A heap of the unfinished runs, while merging.
    private var heap: [Head] = []
    private var staysInMemory = false
    private var isSealed = false
    /// Whether the first of the heap has been returned.
    private var isGiven = false
    private var position = 0

    /// - Parameter directory: for the file.
    init(directory: String) { self.directory = directory }

    /// Adds a string. The number belongs to it and does not affect the order.
    mutating func append(
        key: UInt64, _ bytes: ByteView, number: Int64 = 0
    ) throws(StoreError) {
        if used >= (staysInMemory ? Self.mostInMemory : Self.runBytes) { try spill() }
        let size = bytes.count + SortedRun.numberBytes
        if used + size > arena.capacity { grow(to: used + size) }
        // There is room: it was made above.
        let start = unsafe arena.base + used
        unsafe bytes.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress {
                unsafe start.copyMemory(from: source, byteCount: bytes.count)
            }
        }
        unsafe start.storeBytes(of: number.littleEndian, toByteOffset: bytes.count, as: Int64.self)
        entries.append(Entry(key: key, start: UInt32(used), count: UInt32(size)))
        used += size
    }

    /// The next string in order, with its number; nil at the end. The bytes are valid until the
    /// next call.
    mutating func next() throws(StoreError) -> (bytes: ByteView, number: Int64)? {
        if !isSealed { try seal() }
        if runs.isEmpty {
            guard position < entries.count else { return nil }
            defer { position += 1 }
            return SortedRun.parts(bytes(of: entries[position]))
        }
        if isGiven, let first = heap.first {
            if try runs[first.run].advance() {
                heap[0].key = runs[first.run].key
            } else {
                heap[0] = heap[heap.count - 1]
                heap.removeLast()
            }
            siftDown()
        }
        isGiven = true
        guard let first = heap.first else { return nil }
        return SortedRun.parts(runs[first.run].head)
    }

    private func bytes(of entry: Entry) -> ByteView {
        arena.view(from: Int(entry.start), count: Int(entry.count))
    }

    private mutating func grow(to needed: Int) {
        let larger = RawMemory(
            capacity: max(needed, min(2 * arena.capacity, 2 * Self.runBytes), 4_096))
        unsafe larger.base.copyMemory(from: arena.base, byteCount: used)
        arena = larger
    }

    private mutating func seal() throws(StoreError) {
        isSealed = true
        guard file != nil else { return sort() }
        try spill()
        arena = RawMemory(capacity: 0)
        entries = []
        for run in runs.indices {
            if try runs[run].advance() { heap.append(Head(key: runs[run].key, run: run)) }
        }
        let runs = runs
        heap.sort { Self.precedes($0, $1, runs) }
    }

    private mutating func sort() {
        let arena = arena
        entries.sort { a, b in
            if a.key != b.key { return a.key < b.key }
            let a = arena.view(from: Int(a.start), count: Int(a.count))
            let b = arena.view(from: Int(b.start), count: Int(b.count))
            return SortedRun.order(a, b) < 0
        }
    }

    private mutating func spill() throws(StoreError) {
        guard !entries.isEmpty else { return }
        sort()
        do {
            let file = if let file { file } else { try SortFile(directory) }
            try write(to: file)
            self.file = file
        } catch {
            guard runs.isEmpty, used < Self.mostInMemory else { throw error }
            staysInMemory = true
        }
    }

    /// Writes the memory's content as a run.
    private mutating func write(to file: SortFile) throws(StoreError) {
        let start = file.size
        var output = ByteBuffer()
        for entry in entries {
            output.append(raw: entry.key)
            output.append(raw: entry.count)
            output.append(bytes(of: entry))
            guard output.count >= 1 << 16 else { continue }
            try file.write(output.bytes)
            output.removeAll()
        }
        try file.write(output.bytes)
        runs.append(SortedRun(file, from: start))
        entries.removeAll(keepingCapacity: true)
        used = 0
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
                if Self.precedes(heap[child], heap[least], runs) { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private static func precedes(_ a: Head, _ b: Head, _ runs: [SortedRun]) -> Bool {
        if a.key != b.key { return a.key < b.key }
        let order = SortedRun.order(runs[a.run].head, runs[b.run].head)
        return order == 0 ? a.run < b.run : order < 0
    }
}
