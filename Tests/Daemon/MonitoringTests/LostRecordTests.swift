import Foundation
import Geodesy
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// A bit of a record that changes on the disk. The vehicle begins at 0 and drives to f1, at 1,000 m.
@MainActor
@Suite("a record that is not as it was written")
struct LostRecordTests {
    /// Where a bit of the record of f1 changes: bytes behind the length of its id.
    enum Place: Int, CaseIterable {
        case slot = -18
        case form = -17
        case west = -14
        case north = -3
        case lengthOfID = 0
        case id = 2
        case added = 3
        case kind = 5
        case latitude = 20
        case longitude = 28
        case radius = 36
    }

    private func told(_ service: MonitoringService) throws -> [String] {
        try service.store.log.events(after: 0, limit: 100).map { logged in
            logged.event.fence.map { "\(logged.event.kind) \($0)" } ?? "\(logged.event.kind)"
        }
    }

    private func finish(_ service: MonitoringService) {
        while !service.changes.isFree { service.changes.turn { true } }
    }

    /// What the daemon does with a file that may be damaged, and after ``Notice/storeReplaced(_:)``.
    private func check(_ service: MonitoringService, _ bench: MonitoringBench) throws {
        let path = bench.directory.file("catalogue.sqlite")
        #expect(service.suspects.map(\.path) == [path])
        let verdict = StoreCheck.verdict(of: path)
        guard case .lacking(let what) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(what.contains("records not as they were written: 1"))
        #expect(what.contains("fences of the bus: 2, of 3"))
        service.storeChecked(path, verdict, at: bench.now)
        finish(service)
        #expect(service.suspects.isEmpty)
        service.heal { bench.now }
        service.filesWereLoaded(at: bench.now)
        finish(service)
    }

    /// The record of f1.
    private func damage(_ bench: MonitoringBench, _ place: Place) throws {
        let path = bench.directory.file("catalogue.sqlite")
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        let id = try #require(bytes.firstRange(of: [2, 0x66, 0x31, 1]))
        bytes[id.lowerBound + place.rawValue] ^= 4
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// It stands inside f1, and has stopped in an orderly way.
    private func parked(_ bench: MonitoringBench, hasCopy: Bool = true) throws {
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        try bench.addFences(3, to: service)
        bench.drive(service, from: 0, to: 1_000)
        #expect(try told(service) == ["enter f1"])
        if hasCopy { try MonitoringBench.copy(service) }
        service.stop(at: bench.now)
    }

    @Test(
        "at the start: no event, whatever a check finds, and it is put back from the copy",
        arguments: Place.allCases, [true, false])
    func atStart(place: Place, hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        try parked(bench)
        try damage(bench, place)
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(try told(service) == ["enter f1"])
        #expect(service.troubles.present.contains(.storeSuspect))
        try check(service, bench)
        #expect(!service.troubles.present.contains(.storeSuspect))
        #expect(!service.troubles.present.contains(.fencesLost) && service.fenceCount == 3)
        bench.drive(service, from: 1_060, to: 1_060)
        #expect(try told(service) == ["enter f1"])
        bench.drive(service, from: 1_080, to: 2_000)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
    }

    @Test("without a copy: it is missed, and its stay goes on when somebody brings it")
    func missed() throws {
        let bench = MonitoringBench(hasCheckpoint: false)
        try parked(bench, hasCopy: false)
        try damage(bench, .latitude)
        var service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 1_020, to: 1_020)
        // Of whose set it was is not known yet.
        #expect(throws: StoreError.self) { try bench.addFences(3, to: service) }
        try check(service, bench)
        #expect(service.troubles.present.contains(.fencesLost) && service.fenceCount == 2)
        #expect(try service.origins().first?.lost?.fences == 3)
        service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 1_040, to: 1_040)
        #expect(service.troubles.present.contains(.fencesLost))
        try bench.addFences(3, to: service)
        #expect(!service.troubles.present.contains(.fencesLost))
        bench.drive(service, from: 1_060, to: 1_400)
        #expect(try told(service) == ["enter f1", "fences-lost", "fences-back", "exit f1"])
    }

    @Test("met in the very change of another fence: nothing is told")
    func whileRunning() throws {
        let bench = MonitoringBench()
        try parked(bench)
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 1_020, to: 1_020)
        #expect(service.suspects.isEmpty)
        try damageThroughShell(bench)
        let area = try Area(
            .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 100))
        _ = try service.apply(
            upserts: [Fence(id: "far", area: area)], removing: [], at: bench.now)
        bench.drive(service, from: 1_040, to: 1_060)
        #expect(try told(service) == ["enter f1"] && service.suspects.count == 1)
    }

    /// The same while the file is in use.
    private func damageThroughShell(_ bench: MonitoringBench) throws {
        let rows = try shell("SELECT number || ' ' || hex(fences) FROM cell", bench)
        for row in rows.split(separator: "\n") where row.contains("02663101") {
            let words = row.replacing("02663101", with: "02667101").split(separator: " ")
            _ = try shell(
                "UPDATE cell SET fences = x'\(words[1])' WHERE number = \(words[0])", bench)
        }
    }

    private func shell(_ sql: String, _ bench: MonitoringBench) throws -> String {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        shell.arguments = [bench.directory.file("catalogue.sqlite"), sql]
        shell.standardOutput = output
        try shell.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    @Test("of a file of fences that is read at the start: the fence is the one that it was")
    func ofFile() throws {
        let bench = MonitoringBench(hasCheckpoint: false)
        func load(_ service: MonitoringService) throws {
            var fences = try (1...3).map { number in
                Fence(
                    id: "f\(number)",
                    area: try Area(
                        .circle(
                            center: MonitoringBench.place(Double(number) * 1_000), radius: 100)))
            }.makeIterator()
            _ = try service.replaceAll(origin: .file("a.csv"), at: bench.now) { fences.next() }
        }
        do {
            let service = try bench.start([])
            try load(service)
            service.filesWereLoaded(at: bench.now)
            bench.drive(service, from: 0, to: 1_000)
            service.stop(at: bench.now)
        }
        try damage(bench, .latitude)
        let service = try bench.start([])
        try load(service)
        service.filesWereLoaded(at: bench.now)
        #expect(service.suspects.count == 1)
        bench.drive(service, from: 1_020, to: 1_040)
        let path = bench.directory.file("catalogue.sqlite")
        service.storeChecked(path, StoreCheck.verdict(of: path), at: bench.now)
        finish(service)
        #expect(service.suspects.isEmpty && !service.troubles.present.contains(.fencesLost))
        bench.drive(service, from: 1_060, to: 2_000)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
    }
}
