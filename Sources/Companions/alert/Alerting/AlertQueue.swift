package import BusClient
import Bytes
package import Sentences
package import Time

/// A line for the driver.
package struct SpokenAlert: Equatable, Sendable {
    /// Of its event in the log.
    package var seq: UInt64
    /// How pressing it is.
    package var stage: DriverAlert.Stage
    /// Id of the hazard.
    package var hazard: String
    /// What is said.
    package var line: SpokenLine
    /// What is shown, in the driver's language.
    package var shown: String
    /// When it fell due.
    package var time: UTCTime
    /// As many more were announced together with it, and follow.
    package var following = 0
    /// It need not begin after this; nil: at any time.
    package var until: Uptime?

    package init(
        seq: UInt64, stage: DriverAlert.Stage, hazard: String, line: SpokenLine,
        shown: String = "", time: UTCTime, following: Int = 0, until: Uptime? = nil
    ) {
        self.seq = seq
        self.stage = stage
        self.hazard = hazard
        self.line = line
        self.shown = shown
        self.time = time
        self.following = following
        self.until = until
    }

    /// Whether it is about that hazard: ids are told apart by their bytes.
    func isAbout(_ hazard: String) -> Bool { self.hazard.isExactly(hazard) }
}

/// What is said next: hazards before notices, which an advisory stops, too. Of several hazards that fall
/// due together the first is said, with the number of the others; the newest urgent one is said before
/// everything else, at once.
package struct AlertQueue {
    /// One or several that are said as one.
    private struct Group {
        var first: SpokenAlert
        var others: [SpokenAlert] = []

        /// How many others have been, or are being, mentioned.
        var mentioned = 0

        /// The others that are known, or were announced with the first.
        var count: Int { max(others.count, first.following) }

        /// Whether that alert fell due together with this group.
        func takes(_ alert: SpokenAlert) -> Bool {
            alert.stage == first.stage && !first.isAbout(alert.hazard)
                && alert.time >= first.time && alert.time - first.time <= AlertQueue.together
        }

        /// Takes a hazard out of the others, and out of their number.
        /// - Returns: the numbers of its alerts.
        mutating func clearOthers(_ hazard: String) -> [UInt64] {
            let cleared = others.indices.filter { others[$0].isAbout(hazard) }
            let numbers = cleared.map { others[$0].seq }
            // Those that were mentioned, or announced, came first.
            mentioned -= cleared.filter { $0 < mentioned }.count
            first.following -= cleared.filter { $0 < first.following }.count
            others.removeAll { $0.isAbout(hazard) }
            return numbers
        }
    }

    /// What ``next()`` returns.
    package struct Utterance: Equatable, Sendable {
        /// The line, and how many more there are.
        package let text: SpokenLine
        /// How pressing it is.
        package let stage: DriverAlert.Stage
        /// Whether a tone comes before it: not before an addition to what was said just now.
        package let hasTone: Bool
    }

    /// Alerts that fall due within this are announced together: approach.md 6.3.
    private static let together = TimeSpan.seconds(3)
    /// Advisories that wait; more are counted only.
    private static let limit = 16
    /// Notices that wait.
    private static let noticeLimit = 4

    private let wording: Wording
    private var present: Group?
    private var waiting: [Group] = []
    /// Numbers of alerts that have been dealt with since ``takeDone()``.
    private var done: [UInt64] = []

    /// - Parameter wording: of the lines.
    package init(_ wording: Wording) { self.wording = wording }

    /// Nothing is being said, and nothing waits.
    package var isIdle: Bool { present == nil && waiting.isEmpty }

    /// Adds one.
    /// - Returns: whether what is being said must stop at once.
    package mutating func add(_ alert: SpokenAlert) -> Bool {
        switch alert.stage {
        case .clear:
            done.append(alert.seq)
            return clear(alert.hazard)
        case .urgent:
            if present?.takes(alert) == true {
                present?.others.append(alert)
                return false
            }
            if let index = waiting.firstIndex(where: { $0.takes(alert) }) {
                waiting[index].others.append(alert)
                return false
            }
            // Whatever waits is older and matters less, but for what never comes too late.
            drop { $0.first.stage != .notice || $0.first.until != nil }
            waiting.insert(Group(first: alert), at: 0)
            return present != nil
        case .advisory:
            if present?.takes(alert) == true {
                present?.others.append(alert)
            } else if let index = waiting.firstIndex(where: { $0.takes(alert) }) {
                waiting[index].others.append(alert)
            } else {
                let notices = waiting.firstIndex { $0.first.stage == .notice }
                let hazards = notices ?? waiting.endIndex
                if hazards < Self.limit {
                    waiting.insert(Group(first: alert), at: hazards)
                } else {
                    waiting[Self.limit - 1].others.append(alert)
                }
            }
            return present?.first.stage == .notice
        case .notice:
            // Of one fence the newest is said; of too many the oldest is not.
            drop { $0.first.stage == .notice && $0.first.isAbout(alert.hazard) }
            let notices = waiting.filter { $0.first.stage == .notice }
            if notices.count >= Self.noticeLimit, let oldest = notices.first?.first.seq {
                drop { $0.first.stage == .notice && $0.first.seq == oldest }
            }
            waiting.append(Group(first: alert))
            return false
        }
    }

    /// What is to be said now; nil if something is being said, or nothing waits that is not too late.
    package mutating func next(at now: Uptime = .boot) -> Utterance? {
        guard present == nil else { return nil }
        drop { group in group.first.until.map { $0 < now } ?? false }
        guard !waiting.isEmpty else { return nil }
        var group = waiting.removeFirst()
        group.mentioned = group.count
        present = group
        let line = group.first.line
        return Utterance(
            text: group.count > 0 ? line + more(group.count) : line, stage: group.first.stage,
            hasTone: true)
    }

    /// What was being said has ended, or was stopped.
    /// - Returns: what is to be added to it at once: others have fallen due while it was said.
    package mutating func ended(isStopped: Bool) -> Utterance? {
        guard var group = present else { return nil }
        let missing = group.count - group.mentioned
        if !isStopped, missing > 0 {
            group.mentioned = group.count
            present = group
            return Utterance(
                text: more(missing), stage: group.first.stage, hasTone: false)
        }
        present = nil
        // What never comes too late is said again.
        if isStopped, group.first.stage == .notice, group.first.until == nil {
            waiting.append(group)
        } else {
            finish(group)
        }
        return nil
    }

    /// The numbers of the alerts that have been said, or need not be said any more.
    package mutating func takeDone() -> [UInt64] {
        defer { done = [] }
        return done
    }

    /// That hazard is not ahead any more; those that fell due together with it still are.
    /// - Returns: whether what is being said must stop at once.
    private mutating func clear(_ hazard: String) -> Bool {
        for place in waiting.indices.reversed() where waiting[place].first.stage != .notice {
            done += waiting[place].clearOthers(hazard)
            guard waiting[place].first.isAbout(hazard) else { continue }
            done.append(waiting[place].first.seq)
            if waiting[place].others.isEmpty {
                waiting.remove(at: place)
            } else {
                waiting[place].first = waiting[place].others.removeFirst()
                waiting[place].first.following = 0
            }
        }
        guard present != nil, present?.first.stage != .notice else { return false }
        done += present?.clearOthers(hazard) ?? []
        return present?.first.isAbout(hazard) == true && present?.count == 0
    }

    private mutating func drop(_ isDropped: (Group) -> Bool) {
        for group in waiting where isDropped(group) { finish(group) }
        waiting.removeAll(where: isDropped)
    }

    private mutating func finish(_ group: Group) {
        done.append(group.first.seq)
        done += group.others.map(\.seq)
    }

    /// "And 2 more."
    private func more(_ count: Int) -> SpokenLine {
        SpokenLine(wording) { $0.text(.more, count) }
    }
}
