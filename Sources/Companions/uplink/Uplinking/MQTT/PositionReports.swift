import BusClient
import Geofence1
import Systemd
import Time

/// Tells now and then where the vehicle is, while there is a connection. A position that is lost on the
/// way is not told again: the next one is newer.
@MainActor
final class PositionReports {
    private let client: DaemonClient
    private let pause: TimeSpan
    private let publish: @MainActor ([UInt8]) -> Void
    private var timer: TimerSource?
    private var isOn = false
    private var isAsking = false
    /// Of the fix that was told last on this connection.
    private var last: UTCTime?
    /// Times in a row that there was no other fix.
    private var quiet = 0

    /// A vehicle without a new fix is asked less and less often, but this often.
    private static let longest = TimeSpan.seconds(60)

    /// - Parameters:
    ///   - pause: from one position to the next.
    ///   - publish: sends the payload, or drops it.
    init(
        _ client: DaemonClient, every pause: TimeSpan, loop: EventLoop,
        publish: @escaping @MainActor ([UInt8]) -> Void
    ) throws(SystemError) {
        self.client = client
        self.pause = pause
        self.publish = publish
        timer = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in self?.ask() }
    }

    /// The destination can be reached.
    func begin() {
        guard !isOn else { return }
        isOn = true
        quiet = 0
        // What was told last may have been lost with the connection, and a parked vehicle has no newer one.
        last = nil
        ask()
    }

    /// It cannot.
    func stop() {
        isOn = false
        timer?.disarm()
    }

    private func ask() {
        guard isOn, !isAsking else { return }
        isAsking = true
        do throws(ClientError) {
            try client.ask(.getPosition) { [weak self] answer in self?.tell(answer) }
        } catch { tell(.failure(error)) }
    }

    /// No fix, no permission and no daemon are the same here: there is nothing to tell.
    private func tell(_ answer: Result<[BusValue], ClientError>) {
        isAsking = false
        guard isOn else { return }
        let known = (try? answer.get())?.first?.asDictionary ?? [:]
        if let position = ToldPosition(bus: known), position.time != last {
            last = position.time
            quiet = 0
            publish(PositionBody.bytes(position))
        } else {
            quiet += 1
        }
        let wanted = pause * Int64(1 << min(quiet, 6))
        timer?.arm(at: EventLoop.uptime + max(pause, min(wanted, Self.longest)))
    }
}
