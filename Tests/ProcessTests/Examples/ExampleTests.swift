import Foundation
import JSON
import SystemTestKit
import Testing

@MainActor
@Suite("Examples", .serialized)
struct ExampleTests {
    private static let cabAlert = "org.geofenced.CabAlert1"
    private static let log = "org.geofenced.Run1.log"

    private func installCabAlert(_ bench: ExampleBench) throws {
        try bench.install(
            "cab-alert/\(Self.cabAlert).service",
            command: "TZ=UTC \(ExampleBench.example("cab-alert/cab-alert"))")
    }

    @Test("cab-alert is started by an event, and without a desktop prints each crossing once")
    func terminal() throws {
        let bench = try ExampleBench()
        try installCabAlert(bench)
        try bench.start(Self.cabAlert)
        try bench.kill(Self.cabAlert)
        try bench.drive()
        func alerts() -> [String] {
            bench.printed.split(separator: "\n").map(String.init).filter { $0.contains(" (") }
        }
        #expect(waitUntil { alerts().count >= 4 }, "\(bench.said)")
        let times = try bench.events().map { event in
            let time = try #require(event["time"]?.string)
            return time.dropFirst(11).prefix(8)
        }
        #expect(
            alerts() == [
                "Entering Low <bridge> (\(times[0]), clearance: 3.8)",
                "Leaving Low <bridge> (\(times[1]), clearance: 3.8)",
                "Entering Tunnel (\(times[2]))", "Leaving Tunnel (\(times[3]))",
            ])
    }

    @Test("own-places brings the places that are nearest, and takes away those that are no longer")
    func ownPlaces() throws {
        let bench = try ExampleBench()
        let database = bench.services.file("places.sqlite")
        let rows = (0..<60).map { "('p\($0)', 'P \($0)', 48.01, \(10.99 + Double($0) / 1000), 50)" }
        let made = Subprocess([
            "python3", "-c",
            """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            d.execute("CREATE TABLE place (id, title, latitude, longitude, radius)")
            d.execute("INSERT INTO place VALUES " + sys.argv[2])
            d.commit()
            """, database, rows.joined(separator: ","),
        ])
        #expect(try #require(made.wait()).status == 0)
        let program = Subprocess(
            [ExampleBench.example("own-places/own-places"), database],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bench.bus.address])
        try bench.drive()
        func ids() throws -> Set<String> {
            let run = Subprocess([
                builtProgram("geofencectl"), "--bus", bench.bus.address, "list", "--json",
                "--origin", "app/own-places",
            ])
            return Set(try #require(run.wait()).output.jsonLines.compactMap { $0["id"]?.string })
        }
        // From beside place 10 to beside place 20; the last heartbeat is after 500 m or more.
        let isThere = waitUntil {
            let now = (try? ids()) ?? []
            return now.count == 20 && now.isSuperset(of: ["p15", "p25"]) && !now.contains("p3")
        }
        #expect(isThere, "\(program.outputSoFar) \(program.errorsSoFar)")
        #expect(program.outputSoFar.contains("20 places: "))
    }

    @Test("cab-alert killed over a notification shows it again, and the others in order")
    func notification() throws {
        let bench = try ExampleBench()
        try installCabAlert(bench)
        // A desktop that answers as the file `mode` says.
        bench.services.write(
            """
            import dbus, dbus.service, dbus.mainloop.glib, os
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.SessionBus()
            class Desktop(dbus.service.Object):
                @dbus.service.method("org.freedesktop.Notifications", in_signature="susssasa{sv}i",
                    out_signature="u", async_callbacks=("answer", "fail"))
                def Notify(self, app, old, icon, summary, body, actions, hints, ms, answer, fail):
                    with open("\(bench.services.file("shown"))", "a") as file:
                        file.write("%s|%s|%d\\n" % (summary, body[10:], hints["urgency"]))
                    if open("\(bench.services.file("mode"))").read() == "answer": answer(1)
            name = dbus.service.BusName("org.freedesktop.Notifications", bus)
            Desktop(bus, "/org/freedesktop/Notifications")
            GLib.MainLoop().run()
            """, to: "desktop.py")
        bench.services.write(
            """
            [D-BUS Service]
            Name=org.freedesktop.Notifications
            Exec=/usr/bin/python3 \(bench.services.file("desktop.py"))
            """, to: "org.freedesktop.Notifications.service")
        bench.services.write("hang", to: "mode")
        try bench.start(Self.cabAlert)
        try bench.drive()
        try #require(
            waitUntil { !bench.lines(of: "shown").isEmpty }, "\(bench.said)")
        try bench.kill(Self.cabAlert)
        bench.services.write("answer", to: "mode")
        #expect(waitUntil { bench.lines(of: "shown").count >= 5 }, "\(bench.said)")
        #expect(
            bench.lines(of: "shown") == [
                "Entering Low <bridge>|clearance: 3.8|2", "Entering Low <bridge>|clearance: 3.8|2",
                "Leaving Low <bridge>|clearance: 3.8|1", "Entering Tunnel||2", "Leaving Tunnel||1",
            ])
    }

    @Test("on-event runs its command until it succeeds, with the event in its environment")
    func command() throws {
        let bench = try ExampleBench()
        // Fails on the first event, hangs on it the second time, then succeeds.
        let command = bench.services.write(
            """
            #!/bin/sh
            cd \(bench.services.path)
            echo "$GEOFENCE_SEQ" >>runs
            rm fail 2>/dev/null && exit 1
            rm hang 2>/dev/null && { echo $$ >pid; exec sleep 600; }
            env | grep '^GEOFENCE_' | LC_ALL=C sort >"event-$GEOFENCE_SEQ"
            """, to: "command")
        chmod(command, 0o755)
        bench.services.write("", to: "fail")
        bench.services.write("", to: "hang")
        try bench.install(
            "on-event/\(Self.log).service",
            command: "\(ExampleBench.example("on-event/on-event")) \(Self.log) \(command)")
        try bench.start(Self.log)
        try bench.kill(Self.log)
        try bench.drive()
        try #require(waitUntil(seconds: 20) { !bench.lines(of: "pid").isEmpty }, "\(bench.said)")
        try bench.kill(Self.log)
        let sleeper = try #require(pid_t(bench.lines(of: "pid")[0]))
        #expect(kill(sleeper, SIGKILL) == 0)
        #expect(waitUntil(seconds: 20) { !bench.lines(of: "event-4").isEmpty }, "\(bench.said)")
        #expect(bench.lines(of: "runs") == ["1", "1", "1", "2", "3", "4"])
        #expect(bench.said.contains("on-event: event 1: "), "says what failed")
        for event in try bench.events() {
            let seq = try #require(event["seq"]?.integer)
            #expect(bench.lines(of: "event-\(seq)") == (try environment(of: event)))
        }
    }

    @Test("the script of the README prints every event once, also after the daemon was killed")
    func readme() throws {
        let bench = try ExampleBench()
        let readme = try String(contentsOfFile: ExampleBench.root + "README.md", encoding: .utf8)
        let begin = try #require(readme.range(of: "```python\n"))
        let end = try #require(
            readme.range(of: "```\n", range: begin.upperBound..<readme.endIndex))
        let script = bench.services.write(
            String(readme[begin.upperBound..<end.lowerBound]), to: "script")
        chmod(script, 0o755)
        func start() -> Subprocess {
            Subprocess(
                [script], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bench.bus.address],
                directory: bench.services.path)
        }
        let there =
            ["1 enter bridge Low <bridge>", "2 exit bridge Low <bridge>"]
            + ["3 enter tunnel Tunnel", "4 exit tunnel Tunnel"]
        let back =
            ["5 enter tunnel Tunnel", "6 exit tunnel Tunnel"]
            + ["7 enter bridge Low <bridge>", "8 exit bridge Low <bridge>"]
        try bench.drive()
        let run = start()
        func lines() -> [String] { run.outputSoFar.split(separator: "\n").map(String.init) }
        #expect(waitUntil { lines().count >= 4 }, "\(run.errorsSoFar)")
        #expect(lines() == there)
        try bench.startDaemon()
        try bench.drive()
        #expect(waitUntil { lines().count >= 8 }, "\(run.errorsSoFar)")
        #expect(lines() == there + back)
    }

    /// The journal fields of geofenced(8), from the JSON of geofencectl(1).
    private func environment(of event: JSONValue) throws -> [String] {
        func text(_ key: String) throws -> String { try #require(event[key]?.string) }
        func number(_ key: String, _ format: String) throws -> String {
            String(format: format, try #require(event[key]?.double))
        }
        var lines = [
            "DISTANCE_M=\(try number("distance_m", "%.1f"))",
            "ERROR_M=\(try number("error_m", "%.1f"))", "EVENT=\(try text("kind"))",
            "FIX_TIME=\(try text("fix_time"))", "ID=\(try text("fence"))",
            "INFERRED=\(event["inferred"] == .bool(true) ? 1 : 0)",
            "REASON=\(try text("reason"))", "SEQ=\(try number("seq", "%.0f"))",
        ]
        if try text("kind") == "exit" { lines.append("STAY_SEC=\(try number("stay_s", "%.3f"))") }
        lines += ["TIME=\(try text("time"))", "TITLE=\(try text("title"))"]
        return lines.map { "GEOFENCE_\($0)" }
    }
}
