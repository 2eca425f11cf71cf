import Glibc

/// What a monitor says of one hazard, from its warning until it takes it back.
struct Alarm {
    let hazard: Int
    /// s since the start of the drive; the first warning of any stage.
    let begin: Double
    /// When it was over; infinite where the drive ended before.
    var end = Double.infinity
    /// Why the corridor was left, and other words for the list of misses.
    var note = ""
    /// When it became urgent, where the monitor has stages.
    var urgent: Double?
    /// It was over because the hazard was passed, as the monitor says; nil where it does not say why.
    var isPassed: Bool?
}

/// Something that warns of hazards, given the fixes of one drive.
protocol Warner {
    mutating func take(_ fix: Fix)
    /// Everything said, in order of the beginnings.
    var alarms: [Alarm] { get }
}

/// The area in which a plain list of points warns.
enum Zone {
    /// Within so many metres.
    case circle(Double)
    /// Within so many metres and 30° of the course.
    case cone(Double)
    /// Within so many seconds at the present speed, at least 100 m and at most a mile, and 30°.
    case coneSeconds(Double)

    static let mile = 1609.0

    /// How far it reaches, m; and the half angle of a cone, degrees.
    func form(speed: Double) -> (reach: Double, half: Double) {
        switch self {
        case .circle(let radius): (radius, 360)
        case .cone(let radius): (radius, 30)
        case .coneSeconds(let seconds): (min(max(seconds * speed, 100), Self.mile), 30)
        }
    }
}

/// Warns of points by distance and bearing, with hysteresis (a tenth of the distance, and half the
/// angle again) and three fixes in a row for each change.
struct ZoneWarner: Warner {
    private let zone: Zone
    private let centres: [Point]
    private var run: [Int]
    private var open: [Int?]
    private(set) var alarms: [Alarm] = []

    init(_ zone: Zone, _ hazards: [Hazard]) {
        self.zone = zone
        centres = hazards.map(\.centre)
        run = Array(repeating: 0, count: hazards.count)
        open = Array(repeating: nil, count: hazards.count)
    }

    mutating func take(_ fix: Fix) {
        let (reach, half) = zone.form(speed: fix.speed)
        for hazard in centres.indices {
            let distance = fix.point.distance(to: centres[hazard])
            let off = angle(fix.course, fix.point.bearing(to: centres[hazard]))
            let isOpen = open[hazard] != nil
            let inside = distance <= reach * (isOpen ? 1.1 : 1) && off <= half * (isOpen ? 1.5 : 1)
            run[hazard] = inside == isOpen ? 0 : run[hazard] + 1
            guard run[hazard] == 3 else { continue }
            run[hazard] = 0
            if let alarm = open[hazard] {
                alarms[alarm].end = fix.time
                open[hazard] = nil
            } else {
                open[hazard] = alarms.count
                alarms.append(Alarm(hazard: hazard, begin: fix.time))
            }
        }
    }
}
