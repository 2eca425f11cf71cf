package import Law
package import Model
package import Schedules

extension CatalogueEntry {
    /// With the hours of its fence, in UTC if it names no time zone. Hours that cannot be read are
    /// left out here, since input checks refuse them.
    package init(_ fence: Fence, added: Generation, holidays: Holidays = Holidays()) {
        let book = HourBook(ZoneFiles(), zone: .utc, holidays: holidays)
        let hours = try? book.hours(fence.terms.active, timezone: fence.terms.timezone)
        self = CatalogueEntry(ofArea: fence, added: added).keeping(hours)
    }
}
