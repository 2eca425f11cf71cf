package import Model

// The durable consumers: stored in the file of the event log, because their positions are its
// numbers.
extension EventLog {
    /// Every durable consumer, by name.
    package func consumers() throws -> [Consumer] {
        mend()
        return try connection.use(mending: false) { try Self.consumers(in: $0) }
    }

    /// A file that has replaced a damaged one has none, and gets those that are held.
    func holdConsumers(of database: Database) {
        if connection.isNew {
            areConsumersKept = heldConsumers.isEmpty
        } else if areConsumersKept, let read = try? Self.consumers(in: database) {
            heldConsumers = Dictionary(read.map { ($0.name, $0) }) { $1 }
        }
    }

    /// Tried again with each use until it succeeds.
    func keepConsumers() {
        guard !areConsumersKept, connection.absence == nil else { return }
        let written: Void? = try? connection.use(mending: false) { database in
            try database.transaction {
                for consumer in heldConsumers.values { try Self.insert(consumer, database) }
            }
        }
        areConsumersKept = written != nil
    }

    static func consumers(in database: Database) throws -> [Consumer] {
        var consumers: [Consumer] = []
        try database.rows(
            "SELECT name, uid, acknowledged, options FROM consumer ORDER BY name"
        ) { row in
            consumers.append(
                Consumer(
                    name: row.text(0), uid: UInt32(truncatingIfNeeded: row.integer(1)),
                    acknowledged: row.number(2), options: row.text(3)))
            return true
        }
        return consumers
    }

    /// Adds a consumer, or updates all but its position if it exists.
    package func register(_ consumer: Consumer) throws {
        mend()
        var consumer = consumer
        if let held = heldConsumers[consumer.name] { consumer.acknowledged = held.acknowledged }
        try connection.use(mending: false) { try Self.insert(consumer, $0) }
        heldConsumers[consumer.name] = consumer
        isSecondBehind = true
    }

    /// One that is there keeps its position.
    static func insert(_ consumer: Consumer, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO consumer (name, uid, acknowledged, options) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET uid = excluded.uid, options = excluded.options
            """, .text(consumer.name), .integer(Int64(consumer.uid)),
            .number(consumer.acknowledged), .text(consumer.options))
    }

    /// Forgets a consumer and its position; does nothing if there is no consumer of that name.
    package func unregister(_ name: String) throws {
        mend()
        try connection.use(mending: false) { database in
            try database.run("DELETE FROM consumer WHERE name = ?", .text(name))
        }
        heldConsumers[name] = nil
        isSecondBehind = true
    }

    /// The consumer has processed everything up to `seq`. A position never decreases.
    package func acknowledge(_ seq: UInt64, consumer name: String) throws {
        mend()
        try connection.use(mending: false) { database in
            try database.run(
                "UPDATE consumer SET acknowledged = max(acknowledged, ?) WHERE name = ?",
                .number(seq), .text(name))
        }
        if let held = heldConsumers[name] {
            heldConsumers[name]?.acknowledged = max(held.acknowledged, seq)
        }
        isSecondBehind = true
    }

    /// The last event that changed the presence in that fence, as far as the log is kept.
    package func lastChange(of fence: String) throws -> LoggedEvent? {
        try connection.use { database in
            try database.first(EventColumns.lastChange, .text(fence)) {
                EventColumns.read($0)
            } ?? nil
        }
    }

    /// The last event of that fence that says whether the vehicle is arriving there, as far as the log is
    /// kept.
    package func lastArrival(at fence: String) throws -> LoggedEvent? {
        try connection.use { database in
            try database.first(EventColumns.lastArrival, .text(fence)) {
                EventColumns.read($0)
            } ?? nil
        }
    }
}
