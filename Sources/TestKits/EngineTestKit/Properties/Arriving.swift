import Geodesy
import Law
import Model
import Time

/// Section 14 of the law, worked again from the handbook alone, beside the engine and its window.
package enum Arriving {
    package static let told = Property(
        "arrivals are told as a monitor of all fences would that was written from the handbook"
    ) { seed in
        var random = SeededRandom(seed: seed)
        let origin = Coordinate(
            latitude: random.uniform(-70...70), longitude: random.uniform(-180...180))
        let fixes = drive(from: origin, &random)
        let fences = fences(along: fixes, &random)
        let size = [2, 5, 20, 100][random.integer(0..<4)]
        let store = MemoryFenceStore(fences)
        var tracker = Tracker.fresh(store, size: size)
        var models = fences.filter(\.isFollowed).map { Model(fence: $0) }
        _ = tracker.events(.start, at: Uptime(nanoseconds: 0), committingTo: store)
        for index in fixes.indices {
            let fix = fixes[index]
            var report = PositionReport(
                time: time(fix.second), hasFix: true, coordinate: fix.place, error: fix.error,
                speed: fix.speed)
            report.course = nil
            let now = Uptime(nanoseconds: 1_000_000_000_000) + .seconds(fix.second)
            let events = tracker.events(.report(report), at: now, committingTo: store)
            let found = events.filter { $0.kind == .arriving || $0.kind == .arrivingOver }
            let moves = [index, index - 1].contains { isMoving(fixes, at: $0) }
            var expected: [Model.Said] = []
            for model in models.indices {
                let crossings = events.filter { $0.fence == models[model].fence.id }.map(\.kind)
                let said = models[model].judge(
                    fix, after: index > 0 ? fixes[index - 1] : nil, isMoving: moves, crossings)
                if let said { expected.append(said) }
            }
            let heard = found.map {
                Model.Said(
                    fence: $0.fence ?? "", isOver: $0.kind == .arrivingOver,
                    reason: $0.reason?.name,
                    eta: $0.terms?.eta.map { (($0 - time(0)).seconds).rounded() })
            }
            guard Set(heard) == Set(expected), heard.count == expected.count else {
                return "window \(size), at \(fix.second) s: \(heard), expected \(expected)"
            }
            // Killed and restored, now and then.
            if random.chance(0.05), let restored = tracker.restored(from: store) {
                tracker = restored
                _ = tracker.events(.start, at: now, committingTo: store)
            }
        }
        return nil
    }

    /// How often each kind and reason is told in these drives.
    package static func occurrences(in seeds: Range<UInt64>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for seed in seeds {
            var random = SeededRandom(seed: seed)
            let origin = Coordinate(
                latitude: random.uniform(-70...70), longitude: random.uniform(-180...180))
            let fixes = drive(from: origin, &random)
            let store = MemoryFenceStore(fences(along: fixes, &random))
            var tracker = Tracker.fresh(store, size: 20)
            for fix in fixes {
                let report = PositionReport(
                    time: time(fix.second), hasFix: true, coordinate: fix.place, error: fix.error,
                    speed: fix.speed)
                let now = Uptime(nanoseconds: 1_000_000_000_000) + .seconds(fix.second)
                for event in tracker.events(.report(report), at: now) {
                    counts[event.kind.name, default: 0] += 1
                    if let reason = event.reason { counts[reason.name, default: 0] += 1 }
                }
            }
        }
        return counts
    }

    struct Fix {
        var second: Double
        var place: Coordinate
        var error: Double
        var speed: Double
    }

    /// Half an hour with turns, stops, and holes of up to 11 minutes.
    private static func drive(
        from origin: Coordinate, _ random: inout SeededRandom
    ) -> [Fix] {
        var (place, course, speed, second) = (origin, random.uniform(0...360), 15.0, 0.0)
        var fixes: [Fix] = []
        while second < 1800 {
            if random.chance(0.02) { course += random.uniform(-120...120) }
            if random.chance(0.02) { speed = [0.0, 5, 12, 25, 33][random.integer(0..<5)] }
            var step = 1.0
            if random.chance(0.003) { step = [5.0, 29, 40, 300, 660][random.integer(0..<5)] }
            second += step
            place = place.moved(by: speed * step, toward: course)
            fixes.append(
                Fix(second: second, place: place, error: random.uniform(3...20), speed: speed))
        }
        return fixes
    }

    /// Around the drive, and some on it; two of three are followed.
    private static func fences(
        along fixes: [Fix], _ random: inout SeededRandom
    ) -> [Fence] {
        (0..<random.integer(5..<60)).compactMap { number -> Fence? in
            let center = fixes[random.integer(0..<fixes.count)].place.moved(
                by: [10.0, 300, 5_000][random.integer(0..<3)] * random.uniform(0...1),
                toward: random.uniform(0...360))
            guard
                let area = try? Area(
                    .circle(center: center, radius: [50.0, 200, 2_000][random.integer(0..<3)]))
            else { return nil }
            var fence = Fence(id: "f\(number)", area: area)
            if random.chance(0.67) { fence.terms.arrive = .seconds(random.uniform(30...900)) }
            return fence
        }
    }

    private static func time(_ second: Double) -> UTCTime {
        UTCTime(nanoseconds: 1_700_000_000_000_000_000) + .seconds(second)
    }

    /// Section 3: it certainly moves.
    private static func isMoving(_ fixes: [Fix], at index: Int) -> Bool {
        guard index > 0 else { return false }
        if fixes[index].speed > 3, fixes[index - 1].speed > 3 { return true }
        return fixes[..<index].reversed().prefix(11).contains {
            fixes[index].second - $0.second <= 10
                && SurfacePoint($0.place).distance(to: SurfacePoint(fixes[index].place))
                    > $0.error + fixes[index].error
        }
    }
}

