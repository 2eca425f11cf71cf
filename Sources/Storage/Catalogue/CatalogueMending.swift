import Bytes
import Geodesy
import Model

/// A catalogue in which something is not as it was written becomes one that has what is: what cannot be
/// believed is removed from it, what follows from its fences is made again, and a set that is not as it
/// was accepted any more is lost, see ``FenceManifest``. In portions; until the end, and when it is
/// dropped before that, it leaves nothing behind.
package final class CatalogueMending {
    private let catalogue: Catalogue
    private var database: Database?
    private var stage = Stage.cells(after: .min)
    private var numbers = CatalogueNumbers(ofPart: true)
    /// Those of which something was accepted.
    private var origins: Set<Int64> = []
    /// Numbers of the fences that there are, and how many.
    private var present = RowSet()
    private var count: Int64 = 0

    private enum Stage {
        case cells(after: Int64)
        /// More ids than fences. As bytes: one that has changed may be no text.
        case ids(after: [UInt8])
    }

    private struct Cell {
        var number: Int64
        var bytes: [UInt8]
        var place: CellPlace
    }

    private static let cellsAtOnce = 32
    private static let idsAtOnce: Int64 = 256

    /// - Throws: ``StoreError``, also while another change is under way.
    init(_ catalogue: Catalogue) throws {
        self.catalogue = catalogue
        let database = try catalogue.connection.another()
        try database.begin()
        self.database = database
        try database.rows("SELECT number FROM origin WHERE accepted > 0") { row in
            origins.insert(row.integer(0))
            return true
        }
        catalogue.isImporting = true
    }

    deinit { end() }

    private func end() {
        guard let database else { return }
        database.rollback()
        self.database = nil
        catalogue.isImporting = false
    }

    /// Continues until `isTimeUp` returns true; true at the end.
    /// - Throws: ``StoreError``; then nothing has changed, and it is over.
    package func step(until isTimeUp: () -> Bool) throws -> Bool {
        guard let database else { return true }
        do {
            repeat {
                guard try advance(database) else { continue }
                try finish(database)
                try database.commit()
                end()
                catalogue.wasMended()
                return true
            } while !isTimeUp()
            return false
        } catch {
            end()
            throw error
        }
    }

    /// One portion; true after the last.
    private func advance(_ database: Database) throws -> Bool {
        switch stage {
        case .cells(let last):
            let cells = try cells(after: last, database)
            for cell in cells { try mend(cell, database) }
            if cells.count == Self.cellsAtOnce, let end = cells.last {
                stage = .cells(after: end.number)
                return false
            }
            let ids = try database.first("SELECT count(*) FROM fence") { $0.integer(0) }
            stage = .ids(after: [0])
            return ids == count
        case .ids(let last):
            var ids: [(id: [UInt8], number: Int64)] = []
            try database.rows(
                "SELECT id, number FROM fence WHERE id > CAST(? AS TEXT) ORDER BY id LIMIT ?",
                .blob(last), .integer(Self.idsAtOnce)
            ) { row in
                ids.append((row.bytes(0), row.integer(1)))
                return true
            }
            for (id, number) in ids where try !isFence(number, id, database) {
                try database.run("DELETE FROM fence WHERE id = CAST(? AS TEXT)", .blob(id))
            }
            guard let end = ids.last else { return true }
            stage = .ids(after: end.id)
            return false
        }
    }

    private func cells(after last: Int64, _ database: Database) throws -> [Cell] {
        var cells: [Cell] = []
        try database.rows(
            "SELECT number, fences FROM cell WHERE number > ? ORDER BY number LIMIT ?",
            .integer(last), .integer(Int64(Self.cellsAtOnce))
        ) { row in
            let bytes = row.withBytes(1) { Array($0) }
            cells.append(Cell(number: row.integer(0), bytes: bytes, place: CellPlace()))
            return true
        }
        for index in cells.indices {
            let number = cells[index].number
            let isFoundAtOnce = try database.first(
                "SELECT 1 FROM beacon WHERE number = ?", .integer(number)
            ) { _ in true }
            cells[index].place = CellPlace(
                box: try CellTable.box(number, in: database),
                isFoundAtOnce: isFoundAtOnce ?? false)
        }
        return cells
    }

    private func mend(_ cell: Cell, _ database: Database) throws {
        var place = CellPlace()
        let (rest, isChanged) = try cell.bytes.withByteView { bytes in
            try FenceCell.mended(bytes, of: cell.number) { record in
                guard try keeps(record, in: cell.number, database) else { return false }
                try place.add(record)
                return true
            }
        }
        if isChanged { try CellTable.replace(cell.number, rest, in: database) }
        guard rest != nil, !cell.place.serves(place) else { return }
        try CellTable.removePlace(cell.number, from: database)
        try CellTable.insertPlace(
            cell.number, place.box, isFollowed: place.isFoundAtOnce, into: database)
    }

    /// Whether the fence of a record is one; then its id leads to it.
    private func keeps(
        _ record: FenceRecord, in cell: Int64, _ database: Database
    ) throws -> Bool {
        let number = cell + Int64(record.slot)
        guard record.isProven || (try? record.fence()) != nil,
            let id = (try? record.id())?.validText, let history = try? record.history(),
            origins.contains(history.origin), (try? record.box()) != nil || record.isOfBeacons
        else { return false }
        let known = try CellTable.number(id: id, in: database)
        if known != number {
            if let known, try isRecord(known, id, database) { return false }
            // Behind the beginning of the next cell.
            guard try isRecord(number, id, database) else { return false }
        }
        guard present.insert(number) else { return false }
        if known != number {
            try database.run(
                "INSERT OR REPLACE INTO fence (id, number) VALUES (?, ?)", .text(id),
                .integer(number))
        }
        try numbers.count(record, in: cell)
        count += 1
        return true
    }

    private func isFence(_ number: Int64, _ id: [UInt8], _ database: Database) throws -> Bool {
        guard present.contains(number), let id = String(validating: id, as: UTF8.self) else {
            return false
        }
        return try isRecord(number, id, database)
    }

    private func isRecord(_ number: Int64, _ id: String, _ database: Database) throws -> Bool {
        try CellTable.record(number, id, in: database) { _, _, _ in true } ?? false
    }

    private func finish(_ database: Database) throws {
        try numbers.write(database)
        // Whoever compares sees that answers have changed.
        try database.run(
            "UPDATE state SET generation = 1 + max(generation, ?)", .number(catalogue.generation))
    }
}

extension Catalogue {
    /// The file has changed by another connection.
    fileprivate func wasMended() {
        connection.absolve()
        mend()
    }
}
