import Geofence1
import Systemd
import Time

/// Queries that may have to look at every fence: each is answered in portions of some milliseconds,
/// the queries in turn, so that fixes are processed in between.
@MainActor
final class LongQuestions {
    /// Returns the answer, or nil when the time was up before it was complete.
    typealias Step = (_ isTimeUp: () -> Bool) throws -> [BusValue]?

    private struct Question {
        let call: BusCall
        let client: Client
        let key: String
        let step: Step
        /// Of a query that waits.
        let place: HeldCalls.Place
    }

    private var questions: [Question] = []
    private var timer: TimerSource?
    private let held = HeldCalls("the answer to others", calls: 32, bytes: 1 << 20, perUser: 8)
    /// Why a call that has waited is refused now; nil if it is not.
    var refusal: (BusCall) -> BusError? = { _ in nil }

    /// The time limit of one portion, and the time for the rest of the loop in between.
    private let portion: TimeSpan
    private static let pause = TimeSpan.milliseconds(2)

    init(
        loop: EventLoop, portion: TimeSpan
    ) throws(SystemError) {
        self.portion = portion
        timer = try TimerSource(loop, accuracy: .microseconds(1)) { [weak self] in self?.advance() }
    }

    /// Answers the call with the final result of `step`: usually at once.
    /// - Throws: LimitsExceeded if too many wait.
    func ask(_ call: BusCall, _ client: Client, _ step: @escaping Step) throws(BusError) {
        if questions.isEmpty, answer(call, step) { return }
        let place = try held.keep(call, of: client.credentials?.uid)
        let key = "question-\(UInt(bitPattern: ObjectIdentifier(call)))"
        questions.append(
            Question(call: call, client: client, key: key, step: step, place: place))
        client.whenGone[key] = { [weak self] in
            self?.questions.removeAll { $0.key == key }
        }
        timer?.arm(at: EventLoop.uptime + Self.pause)
    }

    private func advance() {
        guard !questions.isEmpty else { return }
        let question = questions.removeFirst()
        if answer(question.call, question.step) {
            question.client.whenGone[question.key] = nil
        } else {
            questions.append(question)
        }
        guard !questions.isEmpty else { return }
        timer?.arm(at: EventLoop.uptime + Self.pause)
    }

    /// False when the time was up before the answer was complete.
    private func answer(_ call: BusCall, _ step: Step) -> Bool {
        let start = EventLoop.uptime
        do {
            guard let values = try step({ EventLoop.uptime - start >= portion }) else {
                return false
            }
            if let refused = refusal(call) { throw refused }
            call.reply(values)
        } catch {
            call.fail(BusError(error as any Error))
        }
        return true
    }
}
