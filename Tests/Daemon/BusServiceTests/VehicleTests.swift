import Geofence1
import Glibc
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite("SetVehicle", .serialized)
struct VehicleTests {
    private func vehicle(_ fixture: ServiceFixture) throws -> String {
        try #require(try fixture.property("Vehicle"))
    }

    @Test("sets what is given, and Vehicle is signalled with its value")
    func sets() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        let listener = try Listener(client, fixture.loop)
        #expect(
            try vehicle(fixture)
                == #"a{sv} 6 "assumed_height_m" d 4.2 "certainty" s "assumed" "profile" s "" "#
                + #""profiles" as 0 "hazards" b false "set_by" s """#)
        let set = try fixture.call(
            client, "SetVehicle",
            [
                .dictionary([
                    ("height_m", .double(4.05)), ("weight_t", .double(40)),
                    ("confirm", .bool(true)),
                ])
            ])
        #expect(set.success == [])
        #expect(
            fixture.monitoring.vehicle.height == 4.05 && fixture.monitoring.vehicle.weight == 40)
        #expect(fixture.monitoring.vehicle.setBy == "uid \(geteuid())")
        #expect(try vehicle(fixture).contains(#""certainty" s "confirmed""#))
        #expect(
            try fixture.loop.run {
                listener.all("PropertiesChanged").contains {
                    $0[1].asDictionary?["Vehicle"]?.asDictionary?["height_m"] == .double(4.05)
                }
            })
        #expect(fixture.log.last?.hasSuffix(": height 4.05 m, weight 40.0 t") == true)
    }

    @Test(
        "what is not known or out of range is refused, and nothing is set",
        arguments: [
            ("height_m", BusValue.double(40), "height_m 40.0 is outside 1.0…6.0 m"),
            ("height_m", .double(.nan), "height_m is no number"),
            ("width_m", .string("2"), "width_m is no number"),
            ("axle_load_t", .double(0), "axle_load_t 0.0 is outside 0.1…200.0 t"),
            ("heigth_m", .double(4), "unknown: heigth_m"),
            ("confirm", .string("yes"), "confirm is no boolean"),
            ("profile", .double(1), "profile is no string"),
            ("profile", .string("train"), "no profile \"train\"; there are: none"),
        ])
    func refused(key: String, value: BusValue, message: String) throws {
        let (fixture, client) = try ServiceFixture.withClient()
        let answer = try fixture.call(
            client, "SetVehicle", [.dictionary([("length_m", .double(12)), (key, value)])])
        #expect(answer.failure?.name == BusError.invalidArguments)
        #expect(answer.failure?.message == message)
        #expect(fixture.monitoring.vehicle == Vehicle())
    }

    @Test("an empty call, and a confirmation of nothing, are refused")
    func empty() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        for (values, message) in [
            ([], "nothing to set"),
            ([("confirm", BusValue.bool(true))], "there is no height to confirm"),
        ] {
            let answer = try fixture.call(client, "SetVehicle", [.dictionary(values)])
            #expect(answer.failure?.message == message)
        }
    }

    @Test("what cannot be kept is in force, and the caller is told")
    func notKept() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        mkdir(fixture.state.file("vehicle.new"), 0o700)
        let answer = try fixture.call(
            client, "SetVehicle", [.dictionary([("height_m", .double(4))])])
        #expect(answer.failure?.name == Geofence1.Failure.degraded.name)
        #expect(answer.failure?.message.hasPrefix("in force, but lost") == true)
        #expect(fixture.monitoring.vehicle.height == 4)
    }
}
