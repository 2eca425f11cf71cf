import Bytes
import Engine
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
    private var state: State?

    /// How things stand, according to a log.
    private struct State {
        var stays: [OpenStay]
        var isPositionLost = false
        var areFencesLost = false
        var driver: RecordedDriver?
        var driven: OdometerReading
        var position: LastPosition?
        var parking: Parking?
        var route: (stored: StoredRoute, bootID: String?)?
        /// Nil when they cannot be read.
        var consumers: [Consumer]?

        /// What an older schema does not have is absent.
        init(_ log: Database) throws {
            stays = try EventLog.stays(in: log)
            isPositionLost =
                try log.first("SELECT position_lost FROM state") { $0.flag(0) } ?? false
            let told = try? log.first("SELECT fences_lost FROM state") { $0.flag(0) }
            areFencesLost = told ?? false
            driver = try? EventLog.driver(in: log)
            driven = (try? EventLog.driven(in: log)) ?? OdometerReading()
            position = try? EventLog.position(in: log)
            parking = try? EventLog.parking(in: log)
            let boot = try? log.first("SELECT boot FROM route_state") { $0.optionalText(0) }
            if let stored = try? EventLog.route(in: log, bootID: boot ?? nil) {
                route = (stored, boot ?? nil)
            }
            consumers = try? EventLog.consumers(in: log)
        }

        /// The odometer goes on from `reading`, and what was counted since stays.
        mutating func count(from reading: OdometerReading) {
            for index in stays.indices { stays[index].way?.move(from: driven, to: reading) }
            parking?.trip?.way.move(from: driven, to: reading)
            driven = reading
        }
    }

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
            self.state = try State(log)
            // The first schema had none.
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
            if let state {
                try Self.write(state, isSameLog: isSameLog, to: log)
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

    private static func write(
        _ state: State, isSameLog: Bool, to log: Database
    ) throws {
        var state = state
        // That of another log, a new disk, has usually begun at nothing. It never goes back.
        let copied = try EventLog.driven(in: log)
        if copied.metres > state.driven.metres { state.count(from: copied) }
        try log.run("DELETE FROM stay")
        for stay in state.stays { try EventLog.insert(stay, log) }
        try log.run(
            "UPDATE state SET position_lost = ?, fences_lost = ?, driven = ?",
            .flag(state.isPositionLost), .flag(state.areFencesLost), .blob(state.driven.bytes))
        try log.run("DELETE FROM driving")
        try log.run(
            "UPDATE driver SET last_seq = (SELECT last FROM state) WHERE last_seq IS NULL")
        if let driver = state.driver { try EventLog.keep(driver, in: log) }
        try log.run("DELETE FROM position")
        if let position = state.position { try EventLog.insert(position, log) }
        try log.run("DELETE FROM parking")
        if let parking = state.parking { try EventLog.insert(parking, log) }
        try log.run("DELETE FROM route")
        try log.run("DELETE FROM route_state")
        if let route = state.route {
            try EventLog.insert(route.stored, bootID: route.bootID, log)
        }
        // Their positions are numbers of one log.
        if isSameLog, let consumers = state.consumers {
            try log.run("DELETE FROM consumer")
            for consumer in consumers { try EventLog.insert(consumer, log) }
        }
    }

    /// Nobody knows where the vehicle is: a copy's place of the parked one would be a theft, and the end
    /// of its trip may have been told.
    private static func forgetWhereItWas(in log: Database) throws {
        guard var parking = try EventLog.parking(in: log) else { return }
        parking.forgetPlace()
        parking.doubted = nil
        parking.trip = nil
        try EventLog.insert(parking, log)
    }
}
