import Foundation
import Geodesy
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Section 5 of the law: what must outlive the log does, and its loss is a state.
@MainActor
@Suite("A log that is lost")
struct LostLogTests {
    private static let nextBoot = "fedcba9876543210fedcba9876543210"
    private static let second = ["events.second", "events.second.route"]

    enum Loss: String, CaseIterable {
        case flipped, cut, older, noise, deleted
    }

    /// What is left of the process.
    enum End: String, CaseIterable {
        case killed, cut, stopped
    }

    /// The files of a drive: into f1 and out, into f2, parked there with the ignition off; a driver, a
    /// consumer that has the first event, an odometer.
    @MainActor
    private struct Drive {
        let bench = MonitoringBench()
        var older: [String: Data] = [:]
        var files: [String: Data] = [:]
        var last: UInt64 = 0
        var log = ""
        var metres = 0.0
        /// Fix of the last position.
        var east = 0.0
    }

    /// - Parameter leaves: it has left f2 in the end, which is not in what outlives the log.
    private func drive(_ end: End, leaves: Bool = false) throws -> Drive {
        var drive = Drive()
        let bench = drive.bench
        do {
            let service = try bench.start([TestSink("bus")])
            try bench.addFences(3, to: service)
            service.setIgnition(true, at: bench.now)
            bench.drive(service, from: 0, to: 500)
            try service.register(
                Consumer(name: "com.example.Alert1", uid: 7, acknowledged: 0, options: "{}"))
            try service.store.log.setDriver("Bob", at: .init(nanoseconds: 5))
            drive.older = bench.files
            try service.store.log.setRoute(Self.route)
            bench.drive(service, from: 520, to: 1_900)
            try service.acknowledge(1, consumer: "com.example.Alert1")
            bench.drive(service, from: 1_920, to: 2_000)
            bench.pass(60, service, at: 2_000)
            service.setIgnition(false, at: bench.now)
            bench.pass(61, service, at: 2_000)
            if leaves { bench.drive(service, from: 2_020, to: 2_500) }
            if end == .stopped { service.stop(at: bench.now) }
            drive.files = bench.files
            drive.last = service.lastSeq
            drive.log = service.logID
            drive.metres = service.engine.odometer.reading.metres
            #expect(drive.files[Self.second[0]] != nil)
        }
        if end == .stopped { drive.files = bench.files }
        if end != .killed {
            for name in drive.files.keys where name.hasPrefix("memory") { drive.files[name] = nil }
        }
        return drive
    }

    private static var route: StoredRoute {
        StoredRoute(
            number: 7, name: "home", setAt: .init(nanoseconds: 1_800_000_000_000_000_000),
            isKept: true,
            positions: (0...3).map { MonitoringBench.place(1_000 * Double($0)) }.map {
                Route.rounded($0)
            },
            progress: RouteProgress(
                number: 7, deadline: .init(nanoseconds: .max / 2), drivenBefore: 0, asOf: .boot))
    }

    private func damage(_ drive: inout Drive, _ loss: Loss, _ seed: Int = 0) {
        for name in ["events.sqlite", "events.sqlite-wal"] {
            guard let data = drive.files[name] else { continue }
            switch loss {
            case .noise: drive.files[name] = Data(repeating: 0x5A, count: data.count)
            case .deleted: drive.files[name] = nil
            case .older: drive.files[name] = drive.older[name]
            case .flipped where name.hasSuffix("wal"):
                drive.files[name]?[data.count * (50 + seed * 7 % 50) / 100] ^= 4
            case .cut where name.hasSuffix("wal"):
                drive.files[name] = data.prefix(data.count * (50 + seed * 7 % 50) / 100)
            case .flipped, .cut: break
            }
        }
    }

