import Geofence1
import Glibc
import Systemd
import Time

/// Calls to polkit. Their number leaves room for all other calls we wait for: dbus-daemon lets a
/// connection wait for 128 answers (max_replies_per_connection).
@MainActor
final class Polkit {
    private struct Question: Hashable {
        // A unique name is never used again; an address is.
        let client: String
        let action: Geofence1.Action
        let interactive: Bool
    }

    private let connection: BusConnection
    private var cancellations: UInt64 = 0
    /// The callbacks that wait for each answer: only one call at a time is made about a caller.
    private var waiting: [Question: [(Verdict?) -> Void]] = [:]
    private var users: [UInt32: Int] = [:]

    private static let peer = BusPeer(
        destination: "org.freedesktop.PolicyKit1",
        path: "/org/freedesktop/PolicyKit1/Authority",
        interface: "org.freedesktop.PolicyKit1.Authority")
    /// Concurrent calls: in all, and about programs of one user.
    private static let limit = (all: 24, perUser: 6)

    init(_ connection: BusConnection) { self.connection = connection }

    /// Calls `body` whenever polkit's answers may have changed, as long as the slot lives.
    func onChange(_ body: @escaping @MainActor () -> Void) throws(SystemError) -> BusSlot {
        try connection.subscribe(
            BusMatch(
                sender: Self.peer.destination, path: Self.peer.path,
                interface: Self.peer.interface, member: "Changed")
        ) { _ in body() }
    }

    /// Calls `then` with the answer; nil if there is no answer, or there are too many pending
    /// calls.
    func ask(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict?) -> Void
    ) {
        let question = Question(
            client: client.name, action: action, interactive: interactive)
        if waiting[question] != nil {
            waiting[question]?.append(then)
            return
        }
        let user = client.credentials?.uid ?? .max
        guard waiting.count < Self.limit.all, users[user] ?? 0 < Self.limit.perUser else {
            return then(nil)
        }
        cancellations += 1
        let cancellation = "geofenced-\(getpid())-\(cancellations)"
        let subject = BusValue.structure([
            .string("system-bus-name"), .dictionary([("name", .string(client.name))]),
        ])
        waiting[question] = [then]
        users[user, default: 0] += 1
        do throws(SystemError) {
            try connection.call(
                Self.peer, "CheckAuthorization",
                [
                    subject, .string(action.rawValue), .array(of: "{ss}", []),
                    // AllowUserInteraction
                    .uint32(interactive ? 1 : 0), .string(cancellation),
                ],
                // A person who is asked for a password needs more time than a program.
                timeout: interactive ? .seconds(300) : .seconds(25)
            ) { [weak self] result in
                client.whenGone[cancellation] = nil
                self?.answered(question, user, Self.read(result))
            }
        } catch { return answered(question, user, nil) }
        // The dialog is useless without the program that needs it.
        client.whenGone[cancellation] = { [weak self] in
            _ = try? self?.connection.call(
                Self.peer, "CancelCheckAuthorization", [.string(cancellation)]
            ) { _ in }
        }
    }

    private func answered(_ question: Question, _ user: UInt32, _ verdict: Verdict?) {
        users[user] = (users[user] ?? 1) == 1 ? nil : (users[user] ?? 1) - 1
        for then in waiting.removeValue(forKey: question) ?? [] { then(verdict) }
    }

    /// `(bba{ss})`: is authorized, is authorized after authentication, details.
    private static func read(_ result: Result<BusMessage, BusError>) -> Verdict? {
        guard case .success(let message) = result,
            let answer = (try? message.values(limits: .call))?.first?.asStructure,
            answer.count == 3,
            let isAuthorized = answer[0].asBool, let isChallenge = answer[1].asBool
        else { return nil }
        return isAuthorized ? .yes : isChallenge ? .auth : .no
    }
}
