import Foundation
import Geodesy
import Model
import Schedules
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// The application without its adapters, on files that outlive it: the next process finds the files
/// that a killed one leaves.
@MainActor
final class MonitoringBench {
    static let bootID = "0123456789abcdef0123456789abcdef"
    let directory = TemporaryDirectory()
    /// Whether there is a runtime directory.
    let hasCheckpoint: Bool
    /// Of the mark of use; nil without one.
    var cache: TemporaryDirectory?
    /// Of the next process; nil for that of this machine.
    var hours: HourBook?
    private var time = Uptime(nanoseconds: 1_000_000_000_000)
    private var clock = UTCTime(nanoseconds: 1_800_000_000_000_000_000)

    init(hasCheckpoint: Bool = true) { self.hasCheckpoint = hasCheckpoint }

    /// Another process, which leaves out `fences`; the one before it may have been killed. `opened` is
    /// called when it has opened its files.
    func start(
        _ sinks: [TestSink], bootID: String = bootID, without fences: [String] = [],
        opened: () throws -> Void = {},
        trouble: @escaping (Trouble, TroubleChange) -> Void = { _, _ in }
    ) throws -> MonitoringService {
        let store = try Store(
            directory: directory.path, cache: cache?.path, bootID: bootID)
        if let hours { store.catalogue.keepHours(by: hours) }
        try store.catalogue.leaveOut(fences)
        let service = try MonitoringService(
            settings: MonitoringSettings(), store: store, bootID: bootID,
            checkpoint: hasCheckpoint ? try CheckpointFile(path: directory.file("memory")) : nil,
            trouble: trouble)
        try opened()
        for sink in sinks { service.add(sink) }
        service.start(at: now)
        return service
    }

    var now: Uptime { time }

    /// Circles of 100 m around points 1 km apart on the road, which begins at 48° N 11° E.
    func addFences(_ count: Int, to service: MonitoringService) throws {
        let fences = try (1...count).map { number in
            Fence(
                id: "f\(number)",
                area: try Area(.circle(center: Self.place(Double(number) * 1000), radius: 100)))
        }
        _ = try service.apply(upserts: fences, removing: [], at: now)
    }

    /// Writes the copies of sets that are behind.
    static func copy(_ service: MonitoringService) throws {
        for origin in service.copiesBehind {
            try Store.writeCopy(of: origin, in: service.storeDirectory)
            service.copyWritten(origin)
        }
    }

    /// What is in the directory and those in it, by path.
    var files: [String: Data] {
        let paths = FileManager.default.subpaths(atPath: directory.path) ?? []
        return paths.reduce(into: [:]) { files, path in
            var isDirectory: ObjCBool = false
            guard
                FileManager.default.fileExists(
                    atPath: directory.file(path), isDirectory: &isDirectory),
                !isDirectory.boolValue
            else { return }
            files[path] = FileManager.default.contents(atPath: directory.file(path))
        }
    }

    /// Replaces what is there.
    func put(_ files: [String: Data]) throws {
        for path in self.files.keys { unlink(directory.file(path)) }
        for (path, data) in files {
            let url = URL(fileURLWithPath: directory.file(path))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
    }

    /// Eastwards at 20 m/s, a fix a second.
    func drive(
        _ service: MonitoringService, from start: Double, to end: Double, north: Double = 0
    ) {
        for east in stride(from: start, through: end, by: 20) {
            time = time + .seconds(1)
            service.receive(report(east: east, north: north), at: time)
        }
    }

    /// Nothing comes until the service asks to be woken; to be called until what is awaited is due.
    func wake(_ service: MonitoringService) throws {
        time = max(time, try #require(service.nextWake))
        service.wake(at: time)
    }

    /// Stands at a place for so long, s, with a fix a second, or without any.
    func pass(
        _ seconds: Int, _ service: MonitoringService, at east: Double?, each: TimeSpan = .seconds(1)
    ) {
        for _ in 0..<seconds {
            time = time + each
            if let due = service.nextWake, due <= time { service.wake(at: time) }
            if let east { service.receive(report(east: east, speed: 0), at: time) }
        }
    }

    /// While this lives, at most a minute, the log cannot be written.
    func lockLog() throws -> Subprocess {
        let isLocked = directory.file("locked")
        let lock = Subprocess([
            "sqlite3", directory.file("events.sqlite"), "BEGIN IMMEDIATE",
            ".system touch \(isLocked); sleep 60",
        ])
        while Subprocess(["test", "-e", isLocked]).wait()?.status != 0 {
            try #require(!lock.hasEnded)
        }
        return lock
    }

    /// The receiver's clock goes back.
    func setBack(by span: TimeSpan) { clock = clock + (.zero - span) }

    /// A second after the previous one.
    func report(east: Double, north: Double = 0, speed: Double = 20) -> PositionReport {
        clock = clock + .seconds(1)
        return PositionReport(
            time: clock, hasFix: true, coordinate: Self.place(east, north), error: 5,
            speed: speed, course: 90)
    }

    static func place(_ east: Double, _ north: Double = 0) -> Coordinate {
        Coordinate(latitude: 48 + north / 111_200, longitude: 11 + east / 74_600)
    }

    /// 20 m under a bridge that begins at `x`, and 1 km towards it.
    static func bridge(
        _ id: String, x: Double, limit: Double, north: Double = 0
    ) throws -> Fence {
        let lines = [[x - 1_000, x], [x, x + 20]].map { $0.map { place($0, north) } }
        return Fence(
            id: id, area: try Area(.lines(lines, width: 2 * Approach.reach)),
            approach: Approach(
                limits: Limits([.height: limit], basis: .signed),
                course: .legs([Approach.Leg(endToGo: 0, chance: 0.5)])))
    }
}

/// Announces, or cannot just now.
@MainActor
final class TestSink: EventSink {
    let name: String
    let syncTime: TimeSpan
    var isOpen: Bool
    private(set) var told: [UInt64] = []
    /// How often it was asked.
    private(set) var offers = 0

    init(_ name: String, isOpen: Bool = true, syncTime: TimeSpan = .zero) {
        self.name = name
        self.syncTime = syncTime
        self.isOpen = isOpen
    }

    func announce(_ event: LoggedEvent) -> Bool {
        offers += 1
        if isOpen { told.append(event.seq) }
        return isOpen
    }
}
