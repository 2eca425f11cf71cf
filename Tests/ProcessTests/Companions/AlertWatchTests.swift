import Foundation
import SystemTestKit
import Testing

/// The real daemon is killed, and the real geofenced-alert says what is so. No service manager is on
/// this bus: what a unit adds to that, DaemonPresenceTests and the booted tests have.
@MainActor
@Suite("The driver hears that nothing watches", .serialized)
struct AlertWatchTests {
    /// A fence that is no hazard.
    private static let depot = """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"depot","geometry":
        {"type":"Point","coordinates":[11.1,48]},"properties":{"radius":100,"title":"Depot"}}]}
        """
    private static let loss =
        "Vor niedrigen Brücken wird zurzeit nicht gewarnt. Achten Sie auf die Schilder."

    private func lines(_ bench: AlertBench) -> [String] {
        bench.alert?.outputSoFar.split(separator: "\n").map(String.init) ?? []
    }

    /// Whether the voice has said last that this is so, to the service manager and in its log.
    private func tells(_ bench: AlertBench, _ status: String) -> Bool {
        let all = bench.alert?.errorsSoFar.split(separator: "\n").map(String.init) ?? []
        return all.last {
            $0.contains("nothing watches") || $0.contains("cannot be heard")
                || $0.hasSuffix("waiting for alerts")
        }?.contains(status) == true
    }

    /// One that has a position, and no warning to give.
    private func begin(_ configuration: String, _ fences: String = AlertBench.fences) throws
        -> AlertBench
    {
        let bench = try AlertBench(
            configuration: "[Driver]\nLanguage=de\n[Say]\nQuietHours=00:00-24:00\n" + configuration,
            fences: fences)
        #expect(try bench.tool("vehicle", "set", "--height", "3m").status == 0)
        try bench.startAlert("--tone", "off", "--speak", "spd-say")
        try bench.drive(from: 100, to: 200)
        try #require(waitUntil { tells(bench, "waiting for alerts") }, "\(bench.said)")
        return bench
    }

    @Test(
        "of a daemon that is killed once, and once that it is back; not by whom it is of no use to")
    func killed() throws {
        let bench = try begin("")
        let others = [
            ("the setting is off", try begin("Unwatched=no\n")),
            ("the ignition is off", try begin("")),
            ("no hazard is known", try begin("", Self.depot)),
        ]
        #expect(try others[1].1.tool("ignition", "off").status == 0)
        // It looks when the vehicle is driven on, and each minute while the ignition is on.
        try others[1].1.startAlert("--tone", "off", "--speak", "spd-say")
        #expect(waitUntil { tells(others[1].1, "waiting for alerts") }, "\(others[1].1.said)")
        bench.stopDaemon()
        for (_, other) in others { other.stopDaemon() }
        #expect(
            waitUntil(seconds: 20) { tells(bench, "not running (no-daemon), since 2") },
            "\(bench.said)")
        #expect(bench.spoken.isEmpty, "\(bench.said)")
        #expect(waitUntil(seconds: 40) { bench.spoken == [Self.loss] }, "\(bench.said)")
        #expect(
            lines(bench) == ["There are no warnings of low bridges at present. Watch the signs."])
        try bench.startDaemon()
        // Its receiver has been silent meanwhile: without a position nothing watches.
        try bench.drive(from: 220, to: 300)
        #expect(
            waitUntil(seconds: 30) {
                bench.spoken == [Self.loss, "Vor niedrigen Brücken wird wieder gewarnt."]
            }, "\(bench.said)")
        #expect(!tells(bench, "nothing watches"), "\(bench.said)")
        for (name, other) in others {
            #expect(other.heard.isEmpty, "\(name): \(other.said)")
            #expect(tells(other, "no-daemon"), "\(name): \(other.said)")
        }
    }

    @Test("where the daemon fails at each start, if the one before had known hazards")
    func failing() throws {
        let bench = try AlertBench()
        #expect(try bench.tool("vehicle", "set", "--height", "3m").status == 0)
        bench.stopDaemon()
        let memory = TemporaryDirectory()
        bench.stateDirectory = memory.path
        try bench.beginAlert(["--tone", "off", "--speak", "spd-say"])
        #expect(waitUntil(seconds: 20) { tells(bench, "no-daemon") }, "\(bench.said)")
        #expect(!FileManager.default.fileExists(atPath: memory.file("hazards")))
        try bench.startDaemon()
        try bench.drive(from: 100, to: 200)
        #expect(
            waitUntil { FileManager.default.fileExists(atPath: memory.file("hazards")) },
            "\(bench.said)")
        bench.stopDaemon()
        try bench.beginAlert(["--tone", "off", "--speak", "spd-say"])
        #expect(waitUntil(seconds: 60) { bench.spoken.count == 1 }, "\(bench.said)")
    }
}
