import EngineTestKit
import Geodesy
import Testing
import Time

@testable import Law
@testable import Model

/// Section 15 of the law.
struct TripTests {
    private func script(_ fences: [Fence] = []) -> Script {
        var settings = EngineSettings()
        settings.trips.areRecorded = true
        return Script(fences, settings: settings)
    }

    /// At 20 m/s to the east from `x`, a fix a second from `second` on; gives where that ends.
    @discardableResult
    private func drive(
        _ script: inout Script, from second: Double, x: Double, seconds: Int
    ) -> Double {
        for step in 0..<seconds {
            script.at(second + Double(step), x: x + 20 * Double(step), speed: 20)
        }
        return x + 20 * Double(seconds - 1)
    }

    private func stand(_ script: inout Script, from second: Double, x: Double, seconds: Int) {
        for step in stride(from: 0, to: seconds, by: 5) {
            script.at(second + Double(step), x: x, speed: 0)
        }
    }

    private func trips(_ script: Script) -> [Event] { script.events.filter { $0.kind == .trip } }

    @Test("without an ignition a trip leads from one standing to the next, past a stop")
    func standing() throws {
        var depot = try Script.circle("depot", x: 0, radius: 60)
        depot.title = "Depot"
        let town = try Script.circle("town", x: 0, radius: 900)
        let dock = try Script.circle("dock", x: 4000, radius: 200)
        var script = script([depot, town, dock])
        stand(&script, from: 0, x: 0, seconds: 100)
        drive(&script, from: 100, x: 20, seconds: 100)
        // Two minutes at a customer, and on.
        stand(&script, from: 200, x: 2000, seconds: 120)
        drive(&script, from: 320, x: 2020, seconds: 99)
        stand(&script, from: 419, x: 3990, seconds: 295)
        #expect(trips(script).isEmpty)
        script.at(719, x: 3990, speed: 0)
        let event = try #require(trips(script).first)
        let trip = try #require(event.trip)
        #expect(trips(script).count == 1 && event.reason == nil && event.fence == nil)
        #expect(event.began == Script.time(95) && event.time == Script.time(419))
        #expect(event.fixTime == Script.time(719))
        #expect(trip.from == TripPlace(fence: "depot", title: "Depot"))
        #expect(trip.to == TripPlace(fence: "dock"))
        #expect(trip.stops == 1)
        let way = try #require(event.way)
        #expect(abs(way.metres - 3990) < 15 && way.gap == 0 && way.newPaths == 0)
        #expect(event.odometer == WayDetails.rounded(script.tracker.engine.odometer.reading.metres))
        // It has stood for five minutes: a longer stay is no trip, and no stop of the next one.
        stand(&script, from: 724, x: 3990, seconds: 3000)
        drive(&script, from: 3724, x: 4010, seconds: 30)
        stand(&script, from: 3754, x: 4600, seconds: 310)
        #expect(trips(script).count == 2)
        #expect(trips(script).last?.trip?.stops == 0)
        #expect(trips(script).last?.trip?.from?.fence == "dock")
        #expect(trips(script).last?.trip?.to == nil)
    }

    @Test("with an ignition, from on to off; what is not driven is no trip")
    func ignition() throws {
        var script = script()
        stand(&script, from: 0, x: 0, seconds: 60)
        script.take(.ignition(true), at: 60)
        stand(&script, from: 61, x: 0, seconds: 20)
        script.take(.ignition(false), at: 82)
        #expect(trips(script).isEmpty)
        script.take(.ignition(true), at: 90)
        drive(&script, from: 91, x: 20, seconds: 50)
        script.take(.ignition(false), at: 143)
        let event = try #require(trips(script).first)
        #expect(event.began == Script.time(90) && event.time == Script.time(143))
        #expect(event.fixTime == Script.time(140))
        // On a ferry, with the ignition off.
        drive(&script, from: 160, x: 1200, seconds: 100)
        stand(&script, from: 260, x: 3200, seconds: 600)
        #expect(trips(script).count == 1)
    }

    @Test("with the ignition on five minutes of standing end it, and driving on begins another")
    func idling() throws {
        var script = script()
        script.at(0, x: 0, speed: 0)
        script.take(.ignition(true), at: 1)
        drive(&script, from: 2, x: 20, seconds: 50)
        stand(&script, from: 52, x: 1000, seconds: 400)
        #expect(trips(script).map(\.time) == [Script.time(52)])
        drive(&script, from: 452, x: 1020, seconds: 50)
        script.take(.ignition(false), at: 502)
        #expect(trips(script).map(\.time) == [Script.time(52), Script.time(502)])
        #expect(trips(script).last?.began == Script.time(447))
    }

    @Test("a trip ends where the vehicle was last seen, unless its ignition is on")
    func unseen() throws {
        var script = script()
        drive(&script, from: 0, x: 0, seconds: 60)
        script.wait(until: 358.9)
        #expect(trips(script).isEmpty)
        script.wait(until: 359)
        let event = try #require(trips(script).first)
        #expect(event.reason == .positionLost && event.time == Script.time(59))
        // Where it comes back is another one, in which the gap counts.
        drive(&script, from: 4000, x: 5000, seconds: 20)
        stand(&script, from: 4020, x: 5400, seconds: 310)
        let second = try #require(trips(script).last)
        #expect(second.began == Script.time(4000))
        #expect(abs((second.way?.gap ?? 0) - (5000 - 1180)) < 20)
        // A tunnel.
        var tunnel = self.script()
        tunnel.at(0, x: 0, speed: 0)
        tunnel.take(.ignition(true), at: 0)
        drive(&tunnel, from: 1, x: 20, seconds: 60)
        tunnel.wait(until: 900)
        drive(&tunnel, from: 900, x: 15_000, seconds: 20)
        tunnel.take(.ignition(false), at: 920)
        #expect(trips(tunnel).map(\.began) == [Script.time(0)])
    }

