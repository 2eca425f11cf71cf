import CSQLite
import Files
import Glibc

/// The last number that an event may have, in a small file beside the log: a lost log continues
/// from it, even if nothing of it can be read and the runtime directory was removed by an orderly
/// stop.
///
/// Numbers are reserved a thousand at a time, before the first of them is given; an orderly stop
/// writes the exact one. So there are two writes a day, not one per event, and a log that is lost
/// after a power cut skips at most a thousand numbers and gives none twice.
///
/// A process that has the store open holds a shared lock on the file; ``StoreBackup`` restores
/// under an exclusive one.
final class NumberFile {
    private static let page: UInt64 = 1_000
    private static let digits = 20

    private let path: String
    private var file: OpenFile?
    /// No event has a greater number, according to the file; 0 if it has none.
    private(set) var last: UInt64 = 0

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

    /// To be called before `number` is given to an event.
    func reserve(_ number: UInt64) {
        guard number > last else { return }
        write(number + Self.page - 1)
    }

    /// No greater number than this has been given.
    func release(_ number: UInt64) {
        guard number != last else { return }
        write(number)
    }

    private func open() throws(StoreError) {
        guard let file = try? OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW) else { return }
        guard flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 else {
            throw StoreError(code: SQLITE_BUSY, message: "is being restored", path: path)
        }
        self.file = file
        last = max(last, Self.read(file))
    }

    /// Stored twice, so that a half-written number is not accepted.
    static func read(_ file: OpenFile) -> UInt64 {
        let count = 2 * digits + 2
        guard let bytes = try? file.bytes(at: 0, count: count), bytes.count == count else {
            return 0
        }
        let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard words.count == 2, words[0] == words[1],
            let number = UInt64(String(decoding: words[0], as: UTF8.self)), number < 1 << 60
        else { return 0 }
        return number
    }

    /// A failed write is tried again with the next number.
    private func write(_ number: UInt64) {
        if file == nil { try? open() }
        guard let file else { return }
        let plain = String(number)
        let text = String(repeating: "0", count: max(Self.digits - plain.utf8.count, 0)) + plain
        let bytes = Array("\(text) \(text)\n".utf8)
        do throws(Errno) {
            try file.write(bytes, at: 0)
            try file.sync(metadata: false)
            last = number
        } catch {}
    }
}
