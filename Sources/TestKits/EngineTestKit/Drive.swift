import Geodesy
import Model
import Time

/// A vehicle and its receiver: a course that bends, stops and starts again, errors that change
/// slowly, and everything that goes wrong with receivers: outages, jumps, repeated epochs, clocks
/// that start again, fixes out of range.
struct Drive {
    var random: SeededRandom
    /// Where the vehicle really was, per report.
    private(set) var truth: [Coordinate] = []

    private var position: Coordinate
    private var course: Double
    private var speed = 0.0
    private var target = 0.0
    private var time: Int64
    private var uptime: Int64 = 1_000_000_000_000
    private var offset = (east: 0.0, north: 0.0)

    init(origin: Coordinate, random: SeededRandom) {
        position = origin
        self.random = random
        course = Double.random(in: 0..<360, using: &self.random)
        time = Int64.random(in: 1_000_000_000...1_900_000_000, using: &self.random) * 1_000_000_000
    }

    mutating func run(steps: Int) -> (reports: [PositionReport], arrivals: [Uptime]) {
        var reports: [PositionReport] = []
        var arrivals: [Uptime] = []
        let interval: Double =
            [0.1, 0.5, 1, 1, 1, 2, 5, 10, 25, 40, 70].randomElement(using: &random) ?? 1
        let error: Double = [0.5, 3, 5, 15, 30, 60].randomElement(using: &random) ?? 5
        let hasSpeed = Int.random(in: 0..<4, using: &random) > 0
        target = Double.random(in: 0...40, using: &random)
        var jump = 0
        for _ in 0..<steps {
            let pause = Int.random(in: 0..<60, using: &random) == 0
            step(pause ? Double.random(in: 20...90, using: &random) : interval)
            if Int.random(in: 0..<120, using: &random) == 0 { rebase() }
            if jump == 0, Int.random(in: 0..<70, using: &random) == 0 {
                jump = Int.random(in: 1...4, using: &random)
            }
            var report = observe(error: error, hasSpeed: hasSpeed)
            if jump > 0 {
                jump -= 1
                report.coordinate = position.moved(by: 20_000 + speed, toward: 77)
            }
            spoil(&report)
            reports.append(report)
            arrivals.append(Uptime(nanoseconds: uptime))
            truth.append(position)
            if Int.random(in: 0..<30, using: &random) == 0 {
                reports.append(report)
                arrivals.append(Uptime(nanoseconds: uptime))
            }
        }
        return (reports, arrivals)
    }

    private mutating func step(_ seconds: Double) {
        if Int.random(in: 0..<25, using: &random) == 0 {
            let choices = [0, 2, 10, 25, 45]
            target = Double(choices.randomElement(using: &random) ?? 10)
        }
        let change = max(-3 * seconds, min(3 * seconds, target - speed))
        speed += change
        course += Double.random(in: -12...12, using: &random) * min(seconds, 5)
        if Int.random(in: 0..<40, using: &random) == 0 { course += 180 }
        position = position.moved(by: speed * seconds, toward: course)
        let nanoseconds = Int64(seconds * 1e9)
        time += nanoseconds
        uptime += nanoseconds
    }

    private mutating func rebase() {
        let shifts: [Int64] = [-3600, -619_315_200, 7200, 45, -20, 18, -18, 6, -3, 1]
        time += (shifts.randomElement(using: &random) ?? 0) * 1_000_000_000
    }

    private mutating func observe(error: Double, hasSpeed: Bool) -> PositionReport {
        offset.east = 0.9 * offset.east + Double.random(in: -0.2...0.2, using: &random) * error
        offset.north = 0.9 * offset.north + Double.random(in: -0.2...0.2, using: &random) * error
        let seen = position.moved(by: offset.east.magnitude, toward: offset.east < 0 ? 270 : 90)
            .moved(by: offset.north.magnitude, toward: offset.north < 0 ? 180 : 0)
        let varying = error * Double.random(in: 0.7...1.3, using: &random)
        return PositionReport(
            time: UTCTime(nanoseconds: time), hasFix: true, coordinate: seen,
            error: Int.random(in: 0..<20, using: &random) == 0 ? nil : varying,
            speed: hasSpeed ? speed : nil, course: hasSpeed ? course : nil)
    }

    private mutating func spoil(_ report: inout PositionReport) {
        switch Int.random(in: 0..<90, using: &random) {
        case 0: report.hasFix = false
        case 1: report.error = 300
        case 2: report.coordinate = Coordinate(latitude: 91, longitude: 181)
        case 3: report.coordinate?.latitude = .nan
        case 4: report.time = nil
        case 5, 6:
            let leads = [-3600, -18, -1, 0.7, 6, 18, 29, 3600]
            let lead = leads.randomElement(using: &random) ?? 18
            report.time = report.time.map { $0 + .seconds(lead) }
        default: break
        }
    }
}
