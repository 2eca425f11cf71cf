import SystemTestKit
import Systemd
import Testing
import Time

@testable import CANGateway
@testable import VehicleBus

enum VehicleTime {
    static func at(_ second: Int) -> Uptime { Uptime(nanoseconds: 0) + .seconds(Double(second)) }
}

/// Against the kernel of this machine, which has no interface of that name; with one, on a virtual
/// machine: Tests/Can.
@MainActor
@Suite("the listener")
struct CANListenerTests {
    @Test("without the interface it waits, in a state with a name, and does not end")
    func missing() throws {
        let loop = try EventLoop()
        var states: [CANListener.State] = []
        var ignitions: [Bool?] = []
        var settings = CANSettings()
        settings.interface = "no-such-can"
        let listener = try CANListener(
            loop, settings,
            .init(
                moved: { _ in Issue.record("moved") }, ignition: { ignitions.append($0) },
                state: { state, _ in states.append(state) }))
        #expect(try loop.run(until: { !states.isEmpty }))
        // A kernel without CAN says that it does not know the family.
        #expect(states == [.noInterface] || states == [.failed])
        #expect(listener.state == states.last)
        #expect(ignitions == [nil])
        _ = try loop.run(seconds: 2) { states.count > 1 }
        #expect(states.count == 1, "the same state is not told again")
    }

    @Test("what it hears is on the bus, the ignition is read, and where unknown refused")
    func object() throws {
        let loop = try EventLoop()
        let bus = PrivateBus()
        let connection = try bus.connect(loop)
        var isReady = false
        let object = try CANObject(
            connection, interface: "vcan0", counters: { (3, 1) }, ready: { isReady = true },
            failed: { Issue.record("\($0)") })
        #expect(try loop.run { isReady })
        let client = try bus.connect(loop)
        var told: [BusValue] = []
        let slot = try client.subscribe(
            BusMatch(
                sender: CANObject.name, path: CANObject.path, interface: CANObject.name,
                member: "VehicleMotion")
        ) { told.append((try? $0.values(limits: .call))?.first ?? .bool(false)) }
        defer { _ = slot }
        var motion = BusMotion(speed: 10, isStanding: false, odometer: nil, odometerSource: "")
        #expect(
            try loop.run {
                object.tell(motion)
                return !told.isEmpty
            })
        let fields = try #require(told.last?.asDictionary)
        #expect(fields["speed_mps"]?.asDouble == 10)
        #expect(fields["standing"]?.asBool == false)
        #expect(fields["odometer_m"] == nil)
        (motion.odometer, motion.odometerSource) = (1_234_567.5, "65217/EE")
        #expect(
            try loop.run {
                object.tell(motion)
                return told.last?.asDictionary?["odometer_m"] != nil
            })
        #expect(told.last?.asDictionary?["odometer_m"]?.asDouble == 1_234_567.5)
        #expect(told.last?.asDictionary?["odometer_source"]?.asString == "65217/EE")

        func ignition() throws -> Result<BusValue?, BusError> {
            var answer: Result<BusValue?, BusError>?
            let peer = BusPeer(
                destination: CANObject.name, path: CANObject.path,
                interface: "org.freedesktop.DBus.Properties")
            let call = try client.call(
                peer, "Get", [.string("org.geofenced.Can1.Ignition"), .string("On")]
            ) { answer = $0.map { (try? $0.values(limits: .call))?.first } }
            defer { _ = call }
            try #require(try loop.run { answer != nil })
            return try #require(answer)
        }
        #expect(throws: BusError.self) { _ = try ignition().get() }
        object.tell(ignition: true)
        #expect(try ignition().get()?.asBool == true)
        object.tell(ignition: nil)
        #expect(throws: BusError.self) { _ = try ignition().get() }
    }
}
