import Model

// Where numbers go on: whether the log still has its end.
extension EventLog {
    /// Up to it a number of another file is one that a log may have given: a reader of JSON knows all
    /// whole numbers up to there. One that no log has counted to says nothing.
    static let greatestFromOutside: UInt64 = 1 << 53

    /// What the runtime directory says: every event up to `last` was committed, and those that wait get the
    /// next numbers, again if one of them had one.
    package struct Position: Hashable {
        /// Number of the last event that a killed process has committed.
        var last: UInt64
        /// How many events it has left, which get the next numbers.
        var waiting: UInt64

        package init(last: UInt64, waiting: Int) {
            self.last = last
            self.waiting = UInt64(max(waiting, 0))
        }
    }

    /// Compares the last number of the file with what else is known of it. Numbers go on above all that may
    /// have been given, what is between is lost, and how things stand is taken from the second file where
    /// that is later. Does nothing while the file is not there, nor a second time.
    package func settleEnd(after found: Position? = nil) {
        if let found, found.last <= Self.greatestFromOutside { position = found }
        guard !isEndSettled else { return }
        guard connection.absence == nil || connection.isReadOnly else {
            lastSeq = max(lastSeq, position?.last ?? 0)
            return
        }
        isEndSettled = true
        numbers.lookAgain()
        isBlank = isFileBlank
        isEndKept = !lowerLast()
        let standing = laterStanding
        let end = end(standing)
        if end > fileLast { lost.add(fileLast + 1...end) }
        // It has no events, so that it begins there.
        if oldestSeq == fileLast + 1 { trim.oldest = end + 1 }
        lastSeq = end
        guard connection.absence == nil else { return }
        let present = id
        // One witness alone may be an older one: then the numbers above it may have been used.
        let last = numbers.known.flatMap { ($0.given >= standing?.last ?? 0) ? $0 : nil }
        if isBlank {
            id = lastID ?? (standing == nil ? nil : last?.log) ?? id
        } else if lastID == nil, numbers.isBlank || standing != nil && last == nil {
            // Nothing says that this number is the last one.
            id = Self.madeID
        }
        if hasLost(standing) { noteLoss(standing) }
        if !id.isEmpty { lastID = id }
        isEndKept = isEndKept && lastSeq == fileLast && id == present && restoring == nil
        if !isEndKept {
            try? keepEnd()
        } else if isBlank {
            numbers.note(given: lastSeq, committed: lastSeq, log: id)
        }
        lowerConsumers()
    }

    /// A consumer that has acknowledged what nobody has given would never hear of anything again.
    private func lowerConsumers() {
        for consumer in heldConsumers.values where consumer.acknowledged > lastSeq {
            let kept = second.read()?.consumers?.first { $0.name == consumer.name }?.acknowledged
            let seq = kept.map { min($0, lastSeq) } ?? lastSeq
            try? connection.use(mending: false) {
                try $0.run(
                    "UPDATE consumer SET acknowledged = ? WHERE name = ?", .number(seq),
                    .text(consumer.name))
            }
            heldConsumers[consumer.name]?.acknowledged = seq
        }
    }

    /// A last number that nobody has given is a damaged one; true if it was.
    private func lowerLast() -> Bool {
        guard let known = numbers.known, known.isExact, known.log == id, fileLast > known.given,
            lastID == nil
        else { return false }
        let most = try? connection.use(mending: false) { database in
            try database.first("SELECT max(seq) FROM event") { $0.number(0) } ?? 0
        }
        guard let most, most < fileLast else { return false }
        if oldestSeq == fileLast + 1 { trim.oldest = max(most, known.given) + 1 }
        fileLast = max(most, known.given)
        lastSeq = fileLast
        return true
    }

    /// How things stand according to the second file, if it is of this log and later than it.
    private var laterStanding: LogStanding? {
        guard isBlank || fileLast < lastSeq || lastID == nil, let found = second.read(),
            isBlank || found.log == id && found.last > fileLast
        else { return nil }
        guard lastID != nil else { return found }
        // This process has the rest itself.
        var standing = found
        (standing.driver, standing.announced) = (driver, announced)
        standing.consumers = Array(heldConsumers.values)
        return standing
    }

    /// ``known``, also of a log that is lost: what the second file says of it.
    var everKnown: Generation {
        isFileBlank ? max(known, second.read()?.known ?? 0) : known
    }

    /// The file is new, or all that it had was cut off.
    private var isFileBlank: Bool {
        guard !connection.isNew else { return true }
        guard fileLast == 0, lastID == nil, let log = numbers.known?.log else { return false }
        return log != id
    }

    /// Whether more was committed, or begun, than a process has known of that says this.
    package func hasGone(beyond position: Position) -> Bool {
        guard let known = numbers.known, known.isExact else { return false }
        return position.last < known.committed
            || position.waiting == 0 && position.last < known.given
    }

