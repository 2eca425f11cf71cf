/// What a step comes to.
enum Verdict: String, Sendable, CaseIterable {
    case good
    /// It works, and may still be why nothing happens.
    case doubtful
    /// It does not work.
    case bad
    /// It could not be looked at, which another step explains.
    case unknown

    var colour: Colour {
        switch self {
        case .good: .green
        case .doubtful: .yellow
        case .bad: .red
        case .unknown: .faint
        }
    }
}

/// Something that keeps events from happening, and the one thing to do about it. Each has a
/// paragraph in docs/NOTHING-HAPPENS.md.
struct Cause: Hashable, Sendable {
    /// A stable word, for programs: `gpsd-unreachable`.
    let code: String
    /// How bad it is: ``Verdict/doubtful`` or ``Verdict/bad``.
    let verdict: Verdict
    /// The one thing to do: a sentence in the imperative.
    let advice: String

    init(_ code: String, _ verdict: Verdict, _ advice: String) {
        self.code = code
        self.verdict = verdict
        self.advice = advice
    }
}

/// The result of one step.
struct Finding: Sendable {
    /// What it comes to.
    let verdict: Verdict
    /// What was seen: a phrase, perhaps with text of others in it.
    let evidence: String
    /// Nil if nothing is wrong, or nothing could be looked at.
    let cause: Cause?
    /// For programs, by name; empty where nothing was measured.
    var measured: [(name: String, value: Double)] = []
    /// What else is wrong in this step, the worse first.
    var also: [Finding] = []

    /// All that was found, the worst first.
    var all: [Finding] { [self] + also }

    static func good(_ evidence: String) -> Finding {
        Finding(verdict: .good, evidence: evidence, cause: nil)
    }

    static func unknown(_ why: String) -> Finding {
        Finding(verdict: .unknown, evidence: why, cause: nil)
    }

    static func found(_ cause: Cause, _ evidence: String) -> Finding {
        Finding(verdict: cause.verdict, evidence: evidence, cause: cause)
    }

    /// The worst of several causes, with the others; of equally bad ones the first.
    /// - Parameter rest: where there is none.
    static func worst(_ found: [Finding], else rest: @autoclosure () -> Finding) -> Finding {
        let isBad = { (finding: Finding) in finding.verdict == .bad }
        let sorted = found.filter(isBad) + found.filter { !isBad($0) }
        guard var worst = sorted.first else { return rest() }
        worst.also = Array(sorted.dropFirst())
        return worst
    }
}

/// One step of the walk from the antenna to the event. It looks at nothing itself: evidence is
/// collected before, see ``Examination``.
struct DoctorStep: Sendable {
    /// As it is printed: `gpsd`.
    let name: String
    /// What is asked, as a question.
    let question: String
    /// What may be wrong here.
    let causes: [Cause]
    /// The verdict over the evidence. A pure function.
    let judge: @Sendable (DoctorEvidence) -> Finding

    init(
        _ name: String, _ question: String, _ causes: [Cause],
        judge: @escaping @Sendable (DoctorEvidence) -> Finding
    ) {
        self.name = name
        self.question = question
        self.causes = causes
        self.judge = judge
    }

    /// The walk, in its order: what comes first may explain what follows.
    static let walk: [DoctorStep] = [
        configuration, source, sandbox, gpsd, receiver, fix, error, coverage, clock, bus, daemon,
        rights,
        fixes, fenceFiles, fences, nearest, hours, announcements, vehicle, inputs, disk, journal,
        degraded,
        polkit, consumers, sync, uplinks,
    ]
}
