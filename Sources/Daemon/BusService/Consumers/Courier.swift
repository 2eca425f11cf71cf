import Engine
import Geofence1
import Monitoring
import Systemd
import Time

/// Brings events to one durable consumer until it acknowledges them. The bus starts the consumer
/// when it does not run: the call goes to its well-known name.
@MainActor
final class Courier {
    private(set) var consumer: Consumer
    private let filter: EventFilter
    private let connection: BusConnection
    private let tracking: MonitoringService
    private let redelivery: (answered: Double, unreachable: Double)
    private let now: () -> Uptime
    /// As written in the store.
    private var stored: UInt64
    private var call: PendingCall?
    /// What was brought last ends with this number.
    private var brought: UInt64 = 0
    private var failures = 0
    /// Not before; nil: as soon as there is something.
    private(set) var due: Uptime?
    private var watch: BusSlot?

    /// The consumer's program has appeared on the bus.
    var onAppeared: () -> Void = {}
    /// A call has come back.
    var onAnswered: () -> Void = {}

    /// Events in one call.
    private static let portion = 64

    init(
        _ consumer: Consumer, _ connection: BusConnection, _ tracking: MonitoringService,
        redelivery: (answered: Double, unreachable: Double), now: @escaping () -> Uptime
    ) throws(SystemError) {
        self.redelivery = redelivery
        self.now = now
        self.consumer = consumer
        self.connection = connection
        self.tracking = tracking
        stored = consumer.acknowledged
        filter = EventFilter(text: consumer.options)
        watch = try connection.watchName(consumer.name) { [weak self] owner in
            // A call that is on its way has made the bus start it.
            guard let self, owner != nil, call == nil else { return }
            // It is there, or there again: no reason to wait.
            failures = 0
            due = nil
            onAppeared()
        }
    }

    /// Brings what is due. Calls that are on their way are waited for.
    func run() {
        guard call == nil else { return }
        if let due, now() < due { return }
        due = nil
        do {
            guard let (events, gap) = try next() else { return }
            try deliver(events, gap: gap)
        } catch {
            // No disk, no bus: it is tried again like everything else.
            putOff(from: redelivery.unreachable)
        }
    }

    /// The consumer has dealt with everything up to `seq`.
    func acknowledge(_ seq: UInt64) throws {
        guard seq > consumer.acknowledged else { return }
        try tracking.acknowledge(seq, consumer: consumer.name)
        consumer.acknowledged = seq
        stored = seq
        failures = 0
        due = nil
        // It is on the way through what it has been brought.
        if seq < brought { putOff(from: redelivery.answered) }
    }

    /// What comes next for this consumer; nil when there is nothing. Events that it does not want
    /// are passed over.
    private func next() throws -> (events: [LoggedEvent], gap: Bool)? {
        var gap = false
        while consumer.acknowledged < tracking.lastSeq {
            let page = try tracking.events(after: consumer.acknowledged, limit: Self.portion)
            gap = gap || page.gap
            let wanted = page.events.filter { $0.event.announced && filter.admits($0.event) }
            if !wanted.isEmpty { return (wanted, gap) }
            guard page.next > consumer.acknowledged else { return nil }
            consumer.acknowledged = page.next
            // Written now and then: after a crash they are passed over again.
            if consumer.acknowledged - stored >= 256 {
                try tracking.acknowledge(consumer.acknowledged, consumer: consumer.name)
                stored = consumer.acknowledged
            }
        }
        return nil
    }

    private func deliver(_ events: [LoggedEvent], gap: Bool) throws {
        let peer = BusPeer(
            destination: consumer.name, path: Geofence1.consumerPath(of: consumer.name),
            interface: Geofence1.consumerInterface)
        brought = events.last?.seq ?? brought
        let list = events.map {
            EventMessage($0, withLocation: false, log: tracking.logID).structure
        }
        call = try connection.call(
            peer, "Deliver", [.array(of: EventMessage.signature, list), .bool(gap)],
            // Starting a service may take systemd 90 s.
            timeout: 100_000_000_000
        ) { [weak self] result in
            guard let self else { return }
            call = nil
            // Whatever it says: what counts is that it acknowledges, before or after. One that has
            // answered is given more time for it than one that could not be started.
            let isThere = if case .success = result { true } else { false }
            if consumer.acknowledged < brought {
                putOff(from: isThere ? redelivery.answered : redelivery.unreachable)
            }
            onAnswered()
        }
    }

    /// `first` seconds, twice as long the next time, at most 10 min.
    private func putOff(from first: Double) {
        due = now() + .seconds(min(600, first * Double(1 << min(failures, 10))))
        failures += 1
    }
}
