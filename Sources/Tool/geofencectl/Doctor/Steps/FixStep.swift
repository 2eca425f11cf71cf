import Model

// The same fixes, as the daemon has judged them.

extension DoctorStep {
    static let fixes = DoctorStep(
        "fixes", "does geofenced accept its fixes?",
        [.noReports, .positionLost, .sourceDegraded, .sparseFixes]
            + Refusal.allCases.flatMap { [Cause.refused($0), .someRefused($0)] }
    ) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        // One that is doubtful comes from fixes that were accepted; `Degraded` says the rest.
        let hasFixes = ["known", "doubtful"].contains(daemon.positionState)
        let now = FixCounts(accepted: daemon.newlyAccepted, refused: daemon.newlyRefused)
        let before = FixCounts(daemon, without: now)
        let text = now.text("just now") + (before.total > 0 ? "; \(before.text("before"))" : "")
        if daemon.isResting, !evidence.degraded.contains("source") {
            return .good("parked, the receiver may sleep; \(text)")
        }
        let state = "position \(daemon.positionState), \(text)"
        var found: [Finding] = []
        if let worst = now.worst {
            let cause: Cause? =
                !hasFixes || now.isEnough && now.share >= 0.5
                ? .refused(worst) : now.isEnough && now.share >= 0.2 ? .someRefused(worst) : nil
            if let cause { found.append(.found(cause, "\(state), most of them \(worst.name)")) }
        }
        if evidence.degraded.contains("source") { found.append(.found(.sourceDegraded, state)) }
        // With a fix of before its start, and none since.
        if found.isEmpty, !hasFixes || evidence.degraded.contains("no-fix") {
            found.append(
                .found(daemon.positionState == "lost" ? .positionLost : .noReports, state))
        }
        if found.isEmpty, let interval = daemon.interval, interval > Cause.sparse {
            let seconds = Int(interval.rounded())
            found.append(
                .found(
                    .sparseFixes,
                    "\(state); one in \(seconds) s, at 80 km/h one each \(seconds * 80 / 36 * 10) m"
                ))
        }
        return .worst(found, else: .good(state))
    }
}

/// Fixes that were judged: while we looked, or before that. What is long over is history, and no
/// reason of now.
private struct FixCounts {
    var accepted: UInt64
    var refused: [String: UInt64]

    init(accepted: UInt64, refused: [String: UInt64]) {
        self.accepted = accepted
        self.refused = refused
    }

    /// All that the daemon counts, without those.
    init(_ daemon: DaemonEvidence, without others: FixCounts) {
        func rest(_ all: UInt64, _ some: UInt64) -> UInt64 { all > some ? all - some : 0 }
        accepted = rest(daemon.accepted, others.accepted)
        refused = daemon.refused.reduce(into: [:]) {
            $0[$1.key] = rest($1.value, others.refused[$1.key] ?? 0)
        }
    }

    private var refusals: UInt64 { refused.values.reduce(0, &+) }

    var total: UInt64 { refusals &+ accepted }

    /// Of one or two nothing can be said.
    var isEnough: Bool { total >= DaemonEvidence.enough }

    /// Of the refused ones in all, 0…1.
    var share: Double { Double(refusals) / Double(max(1, total)) }

    /// The most frequent reason; nil if none was refused.
    var worst: Refusal? {
        Refusal.allCases.filter { refused[$0.name] ?? 0 > 0 }
            .max { refused[$0.name] ?? 0 < refused[$1.name] ?? 0 }
    }

    /// `12 accepted, 3 refused just now (3 stale)`
    func text(_ when: String) -> String {
        let reasons = Refusal.allCases.compactMap { reason in
            refused[reason.name].flatMap { $0 > 0 ? "\($0) \(reason.name)" : nil }
        }
        let list = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        return "\(accepted) accepted, \(refusals) refused \(when)\(list)"
    }
}

extension Cause {
    static let noReports = Cause(
        "no-reports", .bad, "mend what is red above: nothing has come from the source")
    static let positionLost = Cause(
        "position-lost", .bad, "mend what is red above: nothing comes from the source any more")
    static let sourceDegraded = Cause(
        "source", .bad, "read what is wrong: journalctl -u geofenced.service -n 20")

    /// Fixes further apart than this are sparse, s.
    static let sparse = 5.0
    static let sparseFixes = Cause(
        "sparse-fixes", .doubtful,
        "let the receiver give one a second: between two the way is taken to be straight")

    /// Half of the fixes or more, or all of them, are refused for this reason.
    static func refused(_ reason: Refusal) -> Cause {
        Cause("refused-\(reason.name)", .bad, advice(reason))
    }

    /// A fifth of the fixes or more are refused, most of them for this reason.
    static func someRefused(_ reason: Refusal) -> Cause {
        Cause("some-refused-\(reason.name)", .doubtful, advice(reason))
    }

    private static func advice(_ reason: Refusal) -> String {
        switch reason {
        case .noFix: "give the antenna an open sky: the receiver has no fix, or no date yet"
        case .invalid: "look what the receiver sends, its positions are out of range: gpspipe -R"
        case .duplicate: "let one receiver send: two positions have the same time, see gpspipe -w"
        case .outOfOrder: "let one receiver send: times go back and forth, see gpspipe -w"
        case .stale: "find what delays the fixes on their way: a busy machine, or a network"
        case .inaccurate: "place the antenna better, or raise MaxErrorM= in section [Fix]"
        case .implausible: "look for a second receiver, or for a jammed one: positions leap"
        case .frozen: "restart the receiver: its position stands still while its speed does not"
        }
    }
}
