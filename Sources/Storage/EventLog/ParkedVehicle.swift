package import Law

// The ignition and the place of a parked vehicle, which survive a power cut.
extension EventLog {
    /// The parked vehicle as last committed; nil if the ignition was never set.
    package func parking() throws -> Parking? {
        try connection.use { try Self.parking(in: $0) }
    }

    static func parking(in database: Database) throws -> Parking? {
        try database.first("SELECT state FROM parking") { $0.bytes(0) }
            .flatMap { Parking(bytes: $0) }
    }

    static func insert(_ parking: Parking, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO parking (only_row, state) VALUES (1, ?)", .blob(parking.bytes))
    }
}