    /// The greatest number that may have been given.
    private func end(_ standing: LogStanding?) -> UInt64 {
        let present = max(fileLast, lastSeq)
        guard lastID == nil else { return present }
        let end = max(
            present, connection.lastNumber ?? 0, position?.last ?? 0, standing?.last ?? 0)
        guard let known = numbers.known else { return end }
        // Those that wait get the numbers that they had.
        if let position, max(position.last, fileLast) + position.waiting >= known.given {
            return end
        }
        // An older program reserves numbers before it needs them.
        let isLast =
            known.isExact || fileLast < known.committed || fileLast == 0 || connection.isRepaired
        return isLast ? max(end, known.given) : end
    }

    /// Whether something that was committed is not in the file.
    private func hasLost(_ standing: LogStanding?) -> Bool {
        guard isBlank || lastID != nil else {
            let committed = [numbers.known?.committed, position?.last, standing?.last]
            if committed.contains(where: { $0 ?? 0 > fileLast }) { return true }
            // Cut within a commit, or after it: who could say is damaged.
            let isOpen =
                numbers.known.map { $0.isExact && $0.given > fileLast } ?? numbers.isDamaged
            return isOpen && position == nil && second.isDamaged
        }
        return lastSeq > fileLast || isBlank && (standing != nil || wasUsed)
    }

    private func noteLoss(_ standing: LogStanding?) {
        restoring = standing
        hasLostStanding = true
        loss = LogLoss(last: lastSeq)
        // A commit may be missing that has begun or ended some; who uses the file knows them itself.
        loss?.areStaysDoubted =
            lastID == nil && (max(fileLast, standing?.last ?? 0) < lastSeq || numbers.isDamaged)
        isEndKept = false
    }

    /// Writes what ``settleEnd(after:)`` has come to.
    func keepEnd() throws {
        try connection.use(mending: false) { database in
            try database.transaction {
                if let restoring { try restore(restoring, database) }
                try database.run("UPDATE state SET last = ?", .number(lastSeq))
                try Self.write(lost, to: database)
                try loss?.write(to: database)
                // It is of before what is lost.
                if hasLostStanding { try database.run("DELETE FROM snapshot") }
                let present = isBlank ? numbers.known?.log : try Self.id(in: database)
                if let present, present != id, lastSeq > 0 {
                    try Self.insert(EarlierLog(last: lastSeq, id: present), database)
                }
                try database.run(
                    "INSERT OR REPLACE INTO identity (only_row, log) VALUES (1, ?)", .text(id))
            }
        }
        isEndKept = true
        if let restoring, heldConsumers.isEmpty {
            let restored = restoring.consumers ?? []
            heldConsumers = Dictionary(restored.map { ($0.name, $0) }) { $1 }
        }
        restoring = nil
        isSecondBehind = true
        try refresh()
        numbers.note(given: lastSeq, committed: lastSeq, log: id)
    }

    /// Within the transaction.
    private func restore(_ standing: LogStanding, _ database: Database) throws {
        try standing.write(to: database, isSameLog: true)
        for fence in standing.spent { try Self.insert(fence, database) }
        let announced = announced.furthest(standing.announced).limited(to: lastSeq)
        try database.run(
            "UPDATE state SET known = max(known, ?), announced = ?", .number(standing.known),
            .number(announced.least))
        try database.run("DELETE FROM sink")
        for (name, position) in announced.further {
            try database.run(
                "INSERT INTO sink (name, announced) VALUES (?, ?)", .text(name), .number(position))
        }
        guard isBlank else { return }
        for log in standing.earlier { try Self.insert(log, database) }
        if let log = standing.log, log != id, standing.last > 0 {
            try Self.insert(EarlierLog(last: lastSeq, id: log), database)
        }
    }

    private static func insert(_ log: EarlierLog, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO earlier (last, log) VALUES (?, ?)", .number(log.last),
            .text(log.id))
    }

    private static var madeID: String {
        let parts = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }
        return parts.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
    }

    // MARK: The table

    static func lost(in database: Database) throws -> LostNumbers {
        var spans: [ClosedRange<UInt64>] = []
        try database.rows("SELECT first, last FROM lost ORDER BY first LIMIT 64") { row in
            let (first, last) = (row.number(0), row.number(1))
            if first > 0, first <= last, last < 1 << 60 { spans.append(first...last) }
            return true
        }
        return LostNumbers(spans)
    }

    static func write(_ lost: LostNumbers, to database: Database) throws {
        try database.run("DELETE FROM lost")
        for span in lost.spans {
            try database.run(
                "INSERT INTO lost (first, last) VALUES (?, ?)", .number(span.lowerBound),
                .number(span.upperBound))
        }
    }
}
