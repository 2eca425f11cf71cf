import Geofence1
import Law
package import Model
package import Monitoring
package import Systemd
import Time

/// The D-Bus objects of the daemon on one connection. It contains no rules: queries go to the
/// ``MonitoringService``, which outlives a restart of the bus, when this is created again.
///
/// The program reports what happens: ``committed()``, ``announced(_:)``, ``windowChanged(_:)``,
/// ``heartbeat(_:)``, ``stateChanged()``, ``handled()``.
@MainActor
package final class ManagerService {
    let connection: BusConnection
    let monitoring: MonitoringService
    let settings: BusServiceSettings
    let hooks: BusServiceHooks
    let clients: Clients
    let authorizer: Authorizer
    let accounts: Accounts
    private var gate: BusSlot?
    let subscriptions: Subscriptions
    let rangings: RangingSessions
    let consumers: Consumers
    let imports: Imports
    let questions: LongQuestions
    let routes = RoutePortions()
    private var object: BusSlot?
    private let ownName: OwnName
    var status = ToldStatus()
    private var refresh: DeferredSource?
    private var stallWatch: StallWatch?

    /// Exports the objects and requests the name.
    /// - Parameter afterStall: takes the name from its owner: a bus that does not read from our
    ///   last connection does not notice that it was closed.
    package init(
        connection: BusConnection, loop: EventLoop, monitoring: MonitoringService,
        settings: BusServiceSettings, hooks: BusServiceHooks, afterStall: Bool = false
    ) throws(SystemError) {
        self.connection = connection
        self.monitoring = monitoring
        self.settings = settings
        self.hooks = hooks
        ownName = OwnName(connection)
        clients = Clients(connection)
        authorizer = try Authorizer(
            connection, clients: clients, loop: loop, trusted: settings.trusted,
            age: .seconds(settings.authorizationSeconds))
        accounts = Accounts(connection, patience: .seconds(settings.unreadSeconds))
        subscriptions = try Subscriptions(
            connection, monitoring, loop: loop, settings, accounts, authorizer)
        rangings = RangingSessions(
            connection, monitoring, loop: loop, settings, accounts, authorizer)
        consumers = try Consumers(connection, monitoring, loop: loop, settings, authorizer)
        imports = Imports(
            monitoring, loop: loop, directory: settings.spoolDirectory,
            limit: Int(clamping: settings.importLimit)
        ) {
            hooks.now()
        }
        questions = try LongQuestions(loop: loop, portion: settings.questionPortion)
        subscriptions.notify = hooks.notify
        rangings.notify = hooks.notify
        authorizer.onWithdrawn = { [weak self] in self?.withdraw($1, from: $0) }
        authorizer.onConfirmed = { [weak self] in self?.subscriptions.catchUp($0.name) }
        authorizer.onPolkitChanged = { [weak self] in self?.consumers.rightsChanged() }
        authorizer.refusal = { [weak self] in self?.accounts.refusal(of: $0.sender) }
        questions.refusal = { [weak self] in self?.accounts.refusal(of: $0.sender) }
        clients.onLeft = { [weak self] in self?.accounts.forget($0) }
        accounts.isReader = { [weak self] in self?.authorizer.isReader($0) ?? false }
        accounts.user = { [weak self] in self?.clients.known($0)?.credentials?.uid }
        accounts.onRead = { [weak self] in self?.subscriptions.catchUp($0) }
        accounts.onStopped = { [weak self] in
            self?.subscriptions.removeAll(of: $0, "has not read for an hour")
        }
        gate = try connection.guardCalls { [weak self] in self?.admit($0) ?? .drop }
        authorizer.onChange = { [weak self] in self?.tell(["Authorization"]) }
        refresh = try DeferredSource(loop) { [weak self] in self?.follow() }
        stallWatch = try StallWatch(
            connection, loop: loop, patience: .seconds(settings.stallSeconds)
        ) {
            hooks.notify(.log("the bus does not read from us any more"))
            hooks.notify(.stalled)
        }
        object = try connection.export(managerInterface(), at: Geofence1.path)
        status.values = presentValues()
        ownName.notify = { [weak self] in self?.noted($0) }
        try ownName.request(replacing: afterStall)
    }

    var now: Uptime { hooks.now() }

    /// Writes a line to the log of the program.
    func log(_ line: String) { hooks.notify(.log(line)) }

    // MARK: What the program passes on

    /// Carries out what is for the bus; nothing else.
    package func carryOut(_ notice: Notice) {
        switch notice {
        case .windowChanged(let change): windowChanged(change)
        case .heartbeat(let time): emit(Self.heartbeat, [.uint64(time.microseconds)])
        case .sightings(let sightings): rangings.hear(sightings)
        case .committed: committed()
        case .stateChanged: stateChanged()
        case .handled: handled()
        case .storeReplaced:
            consumers.storeReplaced()
            committed()
        case .wake, .beaconsWanted, .positionWanted, .storeSuspect, .zonesFound,
            .copiesBehind, .changesWaiting, .readAgain, .routeForgotten, .routeEnded, .beaconStay:
            break
        }
    }

    /// The log has grown. Durable consumers are served from it, independent of the broadcast.
    private func committed() {
        consumers.hasNews = true
        stateChanged()
    }

    /// An event was broadcast.
    package func announced(_ event: LoggedEvent) {
        subscriptions.announce(event)
        stallWatch?.sent()
        stateChanged()
    }

    /// Signals `WindowChanged`.
    private func windowChanged(_ change: WindowChange) {
        status.window.isStale = true
        emit(
            Self.windowChanged,
            [
                .uint64(change.generation), .strings(change.added), .strings(change.removed),
                .uint32(change.reason.rawValue),
            ])
        stateChanged()
    }

    /// A property may have changed; signalled on the next turn of the loop, once, or by
    /// ``handled()``.
    func stateChanged() { refresh?.trigger() }

    /// Reports that have arrived together have been taken: what they have changed is processed
    /// without a turn of the loop.
    private func handled() {
        guard let refresh, refresh.isEnabled else { return }
        refresh.isEnabled = false
        follow()
    }

    /// Not within the delivery that calls us: consumers read from the log.
    private func follow() {
        tellChanges()
        guard consumers.hasNews else { return }
        consumers.run()
    }

    // MARK: Signals

    private static let windowChanged = BusSignal(
        path: Geofence1.path, interface: Geofence1.managerInterface, member: "WindowChanged")
    private static let heartbeat = BusSignal(
        path: Geofence1.path, interface: Geofence1.managerInterface, member: "Heartbeat")

    /// Signals about the present only are not queued for a bus that does not read.
    private func emit(_ signal: BusSignal, _ arguments: [BusValue]) {
        guard ownName.isOurs else { return }
        _ = try? connection.emit(signal, arguments)
        stallWatch?.sent()
    }

    /// Ends the objects of a program that has lost the permission for them.
    private func withdraw(_ action: Geofence1.Action, from client: Client) {
        if action == .rangeBeacons {
            rangings.removeAll(of: client, "may not range beacons any more")
        } else {
            subscriptions.removeAll(of: client.name, "may not read events any more")
        }
    }

    private func tellChanges() {
        rangings.follow()
        let present = presentValues()
        let changed = zip(present, status.values).filter { $0 != $1 }.map(\.0)
        // A bus that does not read is notified with the next change.
        if tell(changed.map(\.key), known: changed) { status.values = present }
    }

    @discardableResult
    private func tell(_ properties: [String], known: [BusOption] = []) -> Bool {
        guard let object, !properties.isEmpty else { return true }
        defer { stallWatch?.sent() }
        do throws(SystemError) {
            try connection.emitPropertiesChanged(of: object, properties, known: known)
            return true
        } catch { return false }
    }

    /// Of the name; consumers are called only with it.
    private func noted(_ notice: BusNotice) {
        hooks.notify(notice)
        guard case .nameChanged(let isOurs) = notice else { return }
        guard isOurs else { return consumers.stop() }
        do { try consumers.start() } catch { log("cannot read the consumers: \(error)") }
    }
}

/// What of the status was told last.
struct ToldStatus {
    /// The values that were signalled.
    var values: [BusOption] = []
    /// The ids of the property `Window`.
    var window = ShownWindow()
}
