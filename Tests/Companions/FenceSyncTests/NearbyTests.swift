import FenceSync
import Geodesy
import JSON
import Testing

@Suite struct NearbyTests {
    @Test("The metafence leaves time for the next fetch, and is never tiny")
    func radius() {
        #expect(Metafence.radius(reach: 50_000, fetching: 5, error: 10) == 48_590)
        #expect(Metafence.radius(reach: 1000, fetching: 5, error: 10) == 500)
        #expect(Metafence.radius(reach: 50_000, fetching: -5, error: -10) == 48_800)
    }

    @Test("The metafence is the first line of a stored set, and read again from it")
    func line() throws {
        let metafence = Metafence(latitude: -16.5, longitude: 179.99, radius: 4321)
        let feature = try JSONValue(parsing: metafence.line(of: "source/office"))
        #expect(Metafence(feature, of: "source/office") == metafence)
        #expect(Metafence(feature, of: "source/other") == nil)
        #expect(metafence.depth(of: Coordinate(latitude: -16.5, longitude: 179.99)) == 4321)
        #expect(metafence.depth(of: Coordinate(latitude: -16.5, longitude: -179.9)) < -7000)
    }

    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var geometry: String
        var isIn: Bool
    }

    @Test(
        "What a server must give lies in the asked area wholly, across 180 degrees too",
        arguments: [
            Place(
                testDescription: "near", geometry: #"{"coordinates":[179.95,-16.5]}"#, isIn: true),
            Place(
                testDescription: "beyond 180", geometry: #"{"coordinates":[-179.95,-16.5]}"#,
                isIn: true),
            Place(
                testDescription: "elsewhere", geometry: #"{"coordinates":[0,-16.5]}"#, isIn: false),
            Place(
                testDescription: "partly",
                geometry: #"{"coordinates":[[[179.9,-16.5],[179.95,-16.5],[150,-16.4]]]}"#,
                isIn: false),
            Place(
                testDescription: "wholly",
                geometry: #"{"coordinates":[[[179.9,-16.5],[179.95,-16.5],[-179.99,-16.4]]]}"#,
                isIn: true),
            Place(testDescription: "nowhere", geometry: #"{"coordinates":[]}"#, isIn: false),
        ])
    func asked(_ place: Place) throws {
        let area = AskedArea(
            latitude: -16.5, longitude: 179.99, reach: 20_000, SourceSettings.Nearby())
        #expect(area.box.isAcross)
        #expect(area.contains(try JSONValue(parsing: place.geometry)) == place.isIn)
    }

    @Test("With a distance the corners of the box are not asked for")
    func disc() {
        var nearby = SourceSettings.Nearby()
        nearby.distanceField = "Loc"
        nearby.maxRadius = 0
        let area = AskedArea(latitude: 0, longitude: 0, reach: 10_000, nearby)
        #expect(area.contains(["coordinates": [JSONValue(0.05), JSONValue(0.05)]]))
        #expect(!area.contains(["coordinates": [JSONValue(0.085), JSONValue(0.085)]]))
    }

    @Test("Outside the metafence a look is due after the pause; inside when the time is over")
    func due() {
        var state = SourceState()
        state.triedAt = 9_990
        state.checkedAt = 9_990
        func isDue(_ depth: Double?, now: Int64) -> Bool {
            SyncSchedule.isDue(state, depth: depth, pause: 60, every: 900, now: now)
        }
        #expect(!isDue(-1, now: 10_000))
        #expect(isDue(-1, now: 10_050))
        #expect(isDue(nil, now: 10_050))
        #expect(!isDue(1, now: 10_050))
        #expect(isDue(1, now: 10_890))
        // A clock that was set back.
        #expect(isDue(-1, now: 5_000))
        // A failure does not use up the pause, and has a wait of its own.
        state.failures = 1
        state.notBefore = 10_020
        #expect(!isDue(-1, now: 10_010))
        #expect(isDue(-1, now: 10_020))
    }
}
