import Foundation
import Geodesy
import Law
import Model
import Schedules
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Fences with hours, whose time zone is not on the system any more after an upgrade. The vehicle drives
/// to f1, at 1,000 m; f2 has no hours.
@MainActor
@Suite("time zones that are not on the system")
struct TimeZoneTests {
    private let bench: MonitoringBench
    private let zones = TemporaryDirectory()

    init() throws {
        bench = MonitoringBench()
        try put()
    }

    private var path: String { zones.file("Far/East") }

    private func put() throws {
        try FileManager.default.createDirectory(
            atPath: zones.file("Far"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/Asia/Tokyo", toPath: path)
    }

    private var book: HourBook {
        HourBook(ZoneFiles(directory: zones.path, localPath: zones.file("localtime")))
    }

    private func told(_ service: MonitoringService) throws -> [String] {
        try service.store.log.events(after: 0, limit: 100).compactMap { logged in
            logged.event.fence.map { "\(logged.event.kind) \($0)" }
        }
    }

    private func isUnknown(_ service: MonitoringService) -> Bool {
        service.troubles.present.contains(.timezoneUnknown)
    }

    /// f1, with hours in the zone.
    private func far(_ service: MonitoringService) throws -> Fence {
        var fence = try #require(try service.store.catalogue.fence(id: "f1")?.fence)
        fence.terms.active = "00:00-24:00"
        fence.terms.timezone = "Far/East"
        return fence
    }

    /// In f1 when the process is stopped and the zone is removed.
    private func upgraded(
        trouble: @escaping (Trouble, TroubleChange) -> Void = { _, _ in }
    ) throws -> MonitoringService {
        bench.hours = book
        let service = try bench.start([])
        try bench.addFences(2, to: service)
        let fence = try far(service)
        _ = try service.apply(upserts: [fence], removing: [], at: bench.now)
        bench.drive(service, from: 0, to: 1_000)
        #expect(try told(service) == ["enter f1"] && !isUnknown(service))
        unlink(path)
        bench.hours = book
        return try bench.start([], trouble: trouble)
    }

    @Test("a stay is held, and goes on when the zone is back", arguments: [true, false])
    func held(isRestarted: Bool) throws {
        var words: [String] = []
        var service = try upgraded { trouble, change in
            if trouble == .timezoneUnknown, case .began(let why) = change { words.append(why) }
        }
        #expect(isUnknown(service))
        #expect(words.count == 1 && words[0].contains("\"f1\" (Far/East)"))
        #expect(!service.troubles.present.contains(.unreadableRecords))
        #expect(!service.troubles.present.contains(.storeSuspect))
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(try told(service) == ["enter f1"])
        // It can be shown, and kept.
        #expect(try service.store.catalogue.fence(id: "f1")?.fence.terms.timezone == "Far/East")
        #expect(try service.store.catalogue.fences(limit: 9).map(\.fence.id) == ["f1", "f2"])
        try put()
        if isRestarted {
            bench.hours = book
            service = try bench.start([])
        } else {
            var found = 0
            service.notify = { if case .zonesFound = $0 { found += 1 } }
            bench.pass(61, service, at: 1_040)
            #expect(found == 1)
        }
        #expect(try !isUnknown(service) && told(service) == ["enter f1"])
        bench.drive(service, from: 1_060, to: 2_000)
        #expect(try told(service) == ["enter f1", "exit f1", "enter f2"])
        let left = try service.store.log.events(after: 1, limit: 9).map(\.event)
            .first { $0.kind == .exit }
        #expect(left?.reason == .certain)
    }

    @Test("a file that was refused for want of a zone is read when the zone is there")
    func refusedFile() throws {
        unlink(path)
        bench.hours = book
        let service = try bench.start([])
        try bench.addFences(1, to: service)
        let fence = try far(service)
        var found = 0
        service.notify = { if case .zonesFound = $0 { found += 1 } }
        func read() -> Bool {
            let change = try? service.apply(upserts: [fence], removing: [], at: bench.now)
            service.fenceFile("far.geojson", isRefused: change == nil, at: bench.now)
            return change != nil
        }
        #expect(!read())
        bench.pass(61, service, at: 0)
        #expect(found == 0 && service.troubles.present.contains(.fenceFileRefused))
        try put()
        bench.pass(61, service, at: 0)
        #expect(found == 1)
        #expect(read() && !service.troubles.present.contains(.fenceFileRefused))
        // Nothing is looked for any more.
        bench.pass(61, service, at: 0)
        #expect(found == 1)
    }

    @Test("other fences are as ever; so is one that is removed, or put again, while it is held")
    func others() throws {
        let service = try upgraded()
        bench.drive(service, from: 1_020, to: 2_000)
        #expect(try told(service) == ["enter f1", "enter f2"])
        _ = try service.apply(upserts: [], removing: ["f2"], at: bench.now)
        #expect(try told(service) == ["enter f1", "enter f2", "exit f2"])
        #expect(isUnknown(service))
        var fence = try #require(try service.store.catalogue.fence(id: "f1")?.fence)
        #expect(throws: CatalogueRefusal.self) {
            try service.apply(upserts: [fence], removing: [], at: bench.now)
        }
        fence.terms.timezone = "UTC"
        _ = try service.apply(upserts: [fence], removing: [], at: bench.now)
        bench.drive(service, from: 2_020, to: 2_040)
        #expect(try told(service) == ["enter f1", "enter f2", "exit f2", "exit f1"])
        #expect(!isUnknown(service))
    }

    @Test("a fence that is removed while it is held ends with its stay")
    func removed() throws {
        let service = try upgraded()
        _ = try service.apply(upserts: [], removing: ["f1"], at: bench.now)
        #expect(try told(service) == ["enter f1", "exit f1"])
        let exit = try service.store.log.events(after: 1, limit: 9).last?.event
        #expect(exit?.reason == .fenceRemoved)
        bench.drive(service, from: 1_020, to: 1_040)
        #expect(!isUnknown(service))
    }

    @Test("a hazard counts at all times while its zone is not there")
    func hazard() throws {
        bench.hours = book
        var service = try bench.start([])
        var bridge = try MonitoringBench.bridge("low", x: 1_000, limit: 3)
        bridge.terms.active = "03:00-03:01"
        bridge.terms.timezone = "Far/East"
        _ = try service.apply(upserts: [bridge], removing: [], at: bench.now)
        #expect(try service.store.entries(ids: ["low"]).first?.hours != nil)
        unlink(path)
        bench.hours = book
        service = try bench.start([])
        let entry = try #require(try service.store.entries(ids: ["low"]).first)
        #expect(entry.hours == nil)
        bench.drive(service, from: 0, to: 20)
        #expect(isUnknown(service))
    }
}
