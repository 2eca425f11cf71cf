/// What a monitor did on some drives.
struct Score {
    private(set) var passages = 0
    private(set) var heard = 0
    /// Passages with a last escape on the driven route.
    private(set) var escapable = 0
    private(set) var timely = 0
    private(set) var urgent = 0
    /// Passages whose warning was over with a reason, and those of them with `passed`.
    private(set) var (ended, passed) = (0, 0)
    /// Warnings of a hazard that was not passed, which ended with `passed`.
    private(set) var passedFalsely = 0
    private(set) var toEscape: [Double] = []
    private(set) var lead: [Double] = []
    private(set) var alarms = 0
    private(set) var wrong = 0
    private(set) var impossible = 0
    /// How long a false warning went on after no way led to the hazard any more, s.
    private(set) var stale: [Double] = []
    /// How long warnings went on that led to no passage any more, s.
    private(set) var idle = 0.0
    /// Whether ``stale`` is measured, which takes many searches.
    private let timesEnds: Bool
    /// m driven.
    private(set) var way = 0.0
    /// One line each.
    private(set) var misses: [String] = []
    private(set) var wrongs: [String] = []

    init(timesEnds: Bool) { self.timesEnds = timesEnds }

    /// How long before the last escape a warning must come, s.
    static let margin = 3.0
    /// A passage so soon after the start of a drive is not judged, s: the vehicle was parked there.
    static let warmUp = 15.0

    mutating func add(
        _ alarms: [Alarm], _ drive: Drive, _ passages: [Passage], hazards: [Hazard], label: String,
        place: (Double) -> String, canReach: (Int, Double) -> Bool
    ) {
        way += drive.length
        for passage in passages where (passage.escape ?? passage.enter) >= Self.warmUp {
            judge(passage, alarms, hazards: hazards, label: label, place: place)
        }
        self.alarms += alarms.count
        for alarm in alarms {
            let right = passages.last {
                $0.hazard == alarm.hazard && $0.enter <= alarm.end + 3 && $0.leave >= alarm.begin
            }
            idle += max(min(alarm.end, drive.duration) - (right?.leave ?? alarm.begin), 0)
            guard right == nil else { continue }
            wrong += 1
            if alarm.isPassed == true { passedFalsely += 1 }
            let possible = canReach(alarm.hazard, alarm.begin)
            if !possible { impossible += 1 }
            if timesEnds { stale.append(staleTime(alarm, drive, canReach)) }
            wrongs.append(
                "\(label) \(hazards[alarm.hazard].id) \(possible ? "possible" : "impossible") "
                    + "from \(text(alarm.begin)) s \(place(alarm.begin)) to \(text(alarm.end)) s "
                    + alarm.note)
        }
    }

    private func staleTime(
        _ alarm: Alarm, _ drive: Drive, _ canReach: (Int, Double) -> Bool
    ) -> Double {
        let end = min(alarm.end, drive.duration)
        let last = stride(from: end, through: alarm.begin, by: -1).first {
            canReach(alarm.hazard, $0)
        }
        return end - (last ?? alarm.begin)
    }

    private mutating func judge(
        _ passage: Passage, _ alarms: [Alarm], hazards: [Hazard], label: String,
        place: (Double) -> String
    ) {
        passages += 1
        let name = "\(label) \(hazards[passage.hazard].id) \(hazards[passage.hazard].height) m"
        let mine = alarms.filter { $0.hazard == passage.hazard }
        let alarm = mine.last { $0.begin < passage.enter && $0.end >= passage.enter - 3 }
        // Where the hazard was passed before with the same last escape, what was said then counts.
        let word = alarm.map { alarm in
            passage.escape.flatMap { escape in
                mine.last { $0.begin < escape && $0.end >= escape - 3 }?.begin
            } ?? alarm.begin
        }
        if let escape = passage.escape { judge(escape, word) }
        guard let alarm else {
            let near = mine.last { $0.begin < passage.leave + 60 }
            let told = near.map {
                "warned at \(place($0.begin)), over at \(text($0.end)) s \($0.note)"
            }
            misses.append(
                "unheard: \(name), reached at \(text(passage.enter)) s \(place(passage.enter)); "
                    + (told ?? "no warning"))
            return
        }
        heard += 1
        if let begin = alarm.urgent, begin < passage.enter { urgent += 1 }
        if let isPassed = alarm.isPassed {
            ended += 1
            if isPassed {
                passed += 1
            } else {
                misses.append(
                    "not passed: \(name), left at \(text(passage.leave)) s "
                        + "\(place(passage.leave)), over at \(text(alarm.end)) s \(alarm.note)")
            }
        }
        lead.append(passage.enter - alarm.begin)
        if let escape = passage.escape, let word, word > escape - Self.margin {
            misses.append(
                "late: \(name), last escape at \(text(escape)) s \(place(escape)), warned at "
                    + "\(text(alarm.begin)) s \(place(alarm.begin)), reached at "
                    + "\(text(passage.enter)) s \(alarm.note)")
        }
    }

    private mutating func judge(_ escape: Double, _ begin: Double?) {
        escapable += 1
        guard let begin else { return }
        toEscape.append(escape - begin)
        if begin <= escape - Self.margin { timely += 1 }
    }

    private func text(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

extension Score {
    static func share(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "–" : "\(Double(part * 1000 / whole) / 10) %"
    }

    static func percentiles(_ values: [Double], _ shares: [Double] = [0.05, 0.5, 0.95]) -> String {
        guard !values.isEmpty else { return "–" }
        let sorted = values.sorted()
        return shares.map { share in
            let value = sorted[Int(Double(sorted.count - 1) * share + 0.5)].rounded()
            return value.isFinite ? "\(Int(value))" : "never"
        }.joined(separator: " ")
    }

    private func perHundred(_ amount: Double) -> String {
        let value = amount / max(way / 100_000, 1e-9)
        return value >= 10 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
    }

    /// A row of the table of the figures.
    func row(_ name: String) -> String {
        let cells = [
            name, "\(passages)", Self.share(heard, of: passages),
            Self.share(timely, of: escapable), Self.percentiles(toEscape),
            Self.percentiles(lead), perHundred(Double(wrong)), perHundred(Double(impossible)),
            Self.percentiles(stale), perHundred(idle),
            ended == 0 ? "–" : "\(Self.share(passed, of: ended)), \(passedFalsely)",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    static let header = """
        | monitor | passages | heard | before the last escape | s to the escape, 5 50 95 % | \
        s to the hazard, 5 50 95 % | false per 100 km | impossible per 100 km | \
        s until a dead one is cleared, 5 50 95 % | s on for nothing per 100 km | \
        `passed` said, and falsely |
        |---|---|---|---|---|---|---|---|---|---|---|
        """
}
