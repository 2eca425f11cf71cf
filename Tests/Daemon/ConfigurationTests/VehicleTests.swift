import Law
import Model
import Monitoring
import Testing
import Time

@testable import Configuration
@testable import Settings

@Suite("The profiles of a vehicle")
struct VehicleTests {
    @Test("a profile names what differs, in the units of the file")
    func reads() throws {
        let profiles = try VehicleProfiles.read(
            "tractor height=3.8m; with-trailer height=4 length=16.5m weight=40t axle=11500kg ;")
        #expect(
            profiles == [
                Vehicle(profile: "tractor", height: 3.8),
                Vehicle(
                    profile: "with-trailer", height: 4, length: 16.5, weight: 40, axleLoad: 11.5),
            ])
        #expect(
            VehicleProfiles.text(profiles)
                == "tractor height=3.8m; with-trailer height=4m length=16.5m weight=40t axle=11.5t")
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
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array("[Vehicle]\nProfiles=\(text)\n".utf8), file: "x.conf")
        #expect(loaded.settings.monitoring.vehicle.profiles.isEmpty)
        #expect(loaded.problems.count == 1)
        #expect(loaded.problems.first.map { "\($0)".contains(reason) } == true)
    }

    @Test("without a setting the height is not known, and 4.2 m is assumed")
    func defaults() {
        let settings = Settings().forMonitoring(arrivalIsDerived: false)
        #expect(settings.vehicle.standard == Vehicle() && settings.vehicle.profiles.isEmpty)
        #expect(settings.engine.approach.assumedHeight == 4.2)
    }

    @Test("a height that is set is of the settings; with 0 it need not be confirmed")
    func confirmed() {
        var loaded = LoadedSettings(Settings.table)
        loaded.apply(Array("[Vehicle]\nHeightM=4m\nConfirmWithinSec=0\n".utf8), file: "x.conf")
        let settings = loaded.settings.forMonitoring(arrivalIsDerived: false)
        #expect(settings.engine.vehicle == Vehicle(height: 4, setBy: "settings"))
        #expect(!settings.vehicle.needsConfirmation)
        #expect(settings.engine.approach.confirmationLifetime.nanoseconds == .max)
    }
}
