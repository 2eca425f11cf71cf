import Bytes
import CSQLite
import Geodesy
import Model

/// Puts and removes fences of one origin within one transaction of the catalogue.
///
/// A fence that exists is changed in its cell. New ones wait until ``write(until:)``: if they are
/// at least half as many as those that exist, they are packed into cells of their own; otherwise
/// each gets a cell to itself. So the cells of several imports overlap in few layers, and a search
/// has to look into few.
struct CatalogueWriter {
    private let database: Database
    private let origin: FenceOrigin
    private let conditions: ChangeConditions
    private let originNumber: Int64
    /// The origin had no number before.
    private let isNewOrigin: Bool
    private let before: Generation
    private let countBefore: Int
    /// There are ids, whatever the numbers say.
    private let hasIDs: Bool
    /// Number of fences of this origin, before and now.
    private let ownedBefore: Int
    private var owned: Int
    private var count: Int
    /// The next number that no fence ever had.
    private var next: Int64
    private var changed = 0
    private var removed = 0
    /// The number of beacon fences that were put.
    private var beacons = 0
    /// The number of fences that were put whose way is followed.
    private var followed = 0
    private let manifest: FenceManifest?
    private var held: HeldFences
    private let setBefore: AcceptedSet
    /// What removals and changes of fences that exist have made of that of ``setBefore``.
    private var mark: SetMark
    /// Of the fences that were put and existed.
    private var putMark = SetMark()
    /// Of a fence that exists there is no record that can be read.
    private var metUnreadable = false
    private var seen = RowSet()
    private var seenCount = 0
    private var loader: CellLoader
    /// What has changed, for the copy of the set.
    private(set) var copied: SetCopyChange
    /// Those that were not put, as far as they have not been removed.
    private var unseen: UnseenFences
    private var warnings: [CatalogueNote] = []

    /// Warnings are for a person or a bus message, not for a file with a million of them.
    private static let maximumWarnings = 1_000

    /// A transaction must be open.
    /// - Parameters:
    ///   - floor: the last generation that any client has seen.
    ///   - manifest: that of the catalogue; nil for one in memory.
    ///   - held: fences that come back, if they are among the new ones.
    /// - Throws: ``ChangeRefusal``, ``StoreError``.
    init(
        _ database: Database, origin: FenceOrigin, floor: Generation,
        conditions: ChangeConditions, manifest: FenceManifest?, held: HeldFences
    ) throws {
        self.manifest = manifest
        self.held = held
        self.database = database
        self.conditions = conditions
        self.origin = origin
        let state = try database.first("SELECT generation, count, next FROM state") {
            ($0.number(0), Int($0.integer(1)), $0.integer(2))
        }
        before = max(state?.0 ?? 0, floor)
        countBefore = state?.1 ?? 0
        count = countBefore
        hasIDs = try database.first("SELECT 1 FROM fence LIMIT 1") { _ in true } ?? false
        next = state?.2 ?? 1
        let find: SQL = """
            SELECT number, fences, accepted, sum, hazards, generation FROM origin WHERE name = ?
            """
        let known = try database.first(find, .text(origin.name)) {
            (number: $0.integer(0), fences: Int($0.integer(1)), set: AcceptedSet($0, from: 2))
        }
        setBefore = known?.set ?? AcceptedSet()
        if let since = conditions.unchangedSince, setBefore.generation > since {
            throw ChangeRefusal.changedSince(origin, setBefore.generation)
        }
        if let known {
            originNumber = known.number
        } else {
            try database.run(
                "INSERT INTO origin (name, fences) VALUES (?, 0)", .text(origin.name))
            originNumber = database.lastInserted
        }
        isNewOrigin = known == nil
        ownedBefore = known?.fences ?? 0
        owned = ownedBefore
        mark = setBefore.mark
        loader = CellLoader(directory: database.directory)
        unseen = UnseenFences(of: originNumber, database)
        copied = SetCopyChange(
            of: origin.name, before: SetContents(mark: mark, fences: Int64(ownedBefore)))
    }

    private var generation: Generation { before + 1 }
    enum Outcome: Equatable {
        case stored
        /// Exactly this fence is stored already.
        case unchanged
        /// The id was put before in this transaction, and existed already. Duplicates among new ids
        /// are found by ``write(until:)``.
        case twice
        /// The id belongs to another origin; nothing was done.
        case owned(by: FenceOrigin)
    }

    /// - Parameter added: in which generation it was added if it is not here; nil: in this one.
    mutating func put(_ fence: Fence, added: Generation? = nil) throws -> Outcome {
        if fence.beacons != nil {
            beacons += 1
            try conditions.check(beacons: beacons)
        }
        if fence.isFollowed {
            followed += 1
            try conditions.check(followed: followed)
        }
        guard hasIDs, let number = try CellTable.number(id: fence.id, in: database)
        else {
            let history = FenceRecord.History(
                added: held.added(fence.id) ?? added ?? generation, changed: generation,
                origin: originNumber)
            try loader.add(fence, history)
            if copied.wantsEntries {
                copied.put(FenceRecord.bytes(of: fence, slot: 0, history: history))
            }
            count += 1
            owned += 1
            changed += 1
            try conditions.check(
                kept: conditions.removesNothing ? owned : seenCount + loader.count,
                of: ownedBefore, others: countBefore - ownedBefore, origin)
            return .stored
        }
        return try edit(fence, number)
    }

