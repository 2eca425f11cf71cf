import Bytes
import Files
import Glibc
import Model

// Unsafe: unlink(2) takes a path of ours.

/// A file of a ``FenceManifest``: lines, of which the last one of an origin counts. It is written
/// again when most of its lines are superseded. A line that cannot be read is passed over.
struct ManifestFile {
    private static let head = Array("geofenced manifest 1\n".utf8)
    /// Superseded lines that are left in the file.
    private static let slack = 256
    /// A file of ours is far below.
    private static let mostBytes = 8 << 20

    /// The two of them.
    static let names = ["manifest", "manifest.second"]

    private let path: String
    private var lines = 0
    /// The end of the file is not known to be a whole line, or there is no file.
    private var mustRewrite = true
    /// There was a file, and a part of it could not be read.
    private(set) var isDamaged = false
    /// There was no file.
    private(set) var isMissing = false

    init(directory: String, _ name: String) {
        path = directory + "/" + name
    }

    /// Removes both from the directory of a store.
    static func remove(from directory: String) {
        for name in names { unsafe unlink("\(directory)/\(name)") }
    }

    /// Adds a line, after which the file says `entries`.
    /// - Throws: ``StoreError``; then a process that begins finds what it found before, or this line.
    mutating func write(
        _ name: ExactText, _ entry: FenceManifest.Entry,
        of entries: [ExactText: FenceManifest.Entry],
        durably: Bool
    ) throws(StoreError) {
        guard !mustRewrite, lines < 2 * entries.count + Self.slack else {
            return try rewrite(entries)
        }
        guard let file = try? OpenFile(path, O_WRONLY | O_APPEND | O_NOFOLLOW) else {
            return try rewrite(entries)
        }
        mustRewrite = true
        try StoreError.at(path) { () throws(Errno) in
            try file.write(Self.line(name, entry))
            if durably { try file.sync(metadata: false) }
        }
        mustRewrite = false
        lines += 1
    }

    /// Replaces the file by one that says `entries`, durably.
    mutating func rewrite(
        _ entries: [ExactText: FenceManifest.Entry]
    ) throws(StoreError) {
        mustRewrite = true
        var text = Self.head
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text += Self.line(name, entry)
        }
        try StoreError.at(path) { () throws(Errno) in try Replacement.write(text, to: path) }
        lines = entries.count
        (mustRewrite, isDamaged, isMissing) = (false, false, false)
    }

    /// What it says, by the names of origins.
    mutating func load() -> [ExactText: FenceManifest.Entry] {
        var entries: [ExactText: FenceManifest.Entry] = [:]
        let text: [UInt8]
        do throws(UnreadableFile) {
            text = try OpenFile.contents(of: path, limit: Self.mostBytes, followsLinks: false)
        } catch {
            isMissing = error == .system(Errno(ENOENT))
            isDamaged = !isMissing
            return [:]
        }
        let newline = UInt8(ascii: "\n")
        let isOurs = text.starts(with: Self.head)
        isDamaged = !isOurs
        for line in text.split(separator: newline).dropFirst(isOurs ? 1 : 0) {
            lines += 1
            if let (name, entry) = Self.entry(line) {
                entries[name] = entry
            } else {
                // The last one may have been torn by a power cut: then nothing was committed.
                isDamaged = isDamaged || text.last == newline || line.endIndex != text.endIndex
                mustRewrite = true
            }
        }
        mustRewrite = isDamaged || text.last != newline
        return entries
    }

    // MARK: A line

    // `CHECK SET [SET] [KEY:VALUE …] =NAME`, a SET being `COUNT SUM HAZARDS GENERATION`, the newline of a
    // name as %0A.
    // `older` is ``FenceManifest/Entry/older``. Other keys are a later version's, and passed over.

    private static let older = "older:"

    private static func line(_ name: ExactText, _ entry: FenceManifest.Entry) -> [UInt8] {
        let words = ([entry.set] + (entry.next.map { [$0] } ?? [])).map {
            "\($0.mark.count) \($0.mark.digest) \($0.mark.hazards) \($0.generation) "
        }
        let older = entry.older > 0 ? "\(Self.older)\(entry.older) " : ""
        var text = Array((words.joined() + older + "=").utf8)
        for byte in name.text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): text += Array("%0A".utf8)
            case UInt8(ascii: "%"): text += Array("%25".utf8)
            default: text.append(byte)
            }
        }
        let check = String(FNV1a.hash64(text), radix: 16)
        return Array("\(check) ".utf8) + text + [UInt8(ascii: "\n")]
    }

    private static func entry(
        _ line: ArraySlice<UInt8>
    ) -> (name: String, FenceManifest.Entry)? {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")),
            let equals = line.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        let text = line[(space + 1)...]
        let check = UInt64(String(decoding: line[..<space], as: UTF8.self), radix: 16)
        guard check == FNV1a.hash64(Array(text)), space < equals else { return nil }
        let all = line[(space + 1)..<equals].split(separator: UInt8(ascii: " ")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let words = all.filter { !$0.contains(":") }
        guard words.count == 4 || words.count == 8, let accepted = Self.set(words[0..<4]) else {
            return nil
        }
        let next = words.count == 8 ? Self.set(words[4..<8]) : nil
        guard words.count == 4 || next != nil else { return nil }
        var entry = FenceManifest.Entry(set: accepted, next: next)
        let older = all.first { $0.hasPrefix(Self.older) }
        entry.older = older.flatMap { Generation($0.dropFirst(Self.older.count)) } ?? 0
        return (Self.name(line[(equals + 1)...]), entry)
    }

    private static func set(_ words: ArraySlice<String>) -> AcceptedSet? {
        let words = Array(words)
        guard let count = Int64(words[0]), let sum = UInt64(words[1], radix: 16),
            let hazards = Int64(words[2]), let generation = Generation(words[3])
        else { return nil }
        return AcceptedSet(
            mark: SetMark(count: count, sum: sum, hazards: hazards), generation: generation)
    }

    private static func name(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            bytes.append(rest.starts(with: Array("0A".utf8)) ? UInt8(ascii: "\n") : byte)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
