import Files
import Geodesy
package import Law
package import Model
import Time

/// Events, open stays, positions of sinks and the engine's checkpoint, in a file of their own: an
/// import of a million fences holds the write lock of the other one while crossings continue to be
/// committed.
package final class EventLog {
    let connection: Connection
    let bootID: String?

    /// Number of the last event; 0 before the first.
    package internal(set) var lastSeq: UInt64 = 0
    /// The last number that the file itself has.
    var fileLast: UInt64 = 0

    /// Number of the oldest event that is kept; ``lastSeq`` + 1 if the log is empty.
    package var oldestSeq: UInt64 { trim.oldest }

    /// Whether events after that number were deleted, or will be before the log has grown by a
    /// tenth.
    package func isCutting(after seq: UInt64) -> Bool {
        retention.isCutting(after: seq, of: oldestSeq, to: lastSeq)
    }

    /// Which log the numbers belong to: 32 hexadecimal digits, made with its file; empty while no
    /// id can be read.
    package internal(set) var id = ""
    /// The same, also while the file is not there; nil until it was.
    var lastID: String?
    /// Logs that earlier numbers belong to, each up to a number, in ascending order: those that backups
    /// were made of.
    private var earlier: [EarlierLog] = []

    /// Numbers that no event has any more, or ever had, since the log has lost its end.
    package internal(set) var lost = LostNumbers()
    /// What the runtime directory has said.
    var position: Position?
    /// What else is known of the last number has been compared with the file.
    var isEndSettled = false
    /// What that came to is in the file.
    var isEndKept = true
    /// How things stood, to be written in place of what a lost log says.
    var restoring: LogStanding?

    /// The log has lost its end, or all of it; nil if it has not, or that is over.
    package internal(set) var loss: LogLoss?
    /// The file had nothing of the log when that was settled.
    var isBlank = false
    /// There was a log before this process, as others know.
    let wasUsed: Bool
    /// The same, in the file that outlives it.
    let second: SecondFile
    /// Something has changed that is not in it.
    var isSecondBehind = false
    /// How many positions have been saved.
    private var positions = 0
    /// The loss was found by this process, which may know how things stand better than the file.
    /// Set to false when what it knows has been committed.
    package var hasLostStanding = false

    /// How far each sink had announced when that was last written.
    package private(set) var announced = SinkPositions()
    /// Events up to that number may be trimmed.
    private var told: UInt64 = 0

    /// The greatest ``EventRecord/known`` committed.
    package private(set) var known: Generation = 0

    /// The value last committed.
    package private(set) var positionLost = false

    /// The same of ``EventRecord/fencesLost``.
    package private(set) var fencesLost = false

    /// The driver that events are recorded with; nil if there is none.
    package private(set) var driver: RecordedDriver?
    /// As it was set last, if it was new then.
    var unusedDriver: UnusedDriver?
    /// The file has it: not one that replaces a damaged file, until the next commit.
    private(set) var isDriverKept = true
    /// The durable consumers by name, as they were last read or written.
    var heldConsumers: [String: Consumer] = [:]
    /// The file has them: not one that replaces a damaged file, until ``keepConsumers()``.
    var areConsumersKept = true
    /// The part of ``announced`` that is in the file; the rest is written with the next commit.
    private var announcedWritten = SinkPositions()
    /// The file may hold a checkpoint, of this process or of an earlier one.
    private var hasCheckpoint = true
    private var openings = 1
    let numbers: NumberFile
    /// Rows that turned out not to be events of ours.
    private var unreadable = UnreadableRecords()
    private let retention: Retention
    var trim: LogTrim

    init(
        path: String, retention: Retention, bootID: String?, format: DatabaseFormat = .events,
        wasUsed: Bool = false
    ) throws {
        self.wasUsed = wasUsed
        self.retention = retention.bounded
        trim = LogTrim(self.retention, oldest: 1)
        self.bootID = bootID
        numbers = try NumberFile(beside: path)
        second = SecondFile(directory: Directory.parent(of: path))
        connection = try Connection(path: path, format: format, writable: false) { _ in }
        try refresh()
    }

    /// The names of the events that are left out of answers because they cannot be read.
    var unreadableNames: [String] { unreadable.names.values.sorted() }
    var unreadableCount: Int { unreadable.names.count }

    var setAside: [QuarantinedFile] { connection.setAside }

    /// Returns to the file when it can be used again; it may hold more than we know.
    func mend() {
        connection.mend()
        readAgain()
        keepConsumers()
    }

    private func readAgain() {
        guard connection.openings != openings else { return }
        hasCheckpoint = true
        guard (try? refresh()) != nil else { return }
        openings = connection.openings
        isEndSettled = false
        settleEnd()
    }

    // MARK: Commit

    /// One durable transaction, see ``FenceStore/commit(_:)``.
    /// - Parameter checkpoint: the engine's after it, if no file holds it. An older one is removed in any
    ///   case.
    /// - Throws: ``StoreError``; then nothing of it is stored.
    package func commit(
        _ record: EventRecord, checkpoint: [UInt8]? = nil
    ) throws -> [LoggedEvent] {
        mend()
        settleEnd()
        if !isEndKept { try keepEnd() }
        var logged = record.events.enumerated().map { offset, event in
            LoggedEvent(seq: lastSeq + 1 + UInt64(offset), event: event, bootID: bootID)
        }
        let last = logged.last?.seq ?? lastSeq
        if !logged.isEmpty, connection.absence == nil {
            numbers.note(given: last, committed: lastSeq, log: id)
        }
        let known = max(known, record.known)
        let fencesLost = record.fencesLost ?? fencesLost
        let announced = announced
        var trim = trim
        try connection.use(mending: false) { database in
            try database.transaction {
                if let driver, !isDriverKept { try Self.keep(driver, in: database) }
                try nameDrivers(of: &logged, database)
                for event in logged { try EventColumns.insert(event, into: database) }
                for id in record.closed {
                    try database.run("DELETE FROM stay WHERE fence = ?", .text(id))
                }
                for stay in record.opened { try Self.insert(stay, database) }
                for fence in record.spent { try Self.insert(fence, database) }
                if let vehicle = record.vehicle { try Self.insert(vehicle, database) }
                try database.run(
                    """
                    UPDATE state SET last = ?, announced = ?, known = ?, position_lost = ?,
                        fences_lost = ?, driven = coalesce(?, driven) WHERE only_row = 1
                    """, .number(last), .number(announced.least), .number(known),
                    .flag(record.positionLost), .flag(fencesLost),
                    record.driven.map { .blob($0.bytes) } ?? .null)
                try writeFurther(announced, database)
                try replaceCheckpoint(by: checkpoint, database)
                try trim.trim(
                    database, after: record, checkpoint: checkpoint, last: last,
                    announced: max(told, announced.least))
                if trim.oldest != oldestSeq {
                    try Self.removeDrivers(before: trim.oldest, database)
                }
            }
        }
        isDriverKept = true
        isSecondBehind = true
        lastSeq = last
        self.trim = trim
        self.known = known
        positionLost = record.positionLost
        self.fencesLost = fencesLost
        announcedWritten = announced
        hasCheckpoint = checkpoint != nil
        return logged
    }

    /// Written with the next commit, position or ``flush(checkpoint:)``, or by ``keepAnnounced()``: after a
    /// crash some events are announced again, none is lost.
    /// - Parameter trimming: up to which events may be trimmed; nil: as far as every sink has announced.
    package func markAnnounced(_ positions: SinkPositions, trimming: UInt64? = nil) {
        told = trimming ?? 0
        guard positions.least >= announced.least, positions == positions.limited(to: lastSeq)
        else { return }
        announced = positions
    }

    func flush(checkpoint: [UInt8]?) throws {
        settleEnd()
        if isEndKept, connection.absence == nil {
            numbers.note(given: lastSeq, committed: lastSeq, log: id)
        }
        guard !isAnnouncedKept || checkpoint != nil else { return }
        try connection.use { database in
            try database.transaction {
                try write(announced, database)
                try replaceCheckpoint(by: checkpoint, database)
            }
        }
        announcedWritten = announced
        hasCheckpoint = checkpoint != nil
    }

    /// That driver, or none, is in the file.
    func use(_ driver: RecordedDriver?) {
        self.driver = driver
        isDriverKept = true
        isSecondBehind = true
    }

    // MARK: What is kept

    /// Which log a number belongs to, as ``id``: another one for events of a backup that was restored
    /// elsewhere.
    package func id(of seq: UInt64) -> String { earlier.first { seq <= $0.last }?.id ?? id }

    /// Events with greater numbers than `seq`, in order. There is a gap if `seq + 1` is less than
    /// ``oldestSeq``, and where numbers are ``lost``.
    package func events(after seq: UInt64, limit: Int) throws -> [LoggedEvent] {
        // A number too large for the column is after every event.
        guard let after = Int64(exactly: seq) else { return [] }
        return try connection.use { database in
            var events: [LoggedEvent] = []
            try database.rows(
                EventColumns.after, .integer(after), .integer(limit > 0 ? .max : 0)
            ) { row in
                // An unreadable event leaves no hole: a short answer is taken for the end.
                if let event = EventColumns.read(row) {
                    events.append(event)
                } else {
                    note(unreadable: row)
                }
                return events.count < limit
            }
            return events
        }
    }

    /// A row that is no event of ours.
    func note(unreadable row: borrowing Row) {
        unreadable.note(row.integer(0), "event \(row.number(0))")
    }

    /// What was marked has been written.
    package var isAnnouncedKept: Bool { announced == announcedWritten }

    /// Writes what was marked, if nothing else has.
    package func keepAnnounced() throws {
        mend()
        guard !isAnnouncedKept else { return }
        let announced = announced
        try connection.use(mending: false) { database in
            try database.transaction { try write(announced, database) }
        }
        announcedWritten = announced
        isSecondBehind = true
    }

    /// A transaction of its own: at most once a minute, and on an orderly stop.
    package func save(_ position: LastPosition) throws {
        mend()
        let announced = announced
        try connection.use(mending: false) { database in
            try database.transaction {
                try Self.insert(position, database)
                if !isAnnouncedKept { try write(announced, database) }
                try database.run(
                    "UPDATE state SET driven = coalesce(?, driven) WHERE only_row = 1",
                    position.driven.map { .blob($0.bytes) } ?? .null)
            }
        }
        announcedWritten = announced
        // The odometer alone is worth a write of the second file now and then.
        positions += 1
        if positions % 10 == 0 { isSecondBehind = true }
    }

    // MARK: Inside

    static func id(in database: Database) throws -> String? {
        try database.first("SELECT log FROM identity") { $0.text(0) }
    }

    private func write(_ announced: SinkPositions, _ database: Database) throws {
        try database.run("UPDATE state SET announced = ?", .number(announced.least))
        try writeFurther(announced, database)
    }

    /// Usually there is nothing to write.
    private func writeFurther(_ announced: SinkPositions, _ database: Database) throws {
        guard announced.further != announcedWritten.further else { return }
        try database.run("DELETE FROM sink")
        for (name, position) in announced.further {
            try database.run(
                "INSERT INTO sink (name, announced) VALUES (?, ?)", .text(name), .number(position))
        }
    }

    /// A checkpoint that does not match the stays beside it is worse than no checkpoint.
    private func replaceCheckpoint(by checkpoint: [UInt8]?, _ database: Database) throws {
        if let checkpoint {
            try database.run(
                "INSERT OR REPLACE INTO snapshot (only_row, boot, engine) VALUES (1, ?, ?)",
                .text(bootID), .blob(checkpoint))
        } else if hasCheckpoint {
            try database.run("DELETE FROM snapshot")
        }
    }

    func refresh() throws {
        try connection.useAtStart { database in
            var least: UInt64 = 0
            try database.rows(
                "SELECT last, announced, known, position_lost, fences_lost FROM state"
            ) { row in
                // Numbers never decrease, even if the file was started again.
                if row.number(0) >= lastSeq {
                    (positionLost, fencesLost) = (row.flag(3), row.flag(4))
                }
                fileLast = row.number(0)
                lastSeq = max(lastSeq, fileLast)
                least = row.number(1)
                known = max(known, row.number(2))
                return false
            }
            let hasFile = connection.absence == nil || connection.isReadOnly
            id = hasFile ? try Self.id(in: database) ?? "" : ""
            earlier = try Self.earlier(in: database)
            lost = try Self.lost(in: database)
            loss = try LogLoss(database)
            announcedWritten = SinkPositions(
                least: least, further: try Self.furtherSinks(in: database))
            announced = announced.furthest(announcedWritten).limited(to: lastSeq)
            trim = LogTrim(
                retention, oldest: try LogTrim.oldestKept(database) ?? lastSeq + 1)
            let kept = try Self.driver(in: database)
            // Whoever drives goes on driving when a damaged file is replaced.
            isDriverKept = kept != nil || !connection.isNew
            if isDriverKept { driver = kept }
            holdConsumers(of: database)
        }
    }
}
