import Geofence1
import Glibc
import Systemd

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
        TrustedCallers(uids: [0, geteuid()], group: getgrnam(group)?.pointee.gr_gid)
    }

    func contains(_ credentials: BusCredentials) -> Bool {
        if let uid = credentials.uid, uids.contains(uid) { return true }
        if let group, credentials.groups.contains(group) { return true }
        return false
    }
}

/// Asks polkit, once per caller and action, what a caller may do. No polkit on the bus: nobody but
/// the trusted may.
///
/// https://www.freedesktop.org/software/polkit/docs/latest/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html
@MainActor
final class Authorizer {
    private let connection: BusConnection
    private let clients: Clients
    private let trusted: TrustedCallers
    private var changes: BusSlot?
    private var cancellations: UInt64 = 0
    /// Called when what some caller may do has changed, or is known now.
    var onChange: () -> Void = {}

    private static let polkit = BusPeer(
        destination: "org.freedesktop.PolicyKit1",
        path: "/org/freedesktop/PolicyKit1/Authority",
        interface: "org.freedesktop.PolicyKit1.Authority")
    /// Calls of one caller that may wait for polkit, which may be asking a person.
    private static let pendingLimit = 16

    init(
        _ connection: BusConnection, clients: Clients, trusted: TrustedCallers
    ) throws(SystemError) {
        self.connection = connection
        self.clients = clients
        self.trusted = trusted
        changes = try connection.subscribe(
            BusMatch(
                sender: Self.polkit.destination, path: Self.polkit.path,
                interface: Self.polkit.interface, member: "Changed")
        ) { [weak self] _ in self?.polkitChanged() }
    }

    /// Answers the call with an error, or goes on with it when its caller may.
    func authorize(
        _ call: BusCall, _ action: Geofence1.Action, then: @escaping () -> Void
    ) {
        check(call, action) { allowed in
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
        _ call: BusCall, _ action: Geofence1.Action, then: @escaping (Bool) -> Void
    ) {
        let client: Client
        do throws(BusError) {
            client = try clients.client(call.sender)
            guard client.pendingChecks < Self.pendingLimit else {
                throw BusError(
                    name: BusError.limitsExceeded,
                    message: "more than \(Self.pendingLimit) calls wait for authorization")
            }
        } catch {
            call.fail(error)
            return
        }
        client.pendingChecks += 1
        verdict(client, action, interactive: call.allowsInteraction) { verdict in
            client.pendingChecks -= 1
            then(verdict == .yes)
        }
    }

    /// What the caller may do, as far as is known now; what is not is asked, and told by
    /// ``onChange``.
    func known(_ sender: String) -> [Geofence1.Action: Verdict] {
        guard let client = try? clients.client(sender) else { return [:] }
        client.knowsAuthorization = true
        return Dictionary(
            uniqueKeysWithValues: Geofence1.Action.allCases.map { action in
                if let verdict = remembered(client, action) { return (action, verdict) }
                if client.pendingChecks < Self.pendingLimit {
                    client.pendingChecks += 1
                    verdict(client, action, interactive: false) { [weak self] _ in
                        client.pendingChecks -= 1
                        self?.onChange()
                    }
                }
                return (action, .unknown)
            })
    }

    private func remembered(_ client: Client, _ action: Geofence1.Action) -> Verdict? {
        if let credentials = client.credentials, trusted.contains(credentials) { return .yes }
        return client.verdicts[action]
    }

    private func verdict(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict) -> Void
    ) {
        clients.credentials(of: client) { [weak self] credentials in
            guard let self, let credentials else { return then(.no) }
            if trusted.contains(credentials) { return then(.yes) }
            if let known = client.verdicts[action], known != .auth || !interactive {
                return then(known)
            }
            ask(client, action, interactive: interactive, then: then)
        }
    }

    private func ask(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict) -> Void
    ) {
        cancellations += 1
        let cancellation = "geofenced-\(getpid())-\(cancellations)"
        let subject = BusValue.structure([
            .string("system-bus-name"), .dictionary([("name", .string(client.name))]),
        ])
        do throws(SystemError) {
            try connection.call(
                Self.polkit, "CheckAuthorization",
                [
                    subject, .string(action.rawValue), .array(of: "{ss}", []),
                    // AllowUserInteraction
                    .uint32(interactive ? 1 : 0), .string(cancellation),
                ],
                // A person who is asked for a password takes longer than a program.
                timeout: interactive ? 300_000_000_000 : 25_000_000_000
            ) { [weak self] result in
                client.whenGone[cancellation] = nil
                let verdict = Self.read(result)
                // No answer is no verdict: polkit may be there the next time.
                guard let verdict else { return then(.no) }
                let before = client.verdicts.updateValue(verdict, forKey: action)
                if client.knowsAuthorization, before != verdict { self?.onChange() }
                then(verdict)
            }
        } catch { return then(.no) }
        // The dialog has no meaning without the program that needs it.
        client.whenGone[cancellation] = { [weak self] in
            _ = try? self?.connection.call(
                Self.polkit, "CancelCheckAuthorization", [.string(cancellation)]
            ) { _ in }
        }
    }

    /// `(bba{ss})`: is authorized, would be after authentication, details.
    private static func read(_ result: Result<BusMessage, BusError>) -> Verdict? {
        guard case .success(let message) = result,
            let answer = (try? message.values())?.first?.asStructure, answer.count == 3,
            let isAuthorized = answer[0].asBool, let isChallenge = answer[1].asBool
        else { return nil }
        return isAuthorized ? .yes : isChallenge ? .auth : .no
    }

    private func polkitChanged() {
        let affected = clients.all.filter { !$0.verdicts.isEmpty }
        for client in affected { client.verdicts = [:] }
        if affected.contains(where: \.knowsAuthorization) { onChange() }
    }
}
