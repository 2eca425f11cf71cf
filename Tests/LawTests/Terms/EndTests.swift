import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 11 of the law: fences that end by themselves.
struct EndTests {
    private func fence(expires: String = "", once: Bool = false) throws -> Fence {
        var fence = try Script.circle("gate", x: 0, radius: 100)
        fence.terms.expires = expires
        fence.terms.once = once
        return fence
    }

    /// There and back through the fence, at 20 m/s.
    private func thereAndBack(_ fence: Fence) -> Script {
        var drive = Script([fence])
        for second in 0...50 { drive.at(Double(second), x: -500 + 20 * Double(second), speed: 20) }
        for second in 51...100 {
            drive.at(Double(second), x: 1_500 - 20 * Double(second), speed: 20)
        }
        return drive
    }

    @Test("a fence with once ends with its first exit, and is marked with it")
    func once() throws {
        var drive = thereAndBack(try fence(once: true))
        #expect(drive.told == ["enter gate certain", "exit gate certain"])
        let spent = SpentFence(fence: "gate", added: 1)
        #expect(drive.tracker.engine.spent == [spent])
        try drive.change(removing: ["gate"])
        drive.take(.retired([spent]), at: 101)
        #expect(drive.tracker.engine.spent.isEmpty)
    }

    @Test("a fence without once does not")
    func always() throws {
        #expect(thereAndBack(try fence()).told.count == 4)
    }

    @Test("a fence that has ended also rests after a restart")
    func restarted() throws {
        var engine = Engine(settings: EngineSettings(), generation: 1)
        engine.resume(spent: [SpentFence(fence: "gate", added: 1)])
        var drive = Script([try fence(once: true)])
        drive.restart(with: engine)
        drive.at(0, x: 0)
        drive.at(10, x: 0)
        #expect(drive.told.isEmpty)
    }

    @Test("an expired fence is treated as absent, and an open stay ends at its expiry")
    func expires() throws {
        // 40 s after the epoch.
        var drive = Script([try fence(expires: "2023-11-14T22:14:00Z")])
        for second in stride(from: 0.0, through: 100, by: 10) { drive.at(second, x: 0) }
        #expect(drive.told == ["initial gate initial", "exit gate expired"])
        #expect(drive.events.last?.time == Script.time(40))
        #expect(drive.tracker.engine.spent == [SpentFence(fence: "gate", added: 1)])
    }

    @Test("a fence added after its expiry ends with the next fix, not with a timer before it")
    func added() throws {
        var drive = Script([])
        for second in stride(from: 0.0, through: 60, by: 10) { drive.at(second, x: 0) }
        try drive.change(upserts: [fence(expires: "2023-11-14T22:13:50Z")])
        drive.wait(until: 100)
        #expect(drive.told == ["position-lost"])
        #expect(drive.tracker.engine.window?.regions.count == 1)
        #expect(drive.tracker.engine.spent.isEmpty)
        drive.at(101, x: 0)
        #expect(drive.told == ["position-lost", "position-regained"])
        #expect(drive.tracker.engine.spent == [SpentFence(fence: "gate", added: 1)])
    }

    @Test("an invalid time is refused on input")
    func door() throws {
        #expect(FenceRules.flaw(try fence(expires: "tomorrow")) != nil)
        #expect(FenceRules.flaw(try fence(expires: "2026-12-31T18:00:00+01:00")) == nil)
    }
}
