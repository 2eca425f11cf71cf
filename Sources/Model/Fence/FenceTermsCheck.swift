import Schedules
import Time

extension FenceTerms {
    /// What is wrong with the terms, apart from a time zone that this system does not have; nil if
    /// nothing is.
    var flaw: String? { flawOfHours ?? flawOfSpeed ?? flawOfEnd ?? flawOfArrival }

    /// What is wrong for a beacon fence. Terms are judged at fixes, by where they lie in the area
    /// and how fast they are; a stay at beacons is judged by what is heard, with or without a
    /// position.
    var flawOfBeacons: String? {
        self == FenceTerms()
            ? nil : "a fence of beacons has no hours, limits of speed and stay, and end of its own"
    }

    private var flawOfEnd: String? {
        expires.isEmpty || UTCTime(iso8601: expires) != nil
            ? nil : "expires is no time such as 2026-12-31T18:00:00Z"
    }

    private static let arriveSpans = TimeSpan.seconds(30)...TimeSpan.seconds(3600)

    private var flawOfArrival: String? {
        arrive <= .zero || Self.arriveSpans.contains(arrive)
            ? nil : "arrive_sec \(arrive.seconds) is not 30 to 3600"
    }

    /// km/h
    private static let speeds = 1.0...500
    private static let speedUnits = ["", "km/h", "mph"]

    private var flawOfSpeed: String? {
        if speedLimit != 0, !Self.speeds.contains(speedLimit) {
            return "speed_limit_kmh \(speedLimit) is not 1 to 500"
        }
        guard Self.speedUnits.contains(speedUnit) else {
            return "speed_unit is neither km/h nor mph"
        }
        return nil
    }

    private var flawOfHours: String? {
        if !timezone.isEmpty, !ZoneFiles.isName(timezone) {
            return "timezone: \(ZoneFlaw(name: timezone))"
        }
        guard !active.isEmpty else { return nil }
        do throws(ScheduleFlaw) {
            _ = try Schedule(active)
            return nil
        } catch {
            return "active, \(error)"
        }
    }
}
