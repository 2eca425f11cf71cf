import Bytes
package import Geodesy
package import Time

/// Where the vehicle is parked, and whether it was moved from there: section 12 of the law.
package struct Parking: Hashable, Sendable {
    /// Whether the ignition is on, as last set; nil if it was never set.
    package var ignition: Bool?
    /// The place at which the alarm is armed; nil while it is not.
    package var place: Place?
    /// The first of consecutive fixes outside the place.
    package var leaving: Leaving?
    /// `towed` has been recorded since the ignition was switched off.
    package var isTold = false

    package init() {}

    /// Where the vehicle was left.
    package struct Place: Hashable, Sendable {
        /// WGS 84.
        package var coordinate: Coordinate
        /// The error of the fix, m.
        package var error: Double
        /// Receiver time of the fix.
        package var time: ReceiverTime

        package init(coordinate: Coordinate, error: Double, time: ReceiverTime) {
            self.coordinate = coordinate
            self.error = error
            self.time = time
        }
    }

    /// A fix outside the place.
    package struct Leaving: Hashable, Sendable {
        /// Receiver time.
        package var time: ReceiverTime
        /// The distance from the boundary of the place, m.
        package var distance: Double
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        if let place { self.place?.time = place.time + span }
        if let leaving { self.leaving?.time = leaving.time + span }
    }

    /// Whether the next accepted fix may arm the alarm or trigger it.
    var isWatching: Bool { ignition == false && !isTold }
}

extension Parking {
    /// The state in its stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil if the bytes are damaged. Bytes that a later version appends are ignored.
    package init?(bytes: [UInt8]) {
        let parking = bytes.withByteView { view in
            var reader = ByteReader(view)
            return try? reader.readParking()
        }
        guard let parking else { return nil }
        self = parking
    }
}

extension ByteWriter {
    mutating func write(_ parking: Parking) {
        write(parking.ignition) { $0.write($1) }
        write(parking.place) { writer, place in
            writer.write(place.coordinate)
            writer.write(place.error)
            writer.write(place.time)
        }
        write(parking.leaving) { writer, leaving in
            writer.write(leaving.time)
            writer.write(leaving.distance)
        }
        write(parking.isTold)
    }
}

extension ByteReader {
    mutating func readParking() throws -> Parking {
        var parking = Parking()
        parking.ignition = try readOptional { try $0.readBool() }
        parking.place = try readOptional { reader in
            Parking.Place(
                coordinate: try reader.readCoordinate(), error: try reader.readDouble(),
                time: try reader.readTime())
        }
        parking.leaving = try readOptional { reader in
            Parking.Leaving(time: try reader.readTime(), distance: try reader.readDouble())
        }
        parking.isTold = try readBool()
        return parking
    }
}
