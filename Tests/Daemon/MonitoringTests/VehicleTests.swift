import Geodesy
import Glibc
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

@MainActor
@Suite("The vehicle")
struct VehicleTests {
    let directory = TemporaryDirectory()
    private static let day = TimeSpan.seconds(86_400)

    /// Another process on the same files.
    private func start(
        _ change: (inout MonitoringSettings) -> Void = { _ in }
    ) throws -> MonitoringService {
        var settings = MonitoringSettings()
        change(&settings)
        let service = try MonitoringService(
            settings: settings,
            store: try Store(directory: directory.path, bootID: nil), bootID: nil,
            checkpoint: nil, trouble: { _, _ in })
        service.wallClock = { Self.wall }
        service.start(at: now)
        return service
    }

    private static let wall = UTCTime(nanoseconds: 1_800_000_000_000_000_000)
    private let now = Uptime(nanoseconds: 1_000_000_000_000)

    private func change(
        height: Double? = nil, profile: String? = nil, confirms: Bool = false
    ) -> VehicleChange {
        var change = VehicleChange()
        change.values[.height] = height
        change.profile = profile
        change.confirms = confirms
        change.caller = "uid 7"
        return change
    }

    @Test("what was set is in force after the next start, and was judged with at once")
    func durable() throws {
        var service = try start()
        #expect(service.vehicle == Vehicle())
        try service.setVehicle(change(height: 4.05, confirms: true), at: now)
        let expected = Vehicle(
            height: 4.05, setBy: "uid 7", setAt: Self.wall, confirmedAt: Self.wall)
        #expect(service.vehicle == expected && service.engine.vehicle == expected)
        service = try start()
        #expect(service.vehicle == expected && service.engine.vehicle == expected)
        #expect(service.vehicleState(at: now).certainty == .confirmed)
    }

