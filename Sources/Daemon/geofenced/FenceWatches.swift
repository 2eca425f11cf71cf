import Glibc
import Systemd

// Unsafe: lstat(2) fills a struct of ours.

/// Watches the administrator's directory of fences, wherever its name leads: it may be moved, replaced
/// by a copy, or made later, and so may each directory above it.
@MainActor
final class FenceWatches {
    private let loop: EventLoop
    private let path: String
    /// There may be other files now.
    private let changed: () -> Void
    private var watches: [DirectoryWatch] = []

    init(_ loop: EventLoop, path: String, changed: @escaping () -> Void) {
        self.loop = loop
        self.path = path
        self.changed = changed
        renew()
    }

    /// Looks again which directories are there.
    func renew() {
        watches = []
        if let own = try? DirectoryWatch(
            loop, path: path, handler: { [weak self] in self?.saw($0) })
        {
            watches.append(own)
        }
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/") {
            let entry = String(rest[rest.index(after: slash)...])
            let child = String(rest)
            rest = rest[..<slash]
            guard !entry.isEmpty else { continue }
            let above = rest.isEmpty ? "/" : String(rest)
            // What others do in a directory above wakes nobody: its names are of interest only where
            // the next directory is not there, or is the target of a link, which can be replaced
            // without a change of the directory.
            let isThere = Self.isDirectory(child)
            let watch = try? DirectoryWatch(
                loop, path: above, isThere ? .itself : .entry(entry)
            ) { [weak self] _ in self?.saw(.gone) }
            if let watch { watches.append(watch) }
            // It came in between.
            if !isThere, Self.isDirectory(child) { return renew() }
        }
    }

    private func saw(_ change: DirectoryWatch.Change) {
        if change == .gone { renew() }
        changed()
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
