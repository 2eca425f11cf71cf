package import Schedules
package import Settings

extension HourBook {
    /// Uses the time zone and the public holidays of the settings, which have been checked.
    package convenience init(_ hours: Settings.Hours) {
        let files = ZoneFiles()
        let zone = hours.timeZone.isEmpty ? nil : try? files.zone(named: hours.timeZone)
        self.init(files, zone: zone, holidays: (try? Holidays(hours.publicHolidays)) ?? Holidays())
    }
}
