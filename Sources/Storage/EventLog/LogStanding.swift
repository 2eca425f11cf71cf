import Law
import Model
import Time

/// How things stand, according to a log: what is in it beside the events.
struct LogStanding {
    /// Number of the last event that it knows of.
    var last: UInt64 = 0
    /// Nil in a log that has none.
    var log: String?
    var stays: [OpenStay]
    var known: Generation = 0
    var isPositionLost = false
    var areFencesLost = false
    var announced = SinkPositions()
    var driver: RecordedDriver?
    var driven: OdometerReading
    var position: LastPosition?
    var vehicle: VehicleRecord?
    var spent: [SpentFence] = []
    var route: (stored: StoredRoute, bootID: String?)?
    /// Nil when they cannot be read.
    var consumers: [Consumer]?
    /// As ``EventLog/earlier``, in ascending order.
    var earlier: [EarlierLog] = []
    var lost = LostNumbers()
}

/// The log that numbers up to one belong to.
struct EarlierLog: Hashable {
    var last: UInt64
    var id: String
}

extension LogStanding {
    /// What cannot be read of a damaged log, beyond its stays and its numbers, is absent.
    /// - Parameter number: a route whose line is not wanted, which may be long.
    init(_ log: Database, withoutLineOf number: UInt64? = nil) throws {
        stays = try EventLog.stays(in: log)
        driven = (try? EventLog.driven(in: log)) ?? OdometerReading()
        self.log = try? EventLog.id(in: log)
        var least: UInt64 = 0
        try log.rows("SELECT last, announced, known, position_lost FROM state") { row in
            (last, least, known) = (row.number(0), row.number(1), row.number(2))
            isPositionLost = row.flag(3)
            return false
        }
        let told = try? log.first("SELECT fences_lost FROM state") { $0.flag(0) }
        areFencesLost = told ?? false
        announced = SinkPositions(
            least: least, further: (try? EventLog.furtherSinks(in: log)) ?? [:])
        driver = try? EventLog.driver(in: log)
        position = try? EventLog.position(in: log)
        vehicle = try? EventLog.vehicle(in: log)
        spent = (try? EventLog.spentFences(in: log, limit: .max)) ?? []
        let found = try? log.first("SELECT number, boot FROM route_state") {
            ($0.number(0), $0.optionalText(1))
        }
        if let (present, boot) = found ?? nil,
            let stored = try? EventLog.route(
                in: log, bootID: boot, withLine: present != number)
        {
            route = (stored, boot)
        }
        consumers = try? EventLog.consumers(in: log)
        earlier = (try? EventLog.earlier(in: log)) ?? []
        lost = (try? EventLog.lost(in: log)) ?? LostNumbers()
    }

    /// The odometer goes on from `reading`, and what was counted since stays.
    private mutating func count(from reading: OdometerReading) {
        for index in stays.indices { stays[index].way?.move(from: driven, to: reading) }
        vehicle?.trip?.way.move(from: driven, to: reading)
        driven = reading
    }

    /// Replaces how things stand in another log by this, but for its numbers. The odometer never goes back.
    /// - Parameter isSameLog: whether its numbers are this one's: the positions of consumers are.
    func write(to log: Database, isSameLog: Bool) throws {
        var standing = self
        let present = try EventLog.driven(in: log)
        if present.metres > standing.driven.metres { standing.count(from: present) }
        try log.run("DELETE FROM stay")
        for stay in standing.stays { try EventLog.insert(stay, log) }
        try log.run(
            "UPDATE state SET position_lost = ?, fences_lost = ?, driven = ?",
            .flag(isPositionLost), .flag(areFencesLost), .blob(standing.driven.bytes))
        try log.run("DELETE FROM driving")
        try log.run(
            "UPDATE driver SET last_seq = (SELECT last FROM state) WHERE last_seq IS NULL")
        if let driver { try EventLog.keep(driver, in: log) }
        try log.run("DELETE FROM position")
        if let position { try EventLog.insert(position, log) }
        try log.run("DELETE FROM parking")
        if let vehicle = standing.vehicle { try EventLog.insert(vehicle, log) }
        try log.run("DELETE FROM route")
        try log.run("DELETE FROM route_state")
        if let route { try EventLog.insert(route.stored, bootID: route.bootID, log) }
        if isSameLog, let consumers {
            try log.run("DELETE FROM consumer")
            for consumer in consumers { try EventLog.insert(consumer, log) }
        }
    }
}
