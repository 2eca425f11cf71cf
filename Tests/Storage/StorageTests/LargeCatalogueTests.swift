import EngineTestKit
import Geodesy
import Law
import Model
import Storage
import Testing
import Time

/// The exactness law with the shipped store, and more fences than a window could ever hold.
@Suite struct LargeCatalogueTests {
    #if DEBUG
        static let count = 20_000
        static let steps = 20
    #else
        static let count = 100_000
        static let steps = 60
    #endif

    @Test("among 100,000 fences on disk the window gives the events of a monitor of every fence")
    func exact() throws {
        let scratch = try Scratch()
        let store = try Store(directory: scratch.path, bootID: nil)
        let origin = Coordinate(latitude: 52.5, longitude: 13.4)
        var random = SeededRandom(seed: 11)
        let fences = try (0..<Self.count).map { index in
            // Dense around the drive, thin far out.
            let center = origin.moved(
                by: 40_000 * random.unit() * random.unit(), toward: random.uniform(0...360))
            let radius = [12.0, 40, 150, 900][random.integer(0..<4)]
            return Fence(
                id: "\(index)", area: try Area(.circle(center: center, radius: radius)),
                dwell: index % 50 == 0 ? .seconds(5) : .zero)
        }
        _ = try store.apply(upserts: fences)
        var tracker = Tracker(
            engine: Engine(settings: EngineSettings(), generation: store.generation),
            store: store
        ) { if let error = $0 { Issue.record("\(error)") } }
        var full = EveryFenceMonitor(settings: EngineSettings(), fences: fences)
        var events = 0
        var place = origin.moved(by: 1500, toward: 250)
        for step in 0..<Self.steps {
            place = place.moved(by: 35, toward: 60 + random.uniform(-30...30))
            let report = PositionReport(
                time: UTCTime(nanoseconds: 1_700_000_000_000_000_000)
                    + .seconds(Double(step)),
                hasFix: true, coordinate: place, error: 8, speed: 35)
            let now = Uptime(nanoseconds: 1_000_000_000_000) + .seconds(Double(step))
            let windowed = tracker.events(.report(report), at: now)
            let expected = full.handle(report, at: now)
            try #require(windowed == expected, "fix \(step)")
            events += windowed.count
        }
        #expect(events > 2 * Self.steps)
        #expect(tracker.engine.window?.metafenceRadius != nil)
    }
}
