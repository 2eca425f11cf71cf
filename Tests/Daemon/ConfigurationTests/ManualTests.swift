import Foundation
import Testing

@testable import Configuration
@testable import Settings

@Suite("geofenced.conf(5)")
struct ManualTests {
    private static let beginning = ".\\\" The table of keys, from Sources/Daemon/Configuration.\n"
    private static let end = ".\\\" The end of the table.\n"

    /// With GOLDEN in the environment the page is written instead, for review.
    @Test("the keys of the manual page are those of the table")
    func keys() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/man/geofenced.conf.5").standardized
        let page = try String(contentsOf: file, encoding: .utf8)
        let first = try #require(page.range(of: Self.beginning))
        let last = try #require(page.range(of: Self.end))
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            let before = page[..<first.upperBound]
            let text = before + Settings.table.manual + page[last.lowerBound...]
            try Data(text.utf8).write(to: file)
            return
        }
        #expect(page[first.upperBound..<last.lowerBound] == Settings.table.manual)
    }
}
