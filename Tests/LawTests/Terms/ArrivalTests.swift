import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 14 of the law: on the way to a fence.
@Suite struct ArrivalTests {
    private func dock(_ seconds: Double = 300, x: Double = 0) throws -> Fence {
        var fence = try Script.circle("dock", x: x, radius: 100)
        fence.terms.arrive = .seconds(seconds)
        return fence
    }

    /// From 8 km away at 20 m/s, up to there.
    private func drive(_ script: inout Script, to end: Double = -8000, from start: Double = -8000) {
        for second in stride(from: 0.0, through: (end - start) / 20, by: 1) {
            script.at(second, x: start + 20 * second, speed: 20)
        }
    }

    @Test("an arrival is told once, minutes before, and says when")
    func arrival() throws {
        var script = Script([try dock()])
        drive(&script, to: 1000)
        #expect(script.told == ["arriving dock", "enter dock certain", "exit dock certain"])
        let (told, enter) = (script.events[0], script.events[1])
        let eta = try #require(told.terms?.eta)
        #expect(abs((eta - enter.time).seconds) < 6)
        let before = (enter.time - told.time).seconds
        // 110 s at most, and more than a third of the way is behind it.
        #expect(before > 100 && before < 116)
        #expect(told.presence == .outside && told.announced)
        #expect(script.times[0] == told.fixTime.seconds(since: Script.time(0)))
    }

    @Test("nothing is told of a fence without it, and of one that the vehicle is inside of")
    func nothing() throws {
        var script = Script([try Script.circle("dock", x: 0, radius: 100)])
        drive(&script, to: 1000)
        #expect(script.told == ["enter dock certain", "exit dock certain"])
        var inside = try Script.circle("yard", x: 0, radius: 9000)
        inside.terms.arrive = .seconds(300)
        script = Script([inside])
        drive(&script, to: 1000)
        #expect(script.told == ["initial yard initial"])
    }

    @Test("turned away it is over once, and told again only after most of a way back")
    func turnedAway() throws {
        var script = Script([try dock()])
        drive(&script, to: -600)
        var second = 370.0
        func go(_ step: Double, _ count: Int) {
            for _ in 0..<count {
                second += 1
                let x = script.tracker.engine.lastFix.map { fix in
                    (fix.coordinate.longitude - Script.origin.longitude)
                        / (Script.place(1).longitude - Script.origin.longitude)
                }
                script.at(second, x: (x ?? 0) + step, speed: step.magnitude)
            }
        }
        #expect(script.told == ["arriving dock"])
        go(-20, 19)
        #expect(script.told.count == 1)
        go(-20, 3)
        #expect(script.told == ["arriving dock", "arriving-over dock turned-off"])
        go(-20, 40)
        #expect(script.told.count == 2)
        go(20, 100)
        #expect(
            script.told == [
                "arriving dock", "arriving-over dock turned-off", "arriving dock",
                "enter dock certain", "exit dock certain",
            ])
    }

    @Test("a vehicle that stops before it is late after its time and five minutes, once")
    func late() throws {
        var script = Script([try dock()])
        drive(&script, to: -600)
        let told = try #require(script.times.first)
        for second in 371..<2000 { script.at(Double(second), x: -600, speed: 0) }
        #expect(script.told == ["arriving dock", "arriving-over dock late"])
        #expect(abs(script.times[1] - told - 600) < 1.5)
    }

    @Test("a hole on the way and a jump change nothing that was told")
    func hole() throws {
        var script = Script([try dock()])
        drive(&script, to: -600)
        for second in 460..<470 { script.at(Double(second), x: -600, speed: 0) }
        #expect(
            script.told == ["arriving dock", "position-lost", "position-regained"])
        // 3 km back, which a jump is and no way.
        for second in 470..<480 {
            script.at(Double(second), x: -3600 + 10 * Double(second - 470), speed: 10)
        }
        #expect(script.told.filter { $0.hasPrefix("arriving") } == ["arriving dock"])
    }

    @Test("an edit of the area or of the time ends it, another edit does not; so does a removal")
    func edits() throws {
        var script = Script([try dock()])
        drive(&script, to: -600)
        var other = try dock()
        other.title = "Dock"
        try script.change(upserts: [other])
        #expect(script.told == ["arriving dock"])
        other = try dock(200)
        try script.change(upserts: [other])
        #expect(script.told == ["arriving dock", "arriving-over dock fence-changed"])
        script = Script([try dock()])
        drive(&script, to: -600)
        try script.change(upserts: [try dock(x: 50)])
        #expect(script.told == ["arriving dock", "arriving-over dock fence-changed"])
        script = Script([try dock()])
        drive(&script, to: -600)
        try script.change(removing: ["dock"])
        #expect(script.told == ["arriving dock", "arriving-over dock fence-removed"])
    }

    @Test("outside its hours, and after its end, what was told is over")
    func hours() throws {
        var fence = try dock()
        fence.terms.expires = Script.time(372).iso8601
        var script = Script([fence])
        drive(&script, to: -400)
        #expect(script.told == ["arriving dock", "arriving-over dock expired"])
    }

    @Test("after a power cut what was told is still told")
    func powerCut() throws {
        let store = MemoryFenceStore([try dock()])
        var tracker = Tracker.fresh(store)
        var events = tracker.events(.start, at: Script.uptime(0), committingTo: store)
        for second in 0..<450 {
            events += tracker.events(
                .report(
                    Script.report(Double(second), x: -8000 + 20 * Double(second), speed: 20)),
                at: Script.uptime(Double(second)), committingTo: store)
            guard second == 375 else { continue }
            #expect(events.map(\.kind) == [.arriving])
            var engine = Engine(
                settings: EngineSettings(), generation: store.generation, known: store.known,
                driven: store.driven)
            engine.resume(arriving: store.arriving)
            tracker = Tracker(engine: engine, store: store) { _ in }
            events += tracker.events(
                .start, at: Script.uptime(Double(second)), committingTo: store)
        }
        #expect(events.map(\.kind) == [.arriving, .enter, .exit])
    }

    @Test("a hazard has none, and the time is 30 s to an hour")
    func door() throws {
        #expect(FenceRules.flaw(try dock()) == nil)
        #expect(FenceRules.flaw(try dock(29)) == "arrive_sec 29.0 is not 30 to 3600")
        #expect(FenceRules.flaw(try dock(3601)) != nil)
        var random = SeededRandom(seed: 1)
        var hazard = try #require(
            RandomApproaches.fences(
                1, along: (0..<60).map { Script.place(20 * Double($0)) }, &random
            ).first)
        #expect(FenceRules.flaw(hazard) == nil)
        hazard.terms.arrive = .seconds(300)
        #expect(FenceRules.flaw(hazard) == "a hazard has no arrive_sec")
    }

    @Test("arrivals are those of the handbook, through any window and kill")
    func law() {
        #expect(Arriving.told.firstFlaw(in: 0..<120) == nil)
    }

    @Test("all of it happens on those drives")
    func occurrences() {
        let counts = Arriving.occurrences(in: 0..<30)
        for name in ["arriving", "arriving-over", "turned-off", "late"] {
            #expect(counts[name, default: 0] > 1, "\(name): \(counts)")
        }
    }
}

extension UTCTime {
    fileprivate func seconds(since other: UTCTime) -> Double { (self - other).seconds }
}
