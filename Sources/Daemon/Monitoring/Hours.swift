import Law
import Model
package import Schedules
import Storage
package import Time

extension MonitoringService {
    /// Replaces the default time zone and the public holidays: the hours of the monitored fences
    /// are read again.
    package func keepHours(by book: HourBook, at now: Uptime) {
        store.catalogue.keepHours(by: book)
        handle(.catalogueChanged(store.generation), at: now)
    }
}
