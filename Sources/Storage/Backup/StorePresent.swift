import Bytes
import Engine

/// What of the store that is there now holds on when another takes its place: how far the numbers
/// have come, which stays are open, and who has read how far. A file that cannot be read says nothing.
struct StorePresent {
    private var lastNumber: UInt64
    private var generation: Generation = 0
    private var known: Generation = 0
    /// Nil where the log cannot be read: then the copy's are the best there is.
    private var stays: [OpenStay]?
    private var isPositionLost = false
    /// Nil where the log cannot be read.
    private var logID: String?

    /// - Parameter numbers: no event has a greater number, as the file of numbers has it; used where
    ///   the log does not say.
    init(state: String, numbers: UInt64) {
        lastNumber = 0
        if let catalogue = try? DatabaseFormat.catalogue.connect("\(state)/catalogue.sqlite") {
            generation =
                (try? catalogue.first("SELECT generation FROM state") { $0.number(0) } ?? 0) ?? 0
        }
        do {
            let log = try DatabaseFormat.events.connect("\(state)/events.sqlite")
            guard try log.pragma("application_id") == Int64(DatabaseFormat.events.applicationID)
            else { throw DamagedRecord() }
            try log.rows("SELECT last, known, position_lost FROM state") { row in
                (lastNumber, known) = (row.number(0), row.number(1))
                isPositionLost = row.flag(2)
                return false
            }
            stays = try EventLog.stays(in: log)
            // The first schemas had none.
            logID = try? EventLog.id(in: log)
        } catch {
            stays = nil
            lastNumber = max(lastNumber, numbers)
        }
    }

    /// Brings it into the files that are to take their place.
    func carryOver(toLog log: String, catalogue: String) throws {
        let log = try Database(path: log, .existing)
        try log.transaction {
            // What was told may have been told again and again: none of it is new.
            try log.run("UPDATE state SET last = max(last, ?)", .number(lastNumber))
            try log.run(
                "UPDATE state SET announced = last, known = max(known, ?)",
                .number(max(known, generation)))
            // On another disk the numbers may have gone on from the copy's: what they stand for now
            // is another log. One of an older schema gets its name when it is opened.
            if let copied = try? EventLog.id(in: log), copied != logID {
                try log.run("UPDATE identity SET log = lower(hex(randomblob(16)))")
            }
            // The engine's checkpoint is of another time.
            try log.run("DELETE FROM snapshot")
            if let stays {
                try log.run("DELETE FROM stay")
                for stay in stays { try EventLog.insert(stay, log) }
                try log.run("UPDATE state SET position_lost = ?", .flag(isPositionLost))
            }
        }
        let database = try Database(path: catalogue, .existing)
        // A generation is never given twice: who has seen one knows what it stands for.
        try database.run(
            "UPDATE state SET generation = max(generation, ?) + 1",
            .number(max(known, generation)))
    }
}
