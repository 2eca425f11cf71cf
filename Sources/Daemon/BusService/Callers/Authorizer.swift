import Geofence1
import Glibc
import Systemd

// Unsafe: getgrnam(3) lends its entry until the next call; the number is read at once.

/// What a caller may do, as far as it has been asked.
package enum Verdict: String, Sendable {
    case yes
    case no
    /// After authentication.
    case auth
    /// Not asked yet.
    case unknown
}

/// Who is let in without polkit.
package struct TrustedCallers: Sendable {
    /// root, and whoever the daemon runs as.
    package var uids: Set<UInt32>
    /// The group that is the way in on a box without a polkit agent; nil where there is none.
    package var group: UInt32?

    package init(uids: Set<UInt32>, group: UInt32?) {
        self.uids = uids
        self.group = group
    }

    /// root, ourselves, and the group of that name.
    package static func standard(group: String = "geofenced") -> TrustedCallers {
        unsafe TrustedCallers(uids: [0, geteuid()], group: getgrnam(group)?.pointee.gr_gid)
    }

    func contains(_ credentials: BusCredentials) -> Bool {
        if let uid = credentials.uid, uids.contains(uid) { return true }
        if let group, credentials.groups.contains(group) { return true }
        return false
    }
}

/// Asks who calls, and then polkit, once per caller and action, what it may do. No polkit on the
/// bus: nobody but the trusted may.
///
/// https://www.freedesktop.org/software/polkit/docs/latest/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html
@MainActor
final class Authorizer {
    let clients: Clients
    private let polkit: Polkit
    private let trusted: TrustedCallers
    private var changes: BusSlot?
    /// Calls whose caller is asked for: milliseconds.
    private let unknown = HeldCalls("authorization", calls: 64, bytes: 5 << 20)
    /// Calls that wait for polkit, which may be asking a person.
    private let asking = HeldCalls("authorization", calls: 32, bytes: 2 << 20, perUser: 8)
    /// Called when what some caller may do has changed, or is known now.
    var onChange: () -> Void = {}
    /// Why a call that has waited is refused now: others of its caller have waited with it, and been
    /// answered before it. Nil is for one that is not.
    var refusal: (BusCall) -> BusError? = { _ in nil }
    /// Called when a caller may not read events any more.
    var onWithdrawn: (Client) -> Void = { _ in }

    /// A call that waits for a person may have so many bytes.
    private static let largestAsking = 64 << 10

    init(
        _ connection: BusConnection, clients: Clients, trusted: TrustedCallers
    ) throws(SystemError) {
        polkit = Polkit(connection)
        self.clients = clients
        self.trusted = trusted
        changes = try polkit.onChange { [weak self] in self?.polkitChanged() }
    }

    /// Answers the call with an error, or goes on with it when its caller may. Nothing of the
    /// arguments has been read by then.
    func authorize(
        _ call: BusCall, _ action: Geofence1.Action, then: @escaping () -> Void
    ) {
        check(call, action, interactive: call.allowsInteraction) { allowed in
            if allowed {
                then()
            } else {
                call.fail(
                    Geofence1.Failure.notAuthorized.name, "not authorized: \(action.rawValue)")
            }
        }
    }

    /// Whether the caller may; `then` is not called for a call that was answered with an error.
    func check(
        _ call: BusCall, _ action: Geofence1.Action, interactive: Bool = false,
        then: @escaping (Bool) -> Void
    ) {
        if let client = clients.known(call.sender),
            let known = remembered(client, action, interactive: interactive)
        {
            return then(known == .yes)
        }
        identify(call) { [self] client, credentials in
            if let refused = refusal(call) { return call.fail(refused) }
            if let known = remembered(client, action, interactive: interactive) {
                return then(known == .yes)
            }
            do throws(BusError) {
                guard call.message.size(upTo: Self.largestAsking) != nil else {
                    throw BusError(
                        name: BusError.limitsExceeded,
                        message: "a call of more than \(Self.largestAsking) bytes needs "
                            + "authorization before: make a small one first, or ImportFences")
                }
                let place = try asking.keep(call, of: credentials.uid)
                ask(client, action, interactive: interactive) { [self] verdict in
                    withExtendedLifetime(place) {}
                    if let refused = refusal(call) { return call.fail(refused) }
                    then(verdict == .yes)
                }
            } catch { call.fail(error) }
        }
    }

    /// Who calls, as the bus knows; `then` is not called for a caller that has left, and for a call
    /// that was answered with an error.
    func identify(_ call: BusCall, then: @escaping (Client, BusCredentials) -> Void) {
        do throws(BusError) {
            let client = try clients.client(call.sender)
            if let credentials = client.credentials { return then(client, credentials) }
            let place = try unknown.keep(call)
            clients.credentials(of: client) { credentials in
                withExtendedLifetime(place) {}
                if let credentials { then(client, credentials) }
            }
        } catch { call.fail(error) }
    }

    /// What the caller may do, as far as is known now; what is not is asked, and told by
    /// ``onChange``.
    func known(_ sender: String) -> [Geofence1.Action: Verdict] {
        guard let client = try? clients.client(sender) else { return [:] }
        client.knowsAuthorization = true
        return Dictionary(
            uniqueKeysWithValues: Geofence1.Action.allCases.map { action in
                if let verdict = remembered(client, action, interactive: false) {
                    return (action, verdict)
                }
                clients.credentials(of: client) { [weak self] credentials in
                    guard let self, let credentials else { return }
                    if trusted.contains(credentials) { return onChange() }
                    ask(client, action, interactive: false) { _ in }
                }
                return (action, .unknown)
            })
    }

    /// Whether it is known of that program that it may read something that not everybody may.
    func isReader(_ sender: String) -> Bool {
        guard let client = clients.known(sender) else { return false }
        if let credentials = client.credentials, trusted.contains(credentials) { return true }
        return client.verdicts.values.contains(.yes)
    }

    /// What need not be asked; a person that may be asked makes a yes of `auth`.
    private func remembered(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool
    ) -> Verdict? {
        if let credentials = client.credentials, trusted.contains(credentials) { return .yes }
        let known = client.verdicts[action]
        return known == .auth && interactive ? nil : known
    }

    private func ask(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict?) -> Void
    ) {
        polkit.ask(client, action, interactive: interactive) { [weak self] verdict in
            // No answer is no verdict: polkit may be there the next time.
            if let verdict {
                let before = client.verdicts.updateValue(verdict, forKey: action)
                if client.knowsAuthorization, before != verdict { self?.onChange() }
            }
            then(verdict)
        }
    }

    private func polkitChanged() {
        let affected = clients.all.filter { !$0.verdicts.isEmpty }
        for client in affected { client.verdicts = [:] }
        if affected.contains(where: \.knowsAuthorization) { onChange() }
        for client in affected where client.isSubscriber {
            // That the person would have to be asked again takes nothing away: who was allowed once
            // is allowed until it goes.
            ask(client, .readEvents, interactive: false) { [weak self] verdict in
                if verdict == .no { self?.onWithdrawn(client) }
            }
        }
    }
}
