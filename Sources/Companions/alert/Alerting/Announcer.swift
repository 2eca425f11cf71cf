import BusClient
import Files
package import Sentences
package import Systemd
package import Time

/// How lines are to be heard.
package struct SoundSettings: Sendable {
    /// What speaks.
    package enum Speech: Equatable, Sendable {
        /// With what is installed, see ``Programs/voices(of:_:)``.
        case auto
        case off
        /// With this program and these arguments; the line is added as the last.
        case command([String])
    }

    /// Whether, and with what, a line is spoken.
    package var speech = Speech.auto
    /// The language of the lines.
    package var wording = Wording(.english, .sign, isSpoken: true)
    /// Whether a tone comes before the line.
    package var hasTone = true
    /// A speaker that needs longer is killed: this, and for each letter of the line the next.
    package var speechLimit = TimeSpan.seconds(6)
    /// The slowest that anybody wants to listen to: ten letters a second.
    package var letterLimit = TimeSpan.milliseconds(100)
    /// A player of tones that needs longer is killed.
    package var toneLimit = TimeSpan.seconds(4)

    package init() {}
}

/// Says what the queue has, one after another: a tone, then the line. A program that fails is
/// replaced by the next one that is installed; one that hangs is killed.
@MainActor
package final class Announcer {
    private let settings: SoundSettings
    private let programs: Programs
    private let children: Children
    private let log: (String) -> Void
    private var queue: AlertQueue
    private var child: Child?
    private var tones: [Tone: OpenFile] = [:]
    /// Programs that hung, and when: they are tried last for a while.
    private var hung: [String: Uptime] = [:]
    private static let grudge = TimeSpan.seconds(600)
    /// Number of an utterance: what ends late belongs to an older one.
    private var turn = 0

    /// Which programs speak the language of the lines. Those that do not are given the English ones.
    package var voices = Voices.english
    /// Called with the numbers of alerts that have been said, or need not be said any more.
    package var onDone: ([UInt64]) -> Void = { _ in }
    /// Called when a tone or a line has been played, or no program was left that would.
    package var onHearing: (Hearing) -> Void = { _ in }

    /// - Parameter log: for what does not work.
    package init(
        _ settings: SoundSettings, _ programs: Programs, _ children: Children,
        log: @escaping (String) -> Void
    ) {
        self.settings = settings
        queue = AlertQueue(settings.wording)
        self.programs = programs
        self.children = children
        self.log = log
    }

    /// Nothing is being said, and nothing waits.
    package var isIdle: Bool { queue.isIdle }

    /// Says these, which have arrived together.
    package func say(_ alerts: [SpokenAlert]) {
        var mustStop = false
        for alert in alerts { mustStop = queue.add(alert) || mustStop }
        if mustStop {
            child?.stop()
            child = nil
            _ = queue.ended(isStopped: true)
        }
        beginNext()
    }

    /// Says a line that is no alert, with a tone, after what is being said.
    package func remind(_ line: SpokenLine) {
        say([
            SpokenAlert(
                seq: 0, stage: .advisory, hazard: "", line: line, time: UTCTime(nanoseconds: 0)
            )
        ])
    }

    private func beginNext() {
        if let utterance = queue.next(at: EventLoop.uptime) { begin(utterance) }
        let done = queue.takeDone()
        if !done.isEmpty { onDone(done) }
    }

    private func begin(_ utterance: AlertQueue.Utterance) {
        turn += 1
        guard utterance.hasTone, settings.hasTone, let tone = utterance.stage.tone else {
            return speak(utterance)
        }
        guard let tone = file(of: tone) else {
            onHearing(Hearing(.tone, failures: ["there is no file for it"]))
            return speak(utterance)
        }
        run(trusted(programs.players), input: tone, limit: settings.toneLimit, Hearing(.tone)) {
            [self] in
            speak(utterance)
        }
    }

    /// Commands with the line in a language that they speak, the preferred one first.
    private func commands(for utterance: AlertQueue.Utterance) -> [[String]] {
        let own = SpokenLine.words(of: utterance.text.own)
        let english = SpokenLine.words(of: utterance.text.english)
        switch settings.speech {
        case .off: return []
        case .auto:
            let first = programs.voices(of: utterance.stage, voices).map { $0 + [own] }
            guard settings.wording.language.language != .english else { return first }
            return first
                + programs.voices(of: utterance.stage, .english).map { $0 + [english] }
        case .command(let words):
            guard let name = words.first, let path = programs.find(name) else { return [] }
            return [[path] + words.dropFirst() + [own]]
        }
    }

    private func speak(_ utterance: AlertQueue.Utterance) {
        guard settings.speech != .off else { return end() }
        let letters = Int64(
            max(utterance.text.own.unicodeScalars.count, utterance.text.english.utf8.count))
        let limit = settings.speechLimit + settings.letterLimit * letters
        run(trusted(commands(for: utterance)), input: nil, limit: limit, Hearing(.line)) {
            [self] in end()
        }
    }

    private func end() {
        child = nil
        if let addition = queue.ended(isStopped: false) { return begin(addition) }
        beginNext()
    }

    /// Those that have hung not long ago come last.
    private func trusted(_ commands: [[String]]) -> [[String]] {
        let now = EventLoop.uptime
        let isTrusted = { [hung] (command: [String]) in
            hung[command[0]].map { now - $0 > Self.grudge } ?? true
        }
        return commands.filter(isTrusted) + commands.filter { !isTrusted($0) }
    }

    /// Runs the first of these that succeeds.
    /// - Parameter hearing: what became of those before.
    private func run(
        _ commands: [[String]], input: Int32?, limit: TimeSpan, _ hearing: Hearing,
        then: @escaping () -> Void
    ) {
        guard let command = commands.first else {
            if hearing.failures.isEmpty {
                log("no program here makes \(hearing.sound.rawValue) heard")
            }
            onHearing(hearing)
            return then()
        }
        let turn = turn
        let others = Array(commands.dropFirst())
        var hearing = hearing
        do throws(SystemError) {
            child = try children.start(command, input: input, limit: limit) {
                [weak self, hearing] end in
                guard let self, self.turn == turn else { return }
                var hearing = hearing
                if end == .tooLong { hung[command[0]] = EventLoop.uptime }
                if end.isSuccess {
                    hearing.program = command[0]
                } else {
                    hearing.failures.append("\(command[0]): \(end.text)")
                    log("\(command[0]): \(end.text)")
                }
                // Of one that took too long some may have been heard, and another voice would come
                // too late.
                guard end.isSuccess || end == .tooLong else {
                    return run(others, input: input, limit: limit, hearing, then: then)
                }
                onHearing(hearing)
                then()
            }
        } catch {
            hearing.failures.append("\(command[0]): \(error)")
            log("\(error)")
            run(others, input: input, limit: limit, hearing, then: then)
        }
    }

    /// The tone in a file without a name; nil if there is no room for it.
    private func file(of tone: Tone) -> Int32? {
        if let file = tones[tone] { return file.descriptor }
        let directory = Programs.runtimeDirectory
        do throws(Errno) {
            let file = try OpenFile(namelessIn: directory)
            try file.write(tone.wav)
            tones[tone] = file
            return file.descriptor
        } catch {
            log("no file for a tone in \(directory): \(error)")
            return nil
        }
    }
}

extension ChildEnd {
    fileprivate var text: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "killed by signal \(signal)"
        case .tooLong: "killed, it took too long"
        }
    }
}

extension DriverAlert.Stage {
    /// Nil where nothing is said.
    fileprivate var tone: Tone? {
        switch self {
        case .clear: nil
        case .advisory: .advisory
        case .urgent: .urgent
        case .notice: .notice
        }
    }
}
