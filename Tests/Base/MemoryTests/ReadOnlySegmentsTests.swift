import Foundation
import Memory
import Testing

@Suite("Memory that an idle program releases")
struct ReadOnlySegmentsTests {
    /// Resident memory that is backed by files, kB; see proc_pid_status(5).
    private func resident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    @Test("pages that were only read are released, and are mapped again when needed")
    func givenBack() throws {
        let before = try resident()
        var segments = ReadOnlySegments()
        segments.giveBack()
        #expect(try resident() < before)
        segments.giveBack()
        #expect("\(1.5e300) \(UUID().uuidString.count)" == "1.5e+300 36")
    }
}
