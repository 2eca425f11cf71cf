import Bytes
package import Geodesy
package import Model
package import Time

/// Where the vehicle is parked, and whether it was moved from there: section 12 of the law.
package struct Parking: Hashable, Sendable {
    /// Whether the ignition is on, as last set; nil if it was never set.
    package var ignition: Bool?
    /// The place at which the alarm is armed; nil while it is not.
    package var place: Place?
    /// The first of consecutive fixes outside the place.
    package var leaving: Leaving?
    /// The fixes in the place, as long as no hole and no new path lies between them and the last
    /// one. A power cut is a hole: not among the ``bytes``.
    var row: Row?
    /// Where the vehicle was when its position became doubtful, as long as it is: ``Trust/doubt``
    /// after a power cut.
    package var doubted: Fix?
    /// `towed` has been recorded since the ignition was switched off.
    package var isTold = false
    /// The trip that is not over; nil where there is none, or none is recorded.
    @Boxed package var trip: Trip?

    package init() { trip = nil }

    /// Where the vehicle was left.
    package struct Place: Hashable, Sendable {
        /// WGS 84.
        package var coordinate: Coordinate
        /// The error of the fix, m.
        package var error: Double
        /// Receiver time of the fix.
        package var time: UTCTime

        package init(coordinate: Coordinate, error: Double, time: UTCTime) {
            self.coordinate = coordinate
            self.error = error
            self.time = time
        }
    }

    /// A fix outside the place.
    package struct Leaving: Hashable, Sendable {
        /// Receiver time.
        package var time: UTCTime
        /// The distance from the boundary of the place, m.
        package var distance: Double
    }

    /// Fixes that lay in the place one after the other, receiver times.
    struct Row: Hashable, Sendable {
        var first: UTCTime
        var last: UTCTime
    }

    /// Takes a fix that lies in the place.
    mutating func stay(at time: UTCTime) {
        leaving = nil
        row = Row(first: row?.first ?? time, last: time)
    }

    /// The last fix is not connected with those in the place: the vehicle can have been carried
    /// away, and a receiver that wakes can be wrong.
    mutating func lose(at link: Passage.Link) {
        switch link {
        case .path: return
        case .gap: break
        case .newPath: leaving = nil
        }
        row = nil
    }

    /// The receiver says that the vehicle is where it cannot have come to: it is armed anew where
    /// it stands then.
    package mutating func forgetPlace() {
        place = nil
        leaving = nil
        row = nil
    }

    /// Whether the receiver has shown the vehicle in the place for that long, and without a hole
    /// since.
    func isRooted(for span: TimeSpan) -> Bool { row.map { $0.last - $0.first >= span } ?? false }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        if let place { self.place?.time = place.time + span }
        if let leaving { self.leaving?.time = leaving.time + span }
        if let doubted { self.doubted?.time = doubted.time + span }
        trip?.shift(by: span)
        row = row.map { Row(first: $0.first + span, last: $0.last + span) }
    }

    /// Whether a trip is not over.
    @inline(__always)
    var hasTrip: Bool { if case .present = _trip { true } else { false } }

    /// Whether the next accepted fix may arm the alarm or trigger it.
    var isWatching: Bool { ignition == false && !isTold }
}

extension Parking {
    /// The state in its stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] {
        ByteWriter.bytes {
            $0.write(self)
            $0.write(doubted) { $0.write($1) }
            $0.write(trip) { $0.write($1) }
        }
    }

    /// Nil if the bytes are damaged. Bytes that a later version appends are ignored.
    package init?(bytes: [UInt8]) {
        let parking = bytes.withByteView { view in
            var reader = ByteReader(view)
            guard var parking = try? reader.readParking() else { return Parking?.none }
            // Of an older version: without it.
            if !reader.isAtEnd { parking.doubted = try? reader.readOptional { try $0.readFix() } }
            if !reader.isAtEnd { parking.trip = try? reader.readOptional { try $0.readTrip() } }
            return parking
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

    mutating func write(_ row: Parking.Row) {
        write(row.first)
        write(row.last)
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

    mutating func readRow() throws -> Parking.Row {
        Parking.Row(first: try readTime(), last: try readTime())
    }
}
