import Engine
import Geofence1
import Monitoring
import Systemd
import Time

/// One session of ranging: an object that belongs to one client, and unicast signals to that client
/// of which beacons are near.
@MainActor
final class RangingSession {
    let number: UInt64
    let client: Client
    /// No two signals are nearer in time.
    private let interval: TimeSpan
    private(set) var isPaused = false
    var object: BusSlot?
    /// The state of the radio that was told last.
    var told: (state: String, reason: String)?
    private var range: BeaconRange
    /// The list that was sent last.
    private var sent: [RangedBeacon] = []
    private var next = Uptime.boot
    private var timer: TimerSource?
    private let connection: BusConnection
    private let accounts: Accounts
    private let signal: BusSignal

    init(
        _ number: UInt64, _ client: Client, _ options: RangingOptions,
        _ connection: BusConnection, _ accounts: Accounts, loop: EventLoop
    ) throws(SystemError) {
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

    /// What it wants to hear now.
    var wanted: Set<BeaconPattern> { isPaused ? [] : range.patterns }

    /// Beacons that were heard together.
    func hear(_ sightings: [BeaconSighting], at now: Uptime) {
        guard !isPaused else { return }
        var isHeard = false
        for sighting in sightings {
            let isOurs = range.hear(sighting, at: now)
            isHeard = isHeard || isOurs
        }
        if isHeard { offer(at: now) }
    }

    /// Nothing is told until it goes on, and what was heard before is forgotten.
    func pause() {
        isPaused = true
        range.removeAll()
        sent = []
        timer?.disarm()
    }

    func resume() { isPaused = false }

    /// Sends what has changed, or waits until it may.
    private func offer(at now: Uptime) {
        guard now >= next else {
            timer?.arm(at: next)
            return
        }
        let list = range.beacons(at: now)
        // A client that does not read gets the present list when it does.
        if list != sent, send(list, at: now) { sent = list }
        next = now + interval
        // Beacons that are no longer heard go without a sighting.
        if list.isEmpty, sent.isEmpty { timer?.disarm() } else { timer?.arm(at: next) }
    }

    private func send(_ list: [RangedBeacon], at now: Uptime) -> Bool {
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
    /// Whose beacons it is about.
    let patterns: Set<BeaconPattern>
    /// No two signals are nearer in time.
    let interval: TimeSpan

    /// ms
    private static let intervals: ClosedRange<UInt32> = 1_000...3_600_000

    /// From `a{sv}`; an unknown option is an error.
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
