import Bytes
import CSQLite
import Files
import Glibc

/// What is known of a log's numbers without the log.
struct KnownNumbers: Hashable {
    /// No event has a greater number.
    var given: UInt64
    /// Whether ``given`` is that of the last commit that was begun; false where an older program has written
    /// last, which reserves numbers before it needs them.
    var isExact = false
    /// The log had the events up to this number before that commit began; 0 where nothing is known.
    var committed: UInt64 = 0
    /// The log that they are of; nil where that is not known.
    var log: String?
}

/// The last numbers, in a small file beside the log: a log that has lost its end, or is lost, continues
/// above them, also where the runtime directory was lost, too.
///
/// Before each commit that has events it is written, durably: the greatest number of that commit, and
/// the last one before it. So a log that has the first is whole, one that has the second was cut
/// within a commit, and one that has less has lost its end.
///
/// A line has the first number twice, as older programs read and write it. Two equal ones follow, which have
/// all of it and a check of their own.
///
/// A process that has the store open holds a shared lock on the file; ``StoreBackup`` restores
/// under an exclusive one.
final class NumberFile {
    private static let digits = 20
    /// Bytes of the line of older programs.
    private static let olderLine = 2 * digits + 2
    /// Bytes of each line after it: two numbers, the log and the check.
    private static let line = 2 * (digits + 1) + 33 + 11

    private let path: String
    private var file: OpenFile?
    /// As it is in the file; nil if that has nothing, or cannot be read.
    private(set) var known: KnownNumbers?

    /// - Throws: ``StoreError`` if the store is being restored. A file that cannot be created is
    ///   not an error: it is tried again when needed.
    init(beside log: String) throws(StoreError) {
        let directory = log.lastIndex(of: "/").map { String(log[...$0]) } ?? ""
        path = directory + "numbers"
        try open()
    }

    deinit {
        // Closing alone would leave the lock to a child that is just being started.
        if let file { flock(file.descriptor, LOCK_UN) }
    }

    /// There is a file, and nothing in it.
    var isBlank: Bool { file != nil && known == nil }

    /// There was something in the file, and it cannot be read.
    private(set) var isDamaged = false

    /// To be called before events are committed, and when that is known to be the end of the log. One that
    /// cannot be written is written with the next commit.
    func note(given: UInt64, committed: UInt64, log: String) {
        let next = KnownNumbers(given: given, isExact: true, committed: committed, log: log)
        guard next != known else { return }
        lookAgain()
        guard let file, (try? Self.write(next, to: file)) != nil else { return }
        known = next
    }

    /// The directory may be there by now.
    func lookAgain() {
        if file == nil { try? open() }
    }

    private func open() throws(StoreError) {
        guard let file = try? OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW) else { return }
        guard flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 else {
            throw StoreError(code: SQLITE_BUSY, message: "is being restored", path: path)
        }
        self.file = file
        known = Self.read(file)
        isDamaged = known == nil && (try? file.status().st_size) != 0
        if known == nil { try? Directory.sync(Directory.parent(of: path)) }
    }

    /// Nil if there is nothing, or nothing that can be read.
    static func read(_ file: OpenFile) -> KnownNumbers? {
        guard let bytes = try? file.bytes(at: 0, count: olderLine + 2 * line) else { return nil }
        let older = given(bytes.prefix(olderLine))
        let lines = [0, 1].compactMap { known(bytes.dropFirst(olderLine + $0 * line).prefix(line)) }
        guard var known = lines.max(by: { $0.given < $1.given }) else {
            return older.map { KnownNumbers(given: $0) }
        }
        if let older, older != known.given {
            known.given = max(known.given, older)
            known.isExact = false
        }
        return known
    }

    /// Makes the file say that, durably.
    static func write(_ known: KnownNumbers, to file: OpenFile) throws(Errno) {
        var line: [UInt8] = []
        line.reserveCapacity(Self.line)
        append(known.given, digits, to: &line)
        append(known.committed, digits, to: &line)
        let log = known.log.map { Array($0.utf8) } ?? []
        line += log.count == 32 ? log : [UInt8](repeating: UInt8(ascii: "-"), count: 32)
        line.append(UInt8(ascii: " "))
        append(check(line[...]), 10, to: &line)
        line[line.count - 1] = UInt8(ascii: "\n")
        var older = line[...digits]
        older += older
        older[older.endIndex - 1] = UInt8(ascii: "\n")
        try file.write(older + line + line, at: 0)
        try file.sync(metadata: false)
    }

    private static func given(_ line: ArraySlice<UInt8>) -> UInt64? {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard line.count == olderLine, words.count == 2, words[0] == words[1] else { return nil }
        return number(words[0]).flatMap { $0 <= EventLog.greatestFromOutside ? $0 : nil }
    }

    private static func known(_ line: ArraySlice<UInt8>) -> KnownNumbers? {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard line.count == Self.line, words.count == 4, let sum = number(words[3]),
            sum == check(line.dropLast(11)),
            let given = number(words[0]), let committed = number(words[1])
        else { return nil }
        return KnownNumbers(
            given: given, isExact: true, committed: committed,
            log: words[2].contains(UInt8(ascii: "-"))
                ? nil : String(decoding: words[2], as: UTF8.self))
    }

    private static func number(_ word: ArraySlice<UInt8>) -> UInt64? {
        UInt64(String(decoding: word, as: UTF8.self)).flatMap { $0 < 1 << 60 ? $0 : nil }
    }

    private static func check(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        UInt64(Array(bytes).withByteView(FNV1a.hash32))
    }

    /// With zeros in front, and a space after it.
    private static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        let first = bytes.count
        bytes += [UInt8](repeating: UInt8(ascii: "0"), count: count)
        var rest = number
        for place in stride(from: first + count - 1, through: first, by: -1) where rest > 0 {
            bytes[place] += UInt8(rest % 10)
            rest /= 10
        }
        bytes.append(UInt8(ascii: " "))
    }
}
