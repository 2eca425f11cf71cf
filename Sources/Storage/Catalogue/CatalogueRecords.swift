import Bytes
import Engine
import Geodesy
import Schedules

/// How the catalogue reads its records. A damaged record is noted and left out: it affects neither
/// its file nor its neighbours.
extension Catalogue {
    /// The names of the fences that are left out of answers because their records cannot be read,
    /// among those that have been asked for.
    var unreadableNames: [String] { unreadable.names.values.sorted() }
    var unreadableCount: Int { unreadable.names.count }

    var path: String { connection.path }

    func entry(_ record: FenceRecord, cell: Int64) throws -> CatalogueEntry {
        try entry(record, number: cell + Int64(record.slot))
    }

    /// Of a cell with a box: it contains only fences with areas.
    private func entry(_ record: FenceRecord, number: Int64) throws -> CatalogueEntry {
        let (fence, history) = try decoded(record, number: number, isLent: false)
        guard let entry = try entry(of: fence, added: history.added) else {
            throw DamagedRecord()
        }
        return entry
    }

    /// With its hours; nil for a beacon fence.
    func entry(of fence: Fence, added: Generation) throws -> CatalogueEntry? {
        let entry = CatalogueEntry(fence: fence, added: added)
        guard let entry, entry.hasTerms else { return entry }
        return entry.keeping(try hourBook.hours(of: fence))
    }

    /// - Parameter isLent: the fence is only inspected, and kept neither here nor in the window.
    func fence(
        _ record: FenceRecord, number: Int64, isLent: Bool = false
    ) throws -> (fence: Fence, history: FenceRecord.History) {
        let found = try decoded(record, number: number, isLent: isLent)
        if found.fence.hasTerms { _ = try hourBook.hours(of: found.fence) }
        return found
    }

    /// Whatever its hours are.
    private func decoded(
        _ record: FenceRecord, number: Int64, isLent: Bool
    ) throws -> (fence: Fence, history: FenceRecord.History) {
        try record.fence { bytes, changed in
            if let area = areas.area(number, changed: changed) { return area }
            if isLent { return try AreaCoding.decode(bytes) }
            guard areas.hasRoom(for: number, size: bytes.count) else { throw DamagedRecord() }
            let area = try AreaCoding.decode(bytes)
            areas.keep(area, number, changed: changed, size: bytes.count)
            return area
        }
    }

    /// Nil, and noted, for a record that cannot be read.
    func readable(
        _ record: FenceRecord, number: Int64
    ) throws -> CatalogueEntry? {
        do { return try entry(record, number: number) } catch is DamagedRecord {
            note(record, number)
            return nil
        }
    }

    /// - Parameter record: nil for the rest of a cell.
    func note(_ record: FenceRecord?, of cell: Int64) {
        if let record { return note(record, cell + Int64(record.slot)) }
        // No fence has a number below 0.
        unreadable.note(-cell, "what is left of cell \(cell)")
    }

    private func note(_ record: FenceRecord, _ number: Int64) {
        let id = (try? record.id()).map { $0.text }
        let name = id.map { "fence \"\($0)\"" } ?? "fence number \(number)"
        unreadable.note(
            number, areas.refused == number ? name + " (too large beside the others here)" : name)
    }

    /// The fence with a number from the table of ids; nil, and noted, if it cannot be read.
    /// - Parameter size: the size of its record in bytes is added to this.
    func stored(
        _ number: Int64, _ id: String, _ database: Database, isLent: Bool, size: inout Int
    ) throws -> StoredFence? {
        var found: (fence: Fence, history: FenceRecord.History)?
        do {
            _ = try CellTable.cell(of: number, in: database) { cell, bytes in
                guard let record = try FenceCell.record(number - cell, of: bytes) else {
                    return
                }
                size += record.bytes.count
                found = try fence(
                    record, number: cell + Int64(record.slot), isLent: isLent)
            }
        } catch is DamagedRecord {
            found = nil
        }
        // In a cell with a damaged length another record may be found in this one's place.
        guard let (fence, history) = found, fence.id == id else {
            unreadable.note(number, "fence \"\(id)\"")
            return nil
        }
        guard let origin = try origin(history.origin, database) else {
            unreadable.note(number, "fence \"\(id)\"")
            return nil
        }
        return StoredFence(
            fence: fence, added: history.added, origin: origin, changed: history.changed)
    }

    /// Nil if there is no such origin.
    private func origin(_ number: Int64, _ database: Database) throws -> FenceOrigin? {
        guard number != 0 else { return .bus }
        return try database.first(
            "SELECT name FROM origin WHERE number = ?", .integer(number)
        ) { FenceOrigin(name: $0.text(0)) }
    }

    /// An unreadable fence may have been put again, or removed.
    func noteMended() {
        guard !unreadable.names.isEmpty else { return }
        try? use { database in
            unreadable.keep { number in
                let isMended = try? CellTable.cell(of: abs(number), in: database) {
                    cell, bytes in
                    // The rest of a cell stays unreadable as long as the cell exists.
                    guard number > 0 else { return cell != -number }
                    if let record = try FenceCell.record(number - cell, of: bytes) {
                        _ = try fence(record, number: cell + Int64(record.slot))
                    }
                    return true
                }
                return isMended != true
            }
        }
    }
}
