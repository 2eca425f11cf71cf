import Files

/// A small file outside of the store's directory, which says that there was one: where all of that is gone,
/// and nothing in it can tell, somebody has emptied or replaced a disk.
///
/// It has the id of the log, and the word `fences` if there were some that no file has.
struct UseMark {
    struct Content: Hashable {
        var log: String
        var hasFences: Bool
    }

    private let path: String
    /// Nil if there is none.
    private(set) var content: Content?
    private var hasFailed = false

    /// - Parameter directory: for what may be deleted at any time.
    init(directory: String) {
        path = directory + "/used"
        do throws(UnreadableFile) {
            let bytes = try OpenFile.contents(of: path, limit: 64, followsLinks: false)
            let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            content = Content(
                log: words.first.map { String(decoding: $0, as: UTF8.self) } ?? "",
                hasFences: words.count > 1)
        } catch {}
    }

    /// Whether ``keep(_:)`` has something to do.
    func isBehind(_ wanted: Content) -> Bool { !hasFailed && wanted != content }

    /// One that cannot be written is tried again at the next start.
    mutating func keep(_ wanted: Content) {
        guard isBehind(wanted) else { return }
        let line = wanted.log + (wanted.hasFences ? " fences\n" : "\n")
        do throws(Errno) {
            try Replacement.write(Array(line.utf8), to: path)
            content = wanted
        } catch { hasFailed = true }
    }
}
