import BusClient
import Foundation
import Languages
import Sentences
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Alerting

/// Real programs in a directory of their own, which write down what they were called with.
@MainActor
@Suite("Saying it", .serialized)
struct AnnouncerTests {
    let loop: EventLoop
    let children: Children
    let directory = TemporaryDirectory()

    init() throws {
        loop = try EventLoop()
        children = Children(loop)
    }

    private final class Heard {
        var log: [String] = []
        var done: [UInt64] = []
    }

    /// A program that appends its name and its last argument to the file `heard`, and then does
    /// `rest`.
    private func install(_ name: String, _ rest: String = "") {
        let path = directory.write(
            """
            #!/bin/sh
            for last; do :; done
            echo "\(name) $last" >>\(directory.file("heard"))
            \(rest)
            """, to: name)
        chmod(path, 0o755)
    }

    private var heard: [String] {
        let text = try? String(contentsOfFile: directory.file("heard"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    private func announcer(
        _ heard: Heard, hasSession: Bool = true, _ change: (inout SoundSettings) -> Void = { _ in }
    ) -> Announcer {
        var settings = SoundSettings()
        change(&settings)
        let announcer = Announcer(
            settings, Programs(path: directory.path, hasSession: hasSession), children
        ) {
            heard.log.append($0)
        }
        announcer.onDone = { heard.done += $0 }
        return announcer
    }

    private func alert(_ seq: UInt64, _ stage: DriverAlert.Stage, _ line: String) -> SpokenAlert {
        SpokenAlert(
            seq: seq, stage: stage, hazard: line, line: SpokenLine(line),
            time: UTCTime(nanoseconds: 0) + .seconds(Double(seq) * 10))
    }

    @Test("a tone, then the line, as one argument and without a shell")
    func says() throws {
        install(
            "aplay",
            "head -c 4 /dev/stdin >>\(directory.file("heard")); echo >>\(directory.file("heard"))")
        install("spd-say")
        let result = Heard()
        let announcer = announcer(result)
        let line = "Low bridge 13'6\" $(touch pwned); --help"
        announcer.say([alert(1, .advisory, line)])
        #expect(try loop.run(until: { result.done == [1] }), "\(result.log)")
        #expect(heard == ["aplay /dev/stdin", "RIFF", "spd-say \(line)"])
        #expect(result.log == [] && announcer.isIdle)
    }

    @Test("one that fails is replaced by the next that is installed")
    func replaced() throws {
        install("aplay", "exit 1")
        install("paplay", "exit 3")
        install("spd-say", "exit 1")
        install("espeak-ng")
        let result = Heard()
        let announcer = announcer(result)
        announcer.say([alert(1, .urgent, "line")])
        #expect(try loop.run(until: { result.done == [1] }))
        #expect(
            heard == [
                "paplay /dev/stdin", "aplay /dev/stdin", "spd-say line", "espeak-ng line",
            ])
        #expect(result.log.count == 3, "\(result.log)")
    }

    @Test("one that hangs is killed with all that it started, and the next line is said")
    func hangs() throws {
        install("spd-say", "[ $last = first ] || exit 0; sleep 600 & wait")
        let result = Heard()
        let announcer = announcer(result) {
            $0.hasTone = false
            $0.speechLimit = .milliseconds(300)
            $0.letterLimit = .zero
        }
        announcer.say([alert(1, .advisory, "first"), alert(2, .advisory, "second")])
        #expect(try loop.run(until: { result.done == [1, 2] }))
        #expect(heard == ["spd-say first", "spd-say second"])
        #expect(result.log.count == 1 && result.log[0].hasSuffix("killed, it took too long"))
        let sleeper = Subprocess(["pgrep", "-f", "^sleep 600$"])
        #expect(sleeper.wait()?.status == 1, "\(sleeper.outputSoFar)")
    }

    @Test("a voice that hung is not waited for again while there is another")
    func grudge() throws {
        install("spd-say", "exec /bin/sleep 600")
        install("espeak-ng")
        let result = Heard()
        let announcer = announcer(result) {
            $0.hasTone = false
            $0.speechLimit = .milliseconds(300)
            $0.letterLimit = .zero
        }
        announcer.say([alert(1, .advisory, "first"), alert(2, .urgent, "second")])
        announcer.say([alert(3, .advisory, "third")])
        #expect(try loop.run(until: { result.done.count == 3 }))
        #expect(heard == ["spd-say second", "espeak-ng third"])
    }

    @Test("without a session espeak-ng comes first")
    func noSession() throws {
        install("spd-say")
        install("espeak-ng")
        let result = Heard()
        let announcer = announcer(result, hasSession: false) { $0.hasTone = false }
        announcer.say([alert(1, .advisory, "line")])
        #expect(try loop.run(until: { result.done == [1] }))
        #expect(heard == ["espeak-ng line"])
    }

    private static let german = Wording(
        DriverLanguage(language: .german), .sign, isSpoken: true)

    /// Says a line of German, or the same in English.
    private func sayWayOut(_ announcer: Announcer) {
        announcer.say([
            SpokenAlert(
                seq: 1, stage: .urgent, hazard: "h",
                line: SpokenLine(Self.german) { $0.text(.noWayOut) }, time: UTCTime(nanoseconds: 0))
        ])
    }

    @Test("a program that speaks the language gets it; one that does not, English, and comes last")
    func languages() throws {
        install("spd-say")
        install("espeak-ng", "[ \"$2\" = en ] || exit 1")
        let result = Heard()
        let announcer = announcer(result) {
            $0.hasTone = false
            $0.wording = Self.german
        }
        announcer.voices = Voices(tags: ["espeak-ng": "de"])
        sayWayOut(announcer)
        #expect(try loop.run(until: { result.done == [1] }))
        #expect(
            heard == ["espeak-ng Kein Ausweg mehr davor.", "spd-say No way out before it."],
            "German in an English voice is never heard")
    }

    @Test("the real espeak-ng speaks German in its German voice, English in its English one")
    func voice() throws {
        let real = try #require(Programs(hasSession: false).find("espeak-ng"))
        let path = directory.write(
            "#!/bin/sh\nexec \(real) -q --ipa \"$@\" >>\(directory.file("heard"))\n",
            to: "espeak-ng")
        chmod(path, 0o755)
        func phonemes(_ voice: String, _ text: String) throws -> String {
            let run = Subprocess([real, "-q", "--ipa", "-v", voice, "--", text])
            return try #require(run.wait()).output
        }
        for (tag, text) in [("de", "Kein Ausweg mehr davor."), (nil, "No way out before it.")] {
            unlink(directory.file("heard"))
            let result = Heard()
            let announcer = announcer(result) {
                $0.hasTone = false
                $0.wording = Self.german
            }
            announcer.voices = Voices(tags: tag.map { ["espeak-ng": $0] } ?? [:])
            sayWayOut(announcer)
            #expect(try loop.run(until: { result.done == [1] }))
            let said = heard.joined(separator: "\n") + "\n"
            #expect(said == (try phonemes(tag ?? "en", text)))
            #expect(said != (try phonemes(tag == nil ? "de" : "en", text)))
        }
    }

    @Test("an urgent line interrupts a long one")
    func interrupts() throws {
        install("spd-say", "[ $last = now ] || exec sleep 600")
        let result = Heard()
        let announcer = announcer(result) { $0.hasTone = false }
        announcer.say([alert(1, .advisory, "long")])
        #expect(try loop.run(until: { heard.count == 1 }))
        announcer.say([alert(2, .urgent, "now")])
        #expect(try loop.run(until: { result.done == [1, 2] }))
        #expect(heard == ["spd-say long", "spd-say now"])
    }

    @Test("an advisory interrupts a notice, by an engine of the session too")
    func interruptsNotice() throws {
        let priority = directory.file("priority")
        let path = directory.write(
            "#!/bin/sh\necho \"$5\" >>\(priority)\nexec \(directory.file("say")) \"$@\"\n",
            to: "spd-say")
        chmod(path, 0o755)
        install("say", "[ \"$last\" = now ] || exec sleep 600")
        let result = Heard()
        let announcer = announcer(result) { $0.hasTone = false }
        announcer.say([alert(1, .notice, "long")])
        #expect(try loop.run(until: { heard.count == 1 }))
        announcer.say([alert(2, .advisory, "now")])
        #expect(try loop.run(until: { result.done.contains(2) }))
        #expect(Array(heard.prefix(2)) == ["say long", "say now"])
        let told = try String(contentsOfFile: priority, encoding: .utf8)
        #expect(told.hasPrefix("text\nmessage\n"), "\(told)")
    }

    @Test(
        "an engine gets words, and nothing that it obeys",
        arguments: [
            ("[[h@l\"oU]] bridge", "h@l\"oU bridge"), ("a [[", "a"),
            ("<break time=\"60s\"/>Depot", "break time=\"60s\"/ Depot"),
            ("AT&T &lt;x&#62;", "AT T lt;x #62;"), ("\\pau=9000\\ {HH AH0}", "pau=9000 HH AH0"),
            ("Depot\u{1B}[31m\n\u{202E}x", "Depot 31m x"),
            ("--file=/etc/shadow", "file=/etc/shadow"),
            ("Low bridge 13'6\" $(x)", "Low bridge 13'6\" $(x)"),
        ])
    func words(_ line: String, _ words: String) throws {
        let result = Heard()
        install("mine")
        let announcer = announcer(result) {
            $0.hasTone = false
            $0.speech = .command(["mine"])
        }
        announcer.say([alert(1, .advisory, line)])
        #expect(try loop.run(until: { result.done == [1] }))
        #expect(heard == ["mine \(words)"])
    }

    @Test("without any program the line is done all the same, and the log says so")
    func nothing() throws {
        let result = Heard()
        let announcer = announcer(result)
        announcer.say([alert(1, .advisory, "a"), alert(2, .advisory, "b")])
        #expect(result.done == [1, 2])
        #expect(result.log.contains("no program here makes the line heard"))
    }

    @Test("a command of one's own gets the line behind its arguments")
    func command() throws {
        let path = directory.write(
            "#!/bin/sh\nprintf '%s|' \"$@\" >>\(directory.file("heard"))\n", to: "mine")
        chmod(path, 0o755)
        let result = Heard()
        let announcer = announcer(result) {
            $0.hasTone = false
            $0.speech = .command(["mine", "-v", "en"])
        }
        announcer.say([alert(1, .advisory, "the line")])
        #expect(try loop.run(until: { result.done == [1] }))
        #expect(heard == ["-v|en|the line|"])
    }

    @Test("the real espeak-ng makes sound of a line")
    func espeak() throws {
        let result = Heard()
        let settings = { (settings: inout SoundSettings) in
            settings.hasTone = false
            settings.speech = .command([
                "espeak-ng", "-v", "en", "-w", directory.file("line.wav"), "--",
            ])
        }
        var sound = SoundSettings()
        settings(&sound)
        let announcer = Announcer(sound, Programs(hasSession: false), children) {
            result.log.append($0)
        }
        announcer.onDone = { result.done += $0 }
        announcer.say([alert(1, .advisory, "-- Low bridge 13'6\" in 1.2 miles.")])
        #expect(try loop.run(until: { result.done == [1] }), "\(result.log)")
        let bytes = try Data(contentsOf: URL(filePath: directory.file("line.wav")))
        // Two seconds at 22 050 Hz and 16 bits, at least.
        #expect(bytes.count > 88_000)
        #expect(Set(bytes.suffix(40_000)).count > 100, "not silent")
    }
}
