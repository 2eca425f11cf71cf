import Geodesy
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

@MainActor
@Suite("Beacon fences")
struct BeaconTests {
    let directory = TemporaryDirectory()
    private static let wall = UTCTime(nanoseconds: 1_800_000_000_000_000_000)
    private static let boot = Uptime(nanoseconds: 1_000_000_000_000)

    private final class Reports { var all: [TroubleChange] = [] }

    /// A process with the files of the previous one, after a power cut.
    @MainActor
    private final class Bench {
        let store: Store
        let service: MonitoringService
        private let reports: Reports
        /// Of troubles, in order.
        var reported: [TroubleChange] { reports.all }
        var now = BeaconTests.boot
        var wanted = 0

        init(_ directory: TemporaryDirectory, wall: UTCTime = BeaconTests.wall) throws {
            store = try Store(directory: directory.path, bootID: nil)
            let reports = Reports()
            self.reports = reports
            service = try MonitoringService(
                settings: MonitoringSettings(), store: store, bootID: nil, checkpoint: nil,
                trouble: { reports.all.append($1) })
            service.wallClock = { [unowned self] in wall + (now - BeaconTests.boot) }
            service.notify = { [unowned self] in if case .beaconsWanted = $0 { wanted += 1 } }
            service.start(at: now)
        }

        func put(_ fences: [Fence], removing ids: [String] = []) throws {
            _ = try store.apply(upserts: fences, removing: ids)
            service.catalogueMayHaveChanged(at: now)
        }

        func pass(_ seconds: Double) {
            now = now + .seconds(seconds)
            service.wake(at: now)
        }

        func hear(_ minor: UInt16 = 1, rssi: Int? = -70) {
            service.hear([BeaconSighting(BeaconTests.identity(minor), rssi: rssi)], at: now)
        }

        func state(_ id: String) throws -> FenceState? {
            try service.states(of: [id], at: now).first?.state
        }

        var told: [String] {
            get throws {
                try store.log.events(after: 0, limit: 99).map { logged in
                    [logged.event.kind.name, logged.event.fence, logged.event.reason?.name]
                        .compactMap(\.self).joined(separator: " ")
                }
            }
        }
    }

    private static let uuid = BeaconUUID(high: 1, low: 2)

    private static func identity(_ minor: UInt16) -> BeaconIdentity {
        .proximity(uuid, major: 0, minor: minor)
    }

    private static func fence(_ id: String, minor: UInt16 = 1) -> Fence {
        Fence(id: id, subject: .beacons(BeaconRule(.minor(uuid, major: 0, minor: minor))))
    }

    @Test("they are monitored from when they enter the catalogue until they leave it")
    func catalogue() throws {
        let bench = try Bench(directory)
        #expect(bench.service.beaconPatterns.isEmpty && bench.wanted == 0)
        try bench.put([Self.fence("dock"), Self.fence("gate", minor: 2)])
        #expect(bench.service.beaconPatterns.count == 2 && bench.wanted == 1)
        bench.service.radioChanged(to: BeaconRadioStatus(.passive), at: bench.now)
        bench.pass(60)
        bench.hear()
        bench.pass(1)
        bench.hear()
        bench.hear(3)
        #expect(try bench.told == ["enter dock sighted"])
        let inside = try #require(try bench.state("dock"))
        #expect(inside.presence == .inside && !inside.isUncertain && inside.changed != nil)
        #expect(try bench.state("gate")?.presence == .outside)
        #expect(try bench.state("none") == nil)
        // Not while standing; and of no use to the window.
        bench.pass(200)
        #expect(try bench.state("dock")?.isUncertain == true)
        #expect(bench.service.regions.isEmpty)
        try bench.put([], removing: ["dock"])
        #expect(try bench.told == ["enter dock sighted", "exit dock fence-removed"])
        try bench.put([], removing: ["gate"])
        #expect(bench.service.beaconPatterns.isEmpty && bench.wanted == 3)
    }

