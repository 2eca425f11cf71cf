import Geofence1
import Model
import Monitoring
import Systemd
import Time

/// One ranging session: an object that belongs to one client, and signals to that client alone
/// which beacons are near.
@MainActor
final class RangingSession {
    let number: UInt64
    let client: Client
    /// The least time between two signals.
    private let interval: TimeSpan
    private(set) var isPaused = false
    var object: BusSlot?
    /// The state of the radio that was signalled last.
    var told: (state: String, reason: String)?
    private var range: BeaconRange
    /// The list that was sent last.
    private var sent: [RangedBeacon] = []
    private var next = Uptime.boot
    private var timer: TimerSource?
    private let connection: BusConnection
    private let accounts: Accounts
    private let authorizer: Authorizer
    private let signal: BusSignal

    init(
        _ number: UInt64, _ client: Client, _ options: RangingOptions,
        _ connection: BusConnection, _ accounts: Accounts, _ authorizer: Authorizer,
        loop: EventLoop
    ) throws(SystemError) {
        self.authorizer = authorizer
        self.number = number
        self.client = client
        interval = options.interval
        range = BeaconRange(options.patterns)
        self.connection = connection
        self.accounts = accounts
        signal = BusSignal(
            path: Geofence1.rangingPath(number), interface: Geofence1.rangingInterface,
            member: "Ranged")
        timer = try TimerSource(loop, accuracy: .milliseconds(10)) { [weak self] in
            self?.offer(at: EventLoop.uptime)
        }
    }

    var path: String { Geofence1.rangingPath(number) }

    /// The demand of this session at present.
    var wanted: Set<BeaconPattern> { isPaused ? [] : range.patterns }

    /// Takes sightings that arrived together.
    func hear(_ sightings: [BeaconSighting], at now: Uptime) {
        guard !isPaused else { return }
        var isHeard = false
        for sighting in sightings {
            let isOurs = range.hear(sighting, at: now)
            isHeard = isHeard || isOurs
        }
        if isHeard { offer(at: now) }
    }

    /// Signals nothing until it is resumed, and forgets what was heard before.
    func pause() {
        isPaused = true
        range.removeAll()
        sent = []
        timer?.disarm()
    }

    func resume() { isPaused = false }

    /// Sends the list if it has changed, or waits until it may.
    private func offer(at now: Uptime) {
        guard now >= next else {
            timer?.arm(at: next)
            return
        }
        let list = range.beacons(at: now)
        // A client that does not read gets the list of the time when it does.
        if list != sent, send(list, at: now) { sent = list }
        next = now + interval
        // Beacons that are no longer heard leave the list without a sighting.
        if list.isEmpty, sent.isEmpty { timer?.disarm() } else { timer?.arm(at: next) }
    }

    private func send(_ list: [RangedBeacon], at now: Uptime) -> Bool {
        // The next list comes when the right is confirmed.
        guard authorizer.isGranted(client, .rangeBeacons) else { return false }
        guard accounts.hasRoom(client.name) else {
            accounts.ask(client.name)
            return false
        }
        let arguments = [
            BusValue.uint64(now.microseconds), BeaconMessage.value(of: list, at: now),
        ]
        do throws(SystemError) {
            let size = try connection.emit(signal, arguments, to: client.name)
            accounts.sent(size, to: client.name)
            return true
        } catch { return false }
    }
}

/// The options of a session.
struct RangingOptions {
    /// The patterns of the session.
    let patterns: Set<BeaconPattern>
    /// The least time between two signals.
    let interval: TimeSpan

    /// ms
    private static let intervals: ClosedRange<UInt32> = 1_000...3_600_000

    /// Reads `a{sv}`; an unknown option is an error.
    init(options: BusValue) throws(BusError) {
        var options = options.asDictionary ?? [:]
        do throws(FenceProblem) {
            patterns = try BeaconMessage.patterns(options.removeValue(forKey: "beacons"))
        } catch { throw BusError.invalid(error.description) }
        var interval = Self.intervals.lowerBound
        if let value = options.removeValue(forKey: "interval") {
            guard let number = value.asUInt32, Self.intervals.contains(number) else {
                throw BusError.invalid("interval is not 1000 to 3600000 ms")
            }
            interval = number
        }
        self.interval = .milliseconds(Int64(interval))
        if let unknown = options.keys.min() {
            throw BusError.invalid("option \"\(unknown.echoed())\" is not known")
        }
    }
}
