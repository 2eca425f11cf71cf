import EngineTestKit
import Geodesy
import Law
import Model
import Time

/// Bytes as a catalogue and a drive, of fences, approaches and changing vehicles: the window must
/// give the events of monitoring every fence, in order.
enum EngineFuzz {
    /// More shows no new behaviour, only takes longer.
    private static let longest = 2048

    static func flaw(_ bytes: [UInt8]) -> String? { run(bytes).flaw }

    /// The events, and what is wrong with them; nil if nothing is.
    static func run(_ bytes: [UInt8]) -> (events: [Event], flaw: String?) {
        var reader = ByteReader(bytes.prefix(longest))
        let place = [
            Coordinate(latitude: 48, longitude: 11), Coordinate(latitude: 0, longitude: -179.999),
            Coordinate(latitude: 89.99, longitude: 30), Coordinate(latitude: -60, longitude: 180),
        ][reader.below(4)]
        let size = 2 + reader.below(6)
        let fences = (0..<reader.below(24)).compactMap { fence("f\($0)", near: place, &reader) }
        let store = MemoryFenceStore(fences)
        var tracker = Tracker.fresh(store, size: size)
        var full = EveryFenceMonitor(settings: tracker.engine.settings, fences: fences)
        var vehicle = DrivenVehicle(place)
        var events = tracker.events(.start, at: vehicle.now)
        while !reader.isAtEnd {
            let (windowed, expected): ([Event], [Event])
            switch reader.below(16) {
            case 0:
                vehicle.wait(reader.below(256))
                windowed = tracker.events(.timer, at: vehicle.now, committingTo: store)
                expected = full.timer(at: vehicle.now)
            case 1:
                let id = "f\(reader.below(24))"
                let upserts = [fence(id, near: vehicle.place, &reader)].compactMap(\.self)
                let removed = reader.below(3) == 0 ? ["f\(24 + reader.below(4))"] : []
                guard (try? store.apply(upserts: upserts, removing: removed)) != nil else {
                    continue
                }
                windowed = tracker.events(
                    .catalogueChanged(store.generation), at: vehicle.now, committingTo: store)
                expected = full.apply(upserts: upserts, removing: removed, at: vehicle.now)
            case 2:
                guard let next = tracker.restored(from: store) else { continue }
                tracker = next
                windowed = tracker.events(.start, at: vehicle.now, committingTo: store)
                expected = []
            case 3:
                let other = Vehicle(
                    height: [nil, 2.5, 3.4, 3.9, 4.2, 4.6][reader.below(6)],
                    weight: [nil, 3.5, 40][reader.below(3)])
                windowed = tracker.events(
                    .vehicle(other), at: vehicle.now, committingTo: store)
                expected = full.change(to: other, at: vehicle.now)
            default:
                let report = vehicle.report(&reader)
                windowed = tracker.events(.report(report), at: vehicle.now, committingTo: store)
                expected = full.handle(report, at: vehicle.now)
            }
            guard windowed == expected else { return (events, difference(windowed, expected)) }
            events += windowed
            // As the daemon does, at once.
            let ended = Array(tracker.engine.spent)
            let late = retired(ended, &tracker, &full, store, at: vehicle.now)
            guard late.isEmpty else {
                return (events, "events of the removal of fences that had ended: \(late)")
            }
        }
        return (events, EventLaws.alternationFlaw(events) ?? EventLaws.stagesFlaw(events))
    }

    /// Removes fences that have ended; gives the events of that, of which there should be none.
    private static func retired(
        _ ended: [SpentFence], _ tracker: inout Tracker, _ full: inout EveryFenceMonitor,
        _ store: MemoryFenceStore, at now: Uptime
    ) -> [Event] {
        let ids = ended.map(\.fence)
        guard !ids.isEmpty, (try? store.apply(upserts: [], removing: ids)) != nil else { return [] }
        return full.apply(upserts: [], removing: ids, at: now)
            + tracker.events(.retired(ended), at: now, committingTo: store)
            + tracker.events(.catalogueChanged(store.generation), at: now, committingTo: store)
    }

