import CSQLite
import Fencing
import Geodesy

/// The catalogue on disk: every fence once, and an R*Tree over their boxes.
final class Catalogue {
    let connection: Connection
    private(set) var generation: Generation = 0
    private(set) var count = 0
    private var areas = DecodedAreas()
    /// One that has not ended: other changes are refused meanwhile.
    private(set) var importing = false
    private var openings = 1

    init(path: String) throws {
        connection = try Connection(path: path, format: .catalogue) { database in
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
        defer {
            if connection.openings != openings {
                openings = connection.openings
                areas = DecodedAreas()
                try? refresh()
            }
        }
        return try connection.use(body)
    }

    // MARK: Questions

    /// Every fence whose box meets `box`, each once.
    func entries(meeting box: GeoBox) throws -> [CatalogueEntry] {
        try use { database in
            var found: [CatalogueEntry] = []
            var numbers: Set<Int64> = []
            // One place has longitudes 360° apart, and boxes reach beyond 180.
            for turn in [0.0, -360, 360] {
                try database.rows(
                    """
                    SELECT \(Self.columns) FROM box JOIN fence USING (number)
                    WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?
                    """, .real(box.east + turn), .real(box.west + turn), .real(box.north),
                    .real(box.south)
                ) { row in
                    if numbers.insert(row.integer(0)).inserted {
                        found.append(try entry(row).entry)
                    }
                    return true
                }
            }
            return found
        }
    }

    func fence(id: String) throws -> StoredFence? {
        try use { database in
            try database.first(
                """
                SELECT \(Self.columns), (SELECT name FROM origin WHERE number = fence.origin)
                FROM fence WHERE id = ?
                """, .text(id)
            ) { row in try stored(row) }
        }
    }

    /// Ordered by id as UTF-8 bytes, from the first id greater than `id`.
    func fences(after id: String, offset: Int, limit: Int) throws -> [StoredFence] {
        try use { database in
            var found: [StoredFence] = []
            try database.rows(
                """
                SELECT \(Self.columns), (SELECT name FROM origin WHERE number = fence.origin)
                FROM fence WHERE id > ? ORDER BY id LIMIT ? OFFSET ?
                """, .text(id), .integer(Int64(max(limit, 0))), .integer(Int64(max(offset, 0)))
            ) { row in
                found.append(try stored(row))
                return true
            }
            return found
        }
    }

    /// How many fences each origin has; origins without any are left out.
    func counts() throws -> [FenceOrigin: Int] {
        try use { database in
            var counts: [FenceOrigin: Int] = [:]
            try database.rows(
                """
                SELECT name, (SELECT count(*) FROM fence WHERE origin = origin.number) AS fences
                FROM origin WHERE fences > 0
                """
            ) { row in
                counts[FenceOrigin(name: row.text(0))] = Int(row.integer(1))
                return true
            }
            return counts
        }
    }

    func nearest(to anchor: SurfacePoint, limit: Int) throws -> [RankedEntry] {
        guard limit > 0 else { return [] }
        return try use { database in
            var search = NearestSearch(from: anchor, limit: limit)
            let place = anchor.coordinate
            try database.rows(
                NearestSearch.sql, .real(place.latitude), .real(place.longitude)
            ) { row in
                guard search.wants(row) else { return false }
                if let found = try candidate(row.integer(0), from: anchor, database) {
                    search.add(found)
                }
                return true
            }
            return try search.best.compactMap { try ranked($0, database) }
        }
    }

    /// Only what the order depends on: most candidates are not taken.
    private func candidate(
        _ number: Int64, from anchor: SurfacePoint, _ database: Database
    ) throws -> NearestSearch.Found? {
        try database.first(
            "SELECT id, changed, area FROM fence WHERE number = ?", .integer(number)
        ) { row in
            let id = row.text(0)
            let area = try area(number, changed: row.number(1), row, column: 2, id: id)
            return NearestSearch.Found(
                number: number, id: id, signedDistance: area.signedDistance(to: anchor))
        }
    }

    private func ranked(
        _ found: NearestSearch.Found, _ database: Database
    ) throws -> RankedEntry? {
        try database.first(
            "SELECT \(Self.columns) FROM fence WHERE number = ?", .integer(found.number)
        ) { row in
            RankedEntry(entry: try entry(row).entry, signedDistance: found.signedDistance)
        }
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
                return try writer.finish()
            }
        }
        try refresh()
        return change
    }

    func beginImport(origin: FenceOrigin) throws -> CatalogueImport {
        try refuseWhileImporting()
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

    private func refresh() throws {
        let state = try connection.use { database in
            try database.first("SELECT generation, count FROM state") {
                ($0.number(0), Int($0.integer(1)))
            }
        }
        // Never falls: the file may have been replaced by an empty one.
        generation = max(generation, state?.0 ?? 0)
        count = state?.1 ?? 0
    }

    // MARK: Rows

    private static let columns = """
        fence.number, fence.id, fence.added, fence.changed, fence.dwell, fence.flags, \
        fence.title, fence.description, fence.metadata, fence.area
        """

    private func entry(_ row: borrowing Row) throws -> (entry: CatalogueEntry, changed: Generation)
    {
        let flags = row.integer(5)
        let changed = row.number(3)
        let id = row.text(1)
        let fence = Fence(
            id: id, area: try area(row.integer(0), changed: changed, row, column: 9, id: id),
            title: row.text(6), description: row.text(7),
            dwell: TimeSpan(nanoseconds: row.integer(4)), notifyOnEntry: flags & 1 != 0,
            notifyOnExit: flags & 2 != 0, initialEnter: flags & 4 != 0, metadata: row.text(8))
        return (CatalogueEntry(fence: fence, added: row.number(2)), changed)
    }

    private func stored(_ row: borrowing Row) throws -> StoredFence {
        let (entry, changed) = try entry(row)
        return StoredFence(
            entry: entry, origin: FenceOrigin(name: row.text(10)), changed: changed)
    }

    private func area(
        _ number: Int64, changed: Generation, _ row: borrowing Row, column: Int32, id: String
    ) throws -> Area {
        if let area = areas.area(number, changed: changed) { return area }
        do {
            let (area, size) = try row.withBytes(column) {
                (try AreaCoding.decode($0), $0.count)
            }
            areas.keep(area, number, changed: changed, size: size)
            return area
        } catch {
            throw StoreError(
                code: SQLITE_CORRUPT, message: "the stored area of fence \"\(id)\": \(error)",
                path: connection.path)
        }
    }
}
