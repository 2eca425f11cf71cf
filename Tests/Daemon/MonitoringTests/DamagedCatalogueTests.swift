import Foundation
import Geodesy
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Something in the catalogue's file that is not as it was written, wherever it is. The vehicle stands
/// inside f1, at 1,000 m, has stopped in an orderly way, and drives on.
@MainActor
@Suite("a catalogue that is not as it was written")
struct DamagedCatalogueTests {
    private func parked(in bench: MonitoringBench, of file: Bool = false) throws {
        let service = try bench.start([])
        if file { try load(service, bench) }
        service.filesWereLoaded(at: bench.now)
        if !file { try bench.addFences(3, to: service) }
        bench.drive(service, from: 0, to: 1_000)
        try #require(told(service) == ["enter f1"])
        try MonitoringBench.copy(service)
        service.stop(at: bench.now)
    }

    private func load(_ service: MonitoringService, _ bench: MonitoringBench) throws {
        var fences = try (1...3).map { number in
            Fence(
                id: "f\(number)",
                area: try Area(
                    .circle(center: MonitoringBench.place(Double(number) * 1_000), radius: 100)))
        }.makeIterator()
        _ = try service.replaceAll(origin: .file("a.csv"), at: bench.now) { fences.next() }
    }

    private func told(_ service: MonitoringService) throws -> [String] {
        try service.store.log.events(after: 0, limit: 100).map { logged in
            logged.event.fence.map { "\(logged.event.kind) \($0)" } ?? "\(logged.event.kind)"
        }
    }

    private func finish(_ service: MonitoringService) {
        while !service.changes.isFree { service.changes.turn { true } }
    }

    /// What the daemon does: the check of a file that may be damaged, or else that of the sets after the
    /// first fix; what is lost is put back.
    private func check(
        _ service: MonitoringService, _ bench: MonitoringBench, of file: Bool = false
    ) throws {
        if let path = service.checkedCatalogue {
            service.setsChecked(StoreCheck.verdictOfSets(of: path))
        }
        for suspect in service.suspects {
            service.storeChecked(
                suspect.path, StoreCheck.verdict(of: suspect.path), at: bench.now)
        }
        finish(service)
        service.heal { bench.now }
        finish(service)
        if file { try load(service, bench) }
        service.filesWereLoaded(at: bench.now)
        finish(service)
    }

    /// The start, a piece of the road inside f1, the check, and on: no event but those that are so.
    private func drive(
        on bench: MonitoringBench, of file: Bool = false, _ at: Comment
    ) throws {
        let service = try bench.start([])
        service.heal { bench.now }
        finish(service)
        if file { try load(service, bench) }
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(try told(service) == ["enter f1"], at)
        try check(service, bench, of: file)
        #expect(!service.troubles.present.contains(.storeSuspect), at)
        #expect(!service.troubles.present.contains(.fencesLost) && service.fenceCount == 3, at)
        bench.drive(service, from: 1_060, to: 2_000)
        let told = try told(service)
        #expect(told == ["enter f1", "exit f1", "enter f2"], at)
        let path = bench.directory.file("catalogue.sqlite")
        #expect(StoreCheck.verdict(of: path) == .sound, at)
    }

    @Test(
        "what stands beside the records, changed: no event, and it is made again",
        arguments: [
            "UPDATE fence SET id = 'v1' WHERE id = 'f1'",
            "UPDATE fence SET id = 'f9' WHERE id = 'f1'",
            "UPDATE fence SET id = CAST(x'e631' AS TEXT) WHERE id = 'f1'",
            "UPDATE fence SET number = number + 64 WHERE id = 'f1'",
            "DELETE FROM fence WHERE id = 'f1'",
            "UPDATE box SET west = west + 4, east = east + 4", "DELETE FROM box",
            "UPDATE cell SET number = number + 4", "UPDATE origin SET accepted = accepted + 4",
            "UPDATE origin SET name = name || 'q' WHERE fences > 0",
            "UPDATE origin SET number = number + 8 WHERE fences > 0",
            "UPDATE state SET next = next - 1", "UPDATE state SET count = count + 1",
            "UPDATE state SET generation = generation + 4096",
        ], [true, false])
    func beside(damage: String, isOfFile: Bool) throws {
        for hasCheckpoint in [true, false] {
            let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
            try parked(in: bench, of: isOfFile)
            _ = try sqlite(damage, bench.directory.file("catalogue.sqlite"))
            try drive(on: bench, of: isOfFile, "\(damage), checkpoint \(hasCheckpoint)")
        }
    }

    @Test("a bit anywhere in the file: no event, and it is put back")
    func bits() throws {
        var place = 0
        while true {
            let bench = MonitoringBench(hasCheckpoint: place % 2 == 0)
            try parked(in: bench)
            let path = bench.directory.file("catalogue.sqlite")
            var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
            guard place < bytes.count else { return }
            let was = bytes[place]
            bytes[place] ^= 1 << UInt8(place % 8)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try drive(on: bench, "byte \(place) is \(bytes[place]), not \(was)")
            // Most of its pages are empty but for their ends.
            place += 257
        }
    }

    private func sqlite(_ sql: String, _ path: String) throws -> String {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        shell.arguments = [path, sql]
        shell.standardOutput = output
        try shell.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
