import Foundation
import Schedules
import SystemTestKit
import Testing
import Time

/// Databases of time zones that lack files.
struct ZoneDatabaseTests {
    private let directory = TemporaryDirectory()

    private func put(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(filePath: directory.file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// The file of the system.
    private func file(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + name)))
    }

    private func database(_ links: String = "") throws -> ZoneFiles {
        try put("America/New_York", file("America/New_York"))
        try put("tzdata.zi", Array("# version 2026a\nR d 1916 o - Jun 14 23s 1 S\n\(links)".utf8))
        return ZoneFiles(directory: directory.path, localPath: directory.file("localtime"))
    }

    @Test(
        "a name that Debian 13 has moved to tzdata-legacy is what tzdata.zi says that it stands for"
    )
    func link() throws {
        let links = "L America/New_York US/Eastern\nL US/Eastern Our/Own\nL Nowhere Lost\n"
        let files = try database(links)
        let newYork = try files.zone(named: "America/New_York")
        #expect(try files.zone(named: "US/Eastern") == newYork)
        #expect(try files.zone(named: "Our/Own") == newYork)
        #expect(throws: ZoneFlaw(name: "Lost")) { try files.zone(named: "Lost") }
        #expect(throws: ZoneFlaw(name: "Japan")) { try files.zone(named: "Japan") }
    }

    @Test("the tzdata of this system has these names in its tzdata.zi")
    func system() throws {
        for name in ["tzdata.zi", "America/New_York", "Asia/Tokyo", "Europe/London"] {
            try put(name, file(name))
        }
        let files = ZoneFiles(directory: directory.path, localPath: directory.file("localtime"))
        for (old, name) in [
            ("US/Eastern", "America/New_York"), ("Japan", "Asia/Tokyo"), ("GB", "Europe/London"),
        ] {
            #expect(try files.zone(named: old) == files.zone(named: name))
        }
    }

    @Test(
        "a file that is empty, damaged or a directory is no zone, unless the name is a link",
        arguments: [[], Array("TZif2".utf8), [UInt8](repeating: 0xFF, count: 2_000)])
    func damaged(_ bytes: [UInt8]) throws {
        let files = try database("L America/New_York US/Eastern\n")
        try put("US/Eastern", bytes)
        try put("Europe/Berlin", bytes)
        #expect(try files.zone(named: "US/Eastern") == files.zone(named: "America/New_York"))
        #expect(throws: ZoneFlaw.self) { try files.zone(named: "Europe/Berlin") }
        #expect(throws: ZoneFlaw.self) { try files.zone(named: "Europe") }
    }

    @Test("without a database there is UTC; links in a circle end; what comes later is found again")
    func none() throws {
        let files = ZoneFiles(directory: directory.path, localPath: directory.file("localtime"))
        #expect(try files.zone(named: "UTC") == .utc)
        #expect(try files.local() == .utc)
        #expect(throws: ZoneFlaw.self) { try files.zone(named: "A") }
        _ = try database("L A B\nL B A\nL America/New_York C\n")
        #expect(throws: ZoneFlaw.self) { try files.zone(named: "America/New_York_City") }
        files.lookAgain()
        #expect(throws: ZoneFlaw.self) { try files.zone(named: "A") }
        #expect(try files.zone(named: "C") == files.zone(named: "America/New_York"))
    }

    @Test("the machine's zone is that of its link, and never UTC because it cannot be read")
    func local() throws {
        let files = try database("L America/New_York US/Eastern\n")
        func link(_ target: String) {
            unlink(directory.file("localtime"))
            #expect(symlink(target, directory.file("localtime")) == 0)
        }
        link("/usr/share/zoneinfo/US/Eastern-gone")
        #expect(throws: ZoneFlaw.self) { try files.local() }
        link("../nowhere/zoneinfo/US/Eastern")
        #expect(try files.local() == files.zone(named: "US/Eastern"))
        unlink(directory.file("localtime"))
        try put("localtime", Array("TZif".utf8))
        #expect(throws: ZoneFlaw(name: directory.file("localtime"))) { try files.local() }
    }
}
