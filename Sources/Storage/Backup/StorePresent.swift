import Bytes
import Engine

/// What is kept of the present store when a copy replaces it: the last number, the open stays, who
/// drives, and how far each consumer has read. A file that cannot be read contributes nothing.
struct StorePresent {
    private var lastNumber: UInt64
    private var generation: Generation = 0
    private var known: Generation = 0
    /// Nil when the log cannot be read: then the copy's are the best available.
    private var stays: [OpenStay]?
    private var isPositionLost = false
    private var areFencesLost = false
    private var driver: RecordedDriver?
    /// Nil when the log cannot be read.
    private var logID: String?

    /// - Parameter numbers: no event has a greater number, according to the file of numbers; used
    ///   when the log cannot say.
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
            // Older schemas do not have them.
            logID = try? EventLog.id(in: log)
            let told = try? log.first("SELECT fences_lost FROM state") { $0.flag(0) }
            areFencesLost = told ?? false
            driver = try? EventLog.driver(in: log)
        } catch {
            stays = nil
            lastNumber = max(lastNumber, numbers)
        }
    }

    /// Writes it into the files that will replace the present ones.
    func carryOver(toLog log: String, catalogue: String) throws {
        let log = try Database(path: log, .existing)
        // The rows that are carried over may have columns that an older copy lacks.
        try DatabaseFormat.events.migrate(log, from: Int(try log.pragma("user_version")))
        try log.transaction {
            // On another disk the numbers may have continued from the copy's, and now stand for
            // other events: what follows is another log, with another id. What the copy has keeps
            // its own, because readers may have it already.
            if let copied = try? EventLog.id(in: log), copied != logID {
                try log.run(
                    "INSERT OR REPLACE INTO earlier SELECT last, ? FROM state WHERE last > 0",
                    .text(copied))
                try log.run("UPDATE identity SET log = lower(hex(randomblob(16)))")
            }
            // Everything up to the last number may have been announced: none of it is new.
            try log.run("UPDATE state SET last = max(last, ?)", .number(lastNumber))
            try log.run(
                "UPDATE state SET announced = last, known = max(known, ?)",
                .number(max(known, generation)))
            // The engine's checkpoint belongs to another time.
            try log.run("DELETE FROM snapshot")
            if let stays {
                try log.run("DELETE FROM stay")
                for stay in stays { try EventLog.insert(stay, log) }
                try log.run(
                    "UPDATE state SET position_lost = ?, fences_lost = ?", .flag(isPositionLost),
                    .flag(areFencesLost))
                try log.run("DELETE FROM driving")
                try log.run(
                    "UPDATE driver SET last_seq = (SELECT last FROM state) WHERE last_seq IS NULL")
                if let driver { try EventLog.keep(driver, in: log) }
            }
        }
        let database = try Database(path: catalogue, .existing)
        // A generation is never given twice: a client that has seen one knows what it stands for.
        try database.run(
            "UPDATE state SET generation = max(generation, ?) + 1",
            .number(max(known, generation)))
    }
}
