import Foundation
import SystemTestKit
import Testing

/// Runs Tests/Drives/fleet-faults and fleet-lives: a real box, broker, ingest and database.
@Suite("A fleet whose programs are killed")
struct FleetFaultTests {
    private static let root = #filePath.components(separatedBy: "/Tests/ProcessTests/")[0]

    @Test(
        "what begins and ends a box's life doubles nothing, leaves no ghost and no hole in the office"
    )
    func lives() throws { try run("fleet-lives") }

    @Test(
        "each event of the log is in the table, once and in order, whatever was killed on the way")
    func kills() throws { try run("fleet-faults") }

    private func run(_ drive: String) throws {
        let run = Subprocess(
            ["/usr/bin/python3", "\(Self.root)/Tests/Drives/\(drive)"],
            environment: ["PROGRAMS": builtProgram("")])
        let ending = try #require(
            run.wait(seconds: 1800), "\(run.outputSoFar)\(run.errorsSoFar)")
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        print("fleet: \(ending.output)", terminator: "")
    }
}