    @Test(
        "how things stood is there again, numbers go on, and nothing is told that did not happen",
        arguments: Loss.allCases, End.allCases)
    func lost(_ loss: Loss, _ end: End) throws {
        for seed in 0..<3 {
            var drive = try drive(end)
            damage(&drive, loss, seed)
            let bench = drive.bench
            try bench.put(drive.files)
            let bus = TestSink("bus")
            let service = try bench.start(
                [bus], bootID: end == .killed ? MonitoringBench.bootID : Self.nextBoot)
            let comment: Comment = "\(loss), \(end), \(seed)"
            // The write-ahead log of an orderly stop is in the file.
            let isWhole = end == .stopped && [.flipped, .cut].contains(loss)
            #expect(service.logID == drive.log, comment)
            #expect(service.troubles.present.contains(.logLost) == !isWhole, comment)
            #expect(service.ignition == false, comment)
            #expect(service.store.log.driver?.id == "Bob", comment)
            #expect(abs(service.engine.odometer.reading.metres - drive.metres) < 0.1, comment)
            let consumers = try service.consumers()
            #expect(consumers.map(\.name) == ["com.example.Alert1"], comment)
            #expect(consumers.first?.acknowledged == 1, comment)
            #expect(try service.store.log.openStays().map(\.fence) == ["f2"], comment)
            let route = try service.store.log.route()
            #expect(route?.positions == Self.route.positions && route?.name == "home", comment)
            let told = try service.events(after: drive.last, limit: 100).events
            #expect(told.map(\.event.kind) == (isWhole ? [] : [.logLost]), comment)
            // It stands where it stood, and leaves.
            bench.pass(30, service, at: 2_000)
            bench.drive(service, from: 2_020, to: 2_400)
            let later = try service.events(after: drive.last, limit: 100).events
                .filter { $0.event.fence != nil }
            #expect(later.map(\.event.kind) == [.exit], comment)
            #expect(later.first?.event.fence == "f2", comment)
            // The consumer hears of the gap once, and then the state is over.
            guard !isWhole else { continue }
            let stored = try #require(try service.consumers().first)
            let cursor = ConsumerCursor(stored, in: service) { _ in true }
            var gaps = 0
            var seqs: [UInt64] = []
            while let next = try cursor.next(limit: 64) {
                gaps += next.gap ? 1 : 0
                seqs += next.events.map(\.seq)
                cursor.bring(next.events)
                #expect(try cursor.acknowledge(next.events.last?.seq ?? 0))
            }
            #expect(gaps == 1, comment)
            #expect(seqs.last == service.lastSeq && seqs == Array(Set(seqs)).sorted(), comment)
            try bench.wake(service)
            #expect(!service.troubles.present.contains(.logLost), comment)
            #expect(try bench.start([]).troubles.present.contains(.logLost) == false, comment)
        }
    }

    @Test(
        "without the last file of numbers, too: how things stood is there, in another log",
        arguments: Loss.allCases, [End.killed, .cut])
    func withoutNumbers(_ loss: Loss, _ end: End) throws {
        for isOlder in [false, true] {
            var drive = try drive(end)
            damage(&drive, loss, 3)
            drive.files["numbers"] = isOlder ? drive.older["numbers"] : nil
            let bench = drive.bench
            try bench.put(drive.files)
            let boot = end == .killed ? MonitoringBench.bootID : Self.nextBoot
            let service = try bench.start([], bootID: boot)
            #expect(service.logID != drive.log && service.logID(of: drive.last) == drive.log)
            #expect(service.troubles.present.contains(.logLost))
            #expect(try service.consumers().map(\.acknowledged) == [1])
            #expect(service.ignition == false && service.store.log.driver?.id == "Bob")
            #expect(try service.store.log.openStays().map(\.fence) == ["f2"])
            #expect(service.lastSeq == drive.last + 1)
            let id = service.logID
            #expect(try bench.start([], bootID: boot).logID == id)
        }
    }

