import Bytes
import Model

/// The copy of one origin's set, from which a lost catalogue is filled again: a file that is written
/// once from the catalogue, and then appended to. Little-endian:
///
///     the line `geofenced copy 1`, then entries: UInt32 length of the rest, UInt8 kind, and
///     put:  the ``FenceRecord``; it replaces an earlier one of that id
///     gone: the id of a fence that was removed, or has ended
///     mark: what there is with everything up to here, see ``Mark``
///
/// What stands behind the last whole mark does not count; entries of other kinds, which a later
/// version may write, are passed over. It is not compressed: records are packed
/// as they are in the catalogue, and the copy is shorter than it, for it has no index.
enum SetCopyFormat {
    static let head = Array("geofenced copy 1\n".utf8)
    static let directory = "copies"

    enum Kind: UInt8 {
        case put = 0x2B
        case gone = 0x2D
        case mark = 0x3D
    }

    /// Bytes of an entry; no record comes near.
    static let longest = 16 << 20

    /// The last entry of a copy.
    struct Mark: Hashable {
        var contents: SetContents
        /// Of the last change of the set.
        var generation: Generation
        /// Bytes up to the end of the first mark: what was written at once.
        var base: Int64
        /// ``FNV1a`` of everything before it, this mark's numbers included; earlier checks are not.
        private(set) var check: UInt64

        /// Bytes of its entry, with the length.
        static let size = 4 + 1 + 7 * 8

        var entry: [UInt8] {
            var bytes: [UInt8] = []
            let mark = contents.mark
            for value in [
                UInt64(bitPattern: mark.count), mark.sum, UInt64(bitPattern: mark.hazards),
                UInt64(bitPattern: contents.fences), generation, UInt64(bitPattern: base), check,
            ] { SetCopyFormat.append(value, to: &bytes) }
            return SetCopyFormat.entry(.mark, bytes)
        }

        /// Nil unless these are the bytes of one, after the kind.
        init?(_ bytes: some RandomAccessCollection<UInt8>) {
            guard bytes.count == Self.size - 5 else { return nil }
            var rest = bytes[...]
            func next() -> UInt64 {
                defer { rest = rest.dropFirst(8) }
                return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            contents = SetContents(
                mark: SetMark(
                    count: Int64(bitPattern: next()), sum: next(),
                    hazards: Int64(bitPattern: next())), fences: Int64(bitPattern: next()))
            generation = next()
            base = Int64(bitPattern: next())
            check = next()
        }

        /// - Parameter before: the check of everything before this mark.
        init(
            _ contents: SetContents, generation: Generation, base: Int64, after before: UInt64
        ) {
            self.contents = contents
            self.generation = generation
            self.base = base
            check = 0
            check = check(after: before)
        }

        /// What ``check`` is to be.
        func check(after before: UInt64) -> UInt64 {
            FNV1a.hash64(Array(entry.dropLast(8)), after: before)
        }
    }

    /// What the entry of a mark begins with.
    static let markHead = entry(.mark, [UInt8](repeating: 0, count: Mark.size - 5)).prefix(5)

    static func entry(_ kind: Kind, _ bytes: some Collection<UInt8>) -> [UInt8] {
        var entry: [UInt8] = []
        append(UInt32(clamping: bytes.count + 1), to: &entry)
        entry.append(kind.rawValue)
        return entry + bytes
    }

    fileprivate static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    // MARK: Names

    /// Sets of files are read again from their files.
    static func isKept(_ origin: String) -> Bool { !FenceOrigin(name: origin).isFile }

    /// The name of the file; that of a named origin has one slash, and no `+`.
    static func fileName(of origin: String) -> String {
        let name = origin.isEmpty ? "bus" : origin.split(separator: "/").joined(separator: "+")
        return name + suffix
    }

    /// Back from ``fileName(of:)``; nil for another file.
    static func origin(ofFile name: String) -> String? {
        guard name.hasSuffix(suffix) else { return nil }
        let words = name.dropLast(suffix.count).split(separator: "+")
        if words == ["bus"] { return "" }
        return words.count == 2 ? words.joined(separator: "/") : nil
    }

    private static let suffix = ".copy"
}

/// A change of a set, for its copy.
struct SetCopyChange {
    let origin: String
    let before: SetContents
    var after = SetContents()
    /// Of ``after``.
    var generation: Generation = 0
    /// Entries in order; nil if the copy has to be written as a whole.
    private(set) var entries: [UInt8]?

    /// Bytes that are appended at once.
    private static let most = 1 << 20

    init(of origin: String, before: SetContents) {
        self.origin = origin
        self.before = before
        entries = SetCopyFormat.isKept(origin) ? [] : nil
    }

    /// Whether it is worth to make the bytes of an entry.
    var wantsEntries: Bool { entries != nil }

    /// The set was replaced.
    mutating func noteReplacement() { entries = nil }

    mutating func put(_ record: [UInt8]) { append(.put, record) }

    mutating func remove(_ id: String) { append(.gone, Array(id.utf8)) }

    private mutating func append(_ kind: SetCopyFormat.Kind, _ bytes: [UInt8]) {
        guard let count = entries?.count else { return }
        guard count + bytes.count <= Self.most else { return entries = nil }
        entries?.append(contentsOf: SetCopyFormat.entry(kind, bytes))
    }
}
