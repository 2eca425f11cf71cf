import Geofence1
import Glibc
import Systemd

// Unsafe: getgrnam(3) lends its entry until the next call; the gid is read at once.

/// What a caller may do, as far as it is known.
package enum Verdict: String, Sendable {
    case yes
    case no
    /// Only after authentication.
    case auth
    /// Not asked yet.
    case unknown
}

/// Callers that are authorized without polkit.
package struct TrustedCallers: Sendable {
    /// root, and the user that the daemon runs as.
    package var uids: Set<UInt32>
    /// The group that is authorized on a system without a polkit agent; nil if it does not exist.
    package var group: UInt32?
    /// The group that may read events and the location, and change nothing; nil if it does not
    /// exist.
    package var readers: UInt32?

    package init(uids: Set<UInt32>, group: UInt32?, readers: UInt32? = nil) {
        self.uids = uids
        self.group = group
        self.readers = readers
    }

    /// root, our own user, and the groups of these names.
    package static func standard(
        group: String = "geofenced", readers: String = "geofenced-read"
    ) -> TrustedCallers {
        TrustedCallers(uids: [0, geteuid()], group: id(of: group), readers: id(of: readers))
    }

    private static func id(of group: String) -> UInt32? {
        unsafe getgrnam(group)?.pointee.gr_gid
    }

    /// Whether polkit need not be asked.
    func allow(_ credentials: BusCredentials, _ action: Geofence1.Action) -> Bool {
        if let uid = credentials.uid, uids.contains(uid) { return true }
        if let group, credentials.groups.contains(group) { return true }
        guard let readers, action.changesNothing else { return false }
        return credentials.groups.contains(readers)
    }
}

/// Identifies callers, and asks polkit once per caller and action what they may do. Without polkit
/// on the bus only the trusted callers are authorized.
///
/// https://www.freedesktop.org/software/polkit/docs/latest/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html
@MainActor
final class Authorizer {
    let clients: Clients
    private let polkit: Polkit
    private let trusted: TrustedCallers
    private var changes: BusSlot?
    /// Calls whose caller is being identified: milliseconds.
    private let unknown = HeldCalls("authorization", calls: 64, bytes: 5 << 20)
    /// Calls that wait for polkit, which may be asking a person.
    private let asking = HeldCalls("authorization", calls: 32, bytes: 2 << 20, perUser: 8)
    /// Called when a caller's authorization has changed, or has become known.
    var onChange: () -> Void = {}
    /// Why a call that has waited is refused now, since answers to other calls of the same caller
    /// may have used up its limit meanwhile; nil if it is not refused.
    var refusal: (BusCall) -> BusError? = { _ in nil }
    /// Called when a caller may not read events any more.
    var onWithdrawn: (Client) -> Void = { _ in }

    /// The largest call that may wait for a person, bytes.
    private static let largestAsking = 64 << 10

    init(
        _ connection: BusConnection, clients: Clients, trusted: TrustedCallers
    ) throws(SystemError) {
        polkit = Polkit(connection)
        self.clients = clients
        self.trusted = trusted
        changes = try polkit.onChange { [weak self] in self?.polkitChanged() }
    }

    /// Answers the call with an error, or calls `then` if its caller is authorized. The arguments
    /// have not been read by then.
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

    /// Whether the caller is authorized; `then` is not called if the call was answered with an
    /// error.
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

    /// The caller's credentials according to the bus; `then` is not called if the caller has left,
    /// or if the call was answered with an error.
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

    /// What the caller may do, as far as it is known now; the rest is asked, and reported by
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
                    if trusted.allow(credentials, action) { return onChange() }
                    ask(client, action, interactive: false) { _ in }
                }
                return (action, .unknown)
            })
    }

    /// Whether that program is known to be authorized to read something that not everybody may.
    func isReader(_ sender: String) -> Bool {
        guard let client = clients.known(sender) else { return false }
        if let credentials = client.credentials, trusted.allow(credentials, .readEvents) {
            return true
        }
        return client.verdicts.contains { $0.key.isAboutReading && $0.value == .yes }
    }

    /// The remembered answer; if a person may be asked, `auth` counts as yes.
    private func remembered(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool
    ) -> Verdict? {
        if let credentials = client.credentials, trusted.allow(credentials, action) { return .yes }
        let known = client.verdicts[action]
        return known == .auth && interactive ? nil : known
    }

    private func ask(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict?) -> Void
    ) {
        polkit.ask(client, action, interactive: interactive) { [weak self] verdict in
            // A missing answer is not remembered: polkit may be running the next time.
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
            // That authentication would be needed again revokes nothing: a program that was allowed
            // once stays allowed until it leaves.
            ask(client, .readEvents, interactive: false) { [weak self] verdict in
                if verdict == .no { self?.onWithdrawn(client) }
            }
        }
    }
}
