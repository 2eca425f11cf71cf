import Bytes

/// What the end of a trip tells beside its metres: section 15 of the law.
package struct TripDetails: Hashable, Sendable {
    /// The smallest fence in which it began; nil in none.
    package var from: TripPlace?
    /// The same at its end.
    package var to: TripPlace?
    /// How often the vehicle stood in between, and went on.
    package var stops: UInt32

    package init(from: TripPlace? = nil, to: TripPlace? = nil, stops: UInt32 = 0) {
        self.from = from
        self.to = to
        self.stops = stops
    }
}

/// The fence at an end of a trip, as it was then.
package struct TripPlace: Hashable, Sendable {
    /// Its id.
    package var fence: String
    /// Its title; empty where it has none.
    package var title: String
    /// Its metadata, the text of a JSON object: they say whether it may leave the vehicle.
    package var metadata: String

    package init(fence: String, title: String = "", metadata: String = "{}") {
        self.fence = fence
        self.title = title
        self.metadata = metadata
    }
}

extension ByteWriter {
    /// Writes it as `readTripPlace()` reads it.
    package mutating func write(_ place: TripPlace) {
        write(place.fence)
        write(place.title)
        write(place.metadata)
    }

    /// Writes them as `readTripDetails()` reads them.
    package mutating func write(_ trip: TripDetails) {
        write(trip.from) { $0.write($1) }
        write(trip.to) { $0.write($1) }
        write(trip.stops)
    }
}

extension ByteReader {
    /// Throws where the bytes are damaged.
    package mutating func readTripPlace() throws -> TripPlace {
        TripPlace(fence: try readString(), title: try readString(), metadata: try readString())
    }

    /// Throws where the bytes are damaged.
    package mutating func readTripDetails() throws -> TripDetails {
        TripDetails(
            from: try readOptional { try $0.readTripPlace() },
            to: try readOptional { try $0.readTripPlace() }, stops: try read())
    }
}

extension TripDetails {
    /// The details in their stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil where the bytes are damaged. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let trip = ByteReader.value(of: bytes, { try $0.readTripDetails() }) else {
            return nil
        }
        self = trip
    }
}
