import EngineTestKit
import Geodesy
import Model
import Testing
import Time

/// Section 3 of the law: one fence's presence.
struct CrossingTests {
    @Test("a good fix inside is certain, and the crossing is dated on the path")
    func certain() throws {
        var script = Script([try Script.circle("a", x: 100, radius: 60)])
        script.at(0, x: 0)
        script.at(10, x: 100)
        script.at(20, x: 200)
        #expect(script.told == ["enter a certain", "exit a certain"])
        // The script's metres are those of a sphere.
        #expect(abs(script.times[0] - 4) < 0.05)
        #expect(abs(script.times[1] - 16) < 0.05)
        let stay = try #require(script.events[1].stay)
        #expect(abs(stay.seconds - 12) < 0.1)
        #expect(script.events.allSatisfy { !$0.inferred })
    }

    @Test("a fence passed between two fixes is entered and left, both inferred")
    func between() throws {
        var script = Script([try Script.circle("bridge", x: 500, radius: 40)])
        script.at(0, x: 0, speed: 30)
        script.at(10, x: 300, speed: 30)
        script.at(25, x: 750, speed: 30)
        #expect(script.told == ["enter bridge certain", "exit bridge certain"])
        #expect(script.events.map(\.inferred) == [true, true])
        #expect(abs(script.times[0] - (10 + 160.0 / 30)) < 0.1)
        #expect(abs(script.times[1] - (10 + 240.0 / 30)) < 0.1)
    }

    @Test("an ordinary receiver at motorway speed detects a low bridge by its path")
    func path() throws {
        var script = Script([try Script.circle("bridge", x: 500, radius: 25)])
        for second in 0..<40 {
            script.at(Double(second), x: 28 * Double(second), error: 35, speed: 28)
        }
        #expect(script.told == ["enter bridge path", "exit bridge certain"])
    }

    @Test("a slow vehicle with a poor receiver gives no event by its path")
    func tooSlow() throws {
        var script = Script([try Script.circle("bridge", x: 50, radius: 25)])
        for second in 0..<6 {
            script.at(Double(second), x: 20 + 2 * Double(second), error: 30, speed: 2)
        }
        #expect(script.told == [])
    }

