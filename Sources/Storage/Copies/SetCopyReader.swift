import Bytes
import Files
import Glibc

/// A copy holds what is none of its entries.
struct DamagedCopy: Error {}

/// Reads the entries of a copy in order, each with a budget, and in memory that does not grow with
/// the file.
final class SetCopyReader {
    enum Entry {
        case put([UInt8])
        case gone([UInt8])
        case mark(SetCopyFormat.Mark)
        /// Of a later version.
        case other
    }

    private let file: OpenFile
    private let path: String
    private var buffer: [UInt8] = []
    private var position = 0
    private var check = FNV1a.hash64(SetCopyFormat.head)
    /// Entries that were read.
    private(set) var count = 0

    /// - Throws: ``DamagedCopy``; ``StoreError`` if it cannot be read now.
    init(_ path: String) throws {
        self.path = path
        file = try StoreError.at(path) { () throws(Errno) in
            try OpenFile(path, O_RDONLY | O_NOFOLLOW)
        }
        guard let head = try take(SetCopyFormat.head.count), head == SetCopyFormat.head else {
            throw DamagedCopy()
        }
    }

    /// Nil at the end, also of a file that ends within an entry.
    /// - Throws: ``DamagedCopy`` for what is no entry, and for a mark with which the bytes before it do
    ///   not agree; ``StoreError`` if it cannot be read now.
    func next() throws -> Entry? {
        guard let length = try take(4) else { return nil }
        let size = length.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (1...SetCopyFormat.longest).contains(size) else { throw DamagedCopy() }
        guard let entry = try take(size) else { return nil }
        let kind = SetCopyFormat.Kind(rawValue: entry[0])
        count += 1
        if kind == .mark {
            guard let mark = SetCopyFormat.Mark(entry[1...]), mark.check == mark.check(after: check)
            else { throw DamagedCopy() }
            check = mark.check
            return .mark(mark)
        }
        check = FNV1a.hash64(entry, after: FNV1a.hash64(length, after: check))
        return switch kind {
        case .put: .put(Array(entry[1...]))
        case .gone: .gone(Array(entry[1...]))
        case .mark, nil: .other
        }
    }

    /// Nil if the file ends before.
    private func take(_ count: Int) throws(StoreError) -> [UInt8]? {
        while buffer.count - position < count {
            buffer.removeFirst(position)
            position = 0
            var more = [UInt8](repeating: 0, count: 1 << 16)
            let got = try StoreError.at(path) { () throws(Errno) in try file.read(into: &more) }
            guard got > 0 else { return nil }
            buffer += more[..<got]
        }
        defer { position += count }
        return Array(buffer[position..<position + count])
    }
}

/// The first pass over a copy: whether it is whole, and which of its entries still hold.
struct SetCopyScan {
    private let reader: SetCopyReader
    /// Of what was appended: the last entry of each fence, by its id's hash.
    private var last: [Int: Int] = [:]
    private var next: [Int: Int] = [:]
    /// The last mark with which everything before it agrees, and how many entries it ends.
    private(set) var mark: SetCopyFormat.Mark?
    private(set) var end = 0
    /// Something stands behind it that cannot be read.
    private(set) var isTorn = false

    /// - Throws: as ``SetCopyReader/init(_:)``.
    init(_ path: String) throws { reader = try SetCopyReader(path) }

    /// Continues until `isTimeUp`; true at the end.
    /// - Throws: ``StoreError`` if it cannot be read now.
    mutating func step(until isTimeUp: () -> Bool) throws -> Bool {
        repeat {
            do {
                guard let entry = try reader.next() else {
                    isTorn = isTorn || reader.count > end
                    return true
                }
                try take(entry)
            } catch let error as StoreError {
                throw error
            } catch {
                isTorn = true
                return true
            }
        } while !isTimeUp()
        return false
    }

    private mutating func take(_ entry: SetCopyReader.Entry) throws {
        switch entry {
        case .mark(let mark):
            (self.mark, end) = (mark, reader.count)
            last.merge(next) { $1 }
            next = [:]
        // Within what was written at once each fence comes once.
        case .put(let record) where mark != nil:
            next[try Self.key(record.withByteView { Array(try FenceRecord($0).id()) })] =
                reader.count
        case .put, .other: break
        case .gone(let id): next[Self.key(id)] = reader.count
        }
    }

    /// Whether that entry, which puts a fence, is the last one of it.
    func holds(_ entry: Int, _ id: ByteView) -> Bool {
        last.isEmpty || last[Self.key(Array(id))].map { $0 == entry } ?? true
    }

    /// Another one in each process: nobody can make two that are equal.
    private static func key(_ bytes: [UInt8]) -> Int { bytes.hashValue }
}
