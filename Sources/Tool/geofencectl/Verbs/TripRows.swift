import Bytes
import Engine
import JSON
import Time

/// The trips of a report: a row for each that has ended.
struct TripRows {
    private var trips: [(event: Event, trip: TripDetails, length: TimeSpan, driver: String?)] = []
    private let since: UTCTime?
    private let places: Set<String>

    /// - Parameters:
    ///   - since: only trips that ended at this time or after it.
    ///   - places: only trips that began or ended at one of these fences; empty: all.
    init(since: UTCTime?, places: Set<String>) {
        self.since = since
        self.places = places
    }

    mutating func add(_ logged: LoggedEvent) {
        let event = logged.event
        guard event.kind == .trip, let trip = event.trip, let length = event.stay,
            since.map({ event.time >= $0 }) ?? true,
            places.isEmpty
                || !places.isDisjoint(with: [trip.from, trip.to].compactMap { $0?.fence })
        else { return }
        trips.append((event, trip, length, logged.driver))
    }

    @MainActor
    func printTable() throws {
        var table = Table(
            "BEGAN", "ENDED", "FROM", "TO", "TRIP", "WAY", "GAP", "STOPS", "DRIVER")
        for (event, trip, length, driver) in trips {
            table.add(
                (event.time + (.zero - length)).iso8601, event.time.iso8601, Self.name(trip.from),
                Self.name(trip.to),
                length.text,
                event.way.map { LengthText.of(metres: $0.metres) } ?? "–",
                event.way.map { $0.gap > 0 ? LengthText.of(metres: $0.gap) : "" } ?? "",
                "\(trip.stops)", driver ?? "")
        }
        try table.print()
    }

    private static func name(_ place: TripPlace?) -> String {
        guard let place else { return "–" }
        return place.title.isEmpty ? place.fence : place.title
    }

    @MainActor
    func printJSON() throws {
        for (event, trip, length, driver) in trips {
            var json = JSONWriter()
            json.beginObject()
            let texts: [(String, String?)] = [
                ("began", (event.time + (.zero - length)).iso8601), ("ended", event.time.iso8601),
                ("from", trip.from?.fence), ("from_title", trip.from?.title),
                ("to", trip.to?.fence), ("to_title", trip.to?.title),
            ]
            for (key, text) in texts {
                json.key(key)
                json.optional(text.flatMap { $0.isEmpty ? nil : $0 })
            }
            json.key("trip_s")
            json.number(length.roundedSeconds)
            for (key, metres) in [
                ("way_m", event.way?.metres), ("way_error_m", event.way?.bound),
                ("gap_m", event.way?.gap),
            ] {
                json.key(key)
                json.optional(metres, decimals: 1)
            }
            json.key("stops")
            json.integer(UInt64(trip.stops))
            json.key("driver")
            json.optional(driver)
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
    }
}
