import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// The stages of an approach: section 8 of the law, sentence by sentence.
@Suite struct StageTests {
    /// x of the first event of a kind, m.
    private func place(of kind: EventKind, _ cab: Cab) -> Double? {
        cab.script.events.first { $0.kind == kind }?.approach.map { -$0.toGo }
    }

    @Test("advisory a mile before the last escape where the chance is 0.3 or more")
    func mile() throws {
        var likely = Cab([try Cab.bridge(chance: 0.3)])
        likely.drive(from: -2_990, to: -1_000)
        #expect(likely.told == ["advisory b"])
        let x = try #require(place(of: .advisory, likely))
        #expect((-1_909 ... -1_889).contains(x))
        var unlikely = Cab([try Cab.bridge(chance: 0.09)])
        unlikely.drive(from: -2_990, to: -600)
        #expect(unlikely.told.isEmpty)
        unlikely.drive(from: -580, to: -400)
        // 14 s · 20 m/s before an escape at 300 m.
        #expect(try #require(place(of: .advisory, unlikely)) < -520)
    }

    @Test("no advisory seconds before the escape while too fast for the turn")
    func turn() throws {
        let fence = try Cab.bridge(chance: 0.05, turn: Approach.Turn(toGo: 370, angle: 85))
        var fast = Cab([fence])
        fast.drive(from: -480, to: -320, speed: 20)
        #expect(fast.told.isEmpty)
        var slowing = Cab([fence])
        slowing.drive(from: -480, to: -420, speed: 20)
        slowing.drive(from: -414, to: -330, speed: 6)
        #expect(slowing.told == ["advisory b"])
    }

    @Test("seconds before the escape the advisory waits for a turn that is 80 m before it")
    func waitsForTurn() throws {
        var cab = Cab([try Cab.bridge(chance: 0.05, turn: Approach.Turn(toGo: 381, angle: 85))])
        cab.drive(from: -1_000, to: -385, speed: 12)
        #expect(cab.told.isEmpty)
        cab.drive(from: -380, to: -340, speed: 6)
        #expect(cab.told == ["advisory b"])
        #expect((370...381).contains(try #require(cab.details.first).toGo))
        var near = Cab([try Cab.bridge(chance: 0.05, turn: Approach.Turn(toGo: 379, angle: 85))])
        near.drive(from: -1_000, to: -385, speed: 12)
        #expect(near.told == ["advisory b"])
    }

