import Geofence1
import Glibc
import Systemd
import Time

// Unsafe: getgrnam(3) lends its entry until the next call; the gid is read at once.

/// What a caller may do, as far as it is known.
package enum Verdict: String, Sendable {
    case yes
    case no
    /// Only after authentication.
    case auth
    /// Not asked yet, or polkit does not answer. It permits nothing.
    case unknown
}

/// What polkit has said about a caller and an action. It counts for a limited time only: a rule may
/// change without a word that reaches us.
struct Answer {
    var verdict: Verdict
    /// A person has authenticated. That polkit would ask again says nothing against it.
    var isByPerson = false
    /// It counts up to here.
    var end: Uptime
    /// And while polkit has not reported a change since.
    var changes: UInt64
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

/// Identifies callers, and asks polkit what each may do. Its answers count for some seconds and
/// until polkit reports a change; after that it is asked again before the right is used. Only a
/// valid yes permits anything: without polkit on the bus only the trusted callers are authorized.
///
/// https://www.freedesktop.org/software/polkit/docs/latest/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html
@MainActor
final class Authorizer {
    /// Calls waiting for the bus to say whether their callers own a name.
    let askingOwner = HeldCalls("the owner of a name", calls: 16, bytes: 5 << 20, perUser: 4)
    let clients: Clients
    private let polkit: Polkit
    private let trusted: TrustedCallers
    /// How long an answer counts.
    private let age: TimeSpan
    private var slots: [BusSlot] = []
    /// How often polkit has reported a change.
    private var changes: UInt64 = 0
    private var review: TimerSource?
    /// Follows the changes that polkit has reported.
    private var following: TimerSource?
    private var followed = Uptime.boot
    /// Calls whose caller is being identified: milliseconds.
    private let unknown = HeldCalls("authorization", calls: 64, bytes: 5 << 20)
    /// Calls that wait for polkit, which may be asking a person.
    private let asking = HeldCalls("authorization", calls: 32, bytes: 2 << 20, perUser: 8)
    /// Called when a caller's authorization has changed, or has become known.
    var onChange: () -> Void = {}
    /// Why a call that has waited is refused now, since answers to other calls of the same caller
    /// may have used up its limit meanwhile; nil if it is not refused.
    var refusal: (BusCall) -> BusError? = { _ in nil }
    /// Called when a caller has lost a permission that its objects need.
    var onWithdrawn: (Client, Geofence1.Action) -> Void = { _, _ in }
    /// Called when a permission has been confirmed that ``isGranted(_:_:)`` had in doubt.
    var onConfirmed: (Client) -> Void = { _ in }
    /// Called when any permission may have been given or withdrawn.
    var onPolkitChanged: () -> Void = {}

    /// The largest call that may wait for a person, bytes.
    private static let largestAsking = 64 << 10
    /// How often polkit is asked about objects when it does not answer.
    private static let reviewInterval = TimeSpan.seconds(5)
    /// The least time between two changes of polkit that are followed: however many it reports, each
    /// question is asked once meanwhile. That none of the answers from before counts is not put off.
    private static let followInterval = TimeSpan.seconds(1)

    init(
        _ connection: BusConnection, clients: Clients, loop: EventLoop,
        trusted: TrustedCallers, age: TimeSpan
    ) throws(SystemError) {
        polkit = Polkit(connection)
        self.clients = clients
        self.trusted = trusted
        self.age = age
        review = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in
            self?.reviewObjects()
        }
        following = try TimerSource(loop) { [weak self] in self?.followChanges() }
        slots = try polkit.onChange { [weak self] in self?.polkitChanged() }
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

