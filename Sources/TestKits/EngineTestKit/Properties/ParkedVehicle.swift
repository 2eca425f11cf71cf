package import Geodesy
import Glibc
import Law
package import Model
import Time

/// A parked vehicle, and fences at every distance from it: no receiver that is honest about its
/// error may make any of them flap.
package struct ParkedVehicle {
    /// The deviation of the fix from the vehicle and the error that the receiver states, m. Honest
    /// if the deviation never exceeds the error.
    package typealias Drift = (_ seconds: Double) -> (east: Double, north: Double, error: Double)

    package static let week = Property("a parked vehicle never flaps, whatever its error") {
        #if DEBUG || EMULATED
            flaw(seed: $0, days: 1)
        #else
            flaw(seed: $0, days: 7)
        #endif
    }

    package let place: Coordinate
    package let fences: [Fence]
    /// Distances of the fences from the parked vehicle, m, negative inside.
    package let distances: [String: Double]

    package init(at place: Coordinate, _ random: inout SeededRandom) {
        self.place = place
        var fences: [Fence] = []
        let wanted: [Double] = [
            -250, -110, -60, -31, -20, -10, -4, -1, 0, 1, 4, 10, 20, 31, 60, 110, 250,
        ]
        for (index, distance) in wanted.shuffled(using: &random).prefix(8).enumerated() {
            let radius =
                [15, 40, 150, 600].filter { $0 + distance > 1 }
                .randomElement(using: &random) ?? 600
            let shape = random.integer(0..<3)
            if let area = Self.area(
                shape, radius: radius, at: place, distance: distance, random.uniform(0...360))
            {
                fences.append(Fence(id: "f\(index)", area: area))
            }
        }
        self.fences = fences
        let point = SurfacePoint(place)
        distances = Dictionary(
            fences.map { ($0.id, $0.area?.signedDistance(to: point) ?? .infinity) }
        ) { first, _ in first }
    }

    /// An area of this inradius whose boundary is `distance` from the place.
    private static func area(
        _ shape: Int, radius: Double, at place: Coordinate, distance: Double, _ bearing: Double
    ) -> Area? {
        let center = place.moved(by: radius + distance, toward: bearing)
        switch shape {
        case 0:
            return try? Area(.circle(center: center, radius: radius))
        case 1:
            let ring = [-45.0, 45, 135, 225, -45].map {
                center.moved(by: radius * 2.0.squareRoot(), toward: bearing + $0)
            }
            return try? Area(.polygons([[ring]]))
        default:
            let line = [-90.0, 90].map { center.moved(by: 2000, toward: bearing + $0) }
            return try? Area(.corridor(line: line, width: 2 * radius))
        }
    }

    /// Runs for the given time and returns what flapped. Before it, the vehicle drives `approach`
    /// metres at 12 m/s, with the first error of the drift.
    package func flaw(
        seconds: Double, interval: Double, approach: Double, statesSpeed: Bool,
        drift: Drift
    ) -> String? {
        let store = MemoryFenceStore(fences)
        var tracker = Tracker.fresh(store, size: 64)
        let start = UTCTime(nanoseconds: 1_700_000_000_000_000_000)
        var openings: [String: Int] = [:]
        let steps = Int(seconds / interval)
        let driven = Int(approach / (12 * interval))
        var (metres, gains): (Double?, Int) = (nil, 0)
        for step in -driven..<max(steps, 1) {
            let time = Double(step) * interval
            let seen = drift(max(time, 0))
            let truth = step < 0 ? place.moved(by: -time * 12, toward: 200) : place
            let report = PositionReport(
                time: start + .seconds(time), hasFix: true,
                coordinate: truth.moved(east: seen.east, north: seen.north),
                error: seen.error, speed: statesSpeed ? (step < 0 ? 12 : 0) : nil)
            let now = Uptime(nanoseconds: 1_000_000_000_000_000) + .seconds(time)
            for event in tracker.events(.report(report), at: now) where step >= 0 {
                // Events of the approach may be recorded when the vehicle has already stopped.
                if approach > 0, event.time <= start { continue }
                guard let fence = event.fence, let distance = distances[fence] else { continue }
                let place = "\(distance) m from the boundary, after \(time) s: \(event)"
                switch event.kind {
                case .enter, .initial:
                    openings[fence, default: 0] += 1
                    if openings[fence] == 2 { return "a second opening \(place)" }
                case .exit:
                    if distance <= 0 { return "an exit that is not true \(place)" }
                    if approach == 0 { return "an exit without having moved \(place)" }
                default: break
                }
            }
            guard step >= 0 else { continue }
            let shown = tracker.engine.odometer.reading.metres
            if let metres, shown != metres { gains += 1 }
            metres = shown
        }
        // Up to where it stands may be counted once it does.
        if gains > (approach > 0 ? 1 : 0) { return "gained metres \(gains) times" }
        let refused = tracker.engine.counters.refused.reduce(0, +)
        return refused == 0 ? nil : "\(refused) honest fixes refused"
    }

    private static func flaw(seed: UInt64, days: Double) -> String? {
        var random = SeededRandom(seed: seed)
        let place = Coordinate(
            latitude: random.uniform(-70...70), longitude: random.uniform(-180...180))
        let vehicle = ParkedVehicle(at: place, &random)
        let interval = [5.0, 10, 15, 29][random.integer(0..<4)]
        let approach = random.chance(0.5) ? 0.0 : 1200
        let statesSpeed = random.chance(0.5)
        var drift = HonestDrift(random)
        let story = "\(drift.story), a fix every \(interval) s, \(approach) m driven before"
        return vehicle.flaw(
            seconds: days * 86_400, interval: interval, approach: approach,
            statesSpeed: statesSpeed
        ) { drift.step(to: $0) }.map { "\(story): \($0)" }
    }
}

extension Coordinate {
    /// The point this many metres to the east and to the north.
    package func moved(east: Double, north: Double) -> Coordinate {
        moved(
            by: (east * east + north * north).squareRoot(), toward: atan2(east, north) * 180 / .pi)
    }
}