    @Test("urgent 10 m behind the last escape, then passed")
    func urgent() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)])
        cab.drive(from: -1_500, to: 120)
        #expect(cab.told == ["advisory b initial", "urgent b", "clear b passed"])
        let x = try #require(place(of: .urgent, cab))
        #expect((-290 ... -265).contains(x))
        let end = try #require(cab.script.events.last)
        #expect(end.presence == nil && end.distance == nil)
    }

    @Test("urgent ten seconds before the hazard where the chance is 0.5, escape or not")
    func certain() throws {
        var cab = Cab([try Cab.bridge(chance: 0.5, escape: 30)])
        cab.drive(from: -1_500, to: -180)
        #expect(cab.told == ["advisory b initial", "urgent b"])
        let x = try #require(place(of: .urgent, cab))
        #expect((-200 ... -180).contains(x))
    }

    @Test("without an escape urgent comes at 150 m or 10 s")
    func noEscape() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3, escape: nil)])
        cab.drive(from: -2_000, to: -20)
        #expect(cab.told == ["advisory b", "urgent b"])
        #expect(try #require(place(of: .urgent, cab)) >= -200)
    }

    @Test("found on an approach behind the escape: urgent alone, initial")
    func initial() throws {
        var cab = Cab([try Cab.bridge()])
        cab.drive(from: -250, to: 120)
        #expect(cab.told == ["urgent b initial", "clear b passed"])
    }

    @Test("a vehicle that fits hears nothing")
    func fits() throws {
        var cab = Cab([try Cab.bridge(limit: 4.3)])
        cab.drive(from: -2_000, to: 200)
        #expect(cab.told.isEmpty)
    }

    @Test("a long restricted section is passed at its end")
    func longSection() throws {
        var cab = Cab([try Cab.bridge(section: 400)])
        cab.drive(from: -500, to: 400)
        #expect(cab.told == ["advisory b initial", "urgent b"])
        cab.drive(from: 420, to: 480)
        #expect(cab.told.last == "clear b passed")
    }

    @Test("turned off at the junction before the bridge is not passed")
    func turnedOffAtTheBridge() throws {
        var cab = Cab([try Cab.bridge(escape: 5)])
        cab.drive(from: -300, to: -5, speed: 10)
        for step in 1...12 { cab.fix(-4, 10 * Double(step), speed: 10, course: 0) }
        #expect(cab.told.last == "clear b turned-off")
    }

    @Test(
        "round the block within five minutes: no advisory before ten fixes on the legs")
    func block() throws {
        var cab = Cab([try Cab.bridge()])
        func leave(_ cab: inout Cab) {
            for step in 0..<10 { cab.fix(-1_300, 40 + 20 * Double(step), course: 0) }
        }
        cab.drive(from: -1_400, to: -1_300)
        leave(&cab)
        cab.drive(from: -1_300, to: -1_400, y: 220)
        for step in 0..<10 { cab.fix(-1_400, 200 - 20 * Double(step), course: 180) }
        cab.drive(from: -1_400, to: -200)
        #expect(
            cab.told == [
                "advisory b initial", "clear b turned-off", "advisory b", "urgent b",
            ])
        #expect(cab.script.events.allSatisfy { $0.announced })
        // Not at once, but with the tenth fix on the legs.
        #expect((1_210...1_230).contains(cab.details[2].toGo))
        // Turned off again, and back for nine fixes; then where the last escape is near.
        leave(&cab)
        cab.drive(from: -1_300, to: -1_140)
        #expect(cab.told.last == "clear b turned-off")
        leave(&cab)
        cab.drive(from: -580, to: -540)
        #expect(cab.told.last == "advisory b jump")
        leave(&cab)
        for step in 0..<40 { cab.fix(-1_300, 240 + 20 * Double(step), course: 0, after: 10) }
        cab.drive(from: -1_400, to: -1_300)
        #expect(cab.script.events.last?.kind == .advisory)
    }

    @Test("in a tunnel urgent falls due by dead reckoning, inferred")
    func tunnel() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)])
        cab.drive(from: -1_000, to: -500)
        cab.wait(9)
        #expect(cab.told == ["advisory b initial"])
        cab.wait(12)
        let urgent = try #require(cab.script.events.last)
        #expect(urgent.kind == .urgent && urgent.inferred)
        // 290 m to go, 210 m after the last fix at 20 m/s.
        #expect((10...11.5).contains((urgent.time - Script.time(cab.now)).seconds))
        #expect((289...290).contains(urgent.approach?.toGo ?? 0))
    }

    @Test(
        "without fixes a warning holds for as long as the road explains",
        arguments: [(-500.0, 249.0), (-360, 179), (-320, 159), (-280, 1_799)])
    func hole(_ last: Double, _ seconds: Double) throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)])
        cab.drive(from: -1_000, to: last)
        let told = cab.told.count
        cab.wait(seconds)
        #expect(!cab.told.contains("clear b position-lost"))
        cab.wait(seconds + 2)
        #expect(cab.told.last == "clear b position-lost" && cab.told.count <= told + 2)
    }

    @Test("after a hole on a road without a way out nothing is told again")
    func afterHole() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)])
        cab.drive(from: -1_000, to: -260)
        #expect(cab.told == ["advisory b initial", "urgent b"])
        // A queue in the tunnel.
        cab.fix(-140, after: 900)
        cab.drive(from: -120, to: 60)
        #expect(cab.told == ["advisory b initial", "urgent b", "clear b passed"])
    }

    @Test("what would take longer than 30 s is not reckoned")
    func longTunnel() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)])
        cab.drive(from: -1_500, to: -1_000)
        cab.wait(100)
        #expect(cab.told == ["advisory b initial"])
    }

    @Test("a turn round ends the approach")
    func turnRound() throws {
        var cab = Cab([try Cab.bridge()])
        cab.drive(from: -1_500, to: -1_400)
        cab.drive(from: -1_420, to: -1_500)
        #expect(cab.told == ["advisory b initial", "clear b turned-off"])
    }

    @Test("parked on the approach nothing more is said, moving off only what was not yet")
    func parked() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)])
        cab.drive(from: -1_500, to: -600)
        cab.fix(-600, speed: 0, course: nil)
        for _ in 0..<60 { cab.fix(-600, speed: 0, course: nil, after: 20) }
        cab.drive(from: -580, to: -320)
        #expect(cab.told == ["advisory b initial"])
        cab.drive(from: -300, to: -200)
        #expect(cab.told == ["advisory b initial", "urgent b"])
    }

    @Test("a trailer coupled on the way is judged at once, uncoupled clears at once")
    func vehicleChanged() throws {
        var cab = Cab([try Cab.bridge(chance: 0.3)], height: 3)
        cab.drive(from: -1_500, to: -600)
        #expect(cab.told.isEmpty)
        cab.set(Vehicle(height: 4.2))
        #expect(cab.told == ["advisory b vehicle-changed"])
        cab.set(Vehicle(height: 4.2))
        cab.set(Vehicle(height: 3.2))
        #expect(cab.told == ["advisory b vehicle-changed", "clear b vehicle-changed"])
        cab.drive(from: -580, to: -200)
        cab.set(Vehicle(height: 4.5))
        #expect(cab.told.last == "urgent b vehicle-changed")
    }

    @Test("several due at once: the first reached first, with the number that follow")
    func group() throws {
        let fences = [
            try Cab.bridge("far", x: 100), try Cab.bridge("near"), try Cab.bridge("mid", x: 50),
        ]
        var cab = Cab(fences)
        cab.drive(from: -1_500, to: -1_400)
        #expect(cab.script.events.map(\.fence) == ["near", "mid", "far"])
        #expect(cab.details.map(\.group) == [2, 0, 0])
    }

    @Test("one due within three seconds follows, a later one does not")
    func laterGroup() throws {
        // Due a mile before its escape: 40 m and 200 m later than the first.
        let fences = [
            try Cab.bridge("a"), try Cab.bridge("b", x: 40), try Cab.bridge("c", x: 200),
        ]
        var cab = Cab(fences)
        cab.drive(from: -2_700, to: -1_000)
        #expect(cab.script.events.map(\.fence) == ["a", "b", "c"])
        #expect(cab.details.map(\.group) == [nil, 0, nil])
    }

    @Test("removed and edited while ahead: clear; an edit of the title is none")
    func edits() throws {
        var cab = Cab([try Cab.bridge("a"), try Cab.bridge("b"), try Cab.bridge("c")])
        cab.drive(from: -1_500, to: -1_400)
        var renamed = try Cab.bridge("c")
        renamed.title = "other"
        try cab.script.change(upserts: [try Cab.bridge("a", limit: 3.9), renamed], removing: ["b"])
        #expect(
            cab.told.suffix(2) == ["clear a fence-changed", "clear b fence-removed"])
        cab.drive(from: -1_380, to: -1_300)
        #expect(cab.told.last == "advisory a")
    }

    @Test("beside another road the advisory waits for eight fixes, near the escape for none")
    func rival() throws {
        let fence = try Cab.bridge(rivalsAt: [25])
        var far = Cab([fence])
        far.drive(from: -1_500, to: -1_380)
        #expect(far.told.isEmpty)
        far.drive(from: -1_360, to: -1_340)
        #expect(far.told == ["advisory b"])
        var near = Cab([fence])
        near.drive(from: -780, to: -720)
        #expect(near.told == ["advisory b initial"])
    }

    @Test("a little nearer to another road: silent while far, told near the escape")
    func tie() throws {
        var cab = Cab([try Cab.bridge(rivalsAt: [15])])
        cab.fix(-1_500)
        // Whatever the leg continues, the rival fits better.
        cab.drive(from: -1_480, to: -820, y: 8)
        #expect(cab.told.isEmpty)
        // That the rival fitted best before is no reason to be silent.
        var beside = Cab([try Cab.bridge(rivalsAt: [15])])
        beside.drive(from: -1_500, to: -820, y: 10.5)
        #expect(beside.told.isEmpty)
        for var cab in [cab, beside] {
            cab.drive(from: -800, to: -700, y: 10.5)
            #expect(cab.told == ["advisory b"])
        }
    }

    @Test("first found behind the escape on a road beside another: not before ten fixes")
    func besideBehind() throws {
        let fence = try Cab.bridge(rivalsAt: [25])
        var cab = Cab([fence])
        for step in 0..<20 { cab.fix(-290, 300 - 15 * Double(step), speed: 15, course: 180) }
        cab.drive(from: -280, to: -210, speed: 10)
        #expect(cab.told.isEmpty)
        cab.drive(from: -200, to: -100, speed: 10)
        #expect(cab.told == ["urgent b"])
    }

    @Test("a rival that fits better for a while does not end a confirmed approach")
    func doubt() throws {
        var cab = Cab([try Cab.bridge(rivalsAt: [16])])
        cab.drive(from: -1_500, to: -1_000)
        // Nearer to the rival, by less than says that it has turned off.
        cab.drive(from: -980, to: -700, y: 13)
        cab.drive(from: -680, to: -600)
        #expect(cab.told == ["advisory b"])
    }

    @Test("remote chances are told 10 s before the escape")
    func remote() throws {
        var cab = Cab([try Cab.bridge(chance: 0.009)])
        cab.drive(from: -1_000, to: -520)
        #expect(cab.told.isEmpty)
        cab.drive(from: -500, to: -400)
        #expect(cab.told == ["advisory b"])
    }

    @Test("a remote chance at the end of a turn is told who brakes for it, and not who drives on")
    func braking() throws {
        let turn = Approach.Turn(toGo: 300, angle: 90)
        func told(_ speeds: [Double?]) throws -> [String] {
            var cab = Cab([try Cab.bridge(chance: 0.009, turn: turn)])
            cab.drive(from: -1_000, to: -440)
            var x = -440.0
            for speed in speeds {
                x += speed ?? 20
                cab.fix(x, speed: speed)
            }
            return cab.told
        }
        #expect(try told([20, 20, 20]).isEmpty)
        #expect(try told([19.5]) == ["advisory b"])
        #expect(try told([19.6]).isEmpty)
        // Where the receiver does not say how fast it is.
        #expect(try told([nil]) == ["advisory b"])
        var slow = Cab([try Cab.bridge(chance: 0.009, turn: turn)])
        slow.drive(from: -1_000, to: -400, speed: 11)
        #expect(slow.told == ["advisory b"])
    }

    @Test("what is ahead: limit, metres, seconds, way out, stage")
    func ahead() throws {
        var cab = Cab([try Cab.bridge(chance: 0.4), try Cab.bridge("fits", limit: 5)])
        cab.drive(from: -2_900, to: -2_500)
        let early = try #require(cab.script.tracker.engine.ahead.first)
        #expect(early.stage == nil && (2_490...2_510).contains(early.details.toGo))
        cab.drive(from: -2_480, to: -360)
        let ahead = try #require(cab.script.tracker.engine.ahead.first)
        #expect(cab.script.tracker.engine.ahead.count == 1)
        #expect(ahead.hazard == "b" && ahead.stage == .advisory)
        #expect((359...362).contains(ahead.details.toGo))
        #expect((59...62).contains(ahead.details.toEscape ?? 0))
        #expect(ahead.details.escape == Approach.Escape(road: "Mill Lane", side: .left))
        #expect(ahead.details.road == "High Street" && ahead.details.shortBy == 0.3)
    }
}
