/// Whether what was played and said, by `--try` or of an alert, can have been heard.
@MainActor
package struct Rehearsal {
    private let settings: SoundSettings
    private let programs: Programs
    private let output: SoundOutput
    private var hearings: [Hearing] = []

    package init(
        _ settings: SoundSettings, _ programs: Programs, _ output: SoundOutput
    ) {
        self.settings = settings
        self.programs = programs
        self.output = output
    }

    /// What the announcer reports.
    package mutating func add(_ hearing: Hearing) { hearings.append(hearing) }

    /// A line for each of voice and tones, and of what cannot be known; one for both where nobody can
    /// have heard either.
    package var lines: [String] {
        var lines: [String] = []
        if settings.speech != .off, settings.hasTone, let voice = reasons(of: .line, voices),
            let tones = reasons(of: .tone, Programs.playerNames)
        {
            let reasons = voice + tones + (output.flaw.map { [$0] } ?? [])
            return ["nobody can have heard it: \(reasons.joined(separator: "; "))"]
        }
        if settings.speech != .off { lines.append(line(of: .line, "the voice", voices)) }
        if settings.hasTone { lines.append(line(of: .tone, "the tones", Programs.playerNames)) }
        if lines.isEmpty { return ["nothing was to be heard: voice and tones are off"] }
        if isHeard {
            lines.append(
                "Whether the sound is muted, turned down, or led to where nobody hears it, is not"
                    + " known.")
        }
        return lines
    }

    /// Whether all that was to be heard can have been heard, and something was.
    package var isHeard: Bool {
        let wanted: [Hearing.Sound] =
            (settings.speech == .off ? [] : [.line]) + (settings.hasTone ? [.tone] : [])
        return !wanted.isEmpty && wanted.allSatisfy { flaws(of: $0) == nil }
    }

    /// Why no line can have been heard or, where none is spoken, no tone; nil: it can.
    package var silence: String? {
        let (sound, names) =
            settings.speech == .off
            ? (Hearing.Sound.tone, Programs.playerNames) : (.line, voices)
        guard let reasons = reasons(of: sound, names) else { return nil }
        return (reasons + (output.flaw.map { [$0] } ?? [])).joined(separator: "; ")
    }

    private var voices: [String] {
        if case .command(let words) = settings.speech { return Array(words.prefix(1)) }
        return Programs.voiceNames
    }

    private func line(of sound: Hearing.Sound, _ name: String, _ wanted: [String]) -> String {
        guard var reasons = reasons(of: sound, wanted) else {
            let used = hearings.compactMap { $0.sound == sound ? $0.program : nil }
            return "\(name): played by \(used.last ?? "nothing")"
        }
        if let flaw = output.flaw { reasons.append(flaw) }
        return "\(name) could not be heard: \(reasons.joined(separator: "; "))"
    }

    /// Why a sound was not heard, beside what is wrong with the output; nil: it was.
    private func reasons(of sound: Hearing.Sound, _ wanted: [String]) -> [String]? {
        guard var reasons = flaws(of: sound) else { return nil }
        let absent = wanted.filter { programs.find($0) == nil }
        if !absent.isEmpty { reasons.append("\(absent.joined(separator: ", ")): not installed") }
        return reasons
    }

    /// What failed of a sound, once or each time; nil: it was.
    private func flaws(of sound: Hearing.Sound) -> [String]? {
        let ours = hearings.filter { $0.sound == sound }
        guard let bad = ours.first(where: { !isHeard($0) }) else { return ours.isEmpty ? [] : nil }
        guard let program = bad.program else { return bad.failures }
        return bad.failures + ["\(program): says that it was, but nothing here can play"]
    }

    private func isHeard(_ hearing: Hearing) -> Bool {
        guard let program = hearing.program else { return false }
        let isOne = { (names: [String]) in names.contains { program.hasSuffix("/\($0)") } }
        if output.isDummy { return !isOne(Programs.voiceNames + Programs.playerNames) }
        // Voices end with 0 also when they could play nothing. Players do not.
        guard isOne(Programs.voiceNames) else { return true }
        let tones = hearings.filter { $0.sound == .tone }
        if tones.contains(where: { $0.program != nil }) { return true }
        return output.flaw == nil && tones.allSatisfy(\.failures.isEmpty)
    }
}
