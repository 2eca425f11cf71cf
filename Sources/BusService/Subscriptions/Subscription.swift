import Fencing
import Geofence1
import Systemd
import Tracking

/// One subscription: an object that belongs to one client, and unicast signals to that client.
@MainActor
final class Subscription {
    let number: UInt64
    let client: Client
    let filter: EventFilter
    fileprivate(set) var object: BusSlot?
    /// What was sent, or passed over, last.
    private var position: UInt64
    /// Bytes sent since the client was last known to read, about.
    private var unread = 0
    private var isAsked = false
    /// Events wait in the log for the client to read.
    private var isBehind = false
    private let connection: BusConnection
    private let tracking: TrackingService
    private let transition: BusSignal
    /// The client has not read for an hour.
    fileprivate var onStopped: () -> Void = {}

    /// A client that does not read is sent so many bytes and then no more until it does: the bus
    /// keeps what it does not read, and stalls us once that is 127 MiB (max_outgoing_bytes,
    /// dbus-daemon(1)).
    static let unreadLimit = 1 << 20

    fileprivate init(
        _ number: UInt64, _ client: Client, _ filter: EventFilter, _ connection: BusConnection,
        _ tracking: TrackingService
    ) {
        self.number = number
        self.client = client
        self.filter = filter
        self.connection = connection
        self.tracking = tracking
        transition = BusSignal(
            path: Geofence1.subscriptionPath(number),
            interface: Geofence1.subscriptionInterface, member: "Transition")
        position = tracking.lastSeq
    }

    var path: String { Geofence1.subscriptionPath(number) }

    /// An event has been announced; those before it have been offered.
    fileprivate func offer(_ event: LoggedEvent) {
        guard !isBehind else { return }
        isBehind = !send(event)
    }

    /// False: not now.
    private func send(_ event: LoggedEvent) -> Bool {
        guard event.seq > position else { return true }
        guard event.event.announced, filter.admits(event.event) else {
            position = event.seq
            return true
        }
        guard unread < Self.unreadLimit else { return false }
        do throws(SystemError) {
            try connection.emit(
                transition, EventMessage(event, withLocation: false).arguments, to: client.name)
        } catch {
            ask()
            return false
        }
        position = event.seq
        unread += 512 + event.event.metadata.utf8.count
        ask()
        return true
    }

    /// Every D-Bus library answers a Ping by itself, after what came before it: the answer says
    /// that all of that has been read.
    private func ask() {
        guard !isAsked else { return }
        let counted = unread
        let peer = BusPeer(
            destination: client.name, path: "/", interface: "org.freedesktop.DBus.Peer")
        do throws(SystemError) {
            try connection.call(peer, "Ping", timeout: 3600 * 1_000_000_000) { [weak self] answer in
                self?.answered(answer, counted)
            }
            isAsked = true
        } catch { return }
    }

    private func answered(_ answer: Result<BusMessage, BusError>, _ counted: Int) {
        isAsked = false
        // Another error comes from a bus that does not let us ask.
        if case .failure(let error) = answer, error.name == BusError.noReply {
            return onStopped()
        }
        unread -= counted
        if unread > 0 { ask() }
        if isBehind { catchUp() }
    }

    /// What was not sent meanwhile is in the log.
    private func catchUp() {
        while position < tracking.lastSeq {
            guard let page = try? tracking.events(after: position, limit: 64),
                !page.events.isEmpty
            else { break }
            for event in page.events where !send(event) { return }
        }
        isBehind = false
    }
}

/// All subscriptions.
@MainActor
final class Subscriptions {
    private let connection: BusConnection
    private let tracking: TrackingService
    private let settings: BusServiceSettings
    private var subscriptions: [UInt64: Subscription] = [:]
    private var last: UInt64 = 0
    /// Told why a subscription was given up.
    var onDrop: (String) -> Void = { _ in }

    init(
        _ connection: BusConnection, _ tracking: TrackingService, _ settings: BusServiceSettings
    ) {
        self.connection = connection
        self.tracking = tracking
        self.settings = settings
    }

    /// A new object for that client.
    func create(for client: Client, _ filter: EventFilter) throws -> Subscription {
        try checkLimits(client)
        last += 1
        let subscription = Subscription(last, client, filter, connection, tracking)
        subscription.object = try connection.export(interface(subscription), at: subscription.path)
        subscriptions[subscription.number] = subscription
        let number = subscription.number
        client.whenGone[subscription.path] = { [weak self] in self?.remove(number) }
        subscription.onStopped = { [weak self, name = client.name] in
            self?.onDrop("\(name) has not read for an hour: its subscription is given up")
            self?.remove(number)
        }
        return subscription
    }

    private func checkLimits(_ client: Client) throws(BusError) {
        func check(_ held: Int, _ limit: Int, _ whose: String) throws(BusError) {
            guard held < limit else {
                throw BusError(
                    name: BusError.limitsExceeded,
                    message: "more than \(limit) subscriptions \(whose)")
            }
        }
        let all = subscriptions.values
        try check(
            all.count { $0.client === client }, settings.subscriptionLimit, "of one caller")
        try check(all.count, settings.totalSubscriptionLimit, "in all")
        guard let credentials = client.credentials, !settings.trusted.contains(credentials) else {
            return
        }
        try check(
            all.count { $0.client.credentials?.uid == credentials.uid },
            settings.subscriptionLimitPerUser, "of one user")
    }

    /// Offers an event to every subscription.
    func announce(_ event: LoggedEvent) {
        for subscription in subscriptions.values.sorted(by: { $0.number < $1.number }) {
            subscription.offer(event)
        }
    }

    private func remove(_ number: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: number) else { return }
        subscription.client.whenGone[subscription.path] = nil
        subscription.object = nil
    }

    private func interface(_ subscription: Subscription) -> BusInterface {
        let (owner, number) = (subscription.client.name, subscription.number)
        return BusInterface(
            name: Geofence1.subscriptionInterface,
            methods: [
                BusMethod("Close") { [weak self] call in
                    guard call.sender == owner else {
                        call.fail(
                            Geofence1.Failure.notAuthorized.name,
                            "this subscription belongs to \(owner)")
                        return
                    }
                    call.reply()
                    self?.remove(number)
                }
            ],
            signals: ManagerService.signals.filter { $0.name == "Transition" },
            properties: [
                BusProperty("Client", "s", .constant) { _ in .string(owner) },
                BusProperty("Filter", "s", .constant) { [text = subscription.filter.text] _ in
                    .string(text)
                },
            ])
    }
}
