package import Engine
package import Schedules

extension CatalogueEntry {
    /// With the hours that its fence asks for, by UTC where it names no time zone. Hours that cannot
    /// be read are left out: what refuses them is the door.
    package init(_ fence: Fence, added: Generation, holidays: Holidays = Holidays()) {
        let book = HourBook(ZoneFiles(), zone: .utc, holidays: holidays)
        let hours = try? book.hours(fence.terms.active, timezone: fence.terms.timezone)
        self = CatalogueEntry(ofArea: fence, added: added).keeping(hours)
    }
}
