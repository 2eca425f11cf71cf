import Geofence1
import Model
import Monitoring
import Systemd
import Time

/// Delivers events to one durable consumer until it acknowledges them. The bus starts a consumer
/// that is not running. The program that has the name then is told what it may read: that a consumer
/// was registered says nothing about its rights now.
@MainActor
final class Courier {
    private let cursor: ConsumerCursor
    private let connection: BusConnection
    private let redelivery: (answered: Double, unreachable: Double)
    private let ask: (_ program: String, _ then: @escaping (Verdict) -> Void) -> Void
    private var call: PendingCall?
    /// What the program may read is being asked.
    private var isAsking = false
    private var failures = 0
    /// Nothing is brought again before this time of the loop, in a replay too; nil: as soon as there
    /// is something. What comes after the events that the consumer has is brought at once.
    private var due: Uptime?
    private var watch: BusSlot?
    /// Whether the bus may start it.
    private let isWoken: Bool
    /// The unique name of the program that has its name.
    private var program: String?
    /// The name of the D-Bus error with which the last call ended; nil when it was answered.
    private(set) var lastError: String?
    /// When it last acknowledged something new, since this process started.
    private(set) var lastAcknowledged: (realtime: UTCTime, monotonic: Uptime)?

    /// The consumer's program has appeared on the bus.
    var onAppeared: () -> Void = {}
    /// A call has returned.
    var onAnswered: () -> Void = {}

    /// Events in one call.
    private static let portion = 64
    /// The most events that it may have and not have acknowledged.
    private static let mostOpen = 4 * portion

    init(
        _ consumer: Consumer, _ connection: BusConnection, _ monitoring: MonitoringService,
        redelivery: (answered: Double, unreachable: Double),
        ask: @escaping (_ program: String, _ then: @escaping (Verdict) -> Void) -> Void
    ) throws(SystemError) {
        self.ask = ask
        self.redelivery = redelivery
        self.connection = connection
        let options = ConsumerOptions(text: consumer.options)
        isWoken = options.isWoken
        cursor = ConsumerCursor(consumer, in: monitoring) { options.filter.admits($0) }
        watch = try connection.watchName(consumer.name) { [weak self] owner in
            // The pending call has made the bus start it.
            guard let self else { return }
            program = owner
            // Another program has nothing of what was brought to the one before.
            cursor.rewind()
            guard program != nil, call == nil else { return }
            // It has started, or started again: no reason to wait.
            failures = 0
            due = nil
            onAppeared()
        }
    }

    var consumer: Consumer { cursor.consumer }

    /// When ``run()`` has to be called at the latest; nil: after something has happened.
    var nextRun: Uptime? { canRun ? due : nil }

    /// One that is not to be started reads on when it appears.
    private var canRun: Bool { call == nil && !isAsking && (isWoken || program != nil) }

    /// Delivers what is due. Waits for pending calls.
    func run() {
        guard canRun else { return }
        if let due, EventLoop.uptime < due {
            // It may be speaking for seconds, and this event may be the reason to stop.
            let open = cursor.open.count
            guard open > 0, open + Self.portion <= Self.mostOpen else { return }
        } else {
            due = nil
            cursor.rewind()
        }
        do {
            guard try cursor.next(limit: Self.portion) != nil else { return }
            guard let program else { return try start() }
            isAsking = true
            ask(program) { [weak self] verdict in self?.answered(verdict, about: program) }
        } catch {
            // No disk, no bus: retried like every other failure.
            hasFailed()
        }
    }

    /// Polkit's answers have changed.
    func rightsChanged() {
        guard lastError == Self.notAuthorized else { return }
        failures = 0
        due = nil
    }

    private func answered(_ verdict: Verdict, about program: String) {
        isAsking = false
        // Another program has the name now.
        guard program == self.program else { return onAnswered() }
        guard verdict == .yes else {
            lastError = Self.notAuthorized
            hasFailed()
            return onAnswered()
        }
        do {
            guard let (events, gap) = try cursor.next(limit: Self.portion) else {
                return onAnswered()
            }
            try deliver(events, gap: gap, to: program)
        } catch {
            hasFailed()
            onAnswered()
        }
    }

    /// The events are delivered when it has its name.
    private func start() throws {
        call = try connection.call(
            .bus, "StartServiceByName", [.string(consumer.name), .uint32(0)],
            // Starting a service may take systemd 90 s.
            timeout: .seconds(100)
        ) { [weak self] result in
            guard let self else { return }
            call = nil
            if case .failure(let error) = result { lastError = error.name }
            // It may have left already.
            if program == nil { hasFailed() }
            onAnswered()
        }
    }

    private static let notAuthorized = Geofence1.Failure.notAuthorized.name

    /// The consumer has processed everything up to `seq`.
    func acknowledge(_ seq: UInt64) throws {
        guard try cursor.acknowledge(seq) else { return }
        lastAcknowledged = (
            UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds), EventLoop.uptime
        )
        failures = 0
        due = nil
        // It is still processing what was delivered.
        if !cursor.open.isEmpty { putOff(from: redelivery.answered) }
    }

    private func deliver(_ events: [LoggedEvent], gap: Bool, to program: String) throws {
        let peer = BusPeer(
            destination: program, path: Geofence1.consumerPath(of: consumer.name),
            interface: Geofence1.consumerInterface)
        let list = events.map {
            EventMessage($0, withLocation: false, log: cursor.logID(of: $0.seq)).structure
        }
        let last = events.last?.seq ?? 0
        call = try connection.call(
            peer, "Deliver", [.array(of: EventMessage.signature, list), .bool(gap)],
            timeout: .seconds(100)
        ) { [weak self] result in
            guard let self else { return }
            call = nil
            // Whatever the answer: what counts is that it acknowledges, before or after. A consumer
            // that has answered gets more time for it than one that could not be started.
            let isOpen = consumer.acknowledged < last
            if case .failure(let error) = result {
                lastError = error.name
                if isOpen { hasFailed() }
            } else {
                lastError = nil
                // The pause runs from the first of several answers.
                if isOpen, due == nil { putOff(from: redelivery.answered) }
            }
            onAnswered()
        }
        cursor.bring(events)
    }

    /// It may have nothing of what is not acknowledged.
    private func hasFailed() {
        cursor.rewind()
        putOff(from: redelivery.unreachable)
    }

    /// `first` seconds, twice as long each time, at most 10 min.
    private func putOff(from first: Double) {
        due = EventLoop.uptime + .seconds(min(600, first * Double(1 << min(failures, 10))))
        failures += 1
    }
}
