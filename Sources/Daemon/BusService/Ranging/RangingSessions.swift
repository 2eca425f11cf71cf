import Geofence1
import Model
import Monitoring
import Systemd
import Time

/// All ranging sessions. Their times are those of the loop, in a replay too: a recorded beacon is
/// near when it is heard.
@MainActor
final class RangingSessions {
    private let connection: BusConnection
    private let loop: EventLoop
    private let monitoring: MonitoringService
    private let settings: BusServiceSettings
    private let accounts: Accounts
    private let authorizer: Authorizer
    private var sessions: [UInt64: RangingSession] = [:]
    private var last: UInt64 = 0
    /// Called with the demand of all sessions when it has changed, and with the reason why sessions
    /// were dropped.
    var notify: (BusNotice) -> Void = { _ in }

    init(
        _ connection: BusConnection, _ monitoring: MonitoringService, loop: EventLoop,
        _ settings: BusServiceSettings, _ accounts: Accounts, _ authorizer: Authorizer
    ) {
        self.authorizer = authorizer
        self.connection = connection
        self.monitoring = monitoring
        self.loop = loop
        self.settings = settings
        self.accounts = accounts
    }

    /// Creates an object for that client.
    func create(for client: Client, _ options: RangingOptions) throws -> RangingSession {
        let held = sessions.values.count { $0.client === client }
        guard held < settings.rangingLimit, sessions.count < settings.totalRangingLimit else {
            throw BusError(
                name: BusError.limitsExceeded,
                message: "more than \(settings.rangingLimit) ranging sessions of one caller, "
                    + "or \(settings.totalRangingLimit) in all")
        }
        last += 1
        let session = try RangingSession(
            last, client, options, connection, accounts, authorizer, loop: loop)
        session.object = try connection.export(interface(session), at: session.path)
        session.told = state(of: session)
        let number = session.number
        sessions[number] = session
        client.whenGone[session.path] = { [weak self] in self?.remove(number) }
        client.isRanging = true
        notify(.ranging(wanted))
        return session
    }

    /// Takes sightings that arrived together.
    func hear(_ sightings: [BeaconSighting]) {
        let now = EventLoop.uptime
        for session in sessions.values { session.hear(sightings, at: now) }
    }

    /// Ends the sessions of a client.
    func removeAll(of client: Client, _ why: String) {
        let ended = sessions.values.filter { $0.client === client }
        guard !ended.isEmpty else { return }
        notify(.log("\(client.name) \(why): its ranging sessions are ended"))
        for session in ended { remove(session.number) }
    }

    /// Informs each session of the state of the radio, if it has changed.
    func follow() {
        for session in sessions.values {
            let present = state(of: session)
            guard let object = session.object, session.told.map({ $0 != present }) ?? true else {
                continue
            }
            do throws(SystemError) {
                try connection.emitPropertiesChanged(of: object, ["State", "Reason"])
                session.told = present
            } catch { continue }
        }
    }

    /// The demand of all sessions.
    private var wanted: Set<BeaconPattern> {
        sessions.values.reduce(into: []) { $0.formUnion($1.wanted) }
    }

    private func state(of session: RangingSession) -> (state: String, reason: String) {
        if session.isPaused { return ("paused", "") }
        let radio = monitoring.beaconRadio
        return (radio.state.rawValue, radio.reason.rawValue)
    }

    private func remove(_ number: UInt64) {
        guard let session = sessions.removeValue(forKey: number) else { return }
        session.client.whenGone[session.path] = nil
        session.client.isRanging = sessions.values.contains { $0.client === session.client }
        session.pause()
        session.object = nil
        notify(.ranging(wanted))
    }

    private static let notOwner = BusError(
        .notAuthorized, "this session is another program's")

    private static let ranged = BusSignalDeclaration(
        "Ranged",
        [BusParameter("monotonic", "t"), BusParameter("beacons", "a\(BeaconMessage.signature)")])

    private func interface(_ session: RangingSession) -> BusInterface {
        let number = session.number
        return BusInterface(
            name: Geofence1.rangingInterface,
            methods: [
                method("Pause", of: session) { $0.pause() },
                method("Resume", of: session) { $0.resume() },
                method("Close", of: session) { [weak self] _ in self?.remove(number) },
            ],
            signals: [Self.ranged],
            properties: [
                property("State", of: session) { $0.state },
                property("Reason", of: session) { $0.reason },
            ])
    }

    /// For the client of the session alone; the call is answered before the action.
    private func method(
        _ name: String, of session: RangingSession,
        _ body: @escaping @MainActor (RangingSession) -> Void
    ) -> BusMethod {
        BusMethod(name) { [weak self, weak session] call in
            let sender = call.sender
            call.onAnswered = { [weak self] in self?.accounts.sent($0, to: sender) }
            guard let self, let session, sender == session.client.name else {
                return call.fail(Self.notOwner)
            }
            call.reply()
            body(session)
            notify(.ranging(wanted))
            follow()
        }
    }

    private func property(
        _ name: String, of session: RangingSession,
        _ value: @escaping ((state: String, reason: String)) -> String
    ) -> BusProperty {
        BusProperty(name, "s", .emitsValue) { [weak self, weak session] _ throws(BusError) in
            guard let self, let session else { throw Self.notOwner }
            return .string(value(state(of: session)))
        }
    }
}
