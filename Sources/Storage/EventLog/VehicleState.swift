package import Law

// What is kept of the vehicle itself, which survives a power cut.
extension EventLog {
    /// The vehicle as last committed; nil if nothing of it ever was.
    package func vehicle() throws -> VehicleRecord? {
        try connection.use { try Self.vehicle(in: $0) }
    }

    static func vehicle(in database: Database) throws -> VehicleRecord? {
        try database.first("SELECT state FROM parking") { $0.bytes(0) }
            .flatMap { VehicleRecord(bytes: $0) }
    }

    static func insert(_ vehicle: VehicleRecord, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO parking (only_row, state) VALUES (1, ?)", .blob(vehicle.bytes))
    }
}
