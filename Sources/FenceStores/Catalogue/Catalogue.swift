import CSQLite
import Fencing
import Geodesy

/// The catalogue on disk: every fence once, and an R*Tree over their boxes.
final class Catalogue {
    let connection: Connection
    private(set) var generation: Generation = 0
    private(set) var count = 0
    private var generationOfFile: Generation = 0
    private var areas = DecodedAreas()
    /// A box goes on beyond 180.
    private var reachesOver = true
    private var surroundings = Surroundings()
    /// One that has not ended: other changes are refused meanwhile.
    private(set) var importing = false
    private var openings = 1

    init(path: String) throws {
        connection = try Connection(path: path, format: .catalogue, writable: true) { database in
            try database.addRTreeQuery(NearestSearch.function, nearestScore)
        }
        try refresh()
    }

    /// A generation is never given twice, even when the file was lost and what is known of its
    /// fences was not.
    func raiseGeneration(to floor: Generation) throws {
        guard floor > generation else { return }
        try use { database in
            try database.run("UPDATE state SET generation = ?", .number(floor))
        }
        try refresh()
    }

    /// After a reopening the file may be another one.
    private func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
        defer { noteReopening() }
        return try connection.use { database in
            if connection.openings != openings { forget() }
            return try body(database)
        }
    }

    private func forget() {
        areas = DecodedAreas()
        surroundings.forget()
    }

    /// Goes over to the file where it can be used again.
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
        // Its fences are not those that were known: whoever asks for the generation must see it.
        if generationOfFile < known { try? raiseGeneration(to: known + 1) }
    }

    // MARK: Questions

    /// Every fence whose box meets `box`, each once.
    func entries(meeting box: GeoBox) throws -> [CatalogueEntry] {
        let test = BoxTest(box)
        return try use { database in
            try sound(path) {
                let known = try surroundings.entries(meeting: box) {
                    try entry($0, number: $1).entry
                }
                if let known { return known }
                var found: [CatalogueEntry] = []
                try cells(meeting: box, database) { cell, bytes in
                    var records = try FenceCell.Records(bytes)
                    while let (record, _) = try records.next() {
                        guard try test.mayMeet(record, record.rawCircle()) else { continue }
                        found.append(try entry(record, cell: cell).entry)
                    }
                    return true
                }
                return found
            }
        }
    }

    /// Calls `each` with the number and the bytes of every cell whose box meets `box`, once, until it
    /// returns false.
    private func cells(
        meeting box: GeoBox, _ database: Database,
        _ each: (Int64, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var found: [Int64] = []
        var before: Set<Int64> = []
        var goesOn = true
        // One place has longitudes 360° apart, and boxes reach beyond 180.
        for turn in [0.0, -360, 360] where goesOn {
            if turn < 0, box.east < 179.9 { continue }
            if turn > 0, !reachesOver, box.west >= -180 { continue }
            try database.rows(
                """
                SELECT box.number, fences FROM box CROSS JOIN cell ON cell.number = box.number
                WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?
                """, .real(box.east + turn), .real(box.west + turn), .real(box.north),
                .real(box.south)
            ) { row in
                let cell = row.integer(0)
                // Within one turn none comes twice.
                guard before.isEmpty || !before.contains(cell) else { return true }
                found.append(cell)
                goesOn = try row.withBytes(1) { try each(cell, $0) }
                return goesOn
            }
            before.formUnion(found)
        }
    }

    func fence(id: String) throws -> StoredFence? {
        try use { database in
            guard let number = try CellTable.number(id: id, in: database) else { return nil }
            return try stored(number, database)
        }
    }

    /// Ordered by id as UTF-8 bytes, from the first id greater than `id`.
    func fences(after id: String, offset: Int, limit: Int) throws -> [StoredFence] {
        try use { database in
            var numbers: [Int64] = []
            try database.rows(
                "SELECT number FROM fence WHERE id > ? ORDER BY id LIMIT ? OFFSET ?", .text(id),
                .integer(Int64(max(limit, 0))), .integer(Int64(max(offset, 0)))
            ) { row in
                numbers.append(row.integer(0))
                return true
            }
            return try numbers.map { try stored($0, database) }
        }
    }

    /// How many fences each origin has; origins without any are left out.
    func counts() throws -> [FenceOrigin: Int] {
        try use { database in
            var counts: [FenceOrigin: Int] = [:]
            try database.rows("SELECT name, fences FROM origin WHERE fences > 0") { row in
                counts[FenceOrigin(name: row.text(0))] = Int(row.integer(1))
                return true
            }
            return counts
        }
    }

    func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        guard limit > 0 else { return [] }
        return try use { database in
            try sound(path) {
                let known = try surroundings.nearest(
                    to: anchor, limit: limit, entry: { try entry($0, number: $1).entry },
                    cells: { try cells(meeting: $0, database, $1) })
                if let known { return known }
                let search = try nearest(to: anchor, limit: limit, database)
                if search.isFull {
                    surroundings.note(anchor, limit: limit, reach: search.worst)
                }
                return try search.ranked { try entry($0, cell: $1).entry }
            }
        }
    }

    private func nearest(
        to anchor: SurfacePoint, limit: Int, _ database: Database
    ) throws -> NearestSearch {
        if var reach = surroundings.reach(around: anchor, limit: limit) {
            for _ in 0..<2 {
                var search = NearestSearch(from: anchor, limit: limit, within: reach)
                let box = GeoBox(
                    around: anchor.coordinate, radius: NearestReach.margin(reach))
                try cells(meeting: box, database) { cell, bytes in
                    try search.look(at: bytes, of: cell) { try area($0, cell: cell) }
                    return true
                }
                if search.isFull { return search }
                // Too few lie so near.
                reach *= 2
            }
        }
        var search = NearestSearch(from: anchor, limit: limit)
        let place = search.bound.place
        try database.rows(
            NearestSearch.bestFirst, .real(place.latitude), .real(place.longitude),
            .real(search.bound.cosine)
        ) { row in
            guard search.wants(row) else { return false }
            let cell = row.integer(0)
            try row.withBytes(1) { try search.look(at: $0, of: cell) { try area($0, cell: cell) } }
            return true
        }
        return search
    }

    // MARK: Changes

    /// One atomic batch, idempotent by id: removals first, then upserts.
    /// - Throws: ``CatalogueRefusal``, ``StoreError``; then nothing is stored.
    func apply(
        upserts: [Fence], removing ids: [String], origin: FenceOrigin
    ) throws -> CatalogueChange {
        var seen: Set<String> = []
        for id in upserts.map(\.id) + ids where !seen.insert(id).inserted {
            throw CatalogueRefusal(fence: id, reason: "comes twice in one batch")
        }
        for fence in upserts {
            if let flaw = FenceRules.flaw(fence) {
                throw CatalogueRefusal(fence: fence.id, reason: flaw)
            }
        }
        try refuseWhileImporting()
        try refuseWhileAbsent(origin)
        let change = try use { database in
            try database.transaction {
                var writer = try CatalogueWriter(
                    database, origin: origin, floor: generation)
                for id in ids {
                    if let owner = try writer.remove(id: id) {
                        throw CatalogueRefusal(fence: id, reason: "belongs to \(owner)")
                    }
                }
                for fence in upserts {
                    if case .owned(let owner) = try writer.put(fence) {
                        throw CatalogueRefusal(fence: fence.id, reason: "belongs to \(owner)")
                    }
                    if let doubt = fence.doubt { writer.warn(fence.id, doubt) }
                }
                while try !writer.write(until: { false }) {}
                return try writer.finish()
            }
        }
        try refresh()
        return change
    }

    func beginImport(origin: FenceOrigin) throws -> CatalogueImport {
        try refuseWhileImporting()
        try refuseWhileAbsent(origin)
        let session = try CatalogueImport(
            try connection.another(), origin: origin, floor: generation
        ) { [weak self] in
            self?.importing = false
            try? self?.refresh()
        }
        importing = true
        return session
    }

    /// Pages that fell free go back to the file system, a portion at a time.
    func shrink() throws {
        try use { database in
            let free = try database.pragma("freelist_count")
            guard free > 256, free > (try database.pragma("page_count")) / 4 else { return }
            try database.script("PRAGMA incremental_vacuum(1024)")
        }
    }

    private func refuseWhileImporting() throws(StoreError) {
        guard importing else { return }
        throw StoreError(
            code: SQLITE_BUSY, message: "an import is under way", path: connection.path)
    }

    /// What came over the bus must be durable; the administrator's files are there at the next start.
    private func refuseWhileAbsent(_ origin: FenceOrigin) throws {
        connection.mend()
        if origin == .bus, let absence = connection.absence { throw absence }
    }

    private func refresh() throws {
        surroundings.forget()
        let (state, reachesOver) = try connection.useAtStart { database in
            (
                try database.first("SELECT generation, count FROM state") {
                    ($0.number(0), Int($0.integer(1)))
                },
                try database.first("SELECT 1 FROM box WHERE east > 180") { _ in true } ?? false
            )
        }
        self.reachesOver = reachesOver
        // Never falls: the file may have been replaced by an empty one.
        generationOfFile = state?.0 ?? 0
        generation = max(generation, generationOfFile)
        count = state?.1 ?? 0
    }

    // MARK: Records

    private var path: String { connection.path }

    private func entry(
        _ record: FenceRecord, cell: Int64
    ) throws -> (entry: CatalogueEntry, history: FenceRecord.History) {
        try entry(record, number: cell + Int64(record.slot))
    }

    private func entry(
        _ record: FenceRecord, number: Int64
    ) throws -> (entry: CatalogueEntry, history: FenceRecord.History) {
        let (fence, history) = try record.fence { bytes, changed in
            if let area = areas.area(number, changed: changed) { return area }
            let area = try AreaCoding.decode(bytes)
            areas.keep(area, number, changed: changed, size: bytes.count)
            return area
        }
        return (CatalogueEntry(fence: fence, added: history.added), history)
    }

    private func area(_ record: FenceRecord, cell: Int64) throws -> Area {
        try entry(record, cell: cell).entry.fence.area
    }

    /// The fence with a number that the table of ids has.
    private func stored(_ number: Int64, _ database: Database) throws -> StoredFence {
        let found = try sound(path) {
            try CellTable.cell(of: number, in: database) { cell, bytes in
                guard let record = try FenceCell.record(number - cell, of: bytes) else {
                    throw DamagedRecord()
                }
                return try entry(record, cell: cell)
            }
        }
        guard let (entry, history) = found else { throw StoreError(damaged: path) }
        return StoredFence(
            entry: entry, origin: try origin(history.origin, database),
            changed: history.changed)
    }

    private func origin(_ number: Int64, _ database: Database) throws -> FenceOrigin {
        guard number != 0 else { return .bus }
        let name = try database.first(
            "SELECT name FROM origin WHERE number = ?", .integer(number)
        ) { $0.text(0) }
        guard let name else { throw StoreError(damaged: path) }
        return FenceOrigin(name: name)
    }
}
