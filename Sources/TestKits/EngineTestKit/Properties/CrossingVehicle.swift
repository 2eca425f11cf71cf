import Geodesy
import Glibc
import Law
import Model
import Time

/// A vehicle that drives straight through a convex fence: it enters once and leaves once.
package enum CrossingVehicle {
    package static let pass = Property("a crossing is one enter and one exit") { seed in
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            if let drive = Pass(&random) { return drive.flaw(&random) }
        }
        return "no crossing could be made"
    }

    private struct Pass {
        let speed: Double
        let interval: Double
        let error: Double
        let bearing: Double
        let entry: Coordinate
        let length: Double
        let area: Area
        /// How fast the receiver's error turns: slowly compared with the crossing.
        let mistake: (size: Double, angle: Double)
        let statesSpeed: Bool
        /// Turn of the error over the whole drive, radians.
        private static let turn = 0.03

        /// Nil if the observed path does not run inside for long enough.
        init?(_ random: inout SeededRandom) {
            speed = random.uniform(3.3...60)
            interval = [0.1, 0.2, 0.5, 1, 2, 5, 10][random.integer(0..<7)]
            error = random.uniform(3...50)
            bearing = random.uniform(0...360)
            mistake = (random.uniform(0...0.95) * error, random.uniform(0...6.28))
            let center = Coordinate(
                latitude: random.uniform(-75...75), longitude: random.uniform(-180...180))
            let radius = exp(random.uniform(log(8)...log(400)))
            guard let area = Self.area(random.integer(0..<3), center, radius, bearing, &random)
            else { return nil }
            self.area = area
            let aside = random.uniform(-1...1) * radius
            // Far enough out at both ends to prove exit and enter for every shape.
            length = 2 * (2.5 * radius + 400 + 4 * error + 2 * speed * interval)
            entry = center.moved(by: aside, toward: bearing + 90)
                .moved(by: length / 2, toward: bearing + 180)
            // Motion shown by distances alone needs them to exceed the errors within 10 s.
            statesSpeed = random.chance(0.7) || 10 * speed < 2.5 * error || interval > 5
            guard let radius = area.inradii.first else { return nil }
            for turn in [0, Self.turn / 2, Self.turn] {
                guard let chord = seenChord(after: turn), chord >= 1.02 * min(radius, error) + 0.3
                else { return nil }
            }
        }

        /// Length of the path inside if the error stayed as it is after this turn.
        private func seenChord(after turn: Double) -> Double? {
            let angle = mistake.angle + turn
            let seen = entry.moved(
                east: mistake.size * sin(angle), north: mistake.size * cos(angle))
            let path = PathSegment(
                from: SurfacePoint(seen), to: SurfacePoint(seen.moved(by: length, toward: bearing)))
            let crossings = area.crossings(of: path)
            guard crossings.count == 2 else { return nil }
            return (crossings[1] - crossings[0]) * path.length
        }

        private static func area(
            _ shape: Int, _ center: Coordinate, _ radius: Double, _ bearing: Double,
            _ random: inout SeededRandom
        ) -> Area? {
            let turn = random.uniform(0...360)
            switch shape {
            case 0: return try? Area(.circle(center: center, radius: radius))
            case 1:
                let narrow = random.uniform(20...90)
                let corners = [0, narrow, 180, 180 + narrow, 0]
                return try? Area(
                    .polygons([[corners.map { center.moved(by: radius, toward: turn + $0) }]]))
            default:
                let across = bearing + 90 + random.uniform(-30...30)
                let line = [0.0, 180].map { center.moved(by: 3 * radius, toward: across + $0) }
                return try? Area(.corridor(line: line, width: radius))
            }
        }

        func flaw(_ random: inout SeededRandom) -> String? {
            let store = MemoryFenceStore([Fence(id: "f", area: area)])
            var tracker = Tracker.fresh(store)
            var events: [Event] = []
            let steps = Int(length / (speed * interval)) + 1
            let phase = random.unit() * interval
            for step in 0...steps {
                let time = Double(step) * interval + phase
                let truth = entry.moved(by: time * speed, toward: bearing)
                let angle = mistake.angle + Self.turn * time * speed / length
                let report = PositionReport(
                    time: UTCTime(nanoseconds: 1_700_000_000_000_000_000) + .seconds(time),
                    hasFix: true,
                    coordinate: truth.moved(
                        east: mistake.size * sin(angle), north: mistake.size * cos(angle)),
                    error: error * (1 + 0.01 * sin(time / 60)),
                    speed: statesSpeed ? speed : nil, course: bearing)
                let now = Uptime(nanoseconds: 1_000_000_000_000) + .seconds(time)
                events += tracker.events(.report(report), at: now)
            }
            let told = events.filter { $0.fence != nil }.map(\.kind.name)
            guard told != ["enter", "exit"] else { return nil }
            return "\(told): \(speed) m/s, a fix every \(interval) s, error \(error) m, off by "
                + "\(mistake), \(area.geometry), \(seenChord(after: 0) ?? 0) m within, "
                + "speed \(statesSpeed ? "stated" : "not stated")"
        }
    }
}
