import Bytes
import CSQLite
import Geodesy
import Law
import Model
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

    /// Of a fence with an area.
    /// - Throws: ``DamagedRecord``; ``NoRoom`` for an intact one.
    func entry(_ record: FenceRecord, number: Int64) throws -> CatalogueEntry {
        guard !leftOut.contains(record) else { throw DamagedRecord() }
        guard DecodedEntries.keeps(record) else { return try decode(record).entry }
        if let entry = try decoded.entry(number, record) { return entry }
        let (entry, changed) = try decode(record, lease: try decoded.room(for: record))
        decoded.keep(entry, number, changed: changed, size: record.bytes.count)
        return entry
    }

    private func decode(
        _ record: FenceRecord, lease: DecodedEntries.Lease? = nil
    ) throws -> (entry: CatalogueEntry, changed: Generation) {
        try marked(record) {
            let (fence, history) = try record.fence()
            guard let entry = CatalogueEntry(fence: fence, added: history.added, lease: lease)
            else {
                throw DamagedRecord()
            }
            guard entry.hasTerms else { return (entry, history.changed) }
            return (entry.keeping(try hours(of: fence)), history.changed)
        }
    }

    /// A small record without terms is decoded without a mark.
    private func marked<Result>(
        _ record: FenceRecord, _ body: () throws -> Result
    ) throws -> Result {
        guard DecodedEntries.keeps(record) || record.form.contains(.terms) else {
            return try body()
        }
        return try InHand.mark(.fence, (try? record.id())?.text ?? "", body)
    }

    /// An entry that the caller looks at and drops: it needs no room, and takes none.
    func passing(_ record: FenceRecord, number: Int64) throws -> CatalogueEntry {
        guard !leftOut.contains(record) else { throw DamagedRecord() }
        if DecodedEntries.keeps(record), let entry = try decoded.entry(number, record) {
            return entry
        }
        return try decode(record).entry
    }

    /// A fence that is only inspected, and kept neither here nor in the window.
    func fence(
        _ record: FenceRecord, number: Int64
    ) throws -> (fence: Fence, history: FenceRecord.History) {
        guard !leftOut.contains(record) else { throw DamagedRecord() }
        if DecodedEntries.keeps(record), let entry = try decoded.entry(number, record) {
            return (entry.fence, try record.history())
        }
        return try marked(record) {
            let found = try record.fence()
            if found.fence.hasTerms {
                do { _ = try hours(of: found.fence) } catch {
                    // Without its time zone it cannot be judged, but it can be shown and kept.
                    guard zoneless.contains(found.fence.id) else { throw error }
                }
            }
            return found
        }
    }

    /// Nil, and noted, for a record that cannot be read, or for which there is no room; nil also for one
    /// that is held.
    func readable(
        _ record: FenceRecord, number: Int64
    ) throws -> CatalogueEntry? {
        guard !olderSets.hold(record) else { return nil }
        do { return try entry(record, number: number) } catch is DamagedRecord {
            note(record, number)
        } catch is NoRoom {
            noteNoRoom(record, number)
        }
        return nil
    }

    /// - Parameter record: nil for what is not as it was written.
    func note(_ record: FenceRecord?, of cell: Int64) {
        if let record {
            if !record.isProven, !leftOut.contains(record) {
                noteDamage("a record of cell \(cell)")
            }
            return note(record, cell + Int64(record.slot))
        }
        // No fence has a number below 0.
        unreadable.note(-cell, "records of cell \(cell)")
        noteDamage("a record of cell \(cell)")
    }

    /// Fences are lost, and nobody knows yet of which origin: all of the file is to be checked.
    private func noteDamage(_ what: String) { suspect("\(what) is not as it was written") }

    /// The catalogue is not what was accepted, as ``StoreCheck/verdictOfSets(of:)`` has found: it is one of
    /// ``suspects`` from now on.
    package func suspect(_ why: String) {
        connection.note(StoreError(code: SQLITE_CORRUPT, message: why, path: path))
    }

    private func note(_ record: FenceRecord, _ number: Int64) {
        if let id = try? record.id(), zoneless.contains(id.text) { return }
        unreadable.note(number, name(record, number))
    }

    private func noteNoRoom(_ record: FenceRecord, _ number: Int64) {
        unreadable.note(number, name(record, number) + " (too large beside the others here)")
    }

    private func name(_ record: FenceRecord, _ number: Int64) -> String {
        let id = (try? record.id()).map { $0.text }
        return id.map { "fence \"\($0)\"" } ?? "fence number \(number)"
    }

    /// The number of the fence with that id. Where none has it, and for damage perhaps, that is noted.
    func number(id: String, _ database: Database) throws -> Int64? {
        if let number = try CellTable.number(id: id, in: database) { return number }
        if let other = try CellTable.strayID(beside: id, in: database) {
            noteDamage("the id \"\(other)\"")
        }
        return nil
    }

    /// What `body` makes of the record with a number from the table of ids; nil, and noted, if it
    /// cannot be read.
    func read<Found>(
        _ number: Int64, _ id: String, _ database: Database,
        _ body: (FenceRecord) throws -> Found
    ) throws -> Found? {
        var found: Found?
        var isDamaged = true
        _ = try CellTable.record(number, id, in: database) { _, _, record in
            isDamaged = !record.isProven && !leftOut.contains(record)
            do { found = try body(record) } catch is NoRoom {
                isDamaged = false
                noteNoRoom(record, number)
            }
        }
        if found == nil, isDamaged { noteDamage("the record of fence \"\(id)\"") }
        if found == nil, !zoneless.contains(id) { unreadable.note(number, "fence \"\(id)\"") }
        return found
    }

    /// The fence with a number from the table of ids; nil, and noted, if it cannot be read.
    /// - Parameter size: the size of its record in bytes is added to this.
    func stored(
        _ number: Int64, _ id: String, _ database: Database, size: inout Int
    ) throws -> StoredFence? {
        let found = try read(number, id, database) { record in
            size += record.bytes.count
            return try fence(record, number: number)
        }
        guard let (fence, history) = found else { return nil }
        guard let origin = try origin(history.origin, database) else {
            unreadable.note(number, "fence \"\(id)\"")
            return nil
        }
        return StoredFence(
            fence: fence, added: history.added, origin: origin, changed: history.changed)
    }

    /// Nil if there is no such origin.
    func origin(_ number: Int64, _ database: Database) throws -> FenceOrigin? {
        guard number != 0 else { return .bus }
        return try database.first(
            "SELECT name FROM origin WHERE number = ?", .integer(number)
        ) { FenceOrigin(name: $0.text(0)) }
    }

    /// An unreadable fence may have been put again, or removed.
    func noteMended() {
        noteZones()
        guard !unreadable.names.isEmpty else { return }
        try? use { database in
            unreadable.keep { number in
                let isMended = try? CellTable.cell(of: abs(number), in: database) {
                    cell, bytes in
                    // What is left of a cell stays unreadable as long as the cell exists.
                    guard number > 0 else { return cell != -number }
                    guard let record = try FenceCell.record(number - cell, of: bytes, cell) else {
                        return true
                    }
                    // An entry needs room, too.
                    if record.isOfBeacons {
                        _ = try fence(record, number: number)
                    } else {
                        _ = try entry(record, number: number)
                    }
                    return true
                }
                return isMended != true
            }
        }
    }
}
