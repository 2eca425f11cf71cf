import Foundation
import SystemTestKit
import Testing

@Suite struct SapExampleTests {
    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        + "/../../../docs/examples/sap/"

    @Test(
        "The example with the SAP table works from the office to the driver, as its page says",
        .needs(.servers))
    func example() throws {
        let programs = builtProgram("geofenced")
        let run = try #require(
            Subprocess(
                [Self.folder + "try"],
                environment: [
                    "PROGRAMS": programs.replacingOccurrences(
                        of: "/geofenced", with: "", options: [.backwards, .anchored]),
                    "PYTHON": Need.servers.python, "RATE": "0", "NOTIFY_SOCKET": nil,
                    "JOURNAL_STREAM": nil, "TZ": "UTC",
                    // The desktop of whoever runs this test is left alone.
                    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
                ]
            ).wait(seconds: 120))
        #expect(run.status == 0, "\(run.errors)")
        let said = run.output
        #expect(said.contains("warehouses\t4 fences, imported"), "\(said)")
        #expect(said.contains("warehouses\t4 fences, unchanged"), "\(said)")
        #expect(said.contains("(1 new or changed, 1 removed)"), "\(said)")
        #expect(said.contains("warehouses\t3 fences, no-network"), "\(said)")
        // The lines of the page.
        let page = try String(contentsOfFile: Self.folder + "README.md", encoding: .utf8)
        let told = page.split(separator: "\n").filter {
            $0.hasPrefix("Entering ") || $0.hasPrefix("Leaving ")
        }
        #expect(told.count == 6)
        #expect(said.contains(told.joined(separator: "\n")), "\(said)")
    }
}