    @Test("nothing is recorded unless that is set, and nothing changes for the other events")
    func off() throws {
        let fences = [try Script.circle("a", x: 1000, radius: 300)]
        var (with, without) = (script(fences), Script(fences))
        for second in 0..<100 {
            with.at(Double(second), x: 20 * Double(second), speed: 20)
            without.at(Double(second), x: 20 * Double(second), speed: 20)
        }
        for second in stride(from: 100, to: 500, by: 5) {
            with.at(Double(second), x: 2000, speed: 0)
            without.at(Double(second), x: 2000, speed: 0)
        }
        #expect(trips(without).isEmpty && trips(with).count == 1)
        #expect(with.events.filter { $0.kind != .trip } == without.events)
        #expect(without.tracker.engine.vehicleRecord.trip == nil)
    }

    @Test("a position is recorded as often as that is set, while it moves in a trip")
    func positions() throws {
        var settings = EngineSettings()
        settings.trips.areRecorded = true
        settings.trips.every = .seconds(60)
        var script = Script([], settings: settings)
        stand(&script, from: 0, x: 0, seconds: 300)
        drive(&script, from: 300, x: 20, seconds: 150)
        stand(&script, from: 450, x: 3000, seconds: 200)
        drive(&script, from: 650, x: 3020, seconds: 30)
        let positions = script.events.filter { $0.kind == .position }
        #expect(positions.map(\.time) == [300, 360, 420, 650].map { Script.time($0) })
        #expect(positions.allSatisfy { !$0.announced && $0.fence == nil && $0.coordinate != nil })
        #expect(positions.map { (($0.odometer ?? 0) / 20).rounded() } == [1, 61, 121, 151])
    }

    /// With what was stored of it, its last position at that second.
    private func afterPowerCut(_ script: Script, _ stored: VehicleRecord, seen: Double) -> Script {
        var engine = Engine(
            settings: script.settings, generation: script.store.generation, known: 1,
            driven: script.tracker.engine.odometer.reading)
        engine.resume(vehicle: stored, seen: Script.time(seen))
        var next = self.script()
        next.restart(with: engine)
        return next
    }

    @Test("after a power cut the trip goes on, or has ended at the last position that was stored")
    func powerCut() throws {
        for away in [100.0, 4000] {
            var script = script()
            drive(&script, from: 0, x: 0, seconds: 60)
            let trip = try #require(script.tracker.engine.vehicleRecord.trip)
            let stored = VehicleRecord(trip: trip)
            let kept = try #require(VehicleRecord(bytes: stored.bytes))
            #expect(kept == stored)
            var next = afterPowerCut(script, kept, seen: 50)
            drive(&next, from: 59 + away, x: 3000, seconds: 30)
            stand(&next, from: 89 + away, x: 3600, seconds: 310)
            let first = try #require(trips(next).first)
            if away == 100 {
                #expect(trips(next).count == 1 && first.began == trip.began)
                #expect(first.way?.newPaths == 1)
            } else {
                #expect(trips(next).count == 2)
                #expect(first.reason == .restart && first.time == Script.time(50))
            }
        }
    }

    @Test("a trip whose receiver was ahead before the power cut ends, and the next one begins")
    func ahead() throws {
        var script = script()
        drive(&script, from: 1_000_000, x: 0, seconds: 60)
        let stored = VehicleRecord(trip: script.tracker.engine.vehicleRecord.trip)
        var same = afterPowerCut(script, stored, seen: 1_000_070)
        drive(&same, from: 1_000_060, x: 1220, seconds: 30)
        #expect(trips(same) == [], "by some seconds it is the same")
        var next = afterPowerCut(script, stored, seen: 1_000_050)
        drive(&next, from: 0, x: 3000, seconds: 30)
        stand(&next, from: 30, x: 3600, seconds: 310)
        #expect(trips(next).map(\.time) == [Script.time(1_000_050), Script.time(30)])
        #expect(trips(next).map(\.reason) == [.restart, nil])
    }

    @Test("trips are those of the handbook, through any window, and killed at every step")
    func law() {
        for seed in 0..<48 as Range<UInt64> { #expect(Trips.told.flaw(seed) == nil) }
    }

    @Test("and add up to what the odometer shows, after power cuts too")
    func powerCuts() {
        for seed in 0..<40 as Range<UInt64> { #expect(Trips.powerCut.flaw(seed) == nil) }
    }

    @Test("all of it happens on those drives")
    func occurrences() {
        let counts = Trips.occurrences(in: 0..<15)
        for name in ["ended", "position-lost", "from", "to", "stops", "gap", "new paths"] {
            #expect(counts[name, default: 0] > 1, "\(name): \(counts)")
        }
    }
}

extension Event {
    fileprivate var began: UTCTime? { stay.map { time + (.zero - $0) } }
}
