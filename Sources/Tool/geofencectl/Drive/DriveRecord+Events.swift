import Bytes
import Model
import Time

extension DriveRecord {
    /// A drive of which only its events are known: the fixes that proved them, joined by nothing.
    /// Events without a position have no place in it.
    /// - Parameter fence: finds a fence by id.
    init(_ events: [LoggedEvent], fence: (String) throws -> Fence?) throws {
        var known: [UTCTime: Fix] = [:]
        for logged in events {
            let event = logged.event
            guard let coordinate = event.coordinate else { continue }
            known[event.fixTime] = Fix(
                time: event.fixTime, arrival: Uptime(nanoseconds: event.fixTime.nanoseconds),
                coordinate: coordinate, error: event.error ?? 0, speed: event.speed,
                course: event.course)
        }
        fixes = known.values.sorted { $0.time < $1.time }
        pathStarts = Array(fixes.indices)
        let places = Dictionary(
            uniqueKeysWithValues: fixes.enumerated().map { ($1.time, $0) })
        var sought: Set<ExactText> = []
        for logged in events {
            let event = logged.event
            var happening = Happening(logged: logged, fix: places[event.fixTime])
            if let id = event.fence {
                // A fence that has gone is asked for once.
                if index(of: id) == nil, sought.add(id), let found = try fence(id) {
                    _ = try index(of: found)
                }
                happening.fence = index(of: id)
            }
            happenings.append(happening)
        }
    }
}
