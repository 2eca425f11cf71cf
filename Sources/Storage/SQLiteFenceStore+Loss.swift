import Model

// A log that has lost its end, and what outlives it.
extension SQLiteFenceStore {
    /// Compares the last number with what else is known of it, for a log may have lost its end: numbers go
    /// on above all that may have been given. The first commit does it, if nobody has.
    package func settleEnd() { log.settleEnd() }

    /// The same.
    /// - Parameters:
    ///   - last: number of the last event that a killed process has committed.
    ///   - waiting: how many events it has left, which get the next numbers.
    package func settleEnd(after last: UInt64, waiting: Int) {
        log.settleEnd(after: EventLog.Position(last: last, waiting: UInt64(waiting)))
    }

    /// Whether more was committed, or begun, than a killed process can have left that says this; to be asked
    /// before ``settleEnd(after:waiting:)``.
    package func hasGone(beyond last: UInt64, waiting: Int) -> Bool {
        log.hasGone(beyond: EventLog.Position(last: last, waiting: UInt64(waiting)))
    }

    /// Numbers that no event has any more, or ever had, since the log has lost its end.
    package var lost: LostNumbers { log.lost }

    /// The log has lost its end, or all of it; nil if it has not, or that is over.
    package var logLoss: LogLoss? { log.loss }

    /// Nobody misses what is lost any more. Durable.
    /// - Throws: ``StoreError``; then it is still missed.
    package func endLogLoss() throws { try log.endLoss() }

    /// Changes what is known of the loss, where there is one. Durable.
    package func noteLogLoss(_ change: (inout LogLoss) -> Void) throws {
        try log.noteLoss(change)
    }

    /// Whether `log-lost` is in the log behind what is lost.
    package func isLogLossTold() throws -> Bool {
        guard let loss = log.loss else { return true }
        return try log.connection.use { database in
            try database.first(
                "SELECT 1 FROM event WHERE seq > ? AND kind = ? LIMIT 1", .number(loss.last),
                .integer(Int64(EventKind.logLost.rawValue))
            ) { _ in true } ?? false
        }
    }

    /// This process has found a loss, after which the log may say less of how things stand than who has gone
    /// on; to be set to false when that has been committed.
    package var hasLostStanding: Bool {
        get { log.hasLostStanding }
        set { log.hasLostStanding = newValue }
    }

    /// How things stand has changed since ``keepSecond()``.
    package var isSecondBehind: Bool { log.isSecondBehind || isMarkBehind }

    /// Writes how things stand once more beside the log, which that outlives. Durable; not more than once a
    /// minute, and at an orderly stop.
    /// - Throws: ``StoreError``; then the former is there.
    package func keepSecond() throws {
        if isMarkBehind, let usedMark { mark?.keep(usedMark) }
        if log.isSecondBehind { try log.keepSecond() }
    }

    /// What the mark of use is to say; nil while there is nothing to miss.
    var usedMark: UseMark.Content? {
        guard absence == nil, log.isEndSettled, !logID.isEmpty else { return nil }
        let hasFences = catalogue.manifest.hasFencesOfNoFile
        guard hasFences || lastSeq > 0 else { return nil }
        return UseMark.Content(log: logID, hasFences: hasFences)
    }

    /// That fences are gone by now waits for an orderly stop.
    private var isMarkBehind: Bool {
        guard let mark else { return false }
        if let content = mark.content, content.log == logID, content.hasFences { return false }
        return usedMark.map { mark.isBehind($0) } ?? false
    }
}
