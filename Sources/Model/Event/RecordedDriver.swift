import SharedLimits
package import Time

/// Who drives, as far as the log is concerned.
package struct RecordedDriver: Hashable, Sendable {
    /// What stands for the driver in events. Drawn at random, so that the number of one who was
    /// forgotten is never that of somebody else, in this log or in one that replaces it.
    package var number: Int64
    /// As it was set, see ``flaw(in:)``.
    package var id: String
    /// When it was first set, as far as the log knows.
    package var firstSet: UTCTime
    /// Since when the driver is the one that events are recorded with.
    package var since: UTCTime
    /// Who has said so.
    package var source: DriverSource

    package init(
        number: Int64, id: String, firstSet: UTCTime, since: UTCTime, source: DriverSource = .call
    ) {
        self.number = number
        self.id = id
        self.firstSet = firstSet
        self.since = since
        self.source = source
    }

    /// Why a text is no id of a driver, a phrase; nil if it is one.
    package static func flaw(in id: String) -> String? {
        guard !id.isEmpty, id.utf8.count <= SharedLimits.driverID else {
            return "the id is not 1 to \(SharedLimits.driverID) bytes long"
        }
        let hasControls = id.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControls ? "the id has a control character" : nil
    }
}
