import EngineTestKit
import Geodesy
import Model
import Testing
import Time

/// Section 11 of the law: stops.
struct StopTests {
    private func scales(stop: Double = 0, most: Double = 0) throws -> Fence {
        var fence = try Script.circle("scales", x: 0, radius: 100)
        fence.terms.stop = .seconds(stop)
        fence.terms.maxStay = .seconds(most)
        return fence
    }

    /// Enters from the west at 10 m/s, stands at the centre for that many seconds, and leaves to
    /// the east.
    private func visit(_ fence: Fence, standing: Int, from: Double = -400) -> Script {
        var drive = Script([fence])
        var (second, x) = (0.0, from)
        while x < 0 {
            drive.at(second, x: x, speed: 10)
            (second, x) = (second + 1, x + 10)
        }
        for _ in 0..<standing {
            drive.at(second, x: 0, speed: 0)
            second += 1
        }
        while x <= 500 {
            drive.at(second, x: x, speed: 10)
            (second, x) = (second + 1, x + 10)
        }
        return drive
    }

    @Test("a vehicle that has stood for the required time leaves with stopped")
    func stopped() throws {
        let drive = visit(try scales(stop: 30), standing: 32)
        #expect(drive.events.map(\.kind) == [.enter, .exit])
        #expect(drive.events.last?.terms?.stopped == true)
    }

    @Test("a vehicle that has not leaves without it, and no-stop is reported")
    func noStop() throws {
        let drive = visit(try scales(stop: 30), standing: 20)
        #expect(drive.events.map(\.kind) == [.enter, .exit, .noStop])
        #expect(drive.events[1].terms?.stopped == false)
        #expect(drive.events[2].time == drive.events[1].time)
        #expect(drive.events[2].presence == .outside && drive.events[2].terms == nil)
    }

    @Test("a vehicle that drives through without a fix inside has not stopped")
    func through() throws {
        var drive = Script([try scales(stop: 30)])
        for step in 0...4 {
            drive.at(Double(step) * 25, x: -700 + 275 * Double(step), speed: 11)
        }
        #expect(drive.events.map(\.kind) == [.enter, .exit, .noStop])
    }

    @Test("for a vehicle that was found inside a missing stop is not reported")
    func found() throws {
        let drive = visit(try scales(stop: 30), standing: 0, from: -50)
        #expect(drive.events.map(\.kind) == [.initial, .exit])
        #expect(drive.events.last?.terms == nil)
        let stood = visit(try scales(stop: 30), standing: 40, from: -50)
        #expect(stood.events.last?.terms?.stopped == true)
    }

    @Test("a receiver that sleeps while the vehicle stands does not undo the stop")
    func sleeping() throws {
        var drive = Script([try scales(stop: 30)])
        for second in 0...40 { drive.at(Double(second), x: -400 + 10 * Double(second), speed: 10) }
        drive.at(41, x: 0, speed: 0)
        drive.at(200, x: 3, speed: 0)
        for second in 0...40 { drive.at(201 + Double(second), x: 10 * Double(second), speed: 10) }
        #expect(drive.events.last?.kind == .exit)
        #expect(drive.events.last?.terms?.stopped == true)
    }

    @Test("a fence that is removed was not left")
    func removed() throws {
        var drive = Script([try scales(stop: 30)])
        for second in 0...40 { drive.at(Double(second), x: -400 + 10 * Double(second), speed: 10) }
        try drive.change(removing: ["scales"])
        #expect(drive.events.map(\.kind) == [.enter, .exit])
        #expect(drive.events.last?.terms == nil)
    }

    @Test("a stay longer than allowed is reported once, at a fix, with its time")
    func overstay() throws {
        let drive = visit(try scales(most: 60), standing: 120)
        #expect(drive.events.map(\.kind) == [.enter, .overstay, .exit])
        #expect(drive.events[1].time == drive.events[0].time + .seconds(60))
        #expect(visit(try scales(most: 60), standing: 10).events.map(\.kind) == [.enter, .exit])
    }

    @Test("without fixes the timer reports it")
    func timer() throws {
        var drive = Script([try scales(most: 60)])
        for second in 0...40 { drive.at(Double(second), x: -400 + 10 * Double(second), speed: 10) }
        drive.wait(until: 89.9)
        #expect(!drive.events.contains { $0.kind == .overstay })
        drive.wait(until: 90.1)
        #expect(drive.events.contains { $0.kind == .overstay })
    }
}
