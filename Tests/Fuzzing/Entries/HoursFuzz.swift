import Schedules
import Time

/// The hours of a fence: an accepted schedule has a state at any time, and changes where it says
/// that it does.
enum HoursFuzz {
    /// Winter, summer, and the hours around both changes of the clocks.
    private static let moments: [Int64] = [
        0, 951_782_400, 1_774_742_400, 1_774_745_999, 1_792_886_400, 1_795_000_000, 4_102_444_800,
    ]

    static func flaw(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let schedule: Schedule
        do throws(ScheduleFlaw) { schedule = try Schedule(text) } catch {
            let length = text.unicodeScalars.count
            guard (1...length + 1).contains(error.position), !error.reason.isEmpty else {
                return "\(error): \(text)"
            }
            return nil
        }
        guard let zone = try? ZoneFiles().zone(named: "Europe/Berlin") else {
            return "no time zones here"
        }
        let hours = OpeningHours(schedule, in: zone)
        for moment in moments {
            let time = UTCTime(secondsSince1970: moment)
            let end = hours.changes(after: time)
            guard end > time else { return "\(moment): \(text)" }
            let isOpen = hours.isOpen(at: time)
            let span = (end - time).nanoseconds
            for part in [1, 2, 3] as [Int64] {
                let between = time + TimeSpan(nanoseconds: span / 4 * part)
                guard hours.isOpen(at: between) == isOpen else { return "\(between): \(text)" }
            }
            let closed = hours.firstClosed(from: time, through: end)
            guard (closed == time) == !isOpen else { return "closed \(moment): \(text)" }
        }
        return nil
    }
}
