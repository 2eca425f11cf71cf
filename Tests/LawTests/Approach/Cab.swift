import EngineTestKit
import Geodesy
import Law
import Model
import Time

/// A drive along a straight road to the east, towards a low bridge that begins at x = 0 and ends at
/// x = 20; the road is `y` metres north of the axis.
struct Cab {
    var script: Script
    var now = 0.0

    init(_ fences: [Fence], height: Double? = 4.2) {
        var settings = EngineSettings()
        settings.vehicle = Vehicle(height: height)
        script = Script(fences, settings: settings)
    }

    /// Two legs that end at the bridge: 2600 m with `chance`, then 400 m with twice as much, at
    /// most 1.
    static func bridge(
        _ id: String = "b", limit: Double = 4, chance: Double = 0.4, escape: Double? = 300,
        turn: Approach.Turn? = nil, y: Double = 0, x: Double = 0, rivalsAt: [Double] = [],
        rivals: [[Coordinate]] = [], limits: Limits? = nil, section: Double = 20,
        isCut: Bool = false
    ) throws -> Fence {
        let far = line([-3_000, -1_000, -400], x: x, y: y)
        let near = line([-400, -100, 0], x: x, y: y)
        let legs = [
            Approach.Leg(
                endToGo: 0, chance: min(1, 2 * chance), escapeToGo: escape, turn: turn,
                road: "High Street",
                escape: escape.map { _ in Approach.Escape(road: "Mill Lane", side: .left) }),
            Approach.Leg(
                endToGo: 400, chance: chance, next: 0, escapeToGo: escape, turn: turn,
                isCut: isCut),
        ]
        return try tree(
            legs, id: id, along: [near, far],
            under: section > 0 ? [line([0, section], x: x, y: y)] : [],
            limits: limits ?? Limits([.height: limit], sign: "4", basis: .signed),
            rivals: rivals + rivalsAt.map { line([-3_000, 500], x: x, y: y + $0) })
    }

    /// Any tree of legs.
    static func tree(
        _ legs: [Approach.Leg], id: String = "b", along lines: [[Coordinate]],
        under section: [[Coordinate]], limits: Limits = Limits([.height: 4], basis: .signed),
        rivals: [[Coordinate]] = []
    ) throws -> Fence {
        Fence(
            id: id, area: try Area(.lines(lines + section, width: 2 * Approach.reach)),
            title: "Bridge \(id)",
            approach: Approach(limits: limits, course: .legs(legs), rivals: rivals))
    }

    static func line(_ xs: [Double], x: Double = 0, y: Double) -> [Coordinate] {
        xs.map { Script.place(x + $0, y) }
    }

    /// A fix a second, from `x` on, until the next would be beyond `end`.
    mutating func drive(
        from x: Double, to end: Double, speed: Double = 20, y: Double = 0, error: Double = 5,
        hasCourse: Bool = true
    ) {
        let forward = end >= x
        var at = x
        while forward ? at <= end : at >= end {
            fix(
                at, y, speed: speed, course: hasCourse ? (forward ? 90 : 270) : nil, error: error)
            at += forward ? speed : -speed
        }
    }

    /// The next second.
    mutating func fix(
        _ x: Double, _ y: Double = 0, speed: Double? = 20, course: Double? = 90,
        error: Double = 5, after seconds: Double = 1
    ) {
        now += seconds
        var report = Script.report(now, x: x, y: y, error: error, speed: speed)
        report.course = course
        script.send(report, arriving: now)
    }

    mutating func set(_ vehicle: Vehicle) {
        script.take(.vehicle(vehicle), at: now)
    }

    mutating func wait(_ seconds: Double) {
        script.wait(until: now + seconds)
    }

    /// `kind fence reason`, without `position-lost`.
    var told: [String] { script.told.filter { !$0.hasPrefix("position") } }

    var details: [ApproachDetails] { script.events.compactMap(\.approach) }
}
