package import Bytes
package import Model

/// What is stored of the vehicle itself, beside its stays: it survives a power cut.
package struct VehicleRecord: Hashable, Sendable {
    /// The ignition, and where the vehicle is parked.
    package var parking: Parking
    /// Where it was when its position became doubtful, as long as it is: of ``Trust/doubt``.
    package var doubted: Fix?
    /// The trip that is not over.
    @Boxed package var trip: Trip?

    package init(parking: Parking = Parking(), doubted: Fix? = nil, trip: Trip? = nil) {
        self.parking = parking
        self.doubted = doubted
        self.trip = trip
    }
}

extension VehicleRecord: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(parking)
        writer.write(doubted) { $0.write($1) }
        writer.write(trip) { $0.write($1) }
    }

    package init(from reader: inout ByteReader) throws {
        self.init(parking: try reader.read())
        // Of an older version: without it.
        if !reader.isAtEnd { doubted = try? reader.readOptional { try $0.readFix() } }
        if !reader.isAtEnd { trip = try? reader.readOptional { try $0.read() } }
    }
}
