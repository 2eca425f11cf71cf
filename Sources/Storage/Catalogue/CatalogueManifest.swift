import Bytes
package import Model

// What was accepted, against what is there.
extension Catalogue {
    /// The origins that have fences, in the order in which they were added; then those that had, and
    /// lost all of them.
    package func origins() throws -> [OriginSummary] {
        try use { database in
            var missing = manifest.lost
            // Whose fences are lost is not known yet.
            let isWhole = connection.suspect == nil
            var origins: [OriginSummary] = []
            try database.rows(
                """
                SELECT name, fences, generation, changed_at, accepted, sum, hazards FROM origin
                WHERE fences > 0 OR accepted > 0 ORDER BY number
                """
            ) { row in
                let (name, mark) = (row.text(0), SetMark(row, from: 4))
                let contents = SetContents(mark: mark, fences: row.integer(1))
                origins.append(
                    OriginSummary(
                        origin: FenceOrigin(name: name), fences: Int(row.integer(1)),
                        generation: row.number(2),
                        changedAt: row.integer(3) > 0 ? row.integer(3) : nil,
                        accepted: Int(mark.count), digest: (isWhole ? mark : .unknown).digest,
                        isCopied: copies.contents(of: name) == contents,
                        lost: missing.removeValue(forKey: name).map { .init($0) }))
                return true
            }
            for (name, mark) in missing.sorted(by: { $0.key < $1.key }) {
                var summary = OriginSummary.nothing(of: FenceOrigin(name: name.text))
                summary.lost = .init(mark)
                origins.append(summary)
            }
            return origins
        }
    }

    /// Nil while the catalogue is in memory.
    var presentManifest: FenceManifest? { connection.absence == nil ? manifest : nil }

    /// After a start, and whenever the file may be another one.
    /// - Parameter hadFences: there was a catalogue before, as others than the manifest know.
    func compareWithManifest(hadFences: Bool) {
        let isOurs = connection.absence == nil
        let isSilent = manifest.isSilent(wasUsed: hadFences)
        do {
            let mended = try connection.use { database in
                var present = try AcceptedSet.all(in: database)
                if isOurs, manifest.misses(present) {
                    try restoreNames(database)
                    present = try AcceptedSet.all(in: database)
                }
                return try manifest.compare(
                    present, copied: copies.accepted, isOurs: isOurs
                ) {
                    try CatalogueNumbers(counting: database).marks(database)
                }
            }
            if isOurs, !mended.isEmpty {
                try connection.use { database in
                    try database.transaction {
                        for (name, mark) in mended { try mark.write(of: name.text, database) }
                    }
                }
            }
        } catch { connection.note(error) }
        guard isOurs else { return }
        forgotFiles = connection.isNew && isSilent
        if forgotFiles, manifest.lost.isEmpty { manifest.loseUnknown() }
        // What comes now is later than all that is remembered.
        if !connection.isReadOnly {
            do { try raiseGeneration(to: manifest.generation) } catch { connection.note(error) }
        }
        do { try refreshOlder(isStart: true) } catch { connection.note(error) }
        tidyCopies()
    }

    private func restoreNames(_ database: Database) throws {
        var found: [(number: Int64, name: ExactText, set: AcceptedSet)] = []
        try database.rows(
            "SELECT number, name, accepted, sum, hazards, generation FROM origin"
        ) { row in
            found.append((row.integer(0), ExactText(row.text(1)), AcceptedSet(row, from: 2)))
            return true
        }
        let present = Set(found.map(\.name))
        for (number, name, set) in found {
            guard let right = manifest.rightName(of: set, called: name, present) else { continue }
            try database.run(
                "UPDATE origin SET name = ? WHERE number = ?", .text(right), .integer(number))
        }
    }

    /// Nobody misses the sets of that origin any more; nil for all.
    /// - Throws: ``StoreError``; then they are still missed.
    package func acceptLoss(of origin: FenceOrigin?) throws {
        for name in manifest.lost.keys.map(\.text)
        where origin == nil || origin == FenceOrigin(name: name) {
            var present = try use { database in try AcceptedSet.read(of: name, database) }
            present.generation = max(present.generation, generation)
            try manifest.forget(name, present: present)
        }
        try refreshOlder(isStart: false)
    }
}

extension OriginSummary.Lost {
    fileprivate init(_ mark: SetMark) {
        self.init(fences: Int(clamping: mark.count), haveHazards: mark.hazards != 0)
    }
}

extension SetContents {
    /// What the catalogue has of an origin.
    static func read(of name: String, _ database: Database) throws -> SetContents {
        try database.first(
            "SELECT accepted, sum, hazards, fences FROM origin WHERE name = ?", .text(name)
        ) { SetContents($0, from: 0) } ?? .nothing
    }

