import EngineTestKit
import Geodesy
import Testing
import Time

@testable import Law
@testable import Model

/// Section 13 of the law: how far.
@Suite struct WayTests {
    @Test("driven straight through, a circle gives its diameter")
    func through() throws {
        var script = Script([try Script.circle("a", x: 1000, radius: 300)])
        for second in 0..<100 {
            script.at(Double(second), x: 20 * Double(second), speed: 20)
        }
        #expect(script.told == ["enter a certain", "exit a certain"])
        let (enter, exit) = (script.events[0], script.events[1])
        let way = try #require(exit.way)
        #expect(abs(way.metres - 600) < 3)
        #expect(way.gap == 0 && way.newPaths == 0)
        // Both errors, and a hundredth.
        #expect(abs(way.bound - (10 + way.metres / 100)) < 0.11)
        let shown = try [#require(enter.odometer), #require(exit.odometer)]
        // Of the ellipsoid a metre of a script is 1.003.
        #expect(shown.map { ($0 / 10).rounded() } == [70, 130])
        #expect(enter.way == nil)
    }

    @Test("what is driven outside in between does not count")
    func bay() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 300)])
        // To 20 m beyond the boundary, which proves nothing, and back, and out.
        let places =
            Array(stride(from: 0.0, through: 320, by: 10))
            + stride(from: 310.0, through: 0, by: -10) + stride(from: 10.0, through: 500, by: 10)
        for (second, x) in places.enumerated() {
            script.at(Double(second), x: x, speed: 10)
        }
        #expect(script.told == ["initial a initial", "exit a certain"])
        let way = try #require(script.events.last?.way)
        #expect(abs(way.metres - 900) < 3)
    }

    @Test("a stay whose stored reading is damaged ends nothing but its own metres")
    func damaged() throws {
        var before = OdometerReading()
        before.way = 100
        before.newPaths = 1 << 31
        var way = StayWay(from: OdometerReading(), error: 5)
        way.cross(inwards: false, at: before)
        var driven = OdometerReading()
        driven.way = 40
        way.cross(inwards: true, at: driven)
        let told = way.details(driven, error: 5)
        #expect(told.metres >= 0 && told.gap == 0)
        #expect(StayWay(bytes: way.bytes) == way, "it is readable in a checkpoint")
    }

    @Test("a speed that nothing has is none, and leaves the odometer and the checkpoint readable")
    func absurdSpeed() throws {
        var script = Script([try Script.circle("a", x: 1000, radius: 300)])
        for second in 0..<100 {
            script.at(
                Double(second), x: 20 * Double(second),
                speed: (30..<40).contains(second) ? 1.7e308 : 20)
        }
        #expect(script.told == ["enter a certain", "exit a certain"])
        let engine = script.tracker.engine
        #expect(engine.odometer.reading.bySpeed < 2_100)
        #expect(engine.checkpoint != nil)
        #expect(OdometerReading(bytes: engine.odometer.reading.bytes) != nil)
    }

    @Test("a gap counts apart, a new path is named")
    func gaps() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 5000)])
        for second in 0..<20 { script.at(Double(second), x: 20 * Double(second), speed: 20) }
        for second in 120..<140 {
            script.at(Double(second), x: 20 * Double(second), speed: 20)
        }
        // A jump that three fixes agree on.
        for second in 140..<400 {
            script.at(Double(second), x: -4000 + 20 * Double(second - 140), y: 100, speed: 20)
        }
        for second in 400..<800 {
            script.at(Double(second), x: 1200 + 20 * Double(second - 400), y: 100, speed: 20)
        }
        #expect(
            script.told == [
                "initial a initial", "position-lost", "position-regained", "exit a certain",
            ])
        let way = try #require(script.events.last?.way)
        #expect(abs(way.gap - 101 * 20) < 10)
        #expect(way.newPaths == 1)
        #expect(abs(way.metres - (380 + 380 + 9000)) < 40)
    }

    @Test("standing gains no metre, and creeping loses none")
    func creeping() throws {
        var script = Script([])
        for second in 0..<10 { script.at(Double(second), x: 20 * Double(second), speed: 20) }
        let before = script.tracker.engine.odometer.reading
        for second in 10..<1000 {
            let drift = Double(second % 7)
            script.at(Double(second), x: 180 + drift, y: drift, speed: 0.3)
        }
        #expect(script.tracker.engine.odometer.reading == before)
        // One metre a second, for ten minutes.
        for second in 1000..<1600 {
            script.at(Double(second), x: 180 + Double(second - 1000), speed: 1)
        }
        for second in 1600..<1610 {
            script.at(Double(second), x: 780 + 20 * Double(second - 1600), speed: 20)
        }
        #expect(abs(script.tracker.engine.odometer.reading.metres - (180 + 600 + 180)) < 5)
    }

    @Test("after a power cut the odometer never goes back, and a stay goes on counting")
    func powerCut() throws {
        let store = MemoryFenceStore([try Script.circle("a", x: 1000, radius: 500)])
        var tracker = Tracker.fresh(store)
        var events = tracker.events(.start, at: Script.uptime(0), committingTo: store)
        var shown = 0.0
        for second in 0..<120 {
            events += tracker.events(
                .report(Script.report(Double(second), x: 20 * Double(second), speed: 20)),
                at: Script.uptime(Double(second)), committingTo: store)
            for event in events.compactMap(\.odometer) { shown = max(shown, event) }
            guard second == 40 else { continue }
            let engine = Engine(
                settings: EngineSettings(), generation: store.generation, known: store.known,
                stays: store.openStays, entries: store.entries(ids: ["a"]),
                driven: store.driven)
            tracker = Tracker(engine: engine, store: store) { _ in }
            #expect(tracker.engine.odometer.reading.metres >= shown - 0.1)
        }
        let exit = try #require(events.last)
        #expect(exit.kind == .exit)
        let way = try #require(exit.way)
        // What was driven since the enter was recorded is lost with the power.
        #expect(way.newPaths == 1)
        #expect(way.metres <= 1000 && way.metres > 1000 - 20 * 22)
    }

    @Test("the metres of stays are those of the path that lies inside")
    func sampled() {
        #expect(Metres.inside.firstFlaw(in: 0..<60) == nil)
    }

    @Test("a record and its stays keep their metres as bytes")
    func bytes() throws {
        var event = Event(
            kind: .exit, fence: "a", time: Script.time(0), fixTime: Script.time(0),
            presence: .outside)
        event.odometer = 1234.5
        event.way = WayDetails()
        event.way?.metres = 600.5
        event.way?.newPaths = 3
        var record = EventRecord(
            events: [event], opened: [], closed: ["a"], known: 1, positionLost: false)
        var reading = OdometerReading()
        reading.way = 17
        reading.gap = 4
        record.driven = reading
        let read = try #require(EventRecord(bytes: record.bytes))
        #expect(read.events == [event])
        #expect(read.driven == reading)
        #expect(OdometerReading(bytes: reading.bytes) == reading)
        #expect(OdometerReading(bytes: [1, 2, 3]) == nil)
    }
}