    @Test("the settings hold until something is set, and what a profile leaves out is theirs")
    func profiles() throws {
        let prepare = { (settings: inout MonitoringSettings) in
            settings.vehicle.standard = Vehicle(height: 3.5, width: 2.5, setBy: "settings")
            settings.vehicle.profiles = [Vehicle(profile: "trailer", height: 4, length: 16)]
        }
        var service = try start(prepare)
        #expect(service.vehicle.height == 3.5 && service.vehicle.setBy == "settings")
        #expect(service.vehicleState(at: now).certainty == .unconfirmed)
        try service.setVehicle(change(profile: "trailer", confirms: true), at: now)
        #expect(service.vehicle.height == 4 && service.vehicle.width == 2.5)
        #expect(service.vehicle.length == 16 && service.vehicle.profile == "trailer")
        service = try start(prepare)
        #expect(service.vehicle.profile == "trailer")
        try service.setVehicle(change(profile: "", confirms: true), at: now)
        #expect(service.vehicle.height == 3.5 && service.vehicle.length == nil)
        #expect(
            throws: VehicleRefusal.noSuchProfile("train", known: ["trailer"])
        ) { try service.setVehicle(change(profile: "train"), at: now) }
        #expect(service.vehicle.height == 3.5)
    }

    @Test("a lower height that nobody confirms is not used, a greater one is at once")
    func unconfirmed() throws {
        var service = try start()
        try service.setVehicle(change(height: 4, confirms: true), at: now)
        try service.setVehicle(change(height: 3.2), at: now)
        #expect(service.vehicle.height == 4 && service.vehicleState(at: now).statedHeight == 3.2)
        #expect(service.vehicleState(at: now).certainty == .unconfirmed)
        service = try start()
        #expect(service.vehicle.height == 4 && service.vehicleState(at: now).statedHeight == 3.2)
        try service.setVehicle(change(height: 4.3), at: now)
        #expect(service.vehicle.height == 4.3 && service.vehicleState(at: now).statedHeight == nil)
        try service.setVehicle(change(height: 3), at: now)
        #expect(service.vehicle.height == 4.3, "the tallest since the last confirmation")
        try service.setVehicle(change(confirms: true), at: now)
        #expect(service.vehicle.height == 3 && service.vehicleState(at: now).statedHeight == nil)
        #expect(service.vehicleState(at: now).certainty == .confirmed)
    }

    @Test("a confirmation ends after a day, and then the daemon is degraded without any fix")
    func expires() throws {
        let service = try start()
        try service.setVehicle(change(height: 4, confirms: true), at: now)
        #expect(service.degradations == [])
        let due = try #require(service.nextWake)
        #expect(due >= now + Self.day && due <= now + Self.day + .seconds(120))
        service.wallClock = { Self.wall + Self.day + .seconds(61) }
        service.wake(at: due)
        #expect(service.degradations == [.heightNotConfirmed])
        #expect(service.vehicle.height == 4, "the last value stays in force")
        try service.setVehicle(change(confirms: true), at: due)
        #expect(service.degradations == [])
    }

    private func report(at time: UTCTime) -> PositionReport {
        PositionReport(
            time: time, hasFix: true, coordinate: Coordinate(latitude: 48, longitude: 11),
            error: 5, speed: 0, course: 90)
    }

    @Test("a confirmation of a clock that was years ahead counts for nothing once that is right")
    func confirmedAhead() throws {
        for (ahead, degradations) in [
            (TimeSpan.seconds(3_000), []), (Self.day, [Trouble.heightNotConfirmed]),
        ] {
            let service = try start()
            service.wallClock = { Self.wall + ahead }
            try service.setVehicle(change(height: 4, confirms: true), at: now)
            #expect(service.degradations == [])
            service.wallClock = { Self.wall + .seconds(60) }
            service.receive(report(at: Self.wall), at: now + .seconds(60))
            #expect(service.degradations == degradations)
            #expect((service.engine.vehicle.confirmedAt == nil) == (degradations != []))
        }
    }

    @Test("where a drive of years ago is played a confirmation counts for a day all the same")
    func played() throws {
        let past = UTCTime(nanoseconds: 1_500_000_000_000_000_000)
        var service = try start()
        try service.setVehicle(change(height: 4, confirms: true), at: now)
        service.receive(report(at: past), at: now + .seconds(1))
        #expect(service.degradations == [] && service.engine.vehicle.confirmedAt != nil)
        service = try start()
        service.receive(report(at: past + .seconds(2)), at: now + .seconds(3))
        #expect(service.degradations == [] && service.engine.vehicle.confirmedAt != nil)
        let due = try #require(service.nextWake)
        service.wallClock = { Self.wall + (due - self.now) }
        service.wake(at: due)
        #expect(service.degradations == [] && due < now + Self.day)
        let later = now + Self.day + .seconds(120)
        service.wallClock = { Self.wall + (later - self.now) }
        service.wake(at: later)
        #expect(service.degradations == [.heightNotConfirmed])
        #expect(service.engine.vehicle.confirmedAt == nil)
    }

    @Test("where the settings ask for no confirmation a height of theirs is certain")
    func noConfirmation() throws {
        let service = try start {
            $0.vehicle.standard = Vehicle(height: 3.5, setBy: "settings")
            $0.vehicle.needsConfirmation = false
            $0.engine.approach.confirmationLifetime = TimeSpan(nanoseconds: .max)
        }
        #expect(service.vehicleState(at: now).certainty == .confirmed && service.degradations == [])
    }

    @Test(
        "an unset height is a trouble where there are hazards, which are known also where it is set",
        arguments: [false, true])
    func unset(isSet: Bool) throws {
        let service = try start()
        if isSet { try service.setVehicle(change(height: 4, confirms: true), at: now) }
        let fence = Fence(
            id: "a",
            area: try Area(.circle(center: Coordinate(latitude: 48, longitude: 11), radius: 50)))
        _ = try service.apply(upserts: [fence], removing: [], at: now)
        #expect(service.degradations == [])
        var hazard = fence
        hazard.id = "b"
        hazard.approach = Approach(limits: Limits([.height: 3.9]), course: .cone(direction: nil))
        _ = try service.apply(upserts: [hazard], removing: [], at: now)
        #expect(service.degradations == [], "not known before the first fix")
        #expect(!service.vehicleState(at: now).hasHazards)
        service.receive(
            PositionReport(
                time: Self.wall, hasFix: true,
                coordinate: Coordinate(latitude: 48.01, longitude: 11), error: 5, speed: 0,
                course: nil), at: now + .seconds(1))
        #expect(service.degradations == (isSet ? [] : [.vehicleUnset]))
        #expect(service.vehicleState(at: now).hasHazards)
        try service.setVehicle(change(height: 4, confirms: true), at: now + .seconds(2))
        #expect(service.degradations == [])
        #expect(service.vehicleState(at: now).hasHazards)
    }

    @Test(
        "nothing is changed by what is refused",
        arguments: [
            (0.5, false, VehicleRefusal.value("height_m 0.5 is outside 1.0…6.0 m")),
            (nil, true, VehicleRefusal.nothingToConfirm),
        ])
    func refused(height: Double?, confirms: Bool, refusal: VehicleRefusal) throws {
        let service = try start()
        #expect(throws: refusal) {
            try service.setVehicle(change(height: height, confirms: confirms), at: now)
        }
        #expect(service.vehicle == Vehicle())
        #expect(try start().vehicle == Vehicle())
    }

    @Test("what cannot be stored is in force all the same, and the caller is told")
    func notKept() throws {
        let service = try start()
        // A directory in the place of the file that is written first.
        mkdir(directory.file("vehicle.new"), 0o700)
        #expect(throws: VehicleNotKept.self) {
            try service.setVehicle(change(height: 4, confirms: true), at: now)
        }
        #expect(service.vehicle.height == 4)
        #expect(service.degradations.contains(.vehicleFile))
    }

    @Test("a damaged file is a state until the vehicle is set again, and the settings hold")
    func damaged() throws {
        directory.write("{}", to: "vehicle")
        var said: [TroubleChange] = []
        let service = try MonitoringService(
            settings: MonitoringSettings(),
            store: try Store(directory: directory.path, bootID: nil), bootID: nil,
            checkpoint: nil, trouble: { said.append($1) })
        service.start(at: now)
        #expect(service.vehicle == Vehicle())
        let why = "\(directory.file("vehicle")): does not describe a vehicle"
        #expect(said == [.began(why)] && service.degradations == [.vehicleFile])
        try service.setVehicle(change(height: 4, confirms: true), at: now)
        #expect(said == [.began(why), .ended] && service.degradations.isEmpty)
    }
}
