import Bytes
import WebServer

/// A large answer, from its first byte until the last client has taken it.
@MainActor
final class LargeAnswer {
    /// Its bytes.
    private(set) weak var body: SharedBody?
    fileprivate let role: ExactText?
    /// What has to be done for nobody to need it any more.
    private var uses: [() -> Void] = []
    /// It is whole, and being taken.
    var isReady = false
    /// It has to go.
    fileprivate(set) var isGivenUp = false

    fileprivate init(_ body: SharedBody, of role: ExactText?) {
        self.body = body
        self.role = role
    }

    /// It is used until `end` is called.
    func use(_ end: @escaping () -> Void) { uses.append(end) }

    fileprivate func giveUp() {
        isGivenUp = true
        let ends = uses
        uses = []
        for end in ends { end() }
    }
}

/// What all answers together may need of the memory, also those that nobody takes from the sockets. When
/// there is no room, the role goes short that has most.
@MainActor
final class AnswerBudget {
    /// Bytes.
    var most = 192 << 20
    private var answers: [LargeAnswer] = []

    /// A new one, with its bytes, which are kept by who makes, keeps or sends it.
    func begin(of role: ExactText?) -> (LargeAnswer, SharedBody) {
        let body = SharedBody()
        let answer = LargeAnswer(body, of: role)
        answers.removeAll { $0.body == nil }
        answers.append(answer)
        return (answer, body)
    }

    /// Adds to an answer that is being made. It may have to be given up for that, or others.
    func add(_ bytes: some RandomAccessCollection<UInt8>, to body: SharedBody) {
        let old = body.count / SharedBody.least
        body.append(bytes)
        if body.count / SharedBody.least > old { makeRoom() }
    }

    /// Bytes of all that there are, also of those that are just given up.
    var total: Int { answers.reduce(0) { $0 + ($1.body?.count ?? 0) } }

    private func makeRoom() {
        var left = answers.filter { !$0.isGivenUp }
        var total = left.reduce(0) { $0 + ($1.body?.count ?? 0) }
        while total > most {
            let shares = left.reduce(into: [ExactText?: Int]()) {
                $0[$1.role, default: 0] += $1.body?.count ?? 0
            }
            guard let role = shares.max(by: { $0.value < $1.value })?.key else { return }
            let own = left.indices.filter { left[$0].role == role }
            // What is being taken goes last.
            let largest = own.max { (left[$0].body?.count ?? 0) < (left[$1].body?.count ?? 0) }
            guard let place = own.last(where: { !left[$0].isReady }) ?? largest else { return }
            let answer = left.remove(at: place)
            total -= answer.body?.count ?? 0
            answer.giveUp()
        }
    }
}
