/// The settings of the machine that schedules need: its time zones and public holidays.
package final class HourBook {
    private let files: ZoneFiles
    private let zone: Zone
    private let holidays: Holidays

    /// - Parameters:
    ///   - zone: the time zone of fences that name none; nil for that of the machine.
    package init(
        _ files: ZoneFiles = ZoneFiles(), zone: Zone? = nil, holidays: Holidays = Holidays()
    ) {
        self.files = files
        self.zone = zone ?? files.local
        self.holidays = holidays
    }

    /// - Parameters:
    ///   - active: a schedule, of any number of dates and times; empty for always.
    ///   - timezone: the name of a zone; empty for the default zone.
    /// - Returns: nil for always.
    /// - Throws: ``HourFlaw`` if one of them cannot be read.
    package func hours(_ active: String, timezone: String) throws(HourFlaw) -> OpeningHours? {
        let zone: Zone
        do throws(ZoneFlaw) {
            zone = timezone.isEmpty ? self.zone : try files.zone(named: timezone)
        } catch {
            throw HourFlaw(description: "timezone: \(error)")
        }
        guard !active.isEmpty else { return nil }
        do throws(ScheduleFlaw) {
            let schedule = try Schedule(active, mostParts: .max)
            return OpeningHours(schedule, in: zone, holidays: holidays)
        } catch {
            throw HourFlaw(description: "active, \(error)")
        }
    }
}

/// Why hours cannot be read.
package struct HourFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// A phrase without a full stop.
    package var description: String
}
