import Glibc

// Unsafe: setrlimit(2) and clock_gettime(2) are given a struct of ours.

/// Whether a database of the store is damaged, found by reading all of it. That takes half a minute
/// for a million fences: it is a program's only work, see ``run(_:)``.
package enum StoreCheck {
    /// What was found.
    package enum Verdict: Hashable, Sendable {
        case sound
        /// In SQLite's words.
        case damaged(String)
        /// SQLite can read all of it, and fences in it are not as they were written or accepted: which,
        /// in words.
        case lacking(String)
        /// It could not be read to its end, which says nothing.
        case unknown(String)
    }

    /// Reads all of the file, beside a process that uses it.
    package static func verdict(of path: String) -> Verdict {
        do {
            let database = try Database(path: path, .existing)
            try database.prepareForReadingAll()
            let found = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
            guard found == "ok" else { return .damaged(found ?? "no verdict") }
            // Of the nodes of an R*Tree SQLite checks nothing but that they are rows.
            var trees: [String] = []
            try database.rows(
                "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE% USING rtree%'"
            ) { row in
                trees.append(row.text(0))
                return true
            }
            for tree in trees {
                let found = try database.first("SELECT rtreecheck(?)", .text(tree)) { $0.text(0) }
                guard found == "ok" else { return .damaged(found ?? "no verdict") }
            }
            return try verdictOfSets(database)
        } catch let error as StoreError {
            return error.kind == .corrupt ? .damaged(error.message) : .unknown("\(error)")
        } catch { return .unknown("\(error)") }
    }

    /// Of a catalogue: whether its records are the sets that were accepted.
    private static func verdictOfSets(
        _ database: Database, pause: () -> Void = {}
    ) throws -> Verdict {
        let format = DatabaseFormat.catalogue
        guard try database.pragma("application_id") == Int64(format.applicationID) else {
            return .sound
        }
        let flaws = try CatalogueCheck(database, pause: pause).flaws
        return flaws.isEmpty ? .sound : .lacking(flaws.joined(separator: "; "))
    }

    /// Whether the sets of a catalogue are what was accepted, found by reading its fences beside a
    /// process that uses them: it takes a tenth of a processor.
    package static func verdictOfSets(of path: String) -> Verdict {
        var turn = Duty(share: 10)
        do {
            let database = try Database(path: path, .existing)
            try database.prepareForReadingAll()
            return try verdictOfSets(database) { turn.rest() }
        } catch let error as StoreError {
            return error.kind == .corrupt ? .damaged(error.message) : .unknown("\(error)")
        } catch { return .unknown("\(error)") }
    }

    /// The exit status for a sound file is 0, for others one of these.
    private static let damaged: Int32 = 10
    private static let lacking: Int32 = 11

    /// s of CPU; the check of a catalogue of 5 million fences on a slow board takes a quarter.
    private static let mostCPU: UInt = 600
    /// Bytes: a check needs a few, whatever the size of the file.
    private static let mostMemory: UInt = 48 << 20

    /// The work of a process of its own, with limits; returns its exit status.
    /// - Parameters:
    ///   - sets: as ``verdictOfSets(of:)``.
    ///   - say: called with what was found, unless the file is sound.
    package static func run(_ path: String, sets: Bool = false, say: (String) -> Void) -> Int32 {
        for (kind, most) in [(RLIMIT_CPU, mostCPU), (RLIMIT_DATA, mostMemory)] {
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            _ = unsafe setrlimit(__rlimit_resource_t(kind.rawValue), &limit)
        }
        switch sets ? verdictOfSets(of: path) : verdict(of: path) {
        case .sound: return 0
        case .damaged(let what):
            say("\(path): \(what)")
            return damaged
        case .lacking(let what):
            say("\(path): \(what)")
            return lacking
        case .unknown(let why):
            say("\(path): the check came to no end: \(why)")
            return 1
        }
    }

    /// What the exit status of ``run(_:say:)`` says.
    package static func verdict(status: Int32) -> Verdict {
        switch status {
        case 0: .sound
        case damaged: .damaged("found by integrity_check")
        case lacking: .lacking("found by the check of its sets")
        default: .unknown("status \(status)")
        }
    }
}

/// Work that takes a share of a processor, and leaves the rest to others. The unit lets nobody set a
/// priority.
private struct Duty {
    /// One of so many parts.
    let share: Int
    private var began: Int

    init(share: Int) {
        self.share = share
        began = Self.used
    }

    /// ns of processor that this process has used.
    private static var used: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Sleeps as long as others are to have it after what was done since the last time.
    mutating func rest() {
        let done = Self.used - began
        guard done > 2_000_000 else { return }
        usleep(UInt32(clamping: done / 1_000 * (share - 1)))
        began = Self.used
    }
}
