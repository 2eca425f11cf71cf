import Bytes
import Geodesy
import Model

/// A page of the fences that match a filter, by id as UTF-8 bytes. It is made in portions, because
/// only one fence in a million may match. A fence that changes meanwhile is in it as it was or as
/// it is.
package final class FenceListing {
    private let catalogue: Catalogue
    private let filter: FenceFilter
    private let limit: Int
    /// Only ids greater than this one.
    private var after: String
    /// Fences still to be skipped.
    private var offset: Int
    /// The number of the filter's origin.
    private var origin: Int64?
    private var course = Course.open
    private var fences: [StoredFence] = []
    /// Bytes of the records in the page.
    private var size = 0
    /// Of the catalogue, when the walk through cells began.
    private var generation: Generation = 0
    /// How often that walk has begun.
    private var walks = 0

    private enum Course {
        /// Not begun.
        case open
        /// Through cells; the result is sorted at the end.
        case cells(CellWalk, LeastIDs)
        /// By id, which reads every fence separately: for filters that most fences match, and for a
        /// catalogue that does not stay as it is.
        case ids
        case done
    }

    /// An origin with more pages than this is large.
    private static let manyPages = 100
    /// Skipped fences must be known by id when they are found in cells.
    private static let mostOffset = 10_000
    /// Fences looked at by their ids between two looks at the clock.
    private static let stride = 64
    /// Walks through cells that a change of the catalogue may end.
    private static let mostWalks = 3

    init(
        _ catalogue: Catalogue, _ filter: FenceFilter, after: String, offset: Int, limit: Int
    ) {
        self.catalogue = catalogue
        self.filter = filter
        self.after = after
        self.offset = max(offset, 0)
        self.limit = max(limit, 0)
    }

    /// Continues until `isTimeUp` returns true; the page once it is complete. It has fewer than
    /// `limit` fences when they are large, and is empty only at the end.
    /// - Throws: ``StoreError``; then it is over.
    package func step(until isTimeUp: () -> Bool) throws -> [StoredFence]? {
        while true {
            try catalogue.use { try advance($0) }
            if case .done = course { return fences }
            if isTimeUp() { return nil }
        }
    }

    private func advance(_ database: Database) throws {
        switch course {
        case .open: course = try begin(database)
        // A fence may have another place and another number now.
        case .cells where generation != catalogue.generation: course = try begin(database)
        case .cells(var walk, var found):
            // Otherwise the result would be copied each time.
            course = .done
            let wantsMore = try walk.advance(database) { try look(at: $1, of: $0, &found) }
            course = wantsMore ? .cells(walk, found) : try finish(found, database)
        case .ids: course = try walk(database)
        case .done: break
        }
    }

    private func begin(_ database: Database) throws -> Course {
        guard limit > 0 else { return .done }
        if let wanted = filter.origin {
            let known = try database.first(
                "SELECT number, fences FROM origin WHERE name = ?", .text(wanted.name)
            ) { (number: $0.integer(0), fences: Int($0.integer(1))) }
            guard let known else { return .done }
            origin = known.number
            if filter.within == nil, known.fences / limit > Self.manyPages { return .ids }
        }
        guard offset <= Self.mostOffset, walks < Self.mostWalks else { return .ids }
        walks += 1
        generation = catalogue.generation
        return .cells(
            try CellWalk(meeting: filter.within, of: catalogue, database),
            LeastIDs(after: after, count: offset + limit))
    }

    // MARK: Through cells

    private func look(at bytes: ByteView, of cell: Int64, _ found: inout LeastIDs) throws {
        try FenceCell.forEach(bytes, of: cell, damaged: { catalogue.note($0, of: cell) }) {
            record, _ in
            guard try admits(record) else { return }
            found.add(try record.id(), number: cell + Int64(record.slot))
        }
    }

    private func finish(_ found: LeastIDs, _ database: Database) throws -> Course {
        let (least, isAll) = found.sorted
        for fence in least.dropFirst(offset) {
            guard try take(fence.id, fence.number, database) else { return .done }
        }
        guard fences.isEmpty, !isAll, let last = least.last else { return .done }
        // None of them can be read: an empty page would be taken for the end.
        (after, offset) = (last.id, 0)
        walks = 0
        return .open
    }

    // MARK: By id

    private func walk(_ database: Database) throws -> Course {
        var some: [LeastIDs.Entry] = []
        try database.rows(
            "SELECT id, number FROM fence WHERE id > ? ORDER BY id LIMIT ?", .text(after),
            .integer(Int64(Self.stride))
        ) { row in
            some.append(LeastIDs.Entry(id: row.text(0), number: row.integer(1)))
            return true
        }
        for fence in some where try isAdmitted(fence, database) {
            if offset > 0 {
                offset -= 1
            } else if try !take(fence.id, fence.number, database) {
                return .done
            }
        }
        guard let end = some.last, some.count == Self.stride else { return .done }
        after = end.id
        return .ids
    }

    /// A fence that cannot be read is left out, and noted.
    private func isAdmitted(_ fence: LeastIDs.Entry, _ database: Database) throws -> Bool {
        do {
            return try CellTable.cell(of: fence.number, in: database) { cell, bytes in
                guard let record = try FenceCell.record(fence.number - cell, of: bytes, cell) else {
                    throw DamagedRecord()
                }
                return try admits(record)
            } ?? false
        } catch is DamagedRecord {
            catalogue.unreadable.note(fence.number, "fence \"\(fence.id)\"")
            return false
        }
    }

    private func admits(_ record: FenceRecord) throws(DamagedRecord) -> Bool {
        if let origin, try record.history().origin != origin { return false }
        guard let box = filter.within else { return true }
        return try record.box().map(box.intersects) ?? false
    }

    /// False when the page is full.
    private func take(_ id: String, _ number: Int64, _ database: Database) throws -> Bool {
        let fence = try catalogue.stored(number, id, database, size: &size)
        if let fence { fences.append(fence) }
        return fences.count < limit && (size <= Catalogue.longestPage || fences.isEmpty)
    }
}

/// The first ids, as UTF-8 bytes, of all those added, and their fences.
private struct LeastIDs {
    struct Entry {
        var id: String
        var number: Int64
    }

    private let after: String
    private let count: Int
    private var entries: [Entry] = []
    /// A greater id is not among the first.
    private var worst: String?

    init(after: String, count: Int) {
        self.after = after
        self.count = count
    }

    mutating func add(_ id: ByteView, number: Int64) {
        guard after.utf8.lexicographicallyPrecedes(id) else { return }
        if let worst, !id.lexicographicallyPrecedes(worst.utf8) { return }
        entries.append(Entry(id: id.text, number: number))
        if entries.count >= 2 * count + 64 { cut() }
    }

    /// In order, and whether these were all.
    var sorted: (entries: [Entry], isAll: Bool) {
        var rest = self
        rest.cut()
        return (rest.entries, rest.worst == nil)
    }

    private mutating func cut() {
        entries.sort { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        guard entries.count > count else { return }
        entries.removeLast(entries.count - count)
        worst = entries.last?.id
    }
}
