import Bytes
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

extension VehicleRecord {
    /// The stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] {
        ByteWriter.bytes {
            $0.write(parking)
            $0.write(doubted) { $0.write($1) }
            $0.write(trip) { $0.write($1) }
        }
    }

    /// Nil if the bytes are damaged. Bytes that a later version appends are ignored.
    package init?(bytes: [UInt8]) {
        let record = bytes.withByteView { view in
            var reader = ByteReader(view)
            guard let parking = try? reader.readParking() else { return VehicleRecord?.none }
            var record = VehicleRecord(parking: parking)
            // Of an older version: without it.
            if !reader.isAtEnd { record.doubted = try? reader.readOptional { try $0.readFix() } }
            if !reader.isAtEnd { record.trip = try? reader.readOptional { try $0.readTrip() } }
            return record
        }
        guard let record else { return nil }
        self = record
    }
}
