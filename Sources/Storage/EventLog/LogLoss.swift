import Files
import Model
package import Time

/// The log has lost its end, or all of it, until somebody accepts that or everybody knows it.
package struct LogLoss: Hashable, Sendable {
    /// The last number of what is lost.
    package var last: UInt64
    /// When that was found, by the time of the receiver; nil until that is known.
    package var found: UTCTime?
    /// An open stay may be over: its exit may have been in what is lost.
    package var areStaysDoubted = false

    init(last: UInt64) { self.last = last }

    /// Nil where nothing is lost.
    init?(_ database: Database) throws {
        let found = try database.first("SELECT log_lost, log_lost_at, stays_doubted FROM state") {
            row -> LogLoss? in
            guard !row.isNull(0) else { return nil }
            var loss = LogLoss(last: row.number(0))
            loss.found = row.isNull(1) ? nil : UTCTime(nanoseconds: row.integer(1))
            loss.areStaysDoubted = row.flag(2)
            return loss
        }
        guard let loss = found ?? nil else { return nil }
        self = loss
    }

    func write(to database: Database) throws {
        try database.run(
            "UPDATE state SET log_lost = ?, log_lost_at = ?, stays_doubted = ?", .number(last),
            found.map { .integer($0.nanoseconds) } ?? .null, .flag(areStaysDoubted))
    }
}

// A loss until it is over, and the file that outlives the log.
extension EventLog {
    /// Nobody misses what is lost any more. Durable.
    /// - Throws: ``StoreError``; then it is still missed.
    package func endLoss() throws {
        mend()
        try connection.use(mending: false) {
            try $0.run(
                "UPDATE state SET log_lost = NULL, log_lost_at = NULL, stays_doubted = NULL")
        }
        loss = nil
    }

    /// Changes what is known of the loss, where there is one. Durable.
    package func noteLoss(_ change: (inout LogLoss) -> Void) throws {
        mend()
        guard var next = loss else { return }
        change(&next)
        guard next != loss else { return }
        try connection.use(mending: false) { try next.write(to: $0) }
        loss = next
    }

    /// Writes how things stand once more, beside the log.
    /// - Parameter erasing: as of ``SecondFile/write(_:erasing:)``.
    func keepSecond(erasing: Bool = false) throws {
        guard isEndSettled, isEndKept, connection.absence == nil else { return }
        let standing = try connection.use(mending: false) {
            try LogStanding($0, withoutLineOf: second.route)
        }
        do throws(Errno) { try second.write(standing, erasing: erasing) } catch {
            throw StoreError(error, path: connection.path + ".second")
        }
        isSecondBehind = false
    }

    /// Whether `log-lost` is in the log behind what is lost.
    package func isLossTold() throws -> Bool {
        guard let loss else { return true }
        return try connection.use { database in
            try database.first(
                "SELECT 1 FROM event WHERE seq > ? AND kind = ? LIMIT 1", .number(loss.last),
                .integer(Int64(EventKind.logLost.rawValue))
            ) { _ in true } ?? false
        }
    }
}