    @Test(
        "of a stay that may be over the place decides: inside it goes on, outside it ends silently",
        arguments: [true, false])
    func doubted(isInside: Bool) throws {
        var drive = try drive(.cut, leaves: true)
        damage(&drive, .deleted)
        let bench = drive.bench
        try bench.put(drive.files)
        for _ in 0..<2 {
            let service = try bench.start([], bootID: Self.nextBoot)
            let doubts = service.engine.doubtsStays
            #expect(doubts)
            #expect(try service.store.log.openStays().map(\.fence) == ["f2"])
        }
        let service = try bench.start([], bootID: Self.nextBoot)
        bench.pass(5, service, at: isInside ? 2_000 : 2_500)
        let doubts = service.engine.doubtsStays
        #expect(!doubts)
        #expect(try service.store.log.openStays().map(\.fence) == (isInside ? ["f2"] : []))
        bench.drive(service, from: isInside ? 2_000 : 2_520, to: 3_050)
        let told = try service.events(after: drive.last, limit: 100).events.compactMap { logged in
            logged.event.fence.map { "\(logged.event.kind) \($0)" }
        }
        #expect(told == (isInside ? ["exit f2", "enter f3"] : ["enter f3"]))
        let again = try bench.start([], bootID: Self.nextBoot).engine.doubtsStays
        #expect(!again)
    }

