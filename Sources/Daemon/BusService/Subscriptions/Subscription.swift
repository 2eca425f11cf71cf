import Geofence1
import Model
import Monitoring
import Systemd

/// One subscription: an object that belongs to one client, and unicast signals to that client.
@MainActor
final class Subscription {
    let number: UInt64
    let client: Client
    let filter: EventFilter
    fileprivate(set) var object: BusSlot?
    /// The last event sent or skipped.
    private var position: UInt64
    /// Events wait in the log for the client to read.
    fileprivate private(set) var isBehind = false
    private let connection: BusConnection
    private let monitoring: MonitoringService
    private let transition: BusSignal
    private let accounts: Accounts
    private let authorizer: Authorizer

    fileprivate init(
        _ number: UInt64, _ client: Client, _ filter: EventFilter, _ connection: BusConnection,
        _ monitoring: MonitoringService, _ accounts: Accounts, _ authorizer: Authorizer
    ) {
        self.accounts = accounts
        self.authorizer = authorizer
        self.number = number
        self.client = client
        self.filter = filter
        self.connection = connection
        self.monitoring = monitoring
        transition = BusSignal(
            path: Geofence1.subscriptionPath(number),
            interface: Geofence1.subscriptionInterface, member: "Transition")
        position = monitoring.lastSeq
    }

    var path: String { Geofence1.subscriptionPath(number) }

    /// An event has been announced; the events before it have been offered.
    /// - Parameter isLate: it waits in the log for ``catchUp()``.
    fileprivate func offer(_ event: LoggedEvent, isLate: Bool) {
        if isBehind { return accounts.ask(client.name) }
        isBehind = isLate || !send(event)
        if isBehind, !isLate { accounts.ask(client.name) }
    }

    /// False if it cannot be sent now.
    private func send(_ event: LoggedEvent) -> Bool {
        guard event.seq > position else { return true }
        guard event.event.announced, filter.admits(event.event) else {
            position = event.seq
            return true
        }
        // Its right is asked about again, before what it is told and not only at a change.
        guard authorizer.isGranted(client, .readEvents) else { return false }
        // A client that does not read gets nothing more until it does.
        guard accounts.hasRoom(client.name) else { return false }
        let size: Int
        do throws(SystemError) {
            size = try connection.emit(
                transition, EventMessage(event, withLocation: false).arguments, to: client.name)
        } catch { return false }
        position = event.seq
        accounts.sent(size, to: client.name)
        return true
    }

    /// Events that were not sent meanwhile are in the log.
    fileprivate func catchUp() {
        guard isBehind else { return }
        while position < monitoring.lastSeq {
            // If they cannot be read it stays behind, and the next event tries again.
            guard let page = try? monitoring.events(after: position, limit: 64) else { return }
            guard !page.events.isEmpty else { break }
            for event in page.events where !send(event) { return }
        }
        isBehind = false
    }
}

/// All subscriptions.
@MainActor
final class Subscriptions {
    private let connection: BusConnection
    private let monitoring: MonitoringService
    private let settings: BusServiceSettings
    private let accounts: Accounts
    private let authorizer: Authorizer
    private var subscriptions: [UInt64: Subscription] = [:]
    private var last: UInt64 = 0
    /// Called with the reason why a subscription was dropped.
    var notify: (BusNotice) -> Void = { _ in }
    /// Events that were offered to each since the loop was last elsewhere.
    private var offers = 0
    private var nextTurn: DeferredSource?
    /// Those for whom an event was left in the log because there had been so many.
    private var late: [UInt64] = []

    /// Offers of one turn of the loop: an event to each of 256 subscriptions, eight times.
    private static let mostOffers = 2_048

    init(
        _ connection: BusConnection, _ monitoring: MonitoringService, loop: EventLoop,
        _ settings: BusServiceSettings,
        _ accounts: Accounts, _ authorizer: Authorizer
    ) throws(SystemError) {
        self.accounts = accounts
        self.authorizer = authorizer
        self.connection = connection
        self.monitoring = monitoring
        self.settings = settings
        nextTurn = try DeferredSource(loop) { [weak self] in self?.goOn() }
    }

