import EngineTestKit
import Glibc

/// How fast the vehicles of the drives go.
enum Speeds {
    /// m/s on a straight piece of this road.
    static func usual(_ roads: Roads, _ edge: Int) -> Double {
        let way = roads.ways[roads.edges[edge].way]
        let speed: Double =
            switch way.road {
            case .motorway: 25
            case .trunk: 20
            case .primary: 16
            case .secondary: 14
            case .tertiary: 12
            case .residential: 9
            case .service: 4.5
            }
        return way.isLink ? min(speed, 14) * 0.8 : speed
    }

    /// m/s² with which a truck gains speed, and slows down.
    static let gain = 0.9
    static let brake = 1.4

    /// The most with which a turn of this angle at a junction is taken, m/s.
    static func turn(_ angle: Double) -> Double {
        switch angle {
        case ..<25: 40
        case ..<40: 14
        case ..<70: 9
        case ..<110: 6
        default: 4.5
        }
    }
}

/// What the vehicle really does at one moment.
struct Moment {
    /// s since the start.
    let time: Double
    /// m along the route.
    let way: Double
    /// Index into the route's edges, and m along that edge.
    let step: Int
    let offset: Double
    let speed: Double
}

/// A drive along a route: where the vehicle is when.
struct Drive {
    let route: [Int]
    /// By edge of the route: m from the start to its beginning; one more for the end.
    let starts: [Double]
    /// Every few metres: m along the route, s since the start.
    private let stations: [(way: Double, time: Double, speed: Double)]

    /// - Parameter factor: how the driver differs from the usual speeds.
    init(_ route: [Int], on roads: Roads, factor: Double) {
        self.route = route
        var starts = [0.0]
        var limits: [(way: Double, speed: Double)] = []
        for (index, edge) in route.enumerated() {
            let begin = starts[index]
            let length = roads.edges[edge].length
            let usual = Speeds.usual(roads, edge) * factor
            if index > 0 {
                limits.append((begin, min(usual, Self.passing(roads, route, index))))
            } else {
                limits.append((begin, 2))
            }
            for part in Swift.stride(from: 8.0, to: length, by: 8) {
                limits.append((begin + part, usual))
            }
            starts.append(begin + length)
        }
        limits.append((starts[route.count], 2))
        for index in limits.indices.dropFirst() {
            let way = limits[index].way - limits[index - 1].way
            let most = (limits[index - 1].speed * limits[index - 1].speed + 2 * Speeds.gain * way)
            limits[index].speed = min(limits[index].speed, most.squareRoot())
        }
        for index in limits.indices.dropLast().reversed() {
            let way = limits[index + 1].way - limits[index].way
            let most = limits[index + 1].speed * limits[index + 1].speed + 2 * Speeds.brake * way
            limits[index].speed = min(limits[index].speed, most.squareRoot())
        }
        var time = 0.0
        var stations: [(Double, Double, Double)] = []
        for (index, limit) in limits.enumerated() {
            if index > 0 {
                let way = limit.way - limits[index - 1].way
                time += 2 * way / (limit.speed + limits[index - 1].speed)
            }
            stations.append((limit.way, time, limit.speed))
        }
        self.starts = starts
        self.stations = stations
    }

    /// The speed with which the beginning of an edge is passed, m/s.
    private static func passing(_ roads: Roads, _ route: [Int], _ index: Int) -> Double {
        let angle = roads.turn(route[index - 1], route[index])
        if roads.isJunction[roads.edges[route[index]].from] { return Speeds.turn(angle) }
        // A bend: 2 m/s² sideways on the arc through the middles of both segments.
        let reach =
            (roads.edges[route[index - 1]].length + roads.edges[route[index]].length) / 2
        let radius = reach / max(angle * .pi / 180, 0.01)
        return max((2 * radius).squareRoot(), 4)
    }

    /// m
    var length: Double { starts[route.count] }
    /// s
    var duration: Double { stations[stations.count - 1].time }

    /// When a place of the route is reached, s.
    func time(at way: Double) -> Double {
        let index = stations.partition { $0.way >= way }
        guard index > 0 else { return 0 }
        guard index < stations.count else { return duration }
        let (a, b) = (stations[index - 1], stations[index])
        return a.time + (b.time - a.time) * (way - a.way) / max(b.way - a.way, 1e-9)
    }

    func moment(at time: Double) -> Moment {
        let index = min(max(stations.partition { $0.time >= time }, 1), stations.count - 1)
        let (a, b) = (stations[index - 1], stations[index])
        let share = min(max((time - a.time) / max(b.time - a.time, 1e-9), 0), 1)
        let way = a.way + (b.way - a.way) * share
        let step = min(max(starts.partition { $0 > way } - 1, 0), route.count - 1)
        return Moment(
            time: time, way: way, step: step, offset: way - starts[step],
            speed: a.speed + (b.speed - a.speed) * share)
    }
}

extension Array {
    /// The first index at which the condition holds, where it holds from some index on.
    func partition(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// What a receiver says of a moment.
struct Fix {
    /// s since the start of the drive.
    let time: Double
    let point: Point
    /// 95 % radius, m.
    let error: Double
    /// m/s
    let speed: Double
    /// Degrees.
    let course: Double
}

/// A receiver whose error wanders: each axis by itself, with a memory of 30 s.
struct Receiver {
    /// Standard deviation of an axis, m.
    let sigma: Double
    private var x: Double
    private var y: Double
    private var random: SeededRandom

    init(sigma: Double, seed: UInt64) {
        self.sigma = sigma
        random = SeededRandom(seed: seed)
        x = sigma * random.normal()
        y = sigma * random.normal()
    }

    /// The fixes of a drive, one a second.
    mutating func fixes(of drive: Drive, on roads: Roads) -> [(fix: Fix, moment: Moment)] {
        (0...Int(drive.duration)).map { second in
            let moment = drive.moment(at: Double(second))
            let edge = drive.route[moment.step]
            let memory = exp(-1.0 / 30)
            let fresh = sigma * (1 - memory * memory).squareRoot()
            x = memory * x + fresh * random.normal()
            y = memory * y + fresh * random.normal()
            let place = roads.point(edge, at: moment.offset)
            let sway = atan2(0.3, max(moment.speed, 0.3)) * 180 / .pi
            let course = roads.edges[edge].bearing + sway * random.normal()
            return (
                Fix(
                    time: Double(second), point: Point(x: place.x + x, y: place.y + y),
                    error: 2.45 * sigma,
                    speed: max(moment.speed + 0.15 * random.normal(), 0),
                    course: fmod(course + 720, 360)),
                moment
            )
        }
    }
}