    @Test(
        "a kill within the drive goes on as without it, but for the gap", arguments: Loss.allCases)
    func whileDriving(_ loss: Loss) throws {
        let bench = MonitoringBench()
        var drive = Drive()
        var whole: [String] = []
        func told(_ service: MonitoringService) throws -> [String] {
            try service.events(after: 0, limit: 100).events.compactMap { logged in
                logged.event.fence.map { "\(logged.event.kind) \($0)" }
            }
        }
        do {
            let service = try bench.start([])
            try bench.addFences(3, to: service)
            bench.drive(service, from: 0, to: 1_500)
            drive.older = bench.files
            bench.drive(service, from: 1_520, to: 2_040)
            drive.files = bench.files
            drive.last = service.lastSeq
            whole = try told(service)
        }
        damage(&drive, loss, 6)
        try bench.put(drive.files)
        let service = try bench.start([])
        #expect(service.troubles.present.contains(.logLost))
        bench.drive(service, from: 2_060, to: 3_500)
        let events = try service.events(after: drive.last, limit: 100).events
        #expect(events.first?.event.kind == .logLost)
        let later = events.compactMap { logged in
            logged.event.fence.map { "\(logged.event.kind) \($0)" }
        }
        #expect(
            whole + later == ["enter f1", "exit f1", "enter f2", "exit f2", "enter f3", "exit f3"])
        #expect(try service.store.log.openStays().isEmpty)
    }

    @Test(
        "nobody misses it after 7 days without consumers, or when somebody says so",
        arguments: [true, false])
    func over(isSaid: Bool) throws {
        var drive = try drive(.cut)
        damage(&drive, .deleted)
        drive.files[Self.second[0]] = nil
        let bench = drive.bench
        try bench.put(drive.files)
        let service = try bench.start([], bootID: Self.nextBoot)
        #expect(service.troubles.present.contains(.logLost))
        #expect(try service.consumers().isEmpty && service.lastSeq == drive.last + 1)
        bench.pass(60, service, at: 2_000)
        if isSaid {
            try service.acceptLogLoss()
            #expect(throws: NoLogLost.self) { try service.acceptLogLoss() }
        } else {
            for hour in 1...24 * 7 {
                #expect(service.troubles.present.contains(.logLost), "\(hour) h")
                bench.rest(hours: 1, service)
            }
            bench.rest(hours: 2, service)
        }
        #expect(!service.troubles.present.contains(.logLost))
        #expect(try !bench.start([], bootID: Self.nextBoot).troubles.present.contains(.logLost))
    }

    @Test(
        "what outlives the log is damaged, too: it is lost, and said so", arguments: [0, 9, 40, 99])
    func bothDamaged(_ percent: Int) throws {
        var drive = try drive(.cut)
        damage(&drive, .deleted)
        let count = try #require(drive.files[Self.second[0]]?.count)
        drive.files[Self.second[0]]?[(count - 1) * percent / 100] ^= 16
        try drive.bench.put(drive.files)
        let service = try drive.bench.start([], bootID: Self.nextBoot)
        #expect(service.troubles.present.contains(.logLost))
        #expect(try service.consumers().isEmpty && service.lastSeq == drive.last + 1)
        #expect(service.logID != drive.log && service.logID(of: drive.last) == drive.log)
    }

    @Test(
        "a directory that was emptied is a state, that of a new machine is none",
        arguments: [FenceOrigin.bus, .file("depots.geojson")], [End.killed, .stopped])
    func emptied(_ origin: FenceOrigin, _ end: End) throws {
        let bench = MonitoringBench()
        bench.cache = TemporaryDirectory()
        var id = ""
        do {
            let service = try bench.start([])
            #expect(service.troubles.present.isEmpty)
            let area = try Area(.circle(center: MonitoringBench.place(1_000), radius: 100))
            _ = try service.store.apply(upserts: [Fence(id: "f1", area: area)], origin: origin)
            service.catalogueMayHaveChanged(at: bench.now)
            bench.drive(service, from: 0, to: 1_000)
            bench.pass(61, service, at: 1_000)
            id = service.logID
            if end == .stopped { service.stop(at: bench.now) }
        }
        for start in 0..<2 {
            try bench.put([:])
            let service = try bench.start([], bootID: Self.nextBoot)
            service.filesWereLoaded(at: bench.now)
            #expect(service.troubles.present.contains(.logLost), "\(start)")
            #expect(service.troubles.present.contains(.fencesLost) == !origin.isFile)
            #expect(service.logID != id && service.lastSeq > 0)
            bench.pass(61, service, at: 1_000)
            #expect(
                try service.events(after: 0, limit: 9).events.allSatisfy { $0.event.fence == nil })
            id = service.logID
        }
        let service = try bench.start([], bootID: Self.nextBoot)
        #expect(service.troubles.present.contains(.logLost))
        try service.acceptLogLoss()
        #expect(try !bench.start([], bootID: Self.nextBoot).troubles.present.contains(.logLost))
    }

    @Test("replaced while it is in use: the stay, the driver and the consumer are in the new one")
    func inUse() throws {
        let bench = MonitoringBench()
        let service = try bench.start([])
        try bench.addFences(3, to: service)
        try service.register(
            Consumer(name: "com.example.Alert1", uid: 7, acknowledged: 0, options: "{}"))
        try service.store.log.setDriver("Bob", at: .init(nanoseconds: 5))
        bench.drive(service, from: 0, to: 2_000)
        let (last, id) = (service.lastSeq, service.logID)
        for end in ["", "-wal", "-shm"] { unlink(bench.directory.file("events.sqlite" + end)) }
        bench.drive(service, from: 2_020, to: 3_000)
        #expect(service.troubles.present.contains(.logLost))
        #expect(service.logID == id)
        let told = try service.events(after: last, limit: 9)
        #expect(
            told.events.map(\.event.kind).sorted { $0.rawValue < $1.rawValue } == [
                .enter, .exit, .logLost,
            ])
        let next = try bench.start([], bootID: Self.nextBoot)
        #expect(try next.store.log.openStays().map(\.fence) == ["f3"])
        #expect(try next.consumers().count == 1 && next.store.log.driver?.id == "Bob")
        #expect(next.troubles.present.contains(.logLost))
    }
}

extension MonitoringBench {
    /// Time passes in which nothing comes.
    fileprivate func rest(hours: Int, _ service: MonitoringService) {
        for _ in 0..<hours { pass(1, service, at: nil, each: .seconds(3_600)) }
    }
}
