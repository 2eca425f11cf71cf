/// A program with a position of its own in the event log: it is told of everything after it until
/// it acknowledges, whether it runs or not, across our restart and its own.
package struct Consumer: Hashable, Sendable {
    /// Its well-known name on the bus.
    package var name: String
    /// Who registered it.
    package var uid: UInt32
    /// It has dealt with everything up to here.
    package var acknowledged: UInt64
    /// Which events it wants, as JSON; the bus service knows the form.
    package var options: String

    package init(name: String, uid: UInt32, acknowledged: UInt64, options: String) {
        self.name = name
        self.uid = uid
        self.acknowledged = acknowledged
        self.options = options
    }
}
