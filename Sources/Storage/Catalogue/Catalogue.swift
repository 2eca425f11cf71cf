import Bytes
import CSQLite
import Geodesy
package import Law
import Model
package import Schedules

// Unsafe: SQLite keeps the address of a function, which stays valid for ever.

/// The catalogue on disk: each fence once, and an R*Tree over their boxes.
package final class Catalogue {
    let connection: Connection
    private(set) var generation: Generation = 0
    private(set) var count = 0
    private var generationOfFile: Generation = 0
    var decoded = DecodedEntries()
    /// Whether a box reaches beyond 180.
    private var reachesOver = true
    private var nearestCache = NearestQueryCache()

    /// An import is under way, and other changes of the catalogue are refused as busy.
    package internal(set) var isImporting = false
    /// Bytes of records in one answer; the rest goes into the next one.
    static let longestPage = 1 << 20
    private var openings = 1
    /// Reads the hours of fences.
    private(set) var hourBook = HourBook()
    /// Records that were found to be unreadable while answering.
    var unreadable = UnreadableRecords()
    /// Fences that were found to have a time zone that the system does not have.
    var zoneless = ZonelessFences()

    /// What ``followed()`` has found; nil where that is not known.
    var followedEntries: [CatalogueEntry]?

    /// Fences that are in no answer until they change.
    var leftOut = LeftOutFences()

    /// What of lost sets may be older than was accepted.
    var olderSets = OlderSets()

    /// What was accepted of each origin.
    let manifest: FenceManifest

    /// There were sets, and nothing says which: of files, perhaps, for those have no copies.
    var forgotFiles = false

    /// What a lost one is filled again from.
    let copies: SetCopies

    /// - Parameter hadFences: there was a catalogue before, as far as others know.
    init(
        directory: String, hadFences: Bool, format: DatabaseFormat = .catalogue
    ) throws {
        connection = try Connection(
            path: directory + "/catalogue.sqlite", format: format, writable: true
        ) { database in
            try unsafe database.addRTreeQuery(NearestFenceSearch.function, nearestScore)
        }
        manifest = FenceManifest(directory: directory)
        copies = SetCopies(directory: directory)
        try refresh(isStart: true)
        compareWithManifest(hadFences: hadFences || !connection.setAside.isEmpty)
    }

    /// A generation is never given twice, even when the file was lost and the knowledge of its
    /// fences was not.
    func raiseGeneration(to floor: Generation) throws {
        guard floor > generation else { return }
        try use { database in
            try database.run("UPDATE state SET generation = ?", .number(floor))
        }
        try refresh()
    }

    /// After reopening, the file may be another one.
    func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
        defer { noteReopening() }
        return try connection.use { database in
            if connection.openings != openings { forget() }
            return try body(database)
        }
    }

    /// Sets the default time zone and the public holidays, from the next query on.
    package func keepHours(by book: HourBook) {
        hourBook = book
        forget()
    }

    func forget() {
        decoded = DecodedEntries()
        nearestCache.forget()
        followedEntries = nil
        // These were of another file.
        unreadable = UnreadableRecords()
    }

    /// Returns to the file when it can be used again.
    func mend() {
        connection.mend()
        noteReopening()
    }

    private func noteReopening() {
        guard connection.openings != openings else { return }
        openings = connection.openings
        forget()
        let known = generation
        try? refresh()
        compareWithManifest(hadFences: false)
        // Its fences are not those that were known: a client that compares generations must see it.
        if generationOfFile < known { try? raiseGeneration(to: known + 1) }
    }

    // MARK: Questions

    /// Every fence whose box meets `box`, each once. If there are more than `limit`, then of those
    /// that `isWanted` the first by id: `limit` of them.
    func entries(
        meeting box: GeoBox, limit: Int, where isWanted: (CatalogueEntry) -> Bool
    ) throws -> [CatalogueEntry] {
        let test = BoxTest(box)
        return try use { database in
            let known = try nearestCache.entries(meeting: box) {
                try readable($0, number: $1)
            }
            if let known {
                return known.count > limit ? known.first(limit, where: isWanted) : known
            }
            var found: [CatalogueEntry] = []
            var isTooMany = false
            try cells(meeting: box, database) { cell, bytes in
                try FenceCell.forEach(bytes, of: cell, damaged: { note($0, of: cell) }) {
                    record, _ in
                    guard !isTooMany, try test.mayMeet(record, record.rawCircle()),
                        let entry = try readable(record, number: cell + Int64(record.slot))
                    else { return }
                    isTooMany = found.count == limit
                    if !isTooMany { found.append(entry) }
                }
                return !isTooMany
            }
            return isTooMany
                ? try firstEntries(meeting: box, limit: limit, database, where: isWanted) : found
        }
    }

    /// By how many degrees `box` must be shifted to meet every box: one place has longitudes 360°
    /// apart, and boxes reach beyond 180.
    func turns(of box: GeoBox) -> [Double] {
        [0.0, -360, 360].filter { turn in
            if turn < 0 { return box.east >= 179.9 }
            return turn == 0 || reachesOver || box.west < -180
        }
    }

    /// Calls `each` once with the number and the bytes of every cell whose box meets `box`, until
    /// it returns false.
    func cells(
        meeting box: GeoBox, _ database: Database,
        _ each: (Int64, ByteView) throws -> Bool
    ) throws {
        var found: [Int64] = []
        var before: Set<Int64> = []
        var wantsMore = true
        for turn in turns(of: box) where wantsMore {
            try database.rows(
                """
                SELECT box.number, fences FROM box CROSS JOIN cell ON cell.number = box.number
                WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?
                """, .real(box.east + turn), .real(box.west + turn), .real(box.north),
                .real(box.south)
            ) { row in
                let cell = row.integer(0)
                // Within one shift no cell comes twice.
                guard before.isEmpty || !before.contains(cell) else { return true }
                found.append(cell)
                wantsMore = try row.withBytes(1) { try each(cell, $0) }
                return wantsMore
            }
            before.formUnion(found)
        }
    }

    /// - Throws: ``StoreError``, also for a fence that exists but whose record cannot be read.
    package func fence(id: String) throws -> StoredFence? {
        try use { database in
            guard let number = try number(id: id, database) else { return nil }
            var size = 0
            let found = try stored(number, id, database, size: &size)
            guard let fence = found else {
                throw StoreError(unreadable: id, path: path)
            }
            return fence
        }
    }

    /// Also nil for a beacon fence, for one that exists but cannot be read, and for one that has no
    /// room.
    func entry(id: String) throws -> CatalogueEntry? {
        try use { database -> CatalogueEntry? in
            guard let number = try number(id: id, database) else { return nil }
            let found = try read(number, id, database) { record -> CatalogueEntry? in
                record.isOfBeacons || olderSets.hold(record)
                    ? nil : try entry(record, number: number)
            }
            return found ?? nil
        }
    }

    /// A fence that the caller looks at and drops: also one that has no room beside those in use.
    /// Nil if there is none, or it has no area, or cannot be read.
    package func passingEntry(id: String) throws -> CatalogueEntry? {
        try use { database -> CatalogueEntry? in
            guard let number = try number(id: id, database) else { return nil }
            let found = try read(number, id, database) { record -> CatalogueEntry? in
                record.isOfBeacons ? nil : try passing(record, number: number)
            }
            return found ?? nil
        }
    }

    /// Ordered by id as UTF-8 bytes. For a long walk pass the last id of the previous page; an
    /// offset is counted again in every call. There are fewer than `limit` if they are large; the
    /// page is empty only at the end.
    package func fences(after id: String = "", offset: Int = 0, limit: Int) throws -> [StoredFence]
    {
        try use { database in
            var (last, offset) = (id, max(offset, 0))
            var fences: [StoredFence] = []
            var size = 0
            // Unreadable ones leave no hole: a reader takes a short answer for the end.
            while fences.count < limit {
                var found: [(id: String, number: Int64)] = []
                try database.rows(
                    "SELECT id, number FROM fence WHERE id > ? ORDER BY id LIMIT ? OFFSET ?",
                    .text(last), .integer(Int64(limit - fences.count)), .integer(Int64(offset))
                ) { row in
                    found.append((row.text(0), row.integer(1)))
                    return true
                }
                guard let end = found.last else { break }
                for (id, number) in found {
                    let fence = try stored(number, id, database, size: &size)
                    if let fence { fences.append(fence) }
                    // Thousands of areas would not fit into memory.
                    if size > Self.longestPage, !fences.isEmpty { return fences }
                }
                (last, offset) = (end.id, 0)
            }
            return fences
        }
    }

    func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        guard limit > 0 else { return [] }
        return try use { database in
            let known = try nearestCache.nearest(
                to: anchor, limit: limit, entry: { try readable($0, number: $1) },
                cells: { try cells(meeting: $0, database, $1) },
                damaged: { self.note($0, of: $1) })
            if let known { return known }
            return try nearest(to: anchor, limit: limit, database)
        }
    }

    /// A fence for which there is no room leaves its place to the next one: a short answer would be
    /// taken for the whole catalogue.
    private func nearest(
        to anchor: SurfacePoint, limit: Int, _ database: Database
    ) throws -> [RankedEntry] {
        var without: Set<Int64> = []
        var round = 1
        while true {
            let search = try search(to: anchor, limit: limit, database) { number, record in
                self.leftOut.contains(record) || olderSets.hold(record) || without.contains(number)
                    || round > Self.rounds && DecodedEntries.keeps(record)
                        && !decoded.isInUse(number)
            }
            let (found, leftOut) = try search.ranked { record, number in
                if let record { return try readable(record, number: number) }
                return try entry(number: number, database)
            }
            if search.isFull, leftOut.isEmpty {
                nearestCache.note(anchor, limit: limit, reach: search.worst)
            }
            // The second condition holds in a damaged file only.
            if leftOut.isEmpty || round > Self.rounds { return found }
            without.formUnion(leftOut)
            round += 1
        }
    }

    /// How often those without room are replaced one by one, before no further large one is tried.
    private static let rounds = 3

    /// Nil, and noted, if it cannot be read or has no room.
    func entry(number: Int64, _ database: Database) throws -> CatalogueEntry? {
        let found = try CellTable.cell(of: number, in: database) { cell, bytes in
            try FenceCell.record(number - cell, of: bytes, cell).flatMap {
                try readable($0, number: number)
            }
        }
        return found ?? nil
    }

    private func search(
        to anchor: SurfacePoint, limit: Int, _ database: Database,
        skips: (Int64, FenceRecord) -> Bool
    ) throws -> NearestFenceSearch {
        if var reach = nearestCache.reach(around: anchor, limit: limit) {
            for _ in 0..<2 {
                var search = NearestFenceSearch(from: anchor, limit: limit, within: reach)
                let box = GeoBox(
                    around: anchor.coordinate, radius: NearestReach.margin(reach))
                try cells(meeting: box, database) { cell, bytes in
                    try look(at: bytes, of: cell, &search, skips)
                    return true
                }
                if search.isFull { return search }
                // Too few are this near.
                reach *= 2
            }
        }
        var search = NearestFenceSearch(from: anchor, limit: limit)
        let place = search.bound.place
        try database.rows(
            NearestFenceSearch.bestFirst, .real(place.latitude), .real(place.longitude),
            .real(search.bound.cosine)
        ) { row in
            guard search.wants(row) else { return false }
            let cell = row.integer(0)
            try row.withBytes(1) { try look(at: $0, of: cell, &search, skips) }
            return true
        }
        return search
    }

    private func look(
        at bytes: ByteView, of cell: Int64, _ search: inout NearestFenceSearch,
        _ skips: (Int64, FenceRecord) -> Bool
    ) throws {
        try search.look(
            at: bytes, of: cell, damaged: { note($0, of: cell) },
            skips: { skips(cell + Int64($0.slot), $0) },
            area: { record in
                let number = cell + Int64(record.slot)
                // Whether it has room shows when it is among the nearest.
                do { return try entry(record, number: number).area } catch is NoRoom {
                    return try passing(record, number: number).area
                }
            })
    }

    /// Returns free pages to the file system, some at a time (some milliseconds). For idle times.
    package func shrink() throws {
        try use { database in
            let free = try database.pragma("freelist_count")
            guard free > 256, free > (try database.pragma("page_count")) / 4 else { return }
            try database.script("PRAGMA incremental_vacuum(1024)")
        }
    }

    /// Reads the state of the catalogue as a whole again.
    func refresh(isStart: Bool = false) throws {
        nearestCache.forget()
        followedEntries = nil
        let query = { (database: Database) in
            try database.first("SELECT generation, count FROM state") {
                ($0.number(0), Int($0.integer(1)))
            }
        }
        let state = try isStart ? connection.useAtStart(query) : connection.use(query)
        do {
            reachesOver = try connection.use { database in
                try database.first("SELECT 1 FROM box WHERE east > 180") { _ in true } ?? false
            }
        } catch let error as StoreError where error.kind == .corrupt { reachesOver = true }
        // Never decreases: the file may have been replaced by an empty one.
        generationOfFile = state?.0 ?? 0
        generation = max(generation, generationOfFile)
        count = state?.1 ?? 0
        try manifest.confirm { name in
            try connection.use { database in try AcceptedSet.read(of: name, database) }
        }
        try refreshOlder(isStart: isStart)
    }
}
