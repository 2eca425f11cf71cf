import Geofence1
import Glibc
import Systemd
import Time

/// Calls to polkit. Their number leaves room for all other calls we wait for: dbus-daemon lets a
/// connection wait for 128 answers (max_replies_per_connection). What is beyond it waits for its
/// turn here; no question is dropped, because an answer that does not come would be remembered as
/// if nothing had changed.
@MainActor
final class Polkit {
    private struct Question: Hashable {
        // A unique name is never used again; an address is.
        let client: String
        let action: Geofence1.Action
        let interactive: Bool
    }

    private struct Pending {
        let client: Client
        let user: UInt32
        /// All that wait for this answer: a caller is asked about once at a time.
        var callbacks: [(Verdict) -> Void]
    }

    /// The calls that polkit has not answered: of one user, or of all.
    private struct Load {
        var all = 0
        var interactive = 0
    }

    private let connection: BusConnection
    private var cancellations: UInt64 = 0
    private var questions: [Question: Pending] = [:]
    /// Those of `questions` that have not been sent, in the order in which they came.
    private var queue: [Question] = []
    private var load = Load()
    private var users: [UInt32: Load] = [:]
    /// The program that has the name of polkit. Any program can send us its signal.
    private var owner: String?

    private static let peer = BusPeer(
        destination: "org.freedesktop.PolicyKit1",
        path: "/org/freedesktop/PolicyKit1/Authority",
        interface: "org.freedesktop.PolicyKit1.Authority")
    /// Unanswered calls, in all and about programs of one user. Persons who are asked for a
    /// password never hold all of them: they have minutes for it.
    private static let limit = (
        all: Load(all: 24, interactive: 8), user: Load(all: 6, interactive: 3)
    )

    init(_ connection: BusConnection) { self.connection = connection }

    /// Calls `body` whenever polkit's answers may have changed, as long as the slots live: it says
    /// so, or has been started, or has left.
    func onChange(_ body: @escaping @MainActor () -> Void) throws(SystemError) -> [BusSlot] {
        [
            try connection.watchName(Self.peer.destination) { [weak self] owner in
                self?.owner = owner
                body()
            },
            try connection.subscribe(
                BusMatch(
                    sender: Self.peer.destination, path: Self.peer.path,
                    interface: Self.peer.interface, member: "Changed")
            ) { [weak self] message in
                guard let self, let owner, message.sender == owner else { return }
                body()
            },
        ]
    }

    /// Calls `then` with the answer: unknown if polkit does not answer.
    func ask(
        _ client: Client, _ action: Geofence1.Action, interactive: Bool,
        then: @escaping (Verdict) -> Void
    ) {
        let question = Question(
            client: client.name, action: action, interactive: interactive)
        if questions[question] != nil {
            questions[question]?.callbacks.append(then)
            return
        }
        questions[question] = Pending(
            client: client, user: client.credentials?.uid ?? .max, callbacks: [then])
        queue.append(question)
        sendNext()
    }

    private func sendNext() {
        while let next = queue.firstIndex(where: hasRoom) { send(queue.remove(at: next)) }
    }

    private func hasRoom(_ question: Question) -> Bool {
        func fits(_ load: Load, _ limit: Load) -> Bool {
            load.all < limit.all && (!question.interactive || load.interactive < limit.interactive)
        }
        return fits(load, Self.limit.all)
            && fits(users[user(question)] ?? Load(), Self.limit.user)
    }

    private func user(_ question: Question) -> UInt32 {
        questions[question]?.user ?? .max
    }

    private func count(_ change: Int, _ question: Question) {
        let interactive = question.interactive ? change : 0
        let user = user(question)
        load.all += change
        load.interactive += interactive
        users[user, default: Load()].all += change
        users[user, default: Load()].interactive += interactive
        if users[user]?.all == 0 { users[user] = nil }
    }

    private func send(_ question: Question) {
        guard let client = questions[question]?.client else { return }
        cancellations += 1
        let cancellation = "geofenced-\(getpid())-\(cancellations)"
        let subject = BusValue.structure([
            .string("system-bus-name"), .dictionary([("name", .string(client.name))]),
        ])
        count(1, question)
        do throws(SystemError) {
            try connection.call(
                Self.peer, "CheckAuthorization",
                [
                    subject, .string(question.action.rawValue), .array(of: "{ss}", []),
                    // AllowUserInteraction
                    .uint32(question.interactive ? 1 : 0), .string(cancellation),
                ],
                // A person who is asked for a password needs more time than a program.
                timeout: question.interactive ? .seconds(300) : .seconds(25)
            ) { [weak self] result in
                client.whenGone[cancellation] = nil
                self?.answered(question, Self.read(result))
            }
        } catch { return answered(question, .unknown) }
        // The dialog is useless without the program that needs it.
        client.whenGone[cancellation] = { [weak self] in
            _ = try? self?.connection.call(
                Self.peer, "CancelCheckAuthorization", [.string(cancellation)]
            ) { _ in }
        }
    }

    private func answered(_ question: Question, _ verdict: Verdict) {
        count(-1, question)
        for then in questions.removeValue(forKey: question)?.callbacks ?? [] { then(verdict) }
        sendNext()
    }

    /// `(bba{ss})`: is authorized, is authorized after authentication, details.
    private static func read(_ result: Result<BusMessage, BusError>) -> Verdict {
        guard case .success(let message) = result,
            let answer = (try? message.values(limits: .call))?.first?.asStructure,
            answer.count == 3,
            let isAuthorized = answer[0].asBool, let isChallenge = answer[1].asBool
        else { return .unknown }
        return isAuthorized ? .yes : isChallenge ? .auth : .no
    }
}
