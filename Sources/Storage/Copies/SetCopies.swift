import Bytes
import CSQLite
import Files
import Glibc
import Model

// Unsafe: system calls take a path of ours.

/// The copies of the sets that came over the bus, in a directory beside the catalogue. Each can be
/// made again from the catalogue: one that cannot be written is removed, and refuses no change.
final class SetCopies {
    private struct Copy {
        var mark: SetCopyFormat.Mark
        var size: Int64

        /// Most of it was appended: what holds is less than half, perhaps.
        var isLoose: Bool { size - mark.base > mark.base / 2 + (64 << 10) }
    }

    private let directory: String
    /// By ``FenceOrigin/name``; those whose last mark can be read.
    private var copies: [ExactText: Copy] = [:]
    /// Why the last one could not be written; nil when it could.
    private(set) var problem: String?

    init(directory state: String) {
        directory = state + "/" + SetCopyFormat.directory
        load()
    }

    /// What the copies were made of, by origin; of one that is torn nothing is known.
    var accepted: [ExactText: AcceptedSet] {
        copies.mapValues {
            AcceptedSet(mark: $0.mark.contents.mark, generation: $0.mark.generation)
        }
    }

    /// What the copy has, as its end says; nil if there is none.
    func contents(of origin: String) -> SetContents? { copies[origin]?.mark.contents }

    /// It has to be written as a whole: it is another one, or has grown.
    func isBehind(_ origin: String, _ contents: SetContents) -> Bool {
        copies[origin].map { $0.mark.contents != contents || $0.isLoose } ?? (contents != .nothing)
    }

    func path(of origin: String) -> String {
        "\(directory)/\(SetCopyFormat.fileName(of: origin))"
    }

    // MARK: Changes

    /// The catalogue has changed: appends what is small, durably; the rest is found to be behind.
    func note(_ change: SetCopyChange) {
        guard SetCopyFormat.isKept(change.origin), let copy = copies[change.origin] else { return }
        if change.after == .nothing { return drop(change.origin) }
        guard let entries = change.entries, copy.mark.contents == change.before else { return }
        guard change.before != change.after || !entries.isEmpty else { return }
        do throws(StoreError) {
            var file = try SetCopyFile(appendingTo: path(of: change.origin), copy.mark)
            try file.append(entries)
            let end = try file.finish(change.after, change.generation)
            copies[change.origin] = Copy(mark: end.mark, size: end.size)
        } catch {
            // Half an entry may be at its end.
            drop(change.origin)
            problem = "\(error)"
        }
    }

    /// Removes a copy that nothing is missing of any more.
    func drop(_ origin: String) {
        copies[origin] = nil
        unsafe unlink(path(of: origin))
    }

    /// Removes all: another catalogue takes the place of this one.
    func dropAll() { for origin in copies.keys { drop(origin.text) } }

    /// Removes those of origins that have no fences, which a process that was killed has left.
    func keep(only origins: Set<ExactText>) {
        for origin in copies.keys where !origins.contains(origin) { drop(origin.text) }
    }

    /// A copy that was found to be damaged: it is kept as `….damaged`, one of each set.
    func setAside(_ origin: String) {
        let path = path(of: origin)
        try? Directory.move(path, to: path + ".damaged")
        copies[origin] = nil
    }

    // MARK: Written as a whole

    /// Takes what ``write(of:in:)`` has made in another process, if it is still what the catalogue
    /// has.
    func take(_ origin: String, _ contents: SetContents) {
        let fresh = path(of: origin) + Self.fresh
        guard let copy = Self.read(fresh), copy.mark.contents == contents else {
            unsafe unlink(fresh)
            return
        }
        do throws(Errno) {
            try Directory.move(fresh, to: path(of: origin))
            try Directory.sync(directory)
        } catch { return fail(StoreError(error, path: fresh).description) }
        copies[origin] = copy
        problem = nil
    }

    /// A copy could not be written.
    func fail(_ why: String) { problem = why }

    /// The work of a process of its own: writes the copy of an origin's set as a whole, beside the one
    /// that is there.
    /// - Throws: ``StoreError``; then nothing is left.
    static func write(of origin: FenceOrigin, in state: String) throws {
        let directory = state + "/" + SetCopyFormat.directory
        if unsafe mkdir(directory, 0o700) == 0 {
            try StoreError.at(state) { () throws(Errno) in try Directory.sync(state) }
        }
        let fresh = "\(directory)/\(SetCopyFormat.fileName(of: origin.name))" + fresh
        do {
            let database = try Database(path: state + "/catalogue.sqlite", .existing)
            try database.prepareForReadingAll()
            try database.script("BEGIN")
            var file = try SetCopyFile(creating: fresh)
            let number = try database.first(
                "SELECT number FROM origin WHERE name = ?", .text(origin.name)
            ) { $0.integer(0) }
            guard let number else { throw StoreError(Errno(ENOENT), path: "fences of \(origin)") }
            // A failure ends the walk, and is thrown behind it.
            try database.rows("SELECT number, fences FROM cell ORDER BY number") { row in
                let cell = row.integer(0)
                var failure: StoreError?
                // What is not as it was written may be of this set.
                func isLost(_: FenceRecord?) {
                    failure = StoreError(
                        code: SQLITE_CORRUPT, message: "a record of cell \(cell) is lost",
                        path: database.path)
                }
                try row.withBytes(1) { bytes in
                    try FenceCell.forEach(bytes, of: cell, damaged: isLost) { record, _ in
                        guard failure == nil, try record.history().origin == number else { return }
                        do throws(StoreError) {
                            try file.append(SetCopyFormat.entry(.put, Array(record.bytes)))
                        } catch { failure = error }
                    }
                }
                if let failure { throw failure }
                return true
            }
            _ = try file.finish(
                SetContents.read(of: origin.name, database),
                AcceptedSet.read(of: origin.name, database).generation)
        } catch {
            unsafe unlink(fresh)
            throw error
        }
    }

    // MARK: The directory

    private static let fresh = ".new"

    private func load() {
        for name in (try? Directory.names(in: directory)) ?? [] {
            if name.hasSuffix(Self.fresh) { unsafe unlink("\(directory)/\(name)") }
            guard let origin = SetCopyFormat.origin(ofFile: name) else { continue }
            // One that a power cut has torn may have a part that holds.
            let torn = Copy(mark: .init(.unknown, generation: 0, base: 0, after: 0), size: 0)
            copies[origin] = Self.read("\(directory)/\(name)") ?? torn
        }
    }

    /// What the end of a copy says; nil if it is no mark.
    private static func read(_ path: String) -> Copy? {
        guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW),
            let size = try? Int(file.status().st_size)
        else { return nil }
        let length = SetCopyFormat.Mark.size
        guard let end = try? file.bytes(at: size - length, count: length), end.count == length,
            end.starts(with: SetCopyFormat.markHead),
            let mark = SetCopyFormat.Mark(end[SetCopyFormat.markHead.count...])
        else { return nil }
        return Copy(mark: mark, size: Int64(size))
    }
}