/// The way to one fence.
private struct Model {
    struct Said: Hashable {
        var fence: String
        var isOver: Bool
        var reason: String?
        /// Seconds since the beginning.
        var eta: Double?
    }

    let fence: Fence
    private var isInside = false
    /// d, f, c, p.
    private var way: (last: Double, farthest: Double, closing: Double, pace: Double)?
    private var told: (second: Double, least: Double)?

    init(fence: Fence) { self.fence = fence }

    mutating func judge(
        _ fix: Arriving.Fix, after before: Arriving.Fix?, isMoving: Bool, _ kinds: [EventKind]
    ) -> Said? {
        for kind in kinds {
            if kind == .enter || kind == .initial { isInside = true }
            if kind == .exit { isInside = false }
            if [.enter, .initial, .exit].contains(kind) { (way, told) = (nil, nil) }
        }
        guard !isInside, let area = fence.area else { return nil }
        let d = area.signedDistance(to: SurfacePoint(fix.place))
        let span = fence.terms.arrive.seconds
        if d > min(50 * span, 50_000) {
            way = nil
        } else if let before, fix.second - before.second <= 600, let old = way {
            let seconds = fix.second - before.second
            let metres = SurfacePoint(before.place).distance(to: SurfacePoint(fix.place))
            let k = seconds / (30 + seconds)
            way = (
                d, max(old.farthest, d), old.closing + k * ((old.last - d) / seconds - old.closing),
                old.pace + k * (metres / seconds - old.pace)
            )
        } else {
            way = (d, d, 0, 0)
        }
        if let open = told {
            let least = min(open.least, d)
            told = (open.second, least)
            let isOff = d - least >= max(400, 0.3 * least)
            guard isOff || fix.second - open.second >= span + 300 else { return nil }
            told = nil
            if way != nil { way = (d, d, 0, 0) }
            return Said(
                fence: fence.id, isOver: true, reason: isOff ? "turned-off" : "late", eta: nil)
        }
        guard let way, d > 0, isMoving, way.pace >= 1.5, way.closing >= way.pace / 2 else {
            return nil
        }
        let nearer = way.farthest - d
        let left = d / max(way.closing, way.pace / 1.2)
        guard nearer >= 100, left <= span, nearer >= 6 * d || left <= 110 && nearer >= d / 2
        else { return nil }
        told = (fix.second, d)
        return Said(
            fence: fence.id, isOver: false, reason: nil,
            eta: (fix.second + left.rounded()).rounded())
    }
}
