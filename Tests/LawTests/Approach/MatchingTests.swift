import EngineTestKit
import Geodesy
import Law
import Model
import Testing

/// On an approach: section 8 of the law, sentence by sentence.
@Suite struct MatchingTests {
    @Test("three fixes in a row and 25 m confirm; two fixes or less way do not")
    func confirmation() throws {
        var fast = Cab([try Cab.bridge()])
        fast.drive(from: -1_500, to: -1_480)
        #expect(fast.told.isEmpty)
        fast.fix(-1_460)
        #expect(fast.told == ["advisory b initial"])
        var slow = Cab([try Cab.bridge()])
        slow.drive(from: -1_500, to: -1_480, speed: 5)
        #expect(slow.told.isEmpty)
        slow.fix(-1_475, speed: 5)
        #expect(slow.told == ["advisory b initial"])
    }

    @Test("one miss is forgiven, two begin anew")
    func misses() throws {
        var one = Cab([try Cab.bridge()])
        one.fix(-1_500)
        one.fix(-1_480, course: 0)
        one.drive(from: -1_460, to: -1_440)
        #expect(one.told == ["advisory b initial"])
        var two = Cab([try Cab.bridge()])
        two.fix(-1_500)
        two.fix(-1_480, course: 0)
        two.fix(-1_460, course: 0)
        two.drive(from: -1_440, to: -1_420)
        #expect(two.told.isEmpty)
        two.fix(-1_400)
        #expect(two.told == ["advisory b"])
    }

    struct Lane: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var y: Double
        var course = 90.0
        var error = 5.0
        var rivalsAt: [Double] = []
        var isOn: Bool
    }

    static let lanes = [
        Lane(testDescription: "27 m beside the leg", y: 27, isOn: true),
        Lane(testDescription: "29 m beside the leg", y: 29, isOn: false),
        Lane(testDescription: "60 m beside it with an error of 40 m", y: 60, error: 40, isOn: true),
        Lane(testDescription: "40° off its course", y: 0, course: 130, isOn: true),
        Lane(testDescription: "50° off its course", y: 0, course: 140, isOn: false),
        Lane(testDescription: "40° and 24 m off", y: 24, course: 130, isOn: false),
        Lane(testDescription: "against it", y: 0, course: 270, isOn: false),
        Lane(testDescription: "on a rival 15 m beside it", y: 15, rivalsAt: [15], isOn: false),
        Lane(testDescription: "half-way to a rival", y: 7, rivalsAt: [15], isOn: true),
        Lane(testDescription: "a little nearer to a rival", y: 9, rivalsAt: [15], isOn: true),
    ]

    @Test(
        "a leg is matched by distance and course, and not where a rival fits better",
        arguments: lanes)
    func isMatched(_ lane: Lane) throws {
        var cab = Cab([try Cab.bridge(rivalsAt: lane.rivalsAt)])
        for step in 0..<6 {
            cab.fix(
                -780 + 20 * Double(step), lane.y, course: lane.course, error: lane.error)
        }
        #expect(cab.told == (lane.isOn ? ["advisory b initial"] : []))
    }

    @Test("without a course that of the path counts, if the fixes lie far enough apart")
    func pathCourse() throws {
        var far = Cab([try Cab.bridge()])
        far.drive(from: -1_500, to: -1_400, hasCourse: false)
        #expect(far.told == ["advisory b"])
        var near = Cab([try Cab.bridge()])
        near.drive(from: -1_500, to: -1_480, speed: 2, error: 15, hasCourse: false)
        #expect(near.script.tracker.engine.ahead.isEmpty)
        // Two fixes are 30 m apart, their errors 30 m: the course is that of three.
        var noisy = Cab([try Cab.bridge()])
        noisy.drive(from: -1_500, to: -1_300, speed: 15, error: 15, hasCourse: false)
        #expect(noisy.told == ["advisory b"])
    }

    @Test("off after five fixes and 40 m on no leg, not before")
    func off() throws {
        var cab = Cab([try Cab.bridge()])
        cab.drive(from: -1_500, to: -1_400)
        for step in 1...4 { cab.fix(-1_400, 20 * Double(step), course: 0) }
        #expect(cab.told == ["advisory b initial"])
        cab.fix(-1_400, 100, course: 0)
        #expect(cab.told == ["advisory b initial", "clear b turned-off"])
        var slow = Cab([try Cab.bridge()])
        slow.drive(from: -1_500, to: -1_400)
        for step in 0..<6 { slow.fix(-1_400, 4 * Double(step), speed: 4, course: 0) }
        #expect(slow.told.count == 1)
    }

    @Test("three fixes on another road are off, four beside all roads are not")
    func elsewhere() throws {
        let parting = [Cab.line([-1_400, -1_350], y: 0) + Cab.line([-1_250, 500], y: 45)]
        var cab = Cab([try Cab.bridge(rivals: parting)])
        cab.drive(from: -1_500, to: -1_300)
        cab.drive(from: -1_240, to: -1_220, y: 45)
        #expect(cab.told == ["advisory b initial"])
        cab.fix(-1_200, 45)
        #expect(cab.told == ["advisory b initial", "clear b turned-off"])
    }

    @Test("from 100 m behind a fork on, a road that fits better is the road")
    func parted() throws {
        // Parts at x = −1000, a position of both, over two lines, and runs 15 m beside the leg.
        let parting = [
            Cab.line([-1_000], y: 0) + Cab.line([-960], y: 15),
            Cab.line([-960, 500], y: 15),
        ]
        func told(_ rivals: [[Coordinate]], from x: Double) throws -> [String] {
            var cab = Cab([try Cab.bridge(chance: 0.1, rivals: rivals)])
            cab.drive(from: -1_500, to: -1_000)
            // A tie, a little nearer to the rival.
            cab.drive(from: x, to: -500, y: 8)
            return cab.told
        }
        #expect(try told(parting, from: -980).isEmpty)
        // Where it begins beside the leg nothing says that the two have parted.
        let beside = [Cab.line([-990, 500], y: 15)]
        #expect(try told(beside, from: -980) == ["advisory b"])
    }

    @Test("standing, however long and wherever the fixes stray, is not off")
    func standing() throws {
        var cab = Cab([try Cab.bridge()])
        cab.drive(from: -1_500, to: -1_400)
        for step in 0..<30 {
            cab.fix(-1_400, step % 2 == 0 ? 40 : -40, speed: 0.5, error: 20)
        }
        cab.drive(from: -1_380, to: -1_300)
        #expect(cab.told == ["advisory b initial"])
    }

    @Test("after a jump the confirmation begins anew, what was said stays said")
    func jump() throws {
        var cab = Cab([try Cab.bridge()])
        cab.drive(from: -2_900, to: -2_860)
        for step in 0..<3 { cab.fix(-1_500 + 20 * Double(step)) }
        // Three held fixes are accepted together: a new path, confirmed by all three.
        #expect(cab.told == ["advisory b jump"])
        cab.drive(from: -1_440, to: -1_400)
        for step in 0..<3 { cab.fix(-600 + 20 * Double(step)) }
        #expect(cab.told == ["advisory b jump"])
    }
}
