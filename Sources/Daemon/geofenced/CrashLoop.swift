import Bytes

/// Breaks a loop of crashes: begins without what caused them. What the process before had in hand
/// (``InHand``) is left out when that happened twice, or when starts fail again and again. If starts
/// fail and nothing was in hand, the third time the checkpoint is left out. The catalogue never is.
///
/// Its marks are files in the runtime directory. The unit writes there how a process ended, which
/// only systemd knows: a process that is killed from outside, however often, starts normally.
@MainActor
final class CrashLoop {
    /// Starts without an earlier process's checkpoint.
    let setsCheckpointAside: Bool
    /// Called when something that was left out is used again.
    var onReadAgain: () -> Void = {}
    private let files: CrashFiles
    /// Starts before this one that failed and had not settled.
    private let failed: Int
    private var isConfirmed = false
    private var leftOut: [InHand.Item: Int64]
    /// What is left out from this start on, and how often it was in hand at a crash.
    private var news: (item: InHand.Item, times: Int)?

    /// The number of failures that are tolerated.
    private static let patience = 3
    /// Crashes with the same in hand after which it is left out.
    private static let mostTimes = 2

    /// - Parameter directory: the unit's runtime directory, which is kept during a restart.
    init(directory: String) {
        files = CrashFiles(directory: directory)
        let hasCrashed = files.takeEnding().map(Self.isCrash) ?? false
        // No mark: the previous one had settled, or stopped in order, or there was none.
        failed = files.starts.map { $0 + (hasCrashed ? 1 : 0) } ?? 0
        files.starts = failed
        leftOut = files.leftOut
        let inHand = files.takeInHand()
        if hasCrashed, let inHand {
            var suspects = files.suspects
            let times = (suspects[inHand] ?? 0) + 1
            suspects[inHand] = times
            files.suspects = suspects
            if times >= Self.mostTimes || failed >= Self.patience { news = (inHand, times) }
        }
        setsCheckpointAside = news == nil && failed >= Self.patience
    }

    /// Takes the measure. Returns a line for each action; normally none.
    func apply(_ fences: FenceFiles, checkpoint: String) -> [String] {
        if let (item, times) = news {
            leftOut[item] = item.kind == .file ? fences.changed(item.name) : 0
            save()
            return ["crashed \(Self.times(times)) with \(item) in hand: begins without it"]
        }
        guard setsCheckpointAside else { return [] }
        let times = "crashed \(Self.times(failed)) before a fix was judged"
        let said = [checkpoint, "\(checkpoint)-waiting-0", "\(checkpoint)-waiting-1"]
            .filter { CrashFiles.setAside($0) }
            .map { "\(times): begins without \($0), set aside as \($0).set-aside" }
        return said.isEmpty ? ["\(times): begins as after a power cut"] : said
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    /// Nothing more can be left out: no need to hurry.
    var isHopeless: Bool { failed > Self.patience + 2 }

    /// Why something is left out in this run; nil if nothing is.
    var reason: String? {
        if !leftOut.isEmpty {
            return "left out: " + leftOut.keys.map(\.description).sorted().joined(separator: ", ")
        }
        guard setsCheckpointAside, !isConfirmed else { return nil }
        return "crashed \(failed) times before a fix was judged"
    }

    /// A fix was judged, or it has run for long: the next start counts from the beginning.
    func confirmStart() {
        guard !isConfirmed else { return }
        isConfirmed = true
        files.starts = nil
    }

    /// An orderly stop: calls and messages may be tried again.
    func stop() {
        confirmStart()
        files.suspects = [:]
        leftOut = leftOut.filter { $0.key.kind != .call && $0.key.kind != .message }
        save()
    }

    /// Of one kind, what is left out.
    func leftOut(_ kind: InHand.Kind) -> [String] {
        leftOut.keys.filter { $0.kind == kind }.map(\.name).sorted()
    }

    /// What is refused when it comes again.
    var refused: Set<InHand.Item> {
        Set(leftOut.keys.filter { $0.kind != .file && $0.kind != .fence })
    }

    /// Whether a file of fences is not read: it has not changed since it was left out.
    func leavesOut(_ name: String, of files: FenceFiles) -> Bool {
        let item = InHand.Item(.file, name)
        guard let changed = leftOut[item] else { return false }
        if files.changed(name) == changed { return true }
        readAgain([item])
        return false
    }

    /// These have changed, and are used again.
    func readAgain(_ items: [InHand.Item]) {
        var suspects = files.suspects
        for item in items {
            leftOut[item] = nil
            suspects[item] = nil
        }
        files.suspects = suspects
        save()
        onReadAgain()
    }

    private func save() { files.leftOut = leftOut }

    /// `SERVICE_RESULT EXIT_STATUS`, see systemd.exec(5). A SIGKILL that is from neither the
    /// watchdog nor a lack of memory came from outside.
    private static func isCrash(_ ended: String) -> Bool {
        let words = ended.split(whereSeparator: \.isWhitespace)
        switch words.first {
        case "core-dump", "watchdog", "oom-kill", "timeout": return true
        case "signal":
            return ["SEGV", "ILL", "TRAP", "BUS", "FPE", "ABRT", "SYS", "XCPU", "XFSZ"]
                .contains(words.last)
        default: return false
        }
    }
}
