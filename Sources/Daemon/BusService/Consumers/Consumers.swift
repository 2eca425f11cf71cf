import Geofence1
import Model
import Monitoring
import Systemd
import Time

/// The durable consumers and their couriers.
@MainActor
final class Consumers {
    private let connection: BusConnection
    private let monitoring: MonitoringService
    private let settings: BusServiceSettings
    private let authorizer: Authorizer
    private var couriers: [String: Courier] = [:]
    private var timer: TimerSource?
    private var isRunning = false
    /// The log has grown since events were last delivered.
    var hasNews = false
    /// All that are in the store have couriers.
    private var isComplete = false
    /// Calls that wait for the bus to identify the owner of a name.
    let asking = HeldCalls("the bus", calls: 64, bytes: 1 << 20, perUser: 32)

    /// Names that cannot be registered: those that we must not start or call, and our own.
    static func isReserved(_ name: String) -> Bool {
        ["org.freedesktop", Geofence1.name].contains { name == $0 || name.hasPrefix("\($0).") }
    }

    init(
        _ connection: BusConnection, _ monitoring: MonitoringService, loop: EventLoop,
        _ settings: BusServiceSettings, _ authorizer: Authorizer
    ) throws(SystemError) {
        self.settings = settings
        self.authorizer = authorizer
        self.connection = connection
        self.monitoring = monitoring
        timer = try TimerSource(loop) { [weak self] in self?.run() }
    }

    /// We own the name: consumers can be called.
    func start() throws {
        isRunning = true
        isComplete = false
        defer { run() }
        try employAll()
    }

    /// Another file of the store is in use, which may have others: for the next ``run()``.
    func storeReplaced() { isComplete = false }

    private func employAll() throws {
        for consumer in try monitoring.consumers()
        where couriers[consumer.name] == nil && !Self.isReserved(consumer.name) {
            try employ(consumer)
        }
        isComplete = true
    }

    /// What cannot be read now may be soon.
    private static let readingPause = TimeSpan.seconds(10)

    func stop() {
        isRunning = false
        timer?.disarm()
    }

    /// There may be events to deliver.
    func run() {
        hasNews = false
        guard isRunning else { return }
        if !isComplete { try? employAll() }
        for courier in couriers.values.sorted(by: { $0.consumer.name < $1.consumer.name }) {
            courier.run()
        }
        findBehind()
        var runs = couriers.values.compactMap(\.nextRun)
        if !isComplete { runs.append(EventLoop.uptime + Self.readingPause) }
        if let next = runs.min() {
            timer?.arm(at: next)
        } else {
            timer?.disarm()
        }
    }

    /// Consumers that could not be told anything for lack of a right may have it now.
    func rightsChanged() {
        for courier in couriers.values { courier.rightsChanged() }
        run()
    }

    func consumer(_ name: String) throws -> Consumer? {
        if let courier = couriers[name] { return courier.consumer }
        return try monitoring.consumers().first { $0.name == name }
    }

    func all() throws -> [Consumer] { try monitoring.consumers() }

    /// The state of each, by name, as reported by `ListConsumers`.
    func list() throws -> [BusValue] {
        try all().map { stored in
            let courier = couriers[stored.name]
            let acknowledged = courier?.consumer.acknowledged ?? stored.acknowledged
            let backlog = try monitoring.backlog(after: acknowledged)
            var told = ToldConsumer(name: stored.name)
            told.acknowledged = acknowledged
            told.pending = backlog.count
            told.oldestPending = backlog.oldest
            told.lastAcknowledged = courier?.lastAcknowledged?.realtime
            told.lastAcknowledgedUptime = courier?.lastAcknowledged?.monotonic
            told.lastError = courier?.lastError
            return .structure([.string(told.name), ToldConsumer.told.options(of: told)])
        }
    }

    /// Adds it, or changes its options; its position is kept.
    func register(_ consumer: Consumer) throws {
        let present = try self.consumer(consumer.name)
        if let present, present.uid == consumer.uid, present.options == consumer.options,
            couriers[consumer.name] != nil
        {
            // The program registers whenever it starts, also when an event has made the bus start
            // it: that event is being delivered, and a new courier would deliver it a second time.
            return
        }
        try monitoring.register(consumer)
        couriers[consumer.name] = nil
        var consumer = consumer
        if let present { consumer.acknowledged = present.acknowledged }
        try employ(consumer)
        run()
    }

    func unregister(_ name: String) throws {
        try monitoring.unregister(consumer: name)
        couriers[name] = nil
        findBehind()
    }

    func acknowledge(_ seq: UInt64, _ name: String) throws {
        try couriers[name]?.acknowledge(seq)
        run()
    }

    /// Silence is how a consumer loses events: `Degraded` says it before that.
    private func findBehind() {
        let behind = couriers.values.map(\.consumer).filter {
            monitoring.isCutting(after: $0.acknowledged)
        }
        let names = behind.map(\.name).sorted()
        monitoring.consumersFallBehind(names.isEmpty ? nil : names.joined(separator: ", "))
    }

    private func employ(_ consumer: Consumer) throws {
        let courier = try Courier(
            consumer, connection, monitoring, redelivery: settings.redelivery
        ) { [weak self] program, then in
            guard let self else { return then(.unknown) }
            // Somebody who may do everything wants this program to be told.
            if settings.trusted.uids.contains(consumer.uid) { return then(.yes) }
            authorizer.verdict(program, .readEvents, then: then)
        }
        courier.onAppeared = { [weak self] in self?.run() }
        courier.onAnswered = { [weak self] in self?.run() }
        couriers[consumer.name] = courier
    }
}
