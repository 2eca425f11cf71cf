import Foundation
import Geodesy
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// A catalogue that is lost while the vehicle is in a fence. It begins at 0 and drives to f1, at
/// 1,000 m.
@MainActor
@Suite("fences that were lost")
struct LostFencesTests {
    private func told(_ service: MonitoringService) throws -> [String] {
        try service.store.log.events(after: 0, limit: 100).compactMap { logged in
            logged.event.fence.map { "\(logged.event.kind) \($0)" }
        }
    }

    /// What is told of the loss itself.
    private func toldOfLoss(_ service: MonitoringService) throws -> [EventKind] {
        try service.store.log.events(after: 0, limit: 100).map(\.event.kind)
            .filter { $0 == .fencesLost || $0 == .fencesBack }
    }

    private func isMissed(_ service: MonitoringService) -> Bool {
        service.troubles.present.contains(.fencesLost)
    }

    private func lose(_ bench: MonitoringBench) {
        for end in ["", "-wal", "-shm"] { unlink(bench.directory.file("catalogue.sqlite" + end)) }
    }

    /// What waits in the queue, a step at a time.
    private func finish(_ service: MonitoringService) {
        while !service.changes.isFree { service.changes.turn { true } }
    }

    private func inside(_ bench: MonitoringBench) throws -> MonitoringService {
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        try bench.addFences(3, to: service)
        bench.drive(service, from: 0, to: 1_000)
        #expect(try told(service) == ["enter f1"] && !isMissed(service))
        return service
    }

    /// The process is killed, the catalogue is lost, and the next process begins.
    private func lostAtStart(_ bench: MonitoringBench) throws -> MonitoringService {
        _ = try inside(bench)
        lose(bench)
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        return service
    }

    /// The same, with copies of what was lost; files and copies have yet to be read.
    private func lostWithCopies(_ bench: MonitoringBench) throws -> MonitoringService {
        try MonitoringBench.copy(inside(bench))
        lose(bench)
        return try bench.start([])
    }

