import Law
import Model
import Monitoring
import Testing
import Time
import VehicleInputs

@testable import Configuration
@testable import Settings

@Suite("The syntax of a file")
struct SyntaxTests {
    private func load(_ text: String) -> LoadedSettings<Settings> {
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array(text.utf8), file: "a.conf")
        loaded.checkRules()
        return loaded
    }

    @Test(
        "an assignment is found behind",
        arguments: [
            ("nothing", "[Window]\nSize=5"), ("white space", "  [Window] \n\t Size \t=  5 \t\n"),
            ("CRLF", "[Window]\r\nSize=5\r\n"), ("a byte order mark", "\u{FEFF}[Window]\nSize=5\n"),
            ("comments", "# a\n[Window]\n; Size=6\n  #Size=7\nSize=5\n# end"),
            ("a continuation", "[Window]\nSize=\\\n5\n"),
            ("a continuation over CRLF", "[Window]\r\nSize=\\\r\n5\r\n"),
            ("a continuation with a comment", "[Window]\nSize=\\\n# so many\n5\n"),
            ("a continuation at the end", "[Window]\nSize=5\\"),
            ("an earlier value", "[Window]\nSize=7\nSize=5"),
            ("a section given twice", "[Window]\nSize=7\n[Fix]\nMinErrorM=4\n[Window]\nSize=5"),
            ("sections of others", "[X-Ours]\nSize=9\n[Window]\nX-Size=8\nSize=5"),
        ])
    func found(name: String, text: String) {
        let loaded = load(text)
        #expect(loaded.settings.engine.window.size == 5)
        #expect(loaded.problems.isEmpty)
    }

    @Test("a value keeps its own equals signs and hashes")
    func value() {
        let loaded = load("[Bus]\nBus = unix:path=/run/a#b ; c\n")
        #expect(loaded.settings.servedBus == "unix:path=/run/a#b ; c")
    }

    @Test("an empty value restores the default")
    func reset() {
        let loaded = load("[Window]\nSize=5\nSize=\n[Journal]\nLocation=yes\nLocation =  \n")
        #expect(loaded.settings == Settings())
        #expect(loaded.problems.isEmpty)
    }

    @Test("escaped backslashes at the end do not continue the line")
    func escapedBackslash() {
        let loaded = load("[Source]\nURI=nmea:/dev/a\\\\\n[Window]\nSize=5")
        #expect(loaded.settings.source == "nmea:/dev/a\\\\")
        #expect(loaded.settings.engine.window.size == 5)
    }

    @Test(
        "an invalid line is reported with its number and the rest counts",
        arguments: [
            ("[Windows]\nA=1", "2: unknown section [Windows]"),
            ("[Window]\nWidth=3", "3: Width: unknown key in [Window]"),
            ("[Window]\nsize=3", "3: size: unknown key in [Window]; there is Size in [Window]"),
            (
                "[Fix]\nSettleSec=3",
                "3: SettleSec: unknown key in [Fix]; there is SettleSec in [Crossing]"
            ),
            ("[Window\nSize=3", "2: a section without its closing bracket"),
            ("[]", "2: a section without its closing bracket"),
            ("[Window]\ngarbage", "3: neither [Section] nor Key=value"),
            ("[Window]\n=3", "3: neither [Section] nor Key=value"),
            ("[Window]\nSize=\\\n3\\\nx", "3: Size: 3 x: not a whole number"),
        ])
    func named(text: String, problem: String) {
        let loaded = load("\n\(text)\n[Journal]\nLocation=yes\n")
        #expect(loaded.problems.map(\.description) == ["a.conf:\(problem)"])
        #expect(loaded.settings.journalHasLocation)
    }

    @Test("an assignment before the first section is named")
    func noSection() {
        #expect(
            load("Size=3\n").problems.map(\.description)
                == ["a.conf:1: an assignment before the first section"])
    }

    @Test("bytes that are not UTF-8 invalidate their line only")
    func bytes() {
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(
            Array("[Window]\nSize=5\n".utf8) + [0xFF, 0x00, 0x0A] + Array("Size=6\0\nX".utf8),
            file: "a.conf")
        #expect(loaded.settings.engine.window.size == 5)
        #expect(
            loaded.problems.map(\.description) == [
                "a.conf:3: not UTF-8 text", "a.conf:4: not UTF-8 text",
                "a.conf:5: neither [Section] nor Key=value",
            ])
    }

    @Test("two keys that contradict each other both get their defaults back")
    func order() {
        let loaded = load("[Fix]\nMinErrorM=50\nMaxErrorM=20\n[Crossing]\nBufferMinM=200m\n")
        #expect(loaded.settings == Settings())
        #expect(
            loaded.problems.map(\.description) == [
                "a.conf:2: MinErrorM: 50m: MinErrorM is above MaxErrorM; both defaults stand",
                "a.conf:3: MaxErrorM: 20m: MinErrorM is above MaxErrorM; both defaults stand",
                "a.conf:5: BufferMinM: 200m: BufferMinM is above BufferMaxM; both defaults stand",
            ])
    }

    @Test("an ignition has one input: with a signal, the line does not count")
    func twoInputs() {
        let loaded = load(
            "[Parking]\nIgnitionGPIO=gpiochip0:1\n"
                + "IgnitionSignal=sender=a.b path=/ interface=a.b member=C\n")
        #expect(loaded.settings.parking.ignitionLine == nil)
        #expect(loaded.settings.parking.ignitionSignal != nil)
        #expect(
            loaded.problems.map(\.description) == [
                "a.conf:2: IgnitionGPIO: gpiochip0:1: IgnitionSignal= is set too"
            ])
    }

    @Test("random bytes never stop the reader", arguments: 1...50 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        // A linear congruential generator: reproducible, and random enough for line noise.
        var state = seed
        func random(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        let pieces = [
            "[Window]", "[", "]", "Size", "=", "\n", "\\", "\\\n", "#", ";", " ", "5", "-", ".",
            "s",
            "99999999999999999999", "[Fix]", "LostSec=", "MaxErrorM=", "\u{FEFF}", "é", "\r\n",
            "\0",
        ]
        for _ in 0..<200 {
            let text = (0..<random(30)).map { _ in pieces[random(UInt64(pieces.count))] }.joined()
            let loaded = load(text)
            #expect((2...1000).contains(loaded.settings.engine.window.size))
            #expect(
                (1...86_400).contains(loaded.settings.engine.gates.lostAfter.seconds))
        }
    }
}
