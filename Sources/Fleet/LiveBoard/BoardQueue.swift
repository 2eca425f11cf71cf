import Bytes
import Glibc
import Time

/// Which question is next: of those who wait, that of the role which has used the database least of late.
/// So nobody waits for what another has asked before.
@MainActor
struct BoardQueue {
    @MainActor
    private struct Share {
        var waiting: [BoardQuestion] = []
        var running: [BoardQuestion] = []
        /// Seconds of the database, of which half are forgotten in a while, as they were at that time.
        var used = 0.0
        var at: Uptime

        func used(_ now: Uptime) -> Double {
            let kept = used * exp2(-(now - at).seconds / BoardQueue.halfLife)
            return running.reduce(kept) { $0 + ($1.begun.map { now - $0 } ?? .zero).seconds }
        }

        /// The one that may be sent now.
        var next: Int? {
            guard running.count < BoardQueue.mostRunning else { return nil }
            let hasLong = running.contains { $0.text.isLong }
            return waiting.firstIndex { !($0.text.isLong && hasLong) }
        }
    }

    /// Of a role: questions at the database at once, and questions that wait.
    private static let mostRunning = 2
    static let mostWaiting = 32
    /// s
    private static let halfLife = 10.0
    /// One that could be sent waits no longer, if another has the database for longer than that.
    private static let patience = TimeSpan.milliseconds(500)
    private static let least = TimeSpan.seconds(1)
    /// One that cannot be sent waits no longer, before which a proxy gives up.
    private static let longest = TimeSpan.seconds(20)

    private var shares: [ExactText?: Share] = [:]

    /// Whether some wait.
    var hasWaiting: Bool { shares.values.contains { !$0.waiting.isEmpty } }

    /// All that are waiting or at the database.
    var all: [BoardQuestion] { shares.values.flatMap { $0.running + $0.waiting } }

    /// Adds one that waits; false if its role has too many already.
    mutating func add(_ question: BoardQuestion, isFirst: Bool = false) -> Bool {
        var share = shares[question.role] ?? Share(at: question.asked)
        guard isFirst || share.waiting.count < Self.mostWaiting else { return false }
        share.waiting.insert(question, at: isFirst ? 0 : share.waiting.count)
        shares[question.role] = share
        return true
    }

    /// The next one, which is at the database from now on.
    mutating func next(_ now: Uptime) -> BoardQuestion? {
        guard let role = leastUsed(now, among: { _ in true }), var share = shares[role],
            let place = share.next
        else { return nil }
        let question = share.waiting.remove(at: place)
        question.begun = now
        share.running.append(question)
        shares[role] = share
        return question
    }

    /// It waits no longer, or the database is done with it.
    mutating func remove(_ question: BoardQuestion, _ now: Uptime) {
        guard var share = shares[question.role] else { return }
        share.used = share.used(now)
        share.at = now
        share.waiting.removeAll { $0 === question }
        share.running.removeAll { $0 === question }
        let isIdle = share.waiting.isEmpty && share.running.isEmpty && share.used < 0.001
        shares[question.role] = isIdle ? nil : share
    }

    /// The question that has to give way to one that has waited for long enough.
    func loser(_ now: Uptime) -> BoardQuestion? {
        let hasWaited: (BoardQuestion) -> Bool = { $0.asked + Self.patience <= now }
        guard let winner = leastUsed(now, among: hasWaited), let least = shares[winner]?.used(now)
        else { return nil }
        let losers = shares.filter { $0.key != winner && $0.value.used(now) > least }
            .mapValues { share in
                (
                    share.used(now),
                    share.running.filter {
                        !$0.isOver && $0.begun.map { $0 + Self.least <= now } == true
                    }
                )
            }
        return losers.values.filter { !$0.1.isEmpty }.max { $0.0 < $1.0 }?.1
            .min { ($0.begun ?? now) < ($1.begun ?? now) }
    }

    /// Those that have waited for too long.
    func expired(_ now: Uptime) -> [BoardQuestion] {
        shares.values.flatMap(\.waiting).filter { $0.asked + Self.longest <= now }
    }

    /// Of the roles of which one may be sent now: the one that has used least, and of several the one that
    /// waits for longest. `Optional` twice: nil is a role, too.
    private func leastUsed(
        _ now: Uptime, among isMeant: (BoardQuestion) -> Bool
    ) -> ExactText?? {
        shares.compactMap { role, share in
            share.next.map { share.waiting[$0] }.flatMap { question in
                isMeant(question) ? (role, share.used(now), question.asked) : nil
            }
        }
        .min { ($0.1, $0.2) < ($1.1, $1.2) }?.0
    }
}
