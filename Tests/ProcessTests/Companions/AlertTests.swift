import Foundation
import JSON
import SystemTestKit
import Testing

@MainActor
@Suite("geofenced-alert", .serialized)
struct AlertTests {
    private func lines(_ bench: AlertBench) -> [String] {
        bench.alert?.outputSoFar.split(separator: "\n").map(String.init) ?? []
    }

    @Test("a low bridge is said once in time, once urgently, and then no more")
    func drive() throws {
        let bench = try AlertBench()
        #expect(try bench.tool("vehicle", "set", "--height", "13'2\"").status == 0)
        try bench.startAlert()
        try bench.drive(from: 100, to: 200)
        #expect(waitUntil { bench.spoken.count == 1 }, "\(bench.said)")
        let advisory = try #require(bench.spoken.first)
        #expect(advisory.hasPrefix("Low bridge 3 metres 80 in "), "\(advisory)")
        #expect(advisory.contains("Last way out in "))
        #expect(advisory.contains(", left, Mill Lane. "))
        #expect(advisory.hasSuffix("You are 4 metres 05 tall."), "rounded up: \(advisory)")
        let window = try bench.tool("window").output.split(separator: "\n").map(String.init)
        let ahead = try #require(window.last?.split(separator: "\t").map(String.init))
        #expect(ahead.first == "advisory" && ahead[1] == "height 3.80 m", "\(window)")
        #expect(ahead[4].hasSuffix(", left, Mill Lane") && ahead[5] == "Low bridge, Main Road")
        let status = try bench.tool("status").output
        #expect(status.contains("ahead     height 3.80 m in "), "\(status)")
        let json = try #require(try bench.tool("status", "--json").output.jsonLines.first)
        #expect(json["ahead"]?[0]?["approach"]?["escape_road"]?.string == "Mill Lane")
        try bench.drive(from: 220, to: 760)
        #expect(waitUntil { bench.spoken.count == 2 }, "\(bench.said)")
        let urgent = try #require(bench.spoken.last)
        #expect(urgent.hasPrefix("Low bridge 3 metres 80 in "), "\(urgent)")
        #expect(urgent.contains("No way out before it."))
        try bench.drive(from: 780, to: 1200)
        #expect(waitUntil { lines(bench).last?.hasPrefix("clear ") == true }, "\(bench.said)")
        #expect(try bench.kinds() == ["advisory", "urgent", "clear"])
        #expect(waitUntil { (try? bench.acknowledged()) == 3 }, "\(bench.said)")
        #expect(bench.spoken.count == 2, "a clear is silent")
        let written = lines(bench)
        try #require(written.count == 3)
        #expect(written[0].hasPrefix("advisory osm-w1: Low bridge 3.80 m in "), "\(written)")
        #expect(written[0].hasSuffix(", left, Mill Lane. You are 4.05 m tall."), "\(written)")
        #expect(written[1].hasPrefix("urgent osm-w1: Low bridge 3.80 m in "), "\(written)")
        #expect(written[2] == "clear osm-w1: Low bridge 3.80 m is no longer ahead.")
        #expect(
            bench.heard.map { $0.prefix { $0 != " " } } == [
                "pw-play", "spd-say", "pw-play", "spd-say",
            ], "a tone before each")
    }

    @Test("a line that was being said when it was killed is said again, and none twice else")
    func killed() throws {
        let bench = try AlertBench()
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        bench.install("spd-say", "exec /bin/sleep 600")
        try bench.startAlert()
        try bench.drive(from: 100, to: 200)
        try #require(waitUntil { bench.spoken.count == 1 }, "\(bench.said)")
        #expect(try bench.acknowledged() == 0)
        bench.stopAlert()
        bench.install("spd-say")
        try bench.startAlert()
        #expect(waitUntil { (try? bench.acknowledged()) == 1 }, "\(bench.said)")
        #expect(bench.spoken.count == 2 && Set(bench.spoken).count == 1)
        try bench.startAlert()
        try bench.drive(from: 220, to: 760)
        #expect(waitUntil { bench.spoken.count == 3 }, "\(bench.said)")
        #expect(bench.spoken.last?.contains("No way out before it.") == true)
    }

    @Test("an urgent line interrupts the one that is being said, and a clear ends it")
    func interrupts() throws {
        let bench = try AlertBench()
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        bench.install("spd-say", "exec /bin/sleep 600")
        try bench.startAlert()
        try bench.drive(from: 100, to: 200)
        try #require(waitUntil { bench.spoken.count == 1 }, "\(bench.said)")
        // An unacknowledged event comes again after 10 s, and a program that hangs has longer.
        try bench.drive(from: 220, to: 760)
        #expect(waitUntil(seconds: 5) { bench.spoken.count == 2 }, "\(bench.said)")
        #expect(bench.spoken.last?.contains("No way out before it.") == true)
        #expect(try bench.acknowledged() == 1)
        try bench.drive(from: 780, to: 1200)
        #expect(waitUntil(seconds: 5) { (try? bench.acknowledged()) == 3 }, "\(bench.said)")
        #expect(bench.spoken.count == 2, "\(bench.said)")
    }

    @Test("what happened while it was away is said while it is fresh, and else only logged")
    func stale() throws {
        let bench = try AlertBench()
        try bench.startAlert()
        bench.stopAlert()
        let now = Double(time(nil))
        try bench.commit([("old", now - 61), ("new", now)])
        try bench.startAlert()
        #expect(waitUntil { (try? bench.acknowledged()) == 2 }, "\(bench.said)")
        #expect(bench.spoken.count == 1, "\(bench.said)")
        #expect(lines(bench).map { $0.prefix { $0 != ":" } } == ["advisory new"])
        let errors = bench.alert?.errorsSoFar ?? ""
        #expect(errors.contains("too old to be said: advisory old: Low bridge 3.80 m"))
    }

    @Test("a daemon that was killed goes on with it")
    func daemonKilled() throws {
        let bench = try AlertBench()
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        try bench.startAlert()
        try bench.drive(from: 100, to: 200)
        try #require(waitUntil { bench.spoken.count == 1 }, "\(bench.said)")
        try bench.startDaemon()
        #expect(try bench.tool("vehicle", "show").output.contains("height    4.00 m"))
        try bench.drive(from: 220, to: 760)
        #expect(waitUntil { bench.spoken.count == 2 }, "\(bench.said)")
    }

    @Test("without a height it asks for one, and warns for the assumed one")
    func unset() throws {
        let bench = try AlertBench()
        try bench.drive(from: 20, to: 20)
        #expect(
            waitUntil {
                (try? bench.tool("status").output.contains("degraded: vehicle-unset")) == true
            })
        try bench.startAlert("--units", "metric")
        #expect(
            waitUntil {
                bench.spoken == ["The height of the vehicle is not set. 4 metres 20 is assumed."]
            }, "\(bench.said)")
        try bench.drive(from: 100, to: 200)
        #expect(waitUntil { bench.spoken.count == 2 }, "\(bench.said)")
        #expect(
            bench.spoken.last?.contains("Your height is not set, taken as 4 metres 20.") == true)
    }

    @Test("the desktop shows each hazard once, urgently the second time, and closes it")
    func desktop() throws {
        let bench = try AlertBench()
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        let shown = TemporaryDirectory()
        let server = Subprocess([
            "/usr/bin/python3", "-c",
            """
            import dbus, dbus.service, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection("\(bench.bus.address)")
            def note(text):
                with open("\(shown.file("shown"))", "a") as file: file.write(text + "\\n")
            class Desktop(dbus.service.Object):
                @dbus.service.method("org.freedesktop.Notifications",
                    in_signature="susssasa{sv}i", out_signature="u")
                def Notify(self, app, old, icon, summary, body, actions, hints, ms):
                    note("%d %s %d %s" % (old, summary, hints["urgency"], body[:15]))
                    return 7
                @dbus.service.method("org.freedesktop.Notifications", in_signature="u")
                def CloseNotification(self, number): note("close %d" % number)
            name = dbus.service.BusName("org.freedesktop.Notifications", bus)
            Desktop(bus, "/org/freedesktop/Notifications")
            note("ready")
            GLib.MainLoop().run()
            """,
        ])
        func notes() -> [String] {
            let text = try? String(contentsOfFile: shown.file("shown"), encoding: .utf8)
            return text?.split(separator: "\n").map(String.init) ?? []
        }
        try #require(waitUntil { notes() == ["ready"] }, "\(server.errorsSoFar)")
        try bench.startAlert("--speak", "off", "--tone", "off")
        try bench.drive(from: 100, to: 200)
        #expect(waitUntil { notes().count == 2 }, "\(bench.said)")
        try bench.drive(from: 220, to: 760)
        #expect(waitUntil { notes().count == 3 }, "\(bench.said)")
        try bench.drive(from: 780, to: 1200)
        #expect(waitUntil { notes().count == 4 }, "\(bench.said)")
        #expect(
            notes().dropFirst() == [
                "0 Ahead 1 Low bridge 3.80", "7 No way out 2 Low bridge 3.80", "close 7",
            ])
        #expect(bench.heard.isEmpty)
    }

    @Test("only the daemon delivers events")
    func strangers() throws {
        let bench = try AlertBench()
        try bench.startAlert()
        let call = bench.bus.busctl(
            "call", "org.geofenced.Alert1", "/org/geofenced/Alert1",
            "org.geofenced.Geofence1.Consumer", "Deliver", "a(tsua{sv})b", "0", "false")
        #expect(call.wait()?.status == 1)
        #expect(call.errorsSoFar.contains("Access denied"))
    }

    @Test("a trial ends with 1 when it cannot have been heard, and says why")
    func trial() throws {
        let programs = TemporaryDirectory()
        func trial(_ arguments: String...) throws -> Subprocess.Ending {
            let run = Subprocess(
                [
                    "env", "PATH=\(programs.path)", builtProgram("geofenced-alert"), "--try",
                    "--config", "/dev/null",
                ]
                    + arguments,
                environment: [
                    "XDG_RUNTIME_DIR": nil, "DBUS_SESSION_BUS_ADDRESS": nil, "LC_ALL": "C",
                ])
            return try #require(run.wait())
        }
        let silent = try trial()
        #expect(silent.output.contains("Low bridge 4 metres in 1.2 kilometres."))
        #expect(silent.status == 1)
        #expect(
            silent.errors.contains("nobody can have heard it: spd-say, espeak-ng: not installed"))
        #expect(silent.errors.split(separator: "\n").count == 1, "\(silent.errors)")
        // One that says why it fails, as ALSA does.
        for name in ["aplay", "espeak-ng"] {
            let lines = "for i in 1 2 3 4 5 6 7 8; do echo ALSA lib >&2; echo more; done"
            chmod(programs.write("#!/bin/sh\n\(lines)\nexit 1\n", to: name), 0o755)
        }
        let failed = try trial()
        #expect(
            failed.status == 1 && failed.errors.split(separator: "\n").count == 1,
            "\(failed.errors)")
        #expect(failed.errors.contains("espeak-ng: exit status 1"))
        for name in ["aplay", "espeak-ng"] {
            chmod(programs.write("#!/bin/sh\n", to: name), 0o755)
        }
        let heard = try trial()
        #expect(heard.status == 0, "\(heard.errors)")
        #expect(heard.errors.contains("muted"))
        programs.write("#!/bin/sh\nexit 1\n", to: "espeak-ng")
        let mute = try trial()
        #expect(mute.status == 1 && mute.errors.contains("espeak-ng: exit status 1"))
        #expect(try trial("--speak", "off").status == 0)
        let german = try trial("--language", "de", "--speak", "off")
        #expect(german.output.contains("Niedrige Brücke 4 Meter in 1,2 Kilometern."))
    }

    @Test("in the driver's language from the configuration, with a voice that speaks it")
    func german() throws {
        let bench = try AlertBench(configuration: "[Driver]\nLanguage=de\n")
        bench.speak("German de none", espeak: 0)
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        try bench.startAlert()
        try bench.drive(from: 100, to: 200)
        #expect(waitUntil { bench.spoken.count == 1 }, "\(bench.said)")
        let advisory = try #require(bench.spoken.first)
        #expect(advisory.hasPrefix("Niedrige Brücke 3 Meter 80 in "), "\(advisory)")
        #expect(advisory.hasSuffix(" links, Mill Lane. Sie sind 4 Meter hoch."), "\(advisory)")
        #expect(lines(bench).first?.contains("Low bridge 3.80 m in ") == true, "logs are English")
    }

    @Test("where no voice speaks it, English is spoken by an English voice, and the log says so")
    func noVoice() throws {
        let bench = try AlertBench()
        bench.speak("English en none", espeak: 1)
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        try bench.startAlert("--language", "de")
        let errors = bench.alert?.errorsSoFar ?? ""
        #expect(
            errors.contains(
                "no voice here speaks German (espeak-ng has no voice for it; "
                    + "spd-say lists no voice for it): English is spoken instead"), "\(errors)")
        try bench.drive(from: 100, to: 200)
        #expect(waitUntil { bench.spoken.count == 1 }, "\(bench.said)")
        #expect(bench.spoken.first?.hasPrefix("Low bridge 3 metres 80 in ") == true)
    }

    @Test("a voice that cannot be heard says so until it is heard, at the start and after an alert")
    func mute() throws {
        let bench = try AlertBench()
        let manager = try NotifySocket(bench.file("notify"))
        bench.notifySocket = bench.file("notify")
        var status: String? { manager.lines.last { $0.hasPrefix("STATUS=") } }
        #expect(try bench.tool("vehicle", "set", "--height", "4m").status == 0)
        try bench.startAlert("--speak", "/nowhere/voice")
        let command = "cannot be heard: /nowhere/voice: not installed"
        #expect(bench.alert?.errorsSoFar.contains(command) == true, "\(bench.said)")
        #expect(waitUntil { status?.hasPrefix("STATUS=\(command)") == true }, "\(manager.lines)")
        bench.uninstall("spd-say")
        bench.uninstall("espeak-ng")
        try bench.startAlert()
        let none =
            "cannot be heard: no voice here speaks English "
            + "(espeak-ng: not installed; spd-say: not installed)"
        #expect(bench.alert?.errorsSoFar.contains(none) == true, "\(bench.said)")
        #expect(waitUntil { status?.hasPrefix("STATUS=\(none)") == true }, "\(manager.lines)")
        bench.install("spd-say")
        try bench.drive(from: 100, to: 200)
        #expect(waitUntil { status == "STATUS=waiting for alerts" }, "\(manager.lines)")
        #expect(bench.spoken.count == 1)
        bench.install("spd-say", "exit 1")
        try bench.drive(from: 220, to: 760)
        #expect(waitUntil { status?.hasPrefix("STATUS=cannot be heard: /") == true })
        #expect(status?.contains("/spd-say: exit status 1") == true, "\(manager.lines)")
        #expect(waitUntil { (try? bench.acknowledged()) == 2 }, "an alert is not kept for later")
        let seen = try bench.tool("status").output
        #expect(seen.contains("\nalert     no unit of the system says more"), "\(seen)")
    }
}
