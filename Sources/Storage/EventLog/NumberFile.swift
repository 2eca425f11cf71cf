import CSQLite
import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// The last number that an event may have, in a small file beside the log: what a log that is lost
/// goes on from, though nothing of it can be read and the runtime directory has gone with an orderly
/// stop.
///
/// Numbers are reserved a thousand at a time, before the first of them is given; an orderly stop
/// writes the exact one. So there are two writes a day, not one an event, and a log that is lost
/// after a power cut leaves out at most a thousand numbers and gives none twice.
///
/// Who has the store open holds a shared lock on the file; ``StoreBackup`` restores under an
/// exclusive one.
final class NumberFile {
    private static let page: UInt64 = 1_000
    private static let digits = 20

    private let path: String
    private var descriptor: Int32 = -1
    /// No event has a greater number, as far as the file says; 0 where it says nothing.
    private(set) var last: UInt64 = 0

    /// - Throws: ``StoreError`` where the store is being restored. A file that cannot be made is no
    ///   error: it is tried again when it is needed.
    init(beside log: String) throws(StoreError) {
        let directory = log.lastIndex(of: "/").map { String(log[...$0]) } ?? ""
        path = directory + "numbers"
        try open()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// To be called before `number` is given.
    func reserve(_ number: UInt64) {
        guard number > last else { return }
        write(number + Self.page - 1)
    }

    /// No greater number than this has been given.
    func settle(_ number: UInt64) {
        guard number != last else { return }
        write(number)
    }

    private func open() throws(StoreError) {
        let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        guard flock(file, LOCK_SH | LOCK_NB) == 0 else {
            close(file)
            throw StoreError(code: SQLITE_BUSY, message: "is being restored", path: path)
        }
        descriptor = file
        last = max(last, Self.read(file))
    }

    /// Twice, so that half a number is none.
    static func read(_ file: Int32) -> UInt64 {
        var bytes = [UInt8](repeating: 0, count: 2 * digits + 2)
        guard unsafe pread(file, &bytes, bytes.count, 0) == bytes.count else { return 0 }
        let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard words.count == 2, words[0] == words[1],
            let number = UInt64(String(decoding: words[0], as: UTF8.self)), number < 1 << 60
        else { return 0 }
        return number
    }

    /// What fails is tried again with the next number.
    private func write(_ number: UInt64) {
        if descriptor < 0 { try? open() }
        guard descriptor >= 0 else { return }
        let plain = String(number)
        let text = String(repeating: "0", count: max(Self.digits - plain.utf8.count, 0)) + plain
        let bytes = Array("\(text) \(text)\n".utf8)
        guard unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
            fdatasync(descriptor) == 0
        else { return }
        last = number
    }
}
