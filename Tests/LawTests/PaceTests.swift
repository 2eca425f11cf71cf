import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// The source's own pace: section 2 of the law.
@Suite struct PaceTests {
    /// A receiver that gives a fix each `interval` s, of a vehicle at 20 m/s: one fence of 200 m radius
    /// halfway between two of its fixes, far from the first ones.
    private static func script(_ interval: Double, fixes: Int, speed: Double? = 20) throws -> Script
    {
        let middle = 20 * interval * 12.5
        var script = Script([try Script.circle("a", x: middle, radius: 200)])
        for index in 0..<fixes {
            script.at(interval * Double(index), x: 20 * interval * Double(index), speed: speed)
        }
        return script
    }

    @Test(
        "at a steady pace no position is lost once the pace is known, and what the path touches is told",
        arguments: [10.0, 20, 30, 31, 40, 48, 60, 90, 119])
    func steady(interval: Double) throws {
        let script = try Self.script(interval, fixes: 20)
        let told = script.told
        #expect(told.filter { $0.contains(" a ") } == ["enter a certain", "exit a certain"])
        // Of five intervals; each of those before is a hole if it is longer than that.
        let lost = interval > 30 ? 5 : 0
        #expect(told.count { $0.hasPrefix("position-lost") } == lost)
        #expect(told.count { $0.hasPrefix("position-regained") } == lost)
    }

    @Test("without a reported speed it is the same")
    func mute() throws {
        let told = try Self.script(40, fixes: 20, speed: nil).told
        #expect(told.filter { $0.contains(" a ") } == ["enter a certain", "exit a certain"])
    }

    @Test("an interval of more than two minutes is a hole, and none of the pace")
    func slow() throws {
        let told = try Self.script(121, fixes: 20).told
        #expect(told.count { $0.hasPrefix("position-lost") } == 19)
        #expect(!told.contains { $0.contains(" a ") })
    }

    @Test("a receiver at one fix a second has its 30 seconds, whatever it had before")
    func quickAgain() throws {
        var script = Script([])
        var (time, x) = (0.0, 0.0)
        for interval in Array(repeating: 60.0, count: 10) + Array(repeating: 1, count: 10) {
            script.at(time, x: x, speed: 20)
            time += interval
            x += 20 * interval
        }
        script.at(time, x: x, speed: 20)
        script.at(time + 31, x: x + 620, speed: 20)
        #expect(script.told.count { $0.hasPrefix("position-lost") } == 6)
    }

    @Test("while the vehicle stands the looks of a sleeping receiver are no pace")
    func asleep() throws {
        var script = Script([])
        for second in 0..<10 { script.at(Double(second), x: 20 * Double(second), speed: 20) }
        for look in 0..<20 { script.at(60 + 60 * Double(look), x: 200, speed: 0) }
        // The first of them after a minute without a fix, and each of the others.
        #expect(script.told.count { $0.hasPrefix("position-lost") } == 20)
    }

    @Test("a setting of more than the pace gives counts, and one of less does not")
    func settings() throws {
        for (floor, lost) in [(5.0, 1), (300, 0)] {
            var settings = EngineSettings()
            settings.way.pathGap = .seconds(floor)
            settings.gates.lostAfter = .seconds(floor)
            var script = Script([], settings: settings)
            for index in 0..<30 { script.at(4 * Double(index), x: 80 * Double(index), speed: 20) }
            for index in 1..<10 {
                script.at(116 + 9 * Double(index), x: 2320 + 180 * Double(index), speed: 20)
            }
            script.at(397, x: 3940 + 4000, speed: 20)
            #expect(script.told.count { $0.hasPrefix("position-lost") } == lost)
        }
    }
}
