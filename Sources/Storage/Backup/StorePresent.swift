import Bytes
import Law
import Model
import Time

/// What is kept of the present store when a copy replaces it: the last number, and how things stand. A
/// file that cannot be read contributes nothing.
struct StorePresent {
    private var lastNumber: UInt64
    /// The log that is there now, also where it cannot be read; nil where that is not known.
    private var logID: String?
    private var generation: Generation = 0
    private var known: Generation = 0
    /// Nil when the log cannot be read: then the copy's is the best available.
    private var standing: LogStanding?

    /// - Parameter numbers: what the file of numbers says.
    init(state: String, numbers: KnownNumbers?) {
        // Of those that an older program has reserved the log knows more.
        lastNumber = numbers.map { $0.isExact ? $0.given : $0.committed } ?? 0
        logID = numbers?.log
        if let catalogue = try? DatabaseFormat.catalogue.connect("\(state)/catalogue.sqlite") {
            let number = try? DatabaseFormat.catalogue.lastNumber.flatMap {
                try catalogue.first($0) { $0.number(0) }
            }
            generation = (number ?? nil) ?? 0
        }
        do {
            let log = try DatabaseFormat.events.connect("\(state)/events.sqlite")
            guard try log.pragma("application_id") == Int64(DatabaseFormat.events.applicationID)
            else { throw DamagedRecord() }
            // A number that cannot be has no next one in the copy either.
            guard try log.first(DatabaseFormat.events.sanity, read: { $0.flag(0) }) == true else {
                throw DamagedRecord()
            }
            try log.rows("SELECT last, known FROM state") { row in
                (lastNumber, known) = (max(lastNumber, row.number(0)), row.number(1))
                return false
            }
            standing = try LogStanding(log)
            // What is left of a damaged file may have none.
            logID = try? EventLog.id(in: log)
        } catch {
            lastNumber = max(lastNumber, numbers?.given ?? 0)
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
            let copied = try? EventLog.id(in: log)
            let isSameLog = copied == nil || copied == logID
            if !isSameLog {
                try log.run(
                    "INSERT OR REPLACE INTO earlier SELECT last, ? FROM state WHERE last > 0",
                    .text(copied))
                try log.run("UPDATE identity SET log = lower(hex(randomblob(16)))")
            }
            try goOn(in: log)
            try log.run(
                "UPDATE state SET announced = last, known = max(known, ?)",
                .number(max(known, generation)))
            // The engine's checkpoint belongs to another time.
            try log.run("DELETE FROM snapshot")
            if let standing {
                // The odometer of another log, a new disk, has usually begun at nothing.
                try standing.write(to: log, isSameLog: isSameLog)
            } else {
                try Self.forgetWhereItWas(in: log)
            }
        }
        let database = try Database(path: catalogue, .existing)
        // A generation is never given twice: a client that has seen one knows what it stands for.
        try database.run(
            "UPDATE state SET generation = max(generation, ?) + 1",
            .number(max(known, generation)))
    }

    /// Everything up to the last number may have been announced: none of it is new, and what the copy
    /// lacks of it is lost.
    private func goOn(in log: Database) throws {
        let last = try log.first("SELECT last FROM state") { $0.number(0) } ?? 0
        guard lastNumber > last else { return }
        var lost = try EventLog.lost(in: log)
        lost.add(last + 1...lastNumber)
        try EventLog.write(lost, to: log)
        try log.run("UPDATE state SET last = ?", .number(lastNumber))
    }

    /// Nobody knows where the vehicle is: a copy's place of the parked one would be a theft, and the end
    /// of its trip may have been told.
    private static func forgetWhereItWas(in log: Database) throws {
        guard var vehicle = try EventLog.vehicle(in: log) else { return }
        vehicle.parking.forgetPlace()
        vehicle.doubted = nil
        vehicle.trip = nil
        try EventLog.insert(vehicle, log)
    }
}