    /// Goes on when it is known what the caller may do, as far as polkit says it without a person; `then` is
    /// not called if the call was answered with an error. What is being found out for the caller already
    /// is not waited for a second time.
    func learn(_ call: BusCall, then: @escaping () -> Void) {
        identify(call) { [self] client, credentials in
            if let refused = refusal(call) { return call.fail(refused) }
            let open = Geofence1.Action.allCases.filter {
                remembered(client, $0, interactive: false) == nil
            }
            guard !open.isEmpty, client.asked.isEmpty else { return then() }
            do throws(BusError) {
                let place = try asking.keep(call, of: credentials.uid)
                client.asked.formUnion(open)
                var left = open.count
                for action in open {
                    ask(client, action, interactive: false) { [self] _ in
                        client.asked.remove(action)
                        left -= 1
                        guard left == 0 else { return }
                        withExtendedLifetime(place) {}
                        if let refused = refusal(call) { return call.fail(refused) }
                        then()
                    }
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

    /// What the program of that unique name may do: for something that is about to be sent to it
    /// unasked. Unknown if it has left, or if nobody can say.
    func verdict(
        _ name: String, _ action: Geofence1.Action, then: @escaping (Verdict) -> Void
    ) {
        guard let client = try? clients.client(name) else { return then(.unknown) }
        clients.credentials(of: client) { [weak self] credentials in
            guard let self, credentials != nil else { return then(.unknown) }
            if let known = remembered(client, action, interactive: false) { return then(known) }
            ask(client, action, interactive: false, then: then)
        }
    }

    /// Whether something may be sent to that program now, because of an object of it. If that is
    /// in doubt polkit is asked, and the result is reported by ``onConfirmed`` or ``onWithdrawn``.
    func isGranted(_ client: Client, _ action: Geofence1.Action) -> Bool {
        if remembered(client, action, interactive: false) == .yes { return true }
        reviewObject(of: client, action)
        return false
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
                askForDisplay(client, action)
                // It is asked again before it is used.
                return (action, client.answers[action]?.verdict ?? .unknown)
            })
    }

    /// Once at a time, however often the caller looks.
    private func askForDisplay(_ client: Client, _ action: Geofence1.Action) {
        guard client.asked.insert(action).inserted else { return }
        clients.credentials(of: client) { [weak self] credentials in
            guard let self, let credentials, !trusted.allow(credentials, action) else {
                client.asked.remove(action)
                if credentials != nil { self?.onChange() }
                return
            }
            ask(client, action, interactive: false) { _ in client.asked.remove(action) }
        }
    }

    /// Whether that program is known to be authorized to read something that not everybody may.
    func isReader(_ sender: String) -> Bool {
        guard let client = clients.known(sender) else { return false }
        if let credentials = client.credentials, trusted.allow(credentials, .readEvents) {
            return true
        }
        return client.answers.contains { $0.key.isAboutReading && $0.value.verdict == .yes }
    }

    /// The answer that counts now; nil if polkit has to be asked. If a person may be asked, `auth`
    /// is none.
    private func remembered(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool
    ) -> Verdict? {
        if let credentials = client.credentials, trusted.allow(credentials, action) { return .yes }
        guard let answer = client.answers[action], answer.changes == changes,
            EventLoop.uptime < answer.end
        else { return nil }
        return answer.verdict == .auth && interactive ? nil : answer.verdict
    }

    /// Without a person first: a yes that comes from a rule ends with the rule.
    private func ask(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict) -> Void
    ) {
        polkit.ask(client, action, interactive: false) { [weak self] verdict in
            guard let self else { return then(.unknown) }
            let found = take(verdict, byPerson: false, of: client, action)
            guard found == .auth, interactive else { return then(found) }
            polkit.ask(client, action, interactive: true) { [weak self] verdict in
                then(self?.take(verdict, byPerson: true, of: client, action) ?? .unknown)
            }
        }
    }

    /// Remembers an answer, and returns what the caller may do now.
    private func take(
        _ verdict: Verdict, byPerson: Bool, of client: Client, _ action: Geofence1.Action
    ) -> Verdict {
        // Not remembered: the next use asks again.
        guard verdict != .unknown else { return .unknown }
        let before = client.answers[action]
        var answer = Answer(
            verdict: verdict, isByPerson: byPerson && verdict == .yes,
            end: EventLoop.uptime + age, changes: changes)
        // A program that a person has allowed stays allowed until it leaves the bus, or until
        // polkit says no.
        if verdict == .auth, let before, before.verdict == .yes, before.isByPerson {
            answer.verdict = .yes
            answer.isByPerson = true
        }
        client.answers[action] = answer
        if client.knowsAuthorization, before?.verdict != answer.verdict { onChange() }
        return answer.verdict
    }

    private func polkitChanged() {
        changes += 1
        guard following?.isEnabled != true else { return }
        following?.arm(at: max(EventLoop.uptime, followed + Self.followInterval))
    }

    private func followChanges() {
        followed = EventLoop.uptime
        // Also what polkit has answered since and decided before.
        changes += 1
        let affected = clients.all.filter { !$0.answers.isEmpty }
        if clients.all.contains(where: { !$0.reviewed.isEmpty }) {
            following?.arm(at: followed + Self.followInterval)
        }
        if affected.contains(where: \.knowsAuthorization) { onChange() }
        reviewObjects()
        onPolkitChanged()
    }

    /// Asks about all objects whose right is in doubt.
    private func reviewObjects() {
        for client in clients.all {
            for action in client.needed
            where remembered(client, action, interactive: false) != .yes {
                reviewObject(of: client, action)
            }
        }
    }

    private func reviewObject(of client: Client, _ action: Geofence1.Action) {
        guard client.reviewed.insert(action).inserted else { return }
        ask(client, action, interactive: false) { [weak self] verdict in
            client.reviewed.remove(action)
            guard let self else { return }
            switch verdict {
            case .yes: onConfirmed(client)
            case .no, .auth: onWithdrawn(client, action)
            // Nothing is sent until somebody says yes.
            case .unknown: review?.arm(at: EventLoop.uptime + Self.reviewInterval)
            }
        }
    }
}