    /// What the catalogue has of each origin that has anything, by name.
    static func all(in database: Database) throws -> [ExactText: SetContents] {
        var contents: [ExactText: SetContents] = [:]
        try database.rows("SELECT name, accepted, sum, hazards, fences FROM origin") { row in
            let found = SetContents(row, from: 1)
            if found != .nothing { contents[row.text(0)] = found }
            return true
        }
        return contents
    }

    init(_ row: borrowing Row, from column: Int32) {
        self.init(mark: SetMark(row, from: column), fences: row.integer(column + 3))
    }
}

extension AcceptedSet {
    /// What the catalogue has of an origin.
    static func read(of name: String, _ database: Database) throws -> AcceptedSet {
        try database.first(
            "SELECT accepted, sum, hazards, generation FROM origin WHERE name = ?", .text(name)
        ) { AcceptedSet($0, from: 0) } ?? AcceptedSet()
    }

    /// What the catalogue has of each origin, by name, and of those of which it had something.
    static func all(in database: Database) throws -> [ExactText: AcceptedSet] {
        var sets: [ExactText: AcceptedSet] = [:]
        try database.rows("SELECT name, accepted, sum, hazards, generation FROM origin") { row in
            sets[row.text(0)] = AcceptedSet(row, from: 1)
            return true
        }
        return sets
    }

    init(_ row: borrowing Row, from column: Int32) {
        self.init(mark: SetMark(row, from: column), generation: row.number(column + 3))
    }
}

extension SetMark {
    func write(of name: String, _ database: Database) throws {
        try database.run(
            "UPDATE origin SET accepted = ?, sum = ?, hazards = ? WHERE name = ?",
            .integer(count), .integer(Int64(bitPattern: sum)), .integer(hazards), .text(name))
    }

    init(_ row: borrowing Row, from column: Int32) {
        self.init(
            count: row.integer(column), sum: UInt64(bitPattern: row.integer(column + 1)),
            hazards: row.integer(column + 2))
    }
}

/// The numbers that the catalogue keeps beside its fences, counted again: one pass over all of them.
struct CatalogueNumbers {
    private var origins: [Int64: SetMark] = [:]
    private var newest: Generation = 0
    private var lastCell: Int64 = 0
    /// Some records cannot be read, and count as none.
    private var isPart = false

    /// Nothing is counted yet.
    /// - Parameter isPart: what cannot be read is left out.
    init(ofPart isPart: Bool = false) { self.isPart = isPart }

    init(counting database: Database) throws {
        try database.rows("SELECT number, fences FROM cell ORDER BY number") { row in
            let cell = row.integer(0)
            // Whatever is in it.
            lastCell = cell
            try row.withBytes(1) { bytes in
                try FenceCell.forEach(bytes, of: cell, damaged: { _ in isPart = true }) {
                    record, _ in
                    try count(record, in: cell)
                }
            }
            return true
        }
    }

    /// One more.
    mutating func count(_ record: FenceRecord, in cell: Int64) throws {
        lastCell = max(lastCell, cell)
        let (history, mark) = (try record.history(), try record.mark())
        origins[history.origin, default: .nothing] += mark
        newest = max(newest, history.changed)
    }

    /// What there is of the origin with that number.
    func mark(of origin: Int64) -> SetMark { origins[origin] ?? .nothing }

    /// The marks by the names of the origins.
    func marks(_ database: Database) throws -> [ExactText: SetMark] {
        var marks: [ExactText: SetMark] = [:]
        try database.rows("SELECT number, name FROM origin") { row in
            marks[row.text(1)] = origins[row.integer(0)]
            return true
        }
        return marks
    }

    /// Numbers that follow from the fences; and of sets that are not what was accepted, if some fences
    /// could not be counted, what they are.
    func write(_ database: Database) throws {
        if isPart { try writeMarks(database) }
        try database.run("UPDATE origin SET fences = 0")
        for (number, mark) in origins {
            try database.run(
                "UPDATE origin SET fences = ? WHERE number = ?", .integer(mark.count),
                .integer(number))
        }
        try database.run(
            "UPDATE origin SET generation = ? WHERE generation NOT BETWEEN 0 AND 1 << 60",
            .number(newest))
        try database.run(
            """
            UPDATE state SET count = (SELECT coalesce(sum(fences), 0) FROM origin),
                generation = max(
                    (SELECT coalesce(max(generation), 0) FROM origin), ?,
                    CASE WHEN generation <= 1 << 60 THEN generation ELSE 0 END),
                next = max(next, ?)
            """, .number(newest), .integer(lastCell + Int64(FenceCell.mostFences) + 1))
    }

    private func writeMarks(_ database: Database) throws {
        var others: [(name: String, mark: SetMark)] = []
        try database.rows("SELECT number, name, accepted, sum, hazards, fences FROM origin") {
            row in
            let found = mark(of: row.integer(0))
            // The number of fences that were there says how many have ended.
            if !SetContents(row, from: 2).isMade(of: found) { others.append((row.text(1), found)) }
            return true
        }
        for (name, mark) in others { try mark.write(of: name, database) }
    }
}
