/// Whether the daemon is there, for programs that show what it says as long as it is: Home Assistant's
/// "availability_topic".
@MainActor
final class Availability {
    private let publish: @MainActor ([UInt8]) -> Bool
    private var isOn = false
    /// Of this connection; nil: nothing yet.
    private var told: Bool?

    /// - Parameter publish: sends it; false where that cannot be.
    init(publish: @escaping @MainActor ([UInt8]) -> Bool) { self.publish = publish }

    /// The connection can be written to.
    func begin(_ isThere: Bool) {
        isOn = true
        tell(isThere)
    }

    /// It cannot.
    func stop() {
        isOn = false
        told = nil
    }

    /// Says it, unless that was said.
    func tell(_ isThere: Bool) {
        guard isOn, told != isThere, publish(HomeAssistant.availability(isThere)) else { return }
        told = isThere
    }
}
