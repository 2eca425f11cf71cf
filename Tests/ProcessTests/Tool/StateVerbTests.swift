import Glibc
import JSON
import Model
import Storage
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct StateVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    @Test("status before the first fix")
    func fresh() throws {
        let status = try #require(try daemon.json("status").first)
        #expect(status["state"]?.string == "running")
        #expect(status["version"]?.string == "1.2.3")
        #expect(status["position_state"]?.string == "unknown")
        #expect(status["fix"] == .null)
        #expect(status["last_event"] == .null)
        let text = try daemon.run("status").output
        #expect(text.contains("source    gpsd://localhost:2947\n"))
        #expect(text.contains("events    none\n"))
    }

    @Test("status on the road: fix, window, last event, refused fixes by reason")
    func driving() throws {
        try daemon.add("bridge", east: 200, title: "Low bridge")
        daemon.drive(from: 0, to: 200)
        let status = try #require(try daemon.json("status").first)
        #expect(status["position_state"]?.string == "known")
        #expect(status["fix"]?["latitude"]?.double == 48)
        #expect(status["fix"]?["error_m"]?.double == 5)
        #expect(status["accepted"]?.integer == 11)
        #expect(status["refused"]?["implausible"]?.integer == 0)
        #expect(status["regions"]?.integer == 1)
        #expect(status["metafence_m"] == .null)
        #expect(status["fences"]?.integer == 1)
        #expect(status["last_event"]?["kind"]?.string == "enter")
        let text = try daemon.run("status").output
        #expect(text.contains("position  known, 48.000000 11.002681 ±5.0 m, 20.0 m/s, 90°"))
        #expect(text.contains("window    1 of 20 regions, the whole catalogue\n"))
    }

    @Test("the window has rank, distance and presence")
    func window() throws {
        try daemon.add("near", east: 200)
        try daemon.add("far", east: 900)
        daemon.drive(from: 0, to: 200)
        let regions = try daemon.json("window")
        #expect(regions.map { $0["rank"]?.integer } == [1, 2])
        #expect(regions.map { $0["id"]?.string } == ["near", "far"])
        #expect(regions.map { $0["presence"]?.string } == ["inside", "outside"])
        let distances = regions.compactMap { $0["distance_m"]?.double }
        #expect(distances.count == 2)
        #expect(abs(distances[0] + 100) < 1)
        #expect(abs(distances[1] - 600) < 5)
        #expect(try daemon.run("window").output.hasPrefix("1\t-"))
    }

    @Test("show prints presence and since when")
    func show() throws {
        try daemon.add("bridge", east: 200)
        daemon.drive(from: 0, to: 200)
        let feature = try #require(try daemon.json("show", "bridge").first)
        #expect(feature["presence"]?.string == "inside")
        #expect(feature["since"]?.string?.hasPrefix("20") == true)
    }

    @Test("an unknown fence is one line and status 1")
    func unknownFence() throws {
        let ending = try daemon.run("show", "nothing")
        #expect(ending.errors == "geofencectl: there is no fence \"nothing\"\n")
        #expect(ending.status == 1)
    }

    @Test(
        "without a daemon, and without a bus, every verb says so",
        arguments: [
            ["status"], ["list"], ["show", "a"], ["add", "a", "--circle", "1,2,3"],
            ["remove", "a"],
            ["import", "/dev/null"], ["export"], ["window"], ["events"], ["watch", "--json"],
        ])
    func nobody(_ arguments: [String]) throws {
        daemon.leave()
        if arguments[0] != "watch" {
            let ending = try #require(try daemon.loop.run(untilEndOf: daemon.start(arguments)))
            #expect(
                ending.errors == "geofencectl: geofenced is not running: \(daemon.bus.address)\n")
            #expect(ending.status == 1)
        }
        let address = "unix:path=/nonexistent/bus"
        let run = Subprocess([builtProgram("geofencectl"), "--bus", address] + arguments)
        let ending = try #require(run.wait())
        #expect(ending.errors == "geofencectl: no bus (No such file or directory): \(address)\n")
        #expect(ending.status == 1)
    }

    @Test("watch as JSON prints every change once, and ends with the terminal's signals")
    func watch() throws {
        try daemon.add("bridge", east: 200)
        let run = daemon.start(["watch", "--json"])
        #expect(try daemon.loop.run { run.outputSoFar.contains("\n") })
        daemon.drive(from: 0, to: 200)
        #expect(try daemon.loop.run { run.outputSoFar.contains(#""kind":"enter""#) })
        let last = try #require(try run.outputSoFar.jsonLines.last)
        #expect(last["window"]?[0]?["presence"]?.string == "inside")
        run.signal(SIGTERM)
        let ending = try #require(try daemon.loop.run(untilEndOf: run))
        #expect(ending.status == 0)
    }

    @Test("watch without a terminal reports that it needs one")
    func noTerminal() throws {
        let ending = try daemon.run("watch")
        #expect(
            ending.errors == "geofencectl: not a terminal (--json needs none): standard output\n")
        #expect(ending.status == 1)
    }
}
