import Testing
import VehicleInputs

@testable import Configuration
@testable import Settings

@Suite("The inputs of the vehicle in the settings")
struct InputTests {
    @Test("a signal has a sender, a path, an interface, and a member or a property")
    func signals() throws {
        let signal = try SignalLine(
            "sender=org.example.Can-2 path=/org/example/Can\tinterface=org.example.Can1 "
                + "member=Ignition argument=1 on=run")
        #expect(signal.sender == "org.example.Can-2" && signal.path == "/org/example/Can")
        #expect(signal.interface == "org.example.Can1" && signal.on == "run")
        #expect(signal.carrier == .member("Ignition", argument: 1))
        let property = try SignalLine("path=/ property=On sender=a.b interface=c.d")
        #expect(property.carrier == .property("On") && property.on == nil)
        #expect(throws: InputFlaw.self) { try SignalLine("sender=a.b") }
        #expect(throws: InputFlaw.self) { try SignalLine("") }
    }

    @Test(
        "what is not a signal is refused with file, line and reason",
        arguments: [
            ("member", "not one of sender=, path=, interface="),
            ("sender=a.b sender=a.b", "twice: sender="),
            ("sender=a.b path=/ interface=a.b", "either member= or property= is needed"),
            (
                "sender=a.b path=/ interface=a.b member=M property=P",
                "either member= or property= is needed"
            ),
            ("path=/ interface=a.b member=M", "without sender="),
            ("sender=:1.5 path=/ interface=a.b member=M", "not a well-known bus name: :1.5"),
            ("sender=a path=/ interface=a.b member=M", "not a well-known bus name: a"),
            ("sender=a.2b path=/ interface=a.b member=M", "not a well-known bus name: a.2b"),
            ("sender=a.b path=x interface=a.b member=M", "not an object path: x"),
            ("sender=a.b path=/x/ interface=a.b member=M", "not an object path: /x/"),
            ("sender=a.b path=/x'y interface=a.b member=M", "not an object path: /x'y"),
            ("sender=a.b path=/ interface=a-b.c member=M", "not an interface: a-b.c"),
            ("sender=a.b path=/ interface=a.b member=M.N", "not a signal: M.N"),
            ("sender=a.b path=/ interface=a.b property=9", "not a property: 9"),
            (
                "sender=a.b path=/ interface=a.b member=M argument=64",
                "not an argument from 0 to 63: 64"
            ),
            (
                "sender=a.b path=/ interface=a.b property=P argument=0",
                "argument= is for member= alone"
            ),
            (
                "sender=\(String(repeating: "a", count: 254)).b path=/ interface=a.b member=M",
                "not a well-known bus name"
            ),
        ])
    func refusedSignals(text: String, reason: String) {
        for key in ["IgnitionSignal", "MotionSignal"] {
            var loaded = LoadedSettings(Settings.table)
            loaded.apply(Array("[Parking]\n\(key)=\(text)\n".utf8), file: "x.conf")
            #expect(loaded.settings == Settings())
            let problem = loaded.problems.first.map { "\($0)" } ?? ""
            #expect(problem.hasPrefix("x.conf:2: \(key): ") && problem.contains(reason))
        }
    }

    @Test("a GPIO line has a chip and a number, and perhaps its sense and a time")
    func lines() throws {
        let plain = try GPIOLine("gpiochip0:17")
        #expect(plain.chip == "gpiochip0" && plain.offset == 17)
        #expect(!plain.isActiveLow && plain.debounceMicroseconds == 0)
        let full = try GPIOLine("gpiochip12:0:active-low:debounce=50ms")
        #expect(full.chip == "gpiochip12" && full.isActiveLow)
        #expect(full.debounceMicroseconds == 50_000)
        #expect(throws: InputFlaw.self) { try GPIOLine("") }
    }

    @Test(
        "what is not a GPIO line is refused with file, line and reason",
        arguments: [
            ("17", "not a chip such as gpiochip0: 17"),
            ("../mem:1", "not a chip such as gpiochip0: ../mem"),
            ("gpiochip:1", "not a chip such as gpiochip0: gpiochip"),
            ("gpiochip0", "no number of a line behind gpiochip0:"),
            ("gpiochip0:", "no number of a line behind gpiochip0:"),
            ("gpiochip0:-1", "no number of a line behind gpiochip0:"),
            ("gpiochip0:1:low", "neither active-low nor debounce= up to 10s: low"),
            (
                "gpiochip0:1:debounce=11s",
                "neither active-low nor debounce= up to 10s: debounce=11s"
            ),
        ])
    func refusedLines(text: String, reason: String) {
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array("[Parking]\nIgnitionGPIO=\(text)\n".utf8), file: "x.conf")
        #expect(loaded.settings == Settings())
        #expect(
            loaded.problems.first.map { "\($0)" } == "x.conf:2: IgnitionGPIO: \(text): \(reason)")
    }
}