    @Test("a presence by hand survives a power cut, and ends at its time")
    func manual() throws {
        do {
            let bench = try Bench(directory)
            try bench.put([Self.fence("dock")])
            #expect(throws: NoBeaconFence(id: "gate")) {
                try bench.service.statePresence(.inside, of: "gate", at: bench.now)
            }
            #expect(throws: PresenceOver()) {
                try bench.service.statePresence(
                    .inside, until: Self.wall, of: "dock", at: bench.now)
            }
            try bench.service.statePresence(
                .inside, until: Self.wall + .seconds(600), of: "dock", at: bench.now)
            #expect(try bench.told == ["enter dock manual"])
        }
        let bench = try Bench(directory, wall: Self.wall + .seconds(300))
        #expect(bench.service.beaconStates(at: bench.now).map(\.isManual) == [true])
        bench.pass(299)
        #expect(try bench.told == ["enter dock manual"])
        bench.pass(2)
        #expect(try bench.told == ["enter dock manual", "exit dock manual"])
        let exit = try #require(try bench.store.log.events(after: 1, limit: 1).first?.event)
        #expect(exit.time == Self.wall + .seconds(600) && exit.stay == .seconds(600))
    }

    @Test("a radio that does not listen is reported while there are beacon fences")
    func radio() throws {
        let bench = try Bench(directory)
        bench.service.radioChanged(to: BeaconRadioStatus(.off, .noBluez), at: bench.now)
        #expect(bench.service.degradations.isEmpty)
        try bench.put([Self.fence("dock")])
        #expect(bench.service.degradations == [.beacons])
        bench.service.radioChanged(to: BeaconRadioStatus(.passive), at: bench.now)
        #expect(bench.service.degradations.isEmpty)
        bench.service.radioChanged(to: BeaconRadioStatus(.off, .poweredOff), at: bench.now)
        #expect(bench.service.degradations == [.beacons])
        bench.pass(31)
        bench.service.radioChanged(to: BeaconRadioStatus(.limited), at: bench.now)
        #expect(try bench.told == ["beacons-lost", "beacons-regained"])
        #expect(bench.service.degradations == [.beacons])
        try bench.put([Self.fence("gate")])
        try bench.put([], removing: ["dock", "gate"])
        #expect(bench.service.degradations.isEmpty)
        let missing =
            "BlueZ has no advertisement monitors, so the radio listens for 10 s of every 60: "
            + "set Experimental = true in /etc/bluetooth/main.conf"
        #expect(
            bench.reported == [
                .began("the radio does not listen: no-bluez"), .ended,
                .began("the radio does not listen: powered-off"), .noted(missing), .ended,
            ])
    }

    @Test("a region with a least strength needs active scanning while it is heard")
    func strength() throws {
        let bench = try Bench(directory)
        var rule = BeaconRule(.uuid(Self.uuid))
        rule.leastRSSI = -60
        try bench.put([Fence(id: "dock", subject: .beacons(rule))])
        bench.service.radioChanged(to: BeaconRadioStatus(.passive), at: bench.now)
        bench.hear()
        #expect(bench.service.wantsActiveScan(at: bench.now) && bench.wanted == 2)
        bench.pass(16)
        #expect(!bench.service.wantsActiveScan(at: bench.now))
    }

    @Test("a companion makes the vehicle as high as the combination, and no lower")
    func companion() throws {
        let bench = try Bench(directory)
        func trailer(_ id: String, _ metadata: String) -> Fence {
            var rule = BeaconRule(.minor(Self.uuid, major: 0, minor: 1))
            rule.isCompanion = true
            return Fence(id: id, subject: .beacons(rule), metadata: metadata)
        }
        try bench.put([
            trailer("high", #"{"height_m":4.3,"weight_t":40,"width_m":99}"#),
            trailer("low", #"{"height_m":3,"length_m":16.5}"#),
        ])
        func say(_ presence: Presence, _ id: String) throws {
            try bench.service.statePresence(presence, of: id, at: bench.now)
        }
        // No height was set: 4.2 m are assumed.
        try say(.inside, "low")
        #expect(bench.service.vehicle.height == nil && bench.service.vehicle.length == 16.5)
        try say(.inside, "high")
        #expect(bench.service.vehicle.height == 4.3 && bench.service.vehicle.weight == 40)
        #expect(bench.service.vehicle.width == nil, "out of range")
        #expect(bench.service.vehicleState(at: bench.now).certainty == .assumed)
        #expect(bench.service.engine.vehicle == bench.service.vehicle)
        var change = VehicleChange()
        change.values[.height] = 3.9
        change.confirms = true
        try bench.service.setVehicle(change, at: bench.now)
        #expect(bench.service.vehicle.height == 4.3)
        #expect(bench.service.vehicleState(at: bench.now).certainty == .confirmed)
        // The next process resumes with it.
        let again = try Bench(directory)
        #expect(again.service.engine.vehicle.height == 4.3)
        try again.service.statePresence(.outside, of: "high", at: again.now)
        #expect(again.service.vehicle.height == 3.9 && again.service.engine.vehicle.height == 3.9)
    }
}
