import Engine
package import Schedules
import Storage
package import Time

extension MonitoringService {
    /// The time zone of the box and the public holidays are these from now on: the hours of the
    /// fences that are watched are read again.
    package func keepHours(by book: HourBook, at now: Uptime) {
        store.keepHours(by: book)
        handle(.catalogueChanged(store.generation), at: now)
    }
}
