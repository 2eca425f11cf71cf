import Engine

// The same fixes, as the daemon has judged them.

extension DoctorStep {
    static let fixes = DoctorStep(
        "fixes", "does geofenced accept its fixes?",
        [.noReports, .positionLost, .sourceDegraded]
            + Refusal.allCases.flatMap { [Cause.refused($0), .someRefused($0)] }
    ) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        let counts = FixCounts(daemon)
        // One that is doubtful comes from fixes that were accepted; `Degraded` says the rest.
        let hasFixes = ["known", "doubtful"].contains(daemon.positionState)
        let state = "position \(daemon.positionState), \(counts.text)"
        if daemon.isResting, !evidence.degraded.contains("source") {
            return .good("parked, the receiver may sleep; \(counts.text)")
        }
        if let worst = counts.worst {
            let cause: Cause? =
                counts.share >= 0.5 || !hasFixes
                ? .refused(worst) : counts.share >= 0.2 ? .someRefused(worst) : nil
            if let cause { return .found(cause, "\(state), most of them \(worst.name)") }
        }
        if evidence.degraded.contains("source") { return .found(.sourceDegraded, state) }
        if hasFixes {
            // The last one is of before its start.
            return evidence.degraded.contains("no-fix") ? .found(.noReports, state) : .good(state)
        }
        return .found(daemon.positionState == "lost" ? .positionLost : .noReports, state)
    }
}

/// Fixes that were judged: those of the seconds in which we looked or, if they were few, all since
/// the daemon started.
private struct FixCounts {
    let accepted: UInt64
    let refused: [String: UInt64]
    let isNew: Bool

    init(_ daemon: DaemonEvidence) {
        let new = daemon.newlyAccepted + daemon.newlyRefused.values.reduce(0, +)
        isNew = new >= 3
        accepted = isNew ? daemon.newlyAccepted : daemon.accepted
        refused = isNew ? daemon.newlyRefused : daemon.refused
    }

    var total: UInt64 { refused.values.reduce(0, +) }

    /// Of the refused ones in all, 0…1.
    var share: Double { Double(total) / Double(max(1, total + accepted)) }

    /// The most frequent reason; nil if none was refused.
    var worst: Refusal? {
        Refusal.allCases.filter { refused[$0.name] ?? 0 > 0 }
            .max { refused[$0.name] ?? 0 < refused[$1.name] ?? 0 }
    }

    /// `12 accepted, 3 refused just now`
    var text: String {
        "\(accepted) accepted, \(total) refused \(isNew ? "just now" : "since its start")"
    }
}

extension Cause {
    static let noReports = Cause(
        "no-reports", .bad, "mend what is red above: nothing has come from the source")
    static let positionLost = Cause(
        "position-lost", .bad, "mend what is red above: nothing comes from the source any more")
    static let sourceDegraded = Cause(
        "source", .bad, "read what is wrong: journalctl -u geofenced.service -n 20")

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
        case .noFix: "give the antenna an open sky: the receiver itself says that it has no fix"
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
