import Schedules

extension FenceTerms {
    /// What is wrong with them, besides a time zone that this system does not have; nil for good
    /// ones.
    var flaw: String? { flawOfHours }

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