    private mutating func edit(_ fence: Fence, _ number: Int64) throws -> Outcome {
        var record: [UInt8] = []
        var owner = originNumber
        var oldMark = SetMark()
        let found = try CellTable.record(number, fence.id, in: database) {
            cell, bytes, old -> EditedCell? in
            var history = try old.history()
            owner = try self.owner(of: history)
            guard owner == originNumber else { return nil }
            history.origin = owner
            oldMark = try old.mark()
            record = FenceRecord.bytes(of: fence, slot: old.slot, history: history)
            if old.bytes.elementsEqual(record) { return nil }
            history.changed = generation
            // The kind of fence has changed: the state of the old one does not apply.
            if old.isOfBeacons != (fence.beacons != nil) { history.added = generation }
            record = FenceRecord.bytes(of: fence, slot: old.slot, history: history)
            return EditedCell(
                number: cell, size: bytes.count,
                with: try FenceCell.rewritten(bytes, of: cell) {
                    $0.slot == old.slot ? record : nil
                },
                without: try FenceCell.rewritten(bytes, of: cell) {
                    $0.slot == old.slot ? [] : nil
                })
        }
        guard let edited = found else { return try replaceUnreadable(by: fence, number) }
        guard owner == originNumber else {
            return .owned(by: try CellTable.origin(owner, in: database) ?? origin)
        }
        guard seen.insert(number) else { return .twice }
        seenCount += 1
        let newMark = try FenceRecord.mark(of: record)
        putMark += newMark
        guard let edited else { return .unchanged }
        mark -= oldMark
        mark += newMark
        copied.put(record)
        try store(edited, record, of: fence, number)
        changed += 1
        return .stored
    }

    /// One of an origin that there is not belongs to whoever brings it.
    private func owner(of history: FenceRecord.History) throws -> Int64 {
        guard history.origin != originNumber,
            try CellTable.origin(history.origin, in: database) == nil
        else { return history.origin }
        return originNumber
    }

    private struct EditedCell {
        var number: Int64
        /// Before the edit.
        var size: Int
        var with: [UInt8]?
        /// Nil if the fence is alone in its cell.
        var without: [UInt8]?
    }

    private mutating func store(
        _ cell: EditedCell, _ record: [UInt8], of fence: Fence, _ number: Int64
    ) throws {
        guard let with = cell.with else { throw failure("a cell without its fence") }
        let box = fence.area?.boundingBox
        guard let without = cell.without else {
            try CellTable.update(cell.number, with, in: database)
            try CellTable.removePlace(cell.number, from: database)
            return try CellTable.insertPlace(
                cell.number, box, isFollowed: fence.isFollowed, into: database)
        }
        let fits = with.count <= max(FenceCell.mostBytes, cell.size)
        if fits, !fence.isFollowed, let box,
            try CellTable.box(cell.number, in: database)?.holds(box) ?? false
        {
            return try CellTable.update(cell.number, with, in: database)
        }
        // Moved or grown too large: alone in a cell from now on.
        try CellTable.update(cell.number, without, in: database)
        try storeAlone(record, of: fence)
    }

    private mutating func storeAlone(_ record: [UInt8], of fence: Fence) throws {
        var bytes = CellBytes()
        record.withByteView { bytes.append($0, of: next, slot: 0) }
        try CellTable.insert(
            next, bytes.bytes(of: next), fence.area?.boundingBox, isFollowed: fence.isFollowed,
            into: database)
        try database.run(
            "UPDATE fence SET number = ? WHERE id = ?", .integer(next), .text(fence.id))
        _ = seen.insert(next)
        next += 1
    }

    /// Returns the owner if the id belongs to another origin; an unknown id is ignored.
    /// - Parameter hasEnded: it still counts as accepted, but for those of the bus, which nobody
    ///   brings as a set.
    mutating func remove(id: String, hasEnded: Bool = false) throws -> FenceOrigin? {
        guard let number = try CellTable.number(id: id, in: database) else { return nil }
        var owner = originNumber
        var oldMark = SetMark()
        let edited = try CellTable.record(number, id, in: database) {
            cell, bytes, old -> (Int64, [UInt8]?) in
            owner = try self.owner(of: try old.history())
            oldMark = try old.mark()
            return (
                cell, try FenceCell.rewritten(bytes, of: cell) { $0.slot == old.slot ? [] : nil }
            )
        }
        guard owner == originNumber else { return try CellTable.origin(owner, in: database) }
        if !hasEnded || origin == .bus { mark -= oldMark }
        // An unreadable record stays where it is; nothing refers to it any more.
        metUnreadable = metUnreadable || edited == nil
        if let edited { try CellTable.replace(edited.0, edited.1, in: database) }
        try forget(id, number)
        copied.remove(id)
        return nil
    }