    @Test(
        "at the start: the stay is held, and goes on when the fence is back",
        arguments: [true, false])
    func held(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        var service = try lostAtStart(bench)
        #expect(isMissed(service) && service.fenceCount == 0)
        bench.drive(service, from: 1_020, to: 1_040)
        // Another kill changes nothing.
        service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 1_060, to: 1_060)
        #expect(try isMissed(service) && told(service) == ["enter f1"])
        #expect(try toldOfLoss(service) == [.fencesLost])
        try bench.addFences(3, to: service)
        #expect(try !isMissed(service) && toldOfLoss(service) == [.fencesLost, .fencesBack])
        bench.drive(service, from: 1_080, to: 1_080)
        #expect(try told(service) == ["enter f1"])
        bench.drive(service, from: 1_100, to: 2_000)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
    }

    @Test("the stay that waits for the disk is held like one of the log")
    func waiting() throws {
        let bench = MonitoringBench()
        func log(_ sql: String) throws {
            let shell = Subprocess(["sqlite3", bench.directory.file("events.sqlite"), sql])
            try #require(shell.wait()?.status == 0)
        }
        // Every commit with a stay fails.
        let breaking =
            "CREATE INDEX broken ON stay (abs(0 * length(fence) - 9223372036854775807 - 1))"
        do {
            let service = try bench.start([]) { try log(breaking) }
            service.filesWereLoaded(at: bench.now)
            try bench.addFences(3, to: service)
            bench.drive(service, from: 0, to: 1_000)
            #expect(service.troubles.present.contains(.storeUnwritable))
            #expect(try told(service).isEmpty)
        }
        lose(bench)
        let service = try bench.start([]) { try log(breaking) }
        service.filesWereLoaded(at: bench.now)
        #expect(isMissed(service))
        try bench.addFences(3, to: service)
        #expect(try !isMissed(service) && told(service).isEmpty)
        try log("DROP INDEX broken")
        bench.drive(service, from: 1_020, to: 2_000)
        // The commit is retried.
        service.wake(at: bench.now)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
        let left = try service.store.log.events(after: 1, limit: 9).map(\.event)
            .first { $0.kind == .exit }
        #expect(left?.reason == .certain && left?.stay != nil)
    }

    @Test(
        "put back from the copy before the first fix, or while it drives: no event of it",
        arguments: [true, false], [true, false])
    func healed(hasCheckpoint: Bool, isFirst: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        let service = try lostWithCopies(bench)
        service.heal { bench.now }
        service.filesWereLoaded(at: bench.now)
        // Missed for a moment, and shown by origin; no driver is told.
        #expect(!isMissed(service) && service.fenceCount == 0 && !service.changes.isFree)
        #expect(try service.origins().first?.lost?.fences == 3)
        if !isFirst { bench.drive(service, from: 1_020, to: 1_040) }
        finish(service)
        #expect(!isMissed(service) && service.fenceCount == 3)
        #expect(service.copiesBehind.isEmpty)
        bench.drive(service, from: 1_060, to: 1_080)
        #expect(try told(service) == ["enter f1"])
        bench.drive(service, from: 1_100, to: 2_000)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
        #expect(try toldOfLoss(service).isEmpty)
    }

    @Test("files that are read before the healing begins do not make it a loss that is told")
    func filesFirst() throws {
        let bench = MonitoringBench()
        let service = try lostWithCopies(bench)
        try loadFile(service, at: bench.now)
        #expect(service.fenceCount == 1 && !isMissed(service))
        service.heal { bench.now }
        service.filesWereLoaded(at: bench.now)
        #expect(!isMissed(service))
        finish(service)
        #expect(try !isMissed(service) && toldOfLoss(service).isEmpty)
        #expect(service.fenceCount == 4)
    }

    private func loadFile(_ service: MonitoringService, at now: Uptime) throws {
        let area = try Area(
            .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 100))
        var fences = [Fence(id: "file", area: area)].makeIterator()
        _ = try service.replaceAll(origin: .file("a.csv"), at: now) { fences.next() }
    }

    @Test("a healing that the disk has refused is tried again")
    func refused() throws {
        let bench = MonitoringBench()
        let service = try lostWithCopies(bench)
        // The manifest can neither be added to nor be written again.
        try FileManager.default.removeItem(atPath: bench.directory.file("manifest"))
        let wall = bench.directory.file("manifest.new")
        try FileManager.default.createDirectory(atPath: wall, withIntermediateDirectories: false)
        service.heal { bench.now }
        service.filesWereLoaded(at: bench.now)
        finish(service)
        for _ in 0..<3 {
            #expect(try isMissed(service) && toldOfLoss(service) == [.fencesLost])
            let due = try #require(service.mending.healAgain?.at)
            while bench.now < due { try bench.wake(service) }
            finish(service)
        }
        try FileManager.default.removeItem(atPath: wall)
        while service.mending.healAgain != nil { try bench.wake(service) }
        finish(service)
        #expect(!isMissed(service) && service.fenceCount == 3)
        #expect(try toldOfLoss(service) == [.fencesLost, .fencesBack])
        #expect(service.mending.healAgain == nil)
    }

    @Test("entered between the last fix before the loss and the first after it: an enter")
    func entered() throws {
        let bench = MonitoringBench()
        do {
            let service = try inside(bench)
            bench.drive(service, from: 1_020, to: 1_880)
            #expect(try told(service) == ["enter f1", "exit f1"])
            try MonitoringBench.copy(service)
        }
        lose(bench)
        let service = try bench.start([])
        service.heal { bench.now }
        finish(service)
        bench.drive(service, from: 1_920, to: 2_000)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
    }

    @Test(
        "an older catalogue, in which the fence was added earlier: its stay goes on",
        arguments: [true, false])
    func older(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        let path = bench.directory.file("catalogue.sqlite")
        do {
            let service = try bench.start([])
            service.filesWereLoaded(at: bench.now)
            try bench.addFences(1, to: service)
            service.stop(at: bench.now)
        }
        let older = try #require(FileManager.default.contents(atPath: path))
        do {
            let service = try bench.start([])
            _ = try service.apply(upserts: [], removing: ["f1"], at: bench.now)
            try bench.addFences(3, to: service)
            bench.drive(service, from: 0, to: 1_000)
            #expect(try told(service) == ["enter f1"])
        }
        lose(bench)
        try older.write(to: URL(fileURLWithPath: path))
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        #expect(isMissed(service))
        bench.drive(service, from: 1_020, to: 1_040)
        try bench.addFences(3, to: service)
        bench.drive(service, from: 1_060, to: 1_060)
        #expect(try !isMissed(service) && told(service) == ["enter f1"])
        bench.drive(service, from: 1_080, to: 1_400)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test("left while it was lost: told when it is back, as an exit", arguments: [true, false])
    func left(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        let service = try lostAtStart(bench)
        bench.drive(service, from: 1_020, to: 1_500)
        #expect(try told(service) == ["enter f1"])
        try bench.addFences(3, to: service)
        bench.drive(service, from: 1_520, to: 1_560)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test("back before the first fix, and killed at once", arguments: [true, false])
    func backFirst(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        var service = try lostAtStart(bench)
        try bench.addFences(3, to: service)
        service = try bench.start([])
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(try told(service) == ["enter f1"])
        bench.drive(service, from: 1_060, to: 1_300)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test(
        "in a page that cannot be read at the start: its stay is held, whatever a check finds",
        arguments: [true, false])
    func page(isSound: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: false)
        let path = bench.directory.file("catalogue.sqlite")
        do {
            let service = try inside(bench)
            // A small file is checked as a whole when it is opened.
            let fences = try (0..<200).map { number in
                var fence = Fence(
                    id: "far\(number)",
                    area: try Area(
                        .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 9)))
                fence.metadata = "{\"a\":\"\(String(repeating: "x", count: 60_000))\"}"
                return fence
            }
            _ = try service.apply(upserts: fences, removing: [], at: bench.now)
            service.stop(at: bench.now)
        }
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        #expect(bytes.count > 8 << 20)
        let id = try #require(bytes.firstRange(of: Array("\u{2}f1".utf8)))
        let start = id.lowerBound / 4_096 * 4_096
        let sound = bytes[start]
        bytes[start] = 0xFF
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        #expect(service.suspects.count == 1)
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(try told(service) == ["enter f1"])
        if isSound {
            bytes[start] = sound
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            service.storeChecked(path, .sound, at: bench.now)
            #expect(!isMissed(service))
        } else {
            service.storeChecked(path, .damaged("by a test"), at: bench.now)
            #expect(isMissed(service))
            bench.drive(service, from: 1_060, to: 1_060)
            try bench.addFences(3, to: service)
        }
        bench.drive(service, from: 1_080, to: 1_080)
        let seen = try told(service)
        #expect(seen == ["enter f1"])
        bench.drive(service, from: 1_100, to: 1_400)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test("while it runs: nothing is told of the loss, nor of the healing")
    func whileRunning() throws {
        let bench = MonitoringBench()
        let service = try inside(bench)
        lose(bench)
        service.store.mend()
        bench.drive(service, from: 1_020, to: 1_040)
        service.catalogueMayHaveChanged(at: bench.now)
        #expect(isMissed(service))
        bench.drive(service, from: 1_060, to: 1_060)
        try bench.addFences(3, to: service)
        bench.drive(service, from: 1_080, to: 1_080)
        #expect(try told(service) == ["enter f1"] && !isMissed(service))
        bench.drive(service, from: 1_100, to: 1_400)
        #expect(try told(service) == ["enter f1", "exit f1"])
    }

    @Test(
        "an older catalogue: crossings of its fences are held, hazards are told, what is new is judged",
        arguments: [true, false], [true, false])
    func older(hasCheckpoint: Bool, isKilled: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        let file = bench.directory.file("catalogue.sqlite")
        func circle(_ id: String, _ east: Double) throws -> Fence {
            Fence(
                id: id,
                area: try Area(.circle(center: MonitoringBench.place(east), radius: 100)))
        }
        do {
            let service = try bench.start([])
            service.filesWereLoaded(at: bench.now)
            try bench.addFences(2, to: service)
            let bridge = try MonitoringBench.bridge("bridge", x: 4_500, limit: 3)
            _ = try service.apply(upserts: [bridge], removing: [], at: bench.now)
        }
        // The last connection has closed it, and all is in the file.
        try FileManager.default.copyItem(atPath: file, toPath: file + ".older")
        do {
            let service = try bench.start([])
            service.filesWereLoaded(at: bench.now)
            // Removed, and moved to where the vehicle is.
            _ = try service.apply(
                upserts: [try circle("f2", 0)], removing: ["f1"], at: bench.now)
            bench.drive(service, from: 0, to: 0)
            #expect(try told(service) == ["initial f2"])
        }
        lose(bench)
        try FileManager.default.moveItem(atPath: file + ".older", toPath: file)
        var service = try bench.start([])
        service.filesWereLoaded(at: bench.now)
        #expect(isMissed(service) && service.fenceCount == 3)
        bench.drive(service, from: 20, to: 1_400)
        #expect(try told(service) == ["initial f2"])
        _ = try service.apply(upserts: [try circle("new", 3_000)], removing: [], at: bench.now)
        if isKilled {
            service = try bench.start([])
            service.filesWereLoaded(at: bench.now)
        }
        bench.drive(service, from: 1_420, to: 4_440)
        #expect(isMissed(service))
        #expect(
            try told(service)
                == ["initial f2", "enter new", "exit new", "advisory bridge", "urgent bridge"])
        // What there is is what shall be: the fence of the stay lies elsewhere.
        try service.acceptLoss(of: nil, at: bench.now)
        bench.drive(service, from: 4_460, to: 4_480)
        #expect(try !isMissed(service) && told(service).suffix(1) == ["exit f2"])
        #expect(service.fenceCount == 4)
    }

    @Test("nobody misses them any more: their stays end", arguments: [true, false])
    func accepted(hasCheckpoint: Bool) throws {
        let bench = MonitoringBench(hasCheckpoint: hasCheckpoint)
        let service = try lostAtStart(bench)
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(throws: NothingLost.self) {
            try service.acceptLoss(of: .named("source/none"), at: bench.now)
        }
        #expect(isMissed(service))
        try service.acceptLoss(of: .bus, at: bench.now)
        #expect(try !isMissed(service) && told(service) == ["enter f1", "exit f1"])
        let events = try service.store.log.events(after: 1, limit: 9).map(\.event)
        let exit = try #require(events.first { $0.kind == .exit })
        #expect(exit.reason == .fenceRemoved)
        let next = try bench.start([])
        next.filesWereLoaded(at: bench.now)
        #expect(try !isMissed(next) && toldOfLoss(next) == [.fencesLost, .fencesBack])
        #expect(throws: NothingLost.self) { try next.acceptLoss(of: nil, at: bench.now) }
    }

    @Test("fences of files that are lost are missed only if they are not read again")
    func files() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try loadFile(service, at: bench.now)
        service.filesWereLoaded(at: bench.now)
        bench.drive(service, from: 0, to: 0)
        #expect(try told(service) == ["initial file"])
        lose(bench)
        let next = try bench.start([])
        #expect(!isMissed(next))
        try loadFile(next, at: bench.now)
        next.filesWereLoaded(at: bench.now)
        bench.drive(next, from: 20, to: 20)
        #expect(try told(next) == ["initial file"] && !isMissed(next))
        #expect(try toldOfLoss(next).isEmpty)
        lose(bench)
        let last = try bench.start([])
        last.filesWereLoaded(at: bench.now)
        #expect(try isMissed(last) && toldOfLoss(last) == [.fencesLost])
    }
}