    /// A new object for that client.
    func create(for client: Client, _ filter: EventFilter) throws -> Subscription {
        try checkLimits(client)
        last += 1
        let subscription = Subscription(
            last, client, filter, connection, monitoring, accounts, authorizer)
        subscription.object = try connection.export(interface(subscription), at: subscription.path)
        subscriptions[subscription.number] = subscription
        let number = subscription.number
        client.whenGone[subscription.path] = { [weak self] in self?.remove(number) }
        client.isSubscriber = true
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
        guard let credentials = client.credentials,
            !settings.trusted.allow(credentials, .manageFences)
        else { return }
        try check(
            all.count { $0.client.credentials?.uid == credentials.uid },
            settings.subscriptionLimitPerUser, "of one user")
    }

    /// Offers an event to every subscription.
    func announce(_ event: LoggedEvent) {
        guard !subscriptions.isEmpty else { return }
        nextTurn?.trigger()
        for subscription in subscriptions.values.sorted(by: { $0.number < $1.number }) {
            offers += 1
            let isLate = offers > Self.mostOffers
            if isLate, !subscription.isBehind { late.append(subscription.number) }
            subscription.offer(event, isLate: isLate)
        }
    }

    /// One of those that are late, in each turn.
    private func goOn() {
        offers = 0
        guard !late.isEmpty else { return }
        subscriptions[late.removeFirst()]?.catchUp()
        nextTurn?.trigger()
    }

    /// That client has read, or its right is confirmed: sends the events it has missed.
    func catchUp(_ name: String) {
        for subscription in subscriptions.values.sorted(by: { $0.number < $1.number })
        where subscription.client.name == name { subscription.catchUp() }
    }

    /// Ends those of a client, and logs the reason if it had any.
    func removeAll(of name: String, _ why: String) {
        let ended = subscriptions.values.filter { $0.client.name == name }
        guard !ended.isEmpty else { return }
        notify(.log("\(name) \(why): its subscriptions are ended"))
        for subscription in ended { remove(subscription.number) }
    }

    private func remove(_ number: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: number) else { return }
        let client = subscription.client
        client.whenGone[subscription.path] = nil
        client.isSubscriber = subscriptions.values.contains { $0.client === client }
        subscription.object = nil
    }

    private static let notOwner = BusError(
        .notAuthorized, "this subscription is another program's")

    private func count(_ call: BusCall) {
        let sender = call.sender
        call.onAnswered = { [weak accounts] in accounts?.sent($0, to: sender) }
    }

    /// One event; the same signal for everybody and for one client.
    static let transition = BusSignalDeclaration(
        "Transition",
        [
            BusParameter("seq", "t"), BusParameter("fence", "s"), BusParameter("kind", "u"),
            BusParameter("details", "a{sv}"),
        ])

    private func interface(_ subscription: Subscription) -> BusInterface {
        let (owner, number) = (subscription.client.name, subscription.number)
        return BusInterface(
            name: Geofence1.subscriptionInterface,
            methods: [
                BusMethod("Close") { [weak self] call in
                    self?.count(call)
                    guard call.sender == owner else { return call.fail(Self.notOwner) }
                    call.reply()
                    self?.remove(number)
                }
            ],
            signals: [Self.transition],
            properties: [
                BusProperty("Client", "s", .constant) { sender throws(BusError) in
                    guard sender == owner else { throw Self.notOwner }
                    return .string(owner)
                },
                // A filter shows what its owner is interested in, which is private.
                BusProperty("Filter", "s", .constant) {
                    [filter = subscription.filter] sender throws(BusError) in
                    guard sender == owner else { throw Self.notOwner }
                    return .string(filter.text)
                },
            ])
    }
}
