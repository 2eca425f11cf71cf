import Geodesy
import Law
import Model
import Time

/// An hour or so of driving and standing, in which the receiver has holes, jumps and other clocks, and the
/// ignition is switched, or not.
struct TripDrive: CustomStringConvertible {
    struct Fix {
        /// Of its arrival.
        var second: Double
        /// By the receiver.
        var time: UTCTime
        var place: Coordinate
        var error: Double
        var speed: Double?
        /// The receiver is where it cannot have come to.
        var jumps = false
        /// The receiver has another clock from here on, ahead by so much, s.
        var leap = 0.0
    }

    let seed: UInt64
    private(set) var fences: [Fence] = []
    private(set) var inputs: [(input: Input, second: Double)] = []
    /// Of the inputs that are reports.
    private(set) var fixes: [Fix?] = []
    private(set) var settings = EngineSettings()
    let size: Int
    /// How probable a kill is after an input.
    let killing: Double

    var description: String { "seed \(seed)" }

    init(_ seed: UInt64, withIgnition: Bool = true) {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        size = [2, 3, 5, 20, 100][Int(seed % 5)]
        killing = seed % 4 == 0 ? 1 : 0.05
        settings.window.size = size
        settings.trips.areRecorded = true
        settings.trips.stand = .seconds([30, 120, 300][random.integer(0..<3)])
        settings.trips.every = .seconds([0, 7, 60, 600][random.integer(0..<4)])
        // Another law, and tried by itself.
        settings.gates.doubtfulFor = .zero
        let isSwitched = random.chance(0.6) && withIgnition
        drive(&random, isSwitched: isSwitched, statesSpeed: random.chance(0.75))
        fences = (0..<random.integer(3..<60)).compactMap { number in
            let fix = fixes[random.integer(0..<fixes.count)]
            let center = (fix?.place ?? Coordinate(latitude: 0, longitude: 0)).moved(
                by: random.uniform(0...200), toward: random.uniform(0...360))
            let radius = [40.0, 150, 600, 3_000][random.integer(0..<4)]
            return (try? Area(.circle(center: center, radius: radius))).map {
                Fence(id: "f\(number)", area: $0)
            }
        }
    }

    func tracker(_ store: MemoryFenceStore) -> Tracker {
        Tracker(engine: Engine(settings: settings, generation: store.generation), store: store) {
            _ in
        }
    }

    static func uptime(_ second: Double) -> Uptime {
        Uptime(nanoseconds: 1_000_000_000_000) + .seconds(second)
    }

    /// By a receiver whose clock is ahead by `lead` s.
    static func time(_ second: Double, _ lead: Double) -> UTCTime {
        UTCTime(nanoseconds: 1_700_000_000_000_000_000) + .seconds(second + lead)
    }

    private mutating func drive(
        _ random: inout SeededRandom, isSwitched: Bool, statesSpeed: Bool
    ) {
        var place = Coordinate(
            latitude: random.uniform(-60...60), longitude: random.uniform(-180...180))
        var (course, speed, second, lead, isOn) = (0.0, 0.0, 0.0, 0.0, false)
        // Of one second each, in a row.
        var steady = 0
        var left = 60
        for _ in 0..<2_400 {
            if left == 0 {
                speed = [0.0, 0, 0.6, 5, 14, 30][random.integer(0..<6)]
                left = random.integer(10..<120)
                if speed == 0, random.chance(0.4) { left = random.integer(5..<450) }
                course += random.uniform(-90...90)
                if isSwitched, random.chance(0.25) {
                    isOn.toggle()
                    inputs.append((.ignition(isOn), second))
                    fixes.append(nil)
                }
            }
            left -= 1
            var step = 1.0
            if steady > 5, random.chance(0.004) {
                step = [20.0, 29, 45, 200, 700][random.integer(0..<5)]
            }
            steady = step == 1 ? steady + 1 : 0
            second += step
            place = place.moved(by: speed * step, toward: course)
            var fix = Fix(
                second: second, time: Self.time(0, 0), place: place,
                error: random.uniform(3...20), speed: statesSpeed ? speed : nil)
            if steady > 90, random.chance(0.004) {
                steady = 0
                if random.chance(0.5) {
                    place = place.moved(by: 20_000, toward: course + 90)
                    (fix.place, fix.jumps) = (place, true)
                } else {
                    fix.leap = [-3_600.0, -40, 18, 3_600][random.integer(0..<4)]
                    lead += fix.leap
                }
            }
            fix.time = Self.time(second, lead)
            var report = PositionReport(
                time: fix.time, hasFix: true, coordinate: fix.place, error: fix.error,
                speed: fix.speed)
            report.course = nil
            inputs.append((.report(report), second))
            fixes.append(fix)
        }
    }
}
