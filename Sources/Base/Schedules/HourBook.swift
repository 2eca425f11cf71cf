/// The settings of the machine that schedules need: its time zones and public holidays.
package final class HourBook {
    private let files: ZoneFiles
    /// The default zone, once it is known.
    private var zone: Zone?
    private let holidays: Holidays

    /// - Parameters:
    ///   - zone: the time zone of fences that name none; nil for that of the machine.
    package init(
        _ files: ZoneFiles = ZoneFiles(), zone: Zone? = nil, holidays: Holidays = Holidays()
    ) {
        self.files = files
        self.zone = zone
        self.holidays = holidays
    }

    /// - Parameters:
    ///   - active: a schedule, of any number of dates and times; empty for always.
    ///   - timezone: the name of a zone; empty for the default zone.
    /// - Returns: nil for always.
    /// - Throws: ``HourFlaw`` if one of them cannot be read.
    package func hours(_ active: String, timezone: String) throws(HourFlaw) -> OpeningHours? {
        guard !active.isEmpty else { return nil }
        let zone = try zone(timezone)
        do throws(ScheduleFlaw) {
            let schedule = try Schedule(active, mostParts: .max)
            return OpeningHours(schedule, in: zone, holidays: holidays)
        } catch {
            throw HourFlaw(description: "active, \(error)")
        }
    }

    /// - Parameter timezone: empty for the default zone.
    /// - Throws: ``HourFlaw`` with the name of the zone.
    package func zone(_ timezone: String) throws(HourFlaw) -> Zone {
        do throws(ZoneFlaw) {
            if !timezone.isEmpty { return try files.zone(named: timezone) }
            if let zone { return zone }
            let local = try files.local()
            zone = local
            return local
        } catch {
            throw HourFlaw(description: "timezone: \(error)", zone: error.name)
        }
    }

    /// Whether a zone was asked for that was not there.
    package var lacksZones: Bool { files.lacksZones }

    /// Zones that were not there may be by now.
    /// - Returns: whether one is that was asked for by its name.
    package func lookAgain() -> Bool { files.lookAgain() }
}

/// Why hours cannot be read.
package struct HourFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// A phrase without a full stop.
    package var description: String
    /// The time zone that the system does not have; nil if it is another flaw.
    package var zone: String?
}
