import Bytes
import Model
import Reports
import Time

/// The trips of a report: a row for each that has ended.
struct TripRows {
    private var trips: [(event: Event, trip: TripDetails, length: TimeSpan, driver: String?)] = []
    private let since: UTCTime?
    private let places: Set<ExactText>

    /// - Parameters:
    ///   - since: only trips that ended at this time or after it.
    ///   - places: only trips that began or ended at one of these fences; empty: all.
    init(since: UTCTime?, places: Set<ExactText>) {
        self.since = since
        self.places = places
    }

    mutating func add(_ logged: LoggedEvent) {
        let event = logged.event
        guard event.kind == .trip, let trip = event.trip, let length = event.stay,
            since.map({ event.time >= $0 }) ?? true,
            places.isEmpty
                || [trip.from, trip.to].contains(where: {
                    $0.map { places.contains($0.fence) } ?? false
                })
        else { return }
        trips.append((event, trip, length, logged.driver))
    }

    /// A row for each.
    var sheet: Sheet {
        var (total, stops) = (StayTotal(), UInt64(0))
        for (event, trip, length, _) in trips {
            total.add(length, StayMetres(event.way))
            stops += UInt64(trip.stops)
        }
        return Sheet(
            heading: "Trips",
            titles: ["BEGAN", "ENDED", "FROM", "TO", "TRIP", "WAY", "GAP", "STOPS", "DRIVER"],
            keys: ["began", "ended", "from", "from_title", "to", "to_title", "trip_s"]
                + StayMetres.keys + ["stops", "driver"],
            rows: trips.map { event, trip, length, driver in
                let began = (event.time + (.zero - length)).iso8601
                let metres = StayMetres(event.way)
                func title(_ place: TripPlace?) -> String? {
                    place.flatMap { $0.title.isEmpty ? nil : $0.title }
                }
                return Sheet.Row(
                    cells: [
                        began, event.time.iso8601, title(trip.from) ?? trip.from?.fence ?? "–",
                        title(trip.to) ?? trip.to?.fence ?? "–", length.text, metres.wayText,
                        metres.gapText, "\(trip.stops)", driver ?? "",
                    ],
                    members: [
                        Sheet.Member("began", began), Sheet.Member("ended", event.time.iso8601),
                        Sheet.Member("from", trip.from?.fence),
                        Sheet.Member("from_title", title(trip.from)),
                        Sheet.Member("to", trip.to?.fence),
                        Sheet.Member("to_title", title(trip.to)),
                        Sheet.Member("trip_s", seconds: length),
                    ] + metres.members + [
                        Sheet.Member("stops", raw: "\(trip.stops)"), Sheet.Member("driver", driver),
                    ])
            },
            total: [
                total.text(of: "trip"), "", "", "", total.length.text, total.metres.wayText,
                total.metres.gapText, "\(stops)", "",
            ])
    }
}
