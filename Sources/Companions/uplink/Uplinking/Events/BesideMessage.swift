/// What is published beside events, retained: the broker has it before the event that it is of, because
/// it takes messages of a connection in their order.
package struct BesideMessage: Hashable, Sendable {
    /// Where.
    package var topic: String
    /// What.
    package var payload: [UInt8]

    package init(topic: String, payload: [UInt8]) {
        self.topic = topic
        self.payload = payload
    }
}
