package import Time

/// Lines of a log about what may begin and end all the time. Two about one subject are written at once,
/// then the newest one each `pause`, unless it says the same as the last: so what the log says last of a
/// subject is true, a pause late at most.
@MainActor
package final class RecurringLines {
    /// A line of the log, see ``Log/write(_:_:messageID:fields:)``.
    package struct Line: Hashable {
        let priority: LogPriority
        let text: String
        let messageID: String?

        /// `messageID`: 32 hexadecimal digits, or nil.
        package init(_ priority: LogPriority, _ text: String, messageID: String? = nil) {
            self.priority = priority
            self.text = text
            self.messageID = messageID
        }
    }

    private struct Subject {
        var budget: RateBudget
        var last: (line: Line, at: Uptime)?
        /// The newest one, if it has not been written yet.
        var held: Line?
    }

    private let log: Log
    private let pause: TimeSpan
    private var subjects: [String: Subject] = [:]
    private var timer: TimerSource?

    /// - Parameter pause: more than 0.
    /// - Throws: if the loop takes no further timer.
    package init(_ log: Log, _ loop: EventLoop, pause: TimeSpan = .seconds(60)) throws(SystemError)
    {
        self.log = log
        self.pause = pause
        timer = try TimerSource(loop, accuracy: pause / 60) { [weak self] in self?.writeHeld() }
    }

    /// - Parameter subject: one of a few names, each of which is remembered.
    package func write(_ line: Line, about subject: String) {
        let now = EventLoop.uptime
        var state = subjects[subject] ?? Subject(budget: RateBudget(burst: 2, interval: pause))
        let repeats = state.last.map { $0.line == line && now - $0.at < pause } ?? false
        state.held = repeats ? nil : line
        subjects[subject] = state
        writeHeld()
    }

    /// A line that waits is not true any more.
    package func withdraw(_ subject: String) { subjects[subject]?.held = nil }

    private func writeHeld() {
        let now = EventLoop.uptime
        for (name, var subject) in subjects {
            guard let line = subject.held, subject.budget.take(at: now) else { continue }
            subject.held = nil
            subject.last = (line, now)
            subjects[name] = subject
            log.write(line.priority, line.text, messageID: line.messageID)
        }
        let next = subjects.values.filter { $0.held != nil }.map(\.budget.next).min()
        if let next { timer?.arm(at: next) } else { timer?.disarm() }
    }
}
