/// A program with its own position in the event log: every event after it is delivered until the
/// program acknowledges it, across restarts of the daemon and of the program.
package struct Consumer: Hashable, Sendable {
    /// Its well-known name on the bus.
    package var name: String
    /// Who registered it.
    package var uid: UInt32
    /// It has acknowledged everything up to this event.
    package var acknowledged: UInt64
    /// Its event filter as JSON, in the form that the bus service defines.
    package var options: String

    package init(name: String, uid: UInt32, acknowledged: UInt64, options: String) {
        self.name = name
        self.uid = uid
        self.acknowledged = acknowledged
        self.options = options
    }
}
