import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    /// The daemon is away for longer than its settings tolerate, with the shipped settings, in real
    /// time. The test plays the service manager: it stores descriptors, and kills a hung process.
    /// Under systemd it is the booted scenario `hung`.
    @MainActor
    @Suite("faults: away for a while")
    struct AbsenceFaults {
        enum Absence: String, CaseIterable, Sendable {
            case hungAndKilled, stoppedAndContinued, restarted
        }

        @Test(
            "every pass is reported, no fix is stale, and the position is not lost",
            arguments: Absence.allCases)
        func away(_ absence: Absence) throws {
            let bench = try DaemonBench()
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            let file = bench.directory.write(
                EastwardDrive.fences(1...30, every: 120, radius: 40), to: "fences.d/a.csv")
            let manager = try ManagerStandIn(bench)
            try bench.startAndWait()
            try gpsd.accept()

            let drive = EastwardDrive(gpsd, every: 0.5)
            drive.go(to: 4)
            switch absence {
            case .hungAndKilled:
                manager.stop()
                drive.go(to: 15)
                manager.killAndStart()
            case .stoppedAndContinued:
                manager.stop()
                drive.go(to: 13)
                manager.resume()
            case .restarted:
                manager.terminateAndStart()
            }
            drive.go(to: 20)
            try drive.waitsUntilJudged(by: bench)
            let events = try bench.events()
            expectSame(events, try drive.replay(file))
            #expect(events.count >= 8 && events.allSatisfy { ["enter", "exit"].contains($0.kind) })
            let refused = try #require(try bench.json("status").first?["refused"])
            #expect((refused["stale"]?.integer ?? 0) == 0, "\(refused)")
            #expect(bench.said("no fixes").isEmpty, "\(bench.errors)")
        }
    }
}
