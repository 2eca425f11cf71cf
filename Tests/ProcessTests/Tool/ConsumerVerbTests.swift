import JSON
import Model
import Monitoring
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized)
struct ConsumerVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    private func register(_ name: String, acknowledged: UInt64 = 0) throws {
        try daemon.monitoring.register(
            Consumer(name: name, uid: 7, acknowledged: acknowledged, options: "{}"))
    }

    @Test("the list has each consumer, with what is pending")
    func list() throws {
        #expect(try daemon.run("consumer", "list").output.isEmpty)
        try daemon.add("bridge", east: 200)
        daemon.drive(from: 0, to: 600)
        try register("org.example.Behind", acknowledged: 1)
        try register("org.example.Upright", acknowledged: 2)
        let consumers = try daemon.json("consumer", "list")
        #expect(
            consumers.map { $0["name"]?.string } == ["org.example.Behind", "org.example.Upright"])
        #expect(consumers.map { $0["acked"]?.integer } == [1, 2])
        #expect(consumers.map { $0["pending"]?.integer } == [1, 0])
        #expect(consumers[0]["oldest_pending"]?.string?.hasPrefix("2027-01-15T08:00:") == true)
        #expect(consumers[1]["oldest_pending"] == .null && consumers[1]["last_error"] == .null)
        let lines = try daemon.run("consumer", "list").output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last == "org.example.Upright\t2\t0\t–\t–\t–")
    }

    @Test("consumers are removed, all or none")
    func remove() throws {
        for name in ["org.example.A", "org.example.B", "org.example.C"] { try register(name) }
        let wrong = try daemon.run("consumer", "remove", "org.example.A", "org.example.X")
        #expect(wrong.status == 1)
        #expect(wrong.errors == "geofencectl: there is no such consumer: org.example.X\n")
        #expect(try daemon.monitoring.consumers().count == 3)
        let run = try daemon.run("consumer", "remove", "org.example.A", "org.example.C")
        #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
        #expect(try daemon.monitoring.consumers().map(\.name) == ["org.example.B"])
    }

    @Test(
        "an unknown one is wrong usage",
        arguments: [
            (["consumer"], "missing argument: list | remove NAME…"),
            (["consumer", "remove"], "missing argument: NAME…"),
            (["consumer", "list", "x"], "unexpected argument: x"),
            (["consumer", "drop"], "neither list nor remove: consumer drop"),
        ])
    func usage(_ arguments: [String], _ complaint: String) throws {
        let run = Subprocess([builtProgram("geofencectl")] + arguments)
        let ending = try #require(run.wait())
        #expect(ending.status == 2)
        #expect(ending.errors.contains(complaint), "\(ending.errors)")
    }
}
