import Geodesy
package import Model
import Time

/// An event that has every field of the table.
package enum WholeEvent {
    /// With another value in each.
    package static let logged: LoggedEvent = {
        var whole = told
        whole.event.odometer = 123_456.7
        whole.event.way = WayDetails()
        whole.event.way?.metres = 4_321.5
        whole.event.way?.bound = 53.2
        whole.event.way?.gap = 812.3
        whole.event.way?.newPaths = 2
        whole.event.terms = TermsDetails()
        whole.event.terms?.speedLimit = 50
        whole.event.terms?.speedUnit = "mph"
        whole.event.terms?.highestSpeed = 71.25
        whole.event.terms?.length = .seconds(12.5)
        whole.event.terms?.stopped = false
        whole.event.terms?.eta = UTCTime(nanoseconds: 1_795_159_000_000_000_000)
        whole.event.trip = TripDetails(
            from: TripPlace(fence: "depot", title: "Depot", metadata: #"{"height":4.5}"#),
            to: TripPlace(fence: "dock", title: "Dock 3", metadata: #"{"height":3.5}"#), stops: 4)
        whole.event.terms?.byWheels = true
        whole.driver = "jane"
        return whole
    }()

    private static let told = LoggedEvent(
        seq: 42,
        event: Event(
            kind: .exit, fence: "a", title: "A",
            time: UTCTime(nanoseconds: 1_795_158_843_420_000_000),
            fixTime: UTCTime(nanoseconds: 1_795_158_850_000_000_000), presence: .outside,
            inferred: true, reason: .fenceRemoved, distance: 12.25, error: 5, speed: 22, course: 87,
            coordinate: Coordinate(latitude: 48.125, longitude: -11.5), stay: .seconds(3725.5),
            announced: false, metadata: #"{"height":3.5}"#,
            approach: ApproachDetails(
                kind: .height, limit: 4.1, sign: "13'6\"", basis: .signedActual, date: "2024",
                source: "a list", condition: "Mo-Fr", isDoubtful: true, vehicle: 4.2,
                certainty: .confirmed, margin: 0.15, shortBy: 0.25, toGo: 812.5, toGoTime: 40,
                toEscape: -3.5, escape: Approach.Escape(road: "Mill Lane", side: .left),
                road: "High Street", chance: 0.475, way: .corridor, group: 1),
            evidence: Evidence(
                distance: 12.34, error: 5, inradius: 300, buffer: 30, proofBound: -7.25, run: 64,
                settled: .seconds(10.5)),
            beacon: BeaconEvidence(
                beacon: .eddystone(BeaconNamespace(high: 1, low: 2), instance: 3), level: -71.25,
                sightings: 7, gap: .seconds(0.984), silence: .seconds(35.1),
                patience: .seconds(30), way: 612.5)),
        bootID: "0123456789abcdef0123456789abcdef")
}