    /// Removes every fence of this origin that was not put, until the time is up; true at the end.
    mutating func removeUnseen(until isTimeUp: () -> Bool) throws -> Bool {
        // Usually all of them were put again, and there is nothing to look for.
        guard seenCount < ownedBefore else { return true }
        try conditions.check(removed: ownedBefore - seenCount, of: ownedBefore, origin)
        repeat {
            // In portions: a statement must not iterate over rows that are being changed.
            guard let cells = try unseen.next(besides: seen) else { return true }
            for cell in cells {
                try CellTable.replace(cell.number, cell.rest, in: database)
                for (id, number) in cell.gone { try forget(id, number) }
            }
        } while !isTimeUp()
        return false
    }

    /// Writes the new fences until the time is up; true at the end.
    /// - Throws: ``CatalogueRefusal`` for a duplicate id.
    mutating func write(until isTimeUp: () -> Bool) throws -> Bool {
        do {
            return try loader.write(
                to: database, loosely: 2 * loader.count < countBefore, next: &next,
                until: isTimeUp)
        } catch is DamagedRecord {
            // Of what was to be stored, not of what is.
            throw failure("a fence to be stored is not as it was written")
        }
    }

    /// Writes the new state; the caller commits the transaction.
    /// - Throws: ``ChangeRefusal``, ``StoreError``.
    mutating func finish(_ bringing: Bringing) throws -> CatalogueChange {
        try conditions.check(count: count, before: countBefore)
        try conditions.checkFoundAtOnce(in: database, beacons: beacons, followed: followed)
        try conditions.check(owned: owned, before: ownedBefore, origin)
        try conditions.check(removed: removed, of: ownedBefore, origin)
        if ownedBefore == 0, owned > 0 { try origin.checkRoom(in: database) }
        let isChanged = changed > 0 || removed > 0
        if isChanged {
            try database.run(
                "UPDATE state SET generation = ?, count = ?, next = ?", .number(generation),
                .integer(Int64(count)), .integer(next))
            try database.run(
                """
                UPDATE origin SET fences = ?, generation = ?, changed_at = unixepoch()
                WHERE number = ?
                """, .integer(Int64(owned)), .number(generation), .integer(originNumber))
        }
        let isPart =
            switch bringing {
            case .changes, .olderCopy: true
            case .whole, .copy: false
            }
        if isPart, metUnreadable { throw StoreError(lostRecordIn: database.path) }
        var now = isPart ? mark : putMark
        now += loader.mark
        var isWhole = false
        switch bringing {
        case .changes, .olderCopy: break
        case .whole:
            isWhole = true
            copied.noteReplacement()
        case .copy(let contents):
            // Some may have ended: they are not there, and were accepted.
            if contents.fences == Int64(owned) { now = contents.mark }
            copied.noteReplacement()
        }
        let set = AcceptedSet(
            mark: now, generation: isChanged ? generation : setBefore.generation)
        copied.after = SetContents(mark: now, fences: Int64(owned))
        copied.generation = set.generation
        if now != setBefore.mark { try now.write(of: origin.name, database) }
        if isNewOrigin, now == .nothing, !isChanged {
            // Names without fences would accumulate.
            try database.run("DELETE FROM origin WHERE number = ?", .integer(originNumber))
        }
        if !conditions.isDryRun {
            var isOlder = false
            // One that brings nothing makes nothing older.
            if case .olderCopy = bringing { isOlder = isChanged }
            try manifest?.prepare(origin.name, set, isWhole: isWhole, isOlder: isOlder)
        }
        return CatalogueChange(
            generation: isChanged && !conditions.isDryRun ? generation : before,
            changed: changed, removed: removed, warnings: warnings)
    }

    /// Warns of an entry, or a removal, of a fence that belongs to another origin.
    mutating func warnLeftOut(_ fence: String, _ other: FenceOrigin) {
        warn(fence, "belongs to \(other); the entry of \(origin) is left out")
    }

    mutating func warn(_ fence: String, _ reason: String) {
        guard warnings.count < Self.maximumWarnings else { return }
        warnings.append(CatalogueNote(fence: fence, reason: reason))
    }

    /// - Parameter number: of its record, to which the id may not lead: then it is that of another one.
    private mutating func forget(_ id: String, _ number: Int64) throws {
        try database.run(
            "DELETE FROM fence WHERE id = ? AND number = ?", .text(id), .integer(number))
        count -= 1
        owned -= 1
        removed += 1
    }

    /// Its origin and content are unknown: it counts as ours, and as what it was to the engine.
    private mutating func replaceUnreadable(
        by fence: Fence, _ number: Int64
    ) throws -> Outcome {
        guard seen.insert(number) else { return .twice }
        metUnreadable = true
        seenCount += 1
        let record = FenceRecord.bytes(
            of: fence, slot: 0,
            history: .init(
                added: try held.addedUnreadable(fence.id), changed: generation, origin: originNumber
            ))
        putMark += try FenceRecord.mark(of: record)
        copied.put(record)
        try storeAlone(record, of: fence)
        changed += 1
        return .stored
    }

    /// Says nothing of the file.
    private func failure(_ message: String) -> StoreError {
        StoreError(code: SQLITE_OK, message: message, path: database.path)
    }
}