    @Test("ten seconds of agreeing fixes settle an enter; a contradiction cancels")
    func settled() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 40)])
        script.at(0, x: 200, error: 30)
        for second in 20..<28 { script.at(Double(second), x: 25, error: 45, speed: 0) }
        script.at(28, x: 45, error: 45, speed: 0)
        #expect(script.told == [])
        for second in 29..<39 { script.at(Double(second), x: 25, error: 45, speed: 0) }
        #expect(script.told == [])
        script.at(39, x: 25, error: 45, speed: 0)
        #expect(script.told == ["enter a settled"])
    }

    @Test("a timer settles when fixes stop, but never on one fix")
    func settledByTimer() throws {
        for (fixes, told) in [(1, []), (2, ["enter a settled"])] {
            var script = Script([try Script.circle("a", x: 0, radius: 40)])
            script.at(0, x: 100, error: 30)
            for second in 1...fixes { script.at(Double(second), x: 25, error: 45, speed: 0) }
            script.wait(until: Double(fixes) + 11.9)
            #expect(script.told == [])
            script.wait(until: Double(fixes) + 12)
            #expect(script.told == told)
        }
    }

    @Test("inside stays inside in the buffer, and leaves beyond it")
    func hysteresis() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 100)])
        script.at(0, x: 0)
        for second in 1..<60 { script.at(Double(second), x: 125, speed: 0) }
        #expect(script.told == ["initial a initial"])
        for second in 60..<70 { script.at(Double(second), x: 132, speed: 0) }
        script.at(70, x: 132, speed: 0)
        #expect(script.told == ["initial a initial", "exit a settled"])
    }

    @Test("an exit proves more than its enter left open")
    func proofBound() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 100)])
        script.at(0, x: 90, error: 60)
        #expect(script.told == ["initial a initial"])
        // U = −10 + 60 = 50: 145 − 100 − 3 = 42 proves less than that.
        script.at(20, x: 145, error: 3)
        for second in 21..<60 { script.at(Double(second), x: 145, error: 3, speed: 0) }
        #expect(script.told == ["initial a initial"])
        script.at(60, x: 155, error: 3)
        #expect(script.told.last == "exit a certain")
    }

    @Test("dwell is recorded once, at its time, by a fix or by the timer")
    func dwell() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 100, dwell: 20)])
        for second in 0..<30 { script.at(Double(second), x: 0, speed: 0) }
        #expect(script.told == ["initial a initial", "dwell a"])
        #expect(script.times == [0, 20])
        var silent = Script([try Script.circle("a", x: 0, radius: 100, dwell: 20)])
        silent.at(0, x: 0)
        silent.wait(until: 19.9)
        #expect(silent.told == ["initial a initial"])
        silent.wait(until: 20)
        #expect(silent.told == ["initial a initial", "dwell a"])
    }

    @Test("a stay that ends before its dwell time has no dwell event")
    func noDwell() throws {
        var script = Script([try Script.circle("a", x: 0, radius: 100, dwell: 20)])
        script.at(0, x: 0)
        script.at(10, x: 50)
        script.at(19, x: 180)
        script.wait(until: 60)
        #expect(script.told == ["initial a initial", "exit a certain", "position-lost"])
    }

    @Test("across a gap the events are those of the fix, at its time")
    func gap() throws {
        var script = Script([
            try Script.circle("passed", x: 500, radius: 100),
            try Script.circle("reached", x: 1000, radius: 100),
        ])
        script.at(0, x: 0, speed: 20)
        script.at(50, x: 1000, speed: 20)
        #expect(
            script.told == ["position-lost", "position-regained", "enter reached certain"])
        #expect(script.times == [30, 50, 50])
    }

    @Test("an edited area is judged at once; other edits change nothing")
    func edited() throws {
        var fence = try Script.circle("a", x: 0, radius: 100)
        var script = Script([fence])
        script.at(0, x: 50)
        fence.title = "renamed"
        try script.change(upserts: [fence])
        #expect(script.told == ["initial a initial"])
        fence.subject = .area(try Area(.circle(center: Script.place(0), radius: 40)))
        try script.change(upserts: [fence])
        #expect(script.told.last == "exit a fence-changed")
        try script.change(removing: ["a"])
        #expect(script.told.count == 2)
    }

    @Test("a fence removed around the vehicle gives an exit; added again, an initial")
    func removed() throws {
        let fence = try Script.circle("a", x: 0, radius: 100)
        var script = Script([fence])
        script.at(0, x: 0)
        try script.change(removing: ["a"])
        #expect(script.told.last == "exit a fence-removed")
        try script.change(upserts: [fence])
        script.at(1, x: 0)
        #expect(script.told.last == "initial a initial")
    }

    @Test("a fence with initial_enter gives an enter instead of an initial")
    func initialEnter() throws {
        var fence = try Script.circle("a", x: 0, radius: 100)
        fence.initialEnter = true
        fence.notifyOnEntry = false
        var script = Script([fence])
        script.at(0, x: 0)
        #expect(script.told == ["enter a initial"])
        #expect(!script.events[0].announced)
    }

    @Test("on one fix: exits smaller first, then enters larger first, ties by id")
    func order() throws {
        let fences = [
            try Script.circle("left-small", x: 0, radius: 50),
            try Script.circle("left-large", x: 0, radius: 80),
            try Script.circle("b", x: 400, radius: 60),
            try Script.circle("a", x: 400, radius: 60),
            try Script.circle("large", x: 400, radius: 90),
        ]
        var script = Script(fences)
        script.at(0, x: 0)
        script.at(10, x: 400)
        #expect(
            script.told == [
                "initial left-large initial", "initial left-small initial",
                "exit left-small certain", "exit left-large certain",
                "enter large certain", "enter a certain", "enter b certain",
            ])
    }

    @Test("ids that look the same but differ in bytes are two fences")
    func canonicallyEquivalentIDs() throws {
        let fences = [
            try Script.circle("caf\u{e9}", x: 0, radius: 100),
            try Script.circle("cafe\u{301}", x: 500, radius: 100),
        ]
        var script = Script(fences)
        script.at(0, x: 0)
        try script.change(upserts: [try Script.circle("other", x: 9000, radius: 50)])
        script.at(25, x: 500)
        let ids = script.events.compactMap(\.fence).map { Array($0.utf8).count }
        #expect(script.events.map(\.kind) == [.initial, .exit, .enter])
        #expect(ids == [5, 5, 6])
    }
}
