package import Geodesy
package import Law
package import Time

/// A route as it is on the disk. Once it has ended it has no line and no name any more.
package struct StoredRoute: Hashable, Sendable {
    /// ``Route/number``
    package var number: UInt64
    /// As somebody calls it; empty for none.
    package var name: String
    /// UTC.
    package var setAt: UTCTime
    /// It outlives a start of the machine.
    package var isKept: Bool
    /// It was set, or gone on with, since the machine was started.
    package var isOfThisBoot: Bool
    /// Each as ``Route/rounded(_:)``.
    package var positions: [Coordinate]
    /// Of ``isOfThisBoot`` alone.
    package var progress: RouteProgress

    package init(
        number: UInt64, name: String, setAt: UTCTime, isKept: Bool, positions: [Coordinate],
        progress: RouteProgress
    ) {
        self.number = number
        self.name = name
        self.setAt = setAt
        self.isKept = isKept
        isOfThisBoot = true
        self.positions = positions
        self.progress = progress
    }
}

// The line is in a row of its own, which is written once; what changes on the way is a few bytes.
extension EventLog {
    /// The last that was set; nil where none ever was.
    /// - Throws: ``StoreError``
    package func route() throws -> StoredRoute? {
        try connection.use { [bootID] in try Self.route(in: $0, bootID: bootID) }
    }

    static func route(
        in database: Database, bootID: String?, withLine: Bool = true
    ) throws -> StoredRoute? {
        let line =
            withLine ? try database.first("SELECT positions FROM route") { $0.bytes(0) } : nil
        return try database.first(
            "SELECT number, name, set_at, kept, boot, progress FROM route_state"
        ) { row in
            let bytes = row.bytes(5)
            guard let progress = RouteProgress(bytes: bytes) else { return nil }
            var stored = StoredRoute(
                number: row.number(0), name: row.text(1),
                setAt: UTCTime(nanoseconds: row.integer(2)), isKept: row.flag(3),
                positions: Self.positions(line ?? []), progress: progress)
            stored.isOfThisBoot = bootID != nil && row.optionalText(4) == bootID
            return stored
        } ?? nil
    }

    /// In place of the one before. Durable.
    /// - Throws: ``StoreError``; then the route is the one of before.
    package func setRoute(_ route: StoredRoute) throws {
        try writeRoute { [bootID] in try Self.insert(route, bootID: bootID, $0) }
    }

    static func insert(_ route: StoredRoute, bootID: String?, _ database: Database) throws {
        try database.run("DELETE FROM route")
        // One that has ended has none.
        if !route.positions.isEmpty {
            try database.run(
                "INSERT INTO route (only_row, positions) VALUES (1, ?)",
                .blob(Self.bytes(route.positions)))
        }
        try database.run(
            """
            INSERT OR REPLACE INTO route_state
                (only_row, number, name, set_at, kept, boot, progress)
            VALUES (1, ?, ?, ?, ?, ?, ?)
            """, .number(route.number), .text(route.name), .integer(route.setAt.nanoseconds),
            .flag(route.isKept), .text(bootID), .blob(route.progress.bytes))
    }

    /// What is kept of the route of that number; where it has ended its line is deleted. Durable.
    /// - Throws: ``StoreError``
    package func noteRoute(_ progress: RouteProgress) throws {
        try writeRoute(erasing: progress.end != nil) { database in
            try database.run(
                "UPDATE route_state SET progress = ? WHERE number = ?",
                .blob(progress.bytes), .number(progress.number))
            guard progress.end != nil else { return }
            try database.run("DELETE FROM route")
            try database.run(
                "UPDATE route_state SET name = '' WHERE number = ?", .number(progress.number))
        }
    }

    private func writeRoute(
        erasing: Bool = true, _ body: (Database) throws -> Void
    ) throws {
        mend()
        if let absence = connection.absence { throw absence }
        try connection.use(mending: false) { database in
            // Zeros in place of where somebody went.
            if erasing { try database.script("PRAGMA secure_delete=ON") }
            defer { if erasing { try? database.script("PRAGMA secure_delete=FAST") } }
            try database.transaction { try body(database) }
            // The write-ahead log has the pages as they were; it is emptied later if it is being read.
            if erasing { _ = try? database.pragma("wal_checkpoint(TRUNCATE)") }
        }
        isSecondBehind = true
    }

    // Each as two numbers of 10⁻⁷ degrees, latitude first, little-endian.

    static func bytes(_ positions: [Coordinate]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * positions.count)
        for position in positions {
            for degrees in [position.latitude, position.longitude] {
                let number = UInt32(
                    bitPattern: Int32(exactly: (degrees * 1e7).rounded()) ?? 0)
                for shift in [0, 8, 16, 24] {
                    bytes.append(UInt8(truncatingIfNeeded: number >> shift))
                }
            }
        }
        return bytes
    }

    static func positions(_ bytes: [UInt8]) -> [Coordinate] {
        func degrees(_ at: Int) -> Double {
            var number: UInt32 = 0
            for index in 0..<4 { number |= UInt32(bytes[at + index]) << (8 * index) }
            return (Double(Int32(bitPattern: number))) / 1e7
        }
        return stride(from: 0, through: bytes.count - 8, by: 8).map {
            Coordinate(latitude: degrees($0), longitude: degrees($0 + 4))
        }
    }
}