    private static func fence(
        _ id: String, near place: Coordinate, _ reader: inout ByteReader
    ) -> Fence? {
        let kind = reader.below(256)
        let size = [10.0, 25, 60, 200, 1000, 30_000][reader.below(6)]
        let center = place.moved(
            by: Double(reader.below(256)) * [1, 10, 200][reader.below(3)],
            toward: Double(reader.below(256)) * 1.40625)
        let area: Area?
        switch kind % 8 {
        case 2: return ApproachBytes.fence(id, at: center, &reader)
        case 0:
            let corners = 3 + reader.below(5)
            let ring = (0..<corners).map {
                center.moved(
                    by: size * (0.3 + Double(reader.below(256)) / 256),
                    toward: 360 * Double($0) / Double(corners))
            }
            area = try? Area(.polygons([[ring + [ring[0]]]]))
        case 1:
            let line = (0..<2 + reader.below(3)).map { _ in
                center.moved(
                    by: Double(reader.below(256)) * size / 50,
                    toward: Double(reader.below(256)) * 1.40625)
            }
            area = try? Area(.corridor(line: line, width: size))
        default:
            area = try? Area(.circle(center: center, radius: size))
        }
        guard let area else { return nil }
        var fence = Fence(
            id: id, area: area, dwell: .seconds(Double(reader.below(4) * 15)),
            initialEnter: reader.below(2) == 0)
        if kind >= 128 { fence.terms = terms(&reader) }
        return fence
    }

    /// Hours and ends are within a quarter of an hour of the beginning of the drive.
    private static func terms(_ reader: inout ByteReader) -> FenceTerms {
        var terms = FenceTerms()
        let which = reader.below(128)
        if which & 1 != 0 { terms.active = hours(&reader) }
        if which & 2 != 0 { terms.speedLimit = Double(5 + reader.below(120)) }
        if which & 4 != 0 { terms.stop = .seconds(Double(1 + reader.below(40))) }
        if which & 8 != 0 { terms.maxStay = .seconds(Double(1 + reader.below(120))) }
        if which & 64 != 0 { terms.arrive = .seconds(Double(30 + 8 * reader.below(256))) }
        // Not both, as in ``Scenario/onTerms()``.
        if which & 16 != 0 {
            terms.once = true
        } else if which & 32 != 0 {
            terms.expires = (DrivenVehicle.begin + .seconds(Double(reader.below(256) * 4))).iso8601
        }
        return terms
    }

    /// One to three spans of minutes, open or closed. Hours that never change are left out: a year of
    /// them is searched whenever the clock leaps.
    private static func hours(_ reader: inout ByteReader) -> String {
        let begin = Int(DrivenVehicle.begin.nanoseconds / 60_000_000_000)
        let spans = (0..<1 + reader.below(3)).map { _ in
            let opens = begin + reader.below(16) - 2
            return clock(opens) + "-" + clock(opens + 1 + reader.below(6))
        }
        let text = spans.joined(separator: ",")
        return reader.below(3) == 0 ? "24/7; \(text) off" : text
    }

    private static func clock(_ minute: Int) -> String {
        func pair(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return pair(minute / 60 % 24) + ":" + pair(minute % 60)
    }
}

/// A vehicle and its clocks, driven by bytes.
private struct DrivenVehicle {
    private(set) var place: Coordinate
    private(set) var now = Uptime(nanoseconds: 1_000_000_000_000)
    private var time = Self.begin
    /// Degrees.
    private var course = 0.0

    static let begin = UTCTime(nanoseconds: 1_700_000_000_000_000_000)

    init(_ place: Coordinate) { self.place = place }

    mutating func wait(_ seconds: Int) {
        now = now + .seconds(Double(seconds))
        time = time + .seconds(Double(seconds))
    }

    mutating func report(_ reader: inout ByteReader) -> PositionReport {
        let step = [0.1, 1, 1, 1, 2, 10, 29, 40][reader.below(8)]
        now = now + .seconds(step)
        time = time + .seconds(step)
        if reader.below(32) == 0 {
            time = time + .seconds([-20, -3600, 45, 7200, -1e9, 9e9][reader.below(6)])
        }
        let speed = Double(reader.below(64))
        let turn = reader.below(256)
        // Along a road as often as not.
        if turn < 128 { course = Double(turn) * 2.8125 }
        place = place.moved(by: speed * step, toward: course)
        var seen = place
        if reader.below(24) == 0 { seen = place.moved(by: 20_000, toward: 77) }
        var report = PositionReport(
            time: time, hasFix: reader.below(40) != 0, coordinate: seen,
            error: [nil, 3, 5, 12, 30, 60, 100, 101][reader.below(8)],
            speed: reader.below(4) == 0 ? nil : speed)
        report.course = reader.below(4) == 0 ? nil : course
        switch reader.below(64) {
        case 0: report.coordinate?.latitude = 91
        case 1: report.coordinate?.longitude = .infinity
        case 2: report.time = nil
        case 3: report.time = UTCTime(nanoseconds: .max)
        case 4: report.speed = .nan
        default: break
        }
        return report
    }
}

/// Takes numbers from bytes; zeros when there are no more.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// 0..<limit, which is 256 at most.
    mutating func below(_ limit: Int) -> Int { Int(rest.popFirst() ?? 0) % limit }
}
