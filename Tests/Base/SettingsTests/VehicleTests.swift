import Testing

@testable import Settings

@Suite("The profiles of a vehicle")
struct VehicleTests {
    @Test("a profile names what differs, in the units of the file")
    func reads() throws {
        let profiles = try VehicleProfile.list(
            "tractor height=3.8m; with-trailer height=4 length=16.5m weight=40t axle=11500kg ;"
        ).get()
        var tractor = VehicleDimensions()
        tractor.height = 3.8
        var combination = VehicleDimensions()
        combination.height = 4
        combination.length = 16.5
        combination.weight = 40
        combination.axleLoad = 11.5
        #expect(
            profiles == [
                VehicleProfile(name: "tractor", dimensions: tractor),
                VehicleProfile(name: "with-trailer", dimensions: combination),
            ])
    }

    @Test(
        "what is not a profile is refused with its place",
        arguments: [
            ("a b", "a: not height=, width=, length=, weight= or axle=: b"),
            ("a height=400m", "a: not from 1m to 6m: height=400m"),
            ("a height=4t", "a: not from 1m to 6m: height=4t"),
            ("a weight=", "a: not from 0.1t to 200t: weight="),
            ("a; a", "twice: a"), ("tr/x height=4m", "not a name of a profile: tr/x"),
            ((0...16).map { "p\($0);" }.joined(), "more than 16 profiles"),
        ])
    func refuses(text: String, reason: String) {
        var loaded = LoadedSettings()
        loaded.apply(Array("[Vehicle]\nProfiles=\(text)\n".utf8), file: "x.conf")
        #expect(loaded.settings.vehicle.profiles == "")
        #expect(loaded.problems.count == 1)
        #expect(loaded.problems.first.map { "\($0)".contains(reason) } == true)
    }

    @Test("without a setting the height is not known, and 4.2 m is assumed")
    func defaults() {
        let vehicle = Settings().vehicle
        #expect(vehicle.dimensions == VehicleDimensions())
        #expect(vehicle.assumedHeightMetres == 4.2)
        #expect(vehicle.profileList.isEmpty)
    }
}
