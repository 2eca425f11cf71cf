import Engine
import EngineTestKit
import Geodesy
import Testing
import Time

/// Before and behind the last way out: section 8 of the law.
@Suite struct EscapeTests {
    /// A turn of 89° so many metres behind the last way out, at 1700 m; the vehicle keeps its speed.
    struct Turn: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var behind: Double
        var angle = 89.0
        var speed: Double
        var isTold: Bool
    }

    static let turns = [
        Turn(testDescription: "1100 m behind at 50 km/h", behind: 1_100, speed: 14, isTold: true),
        Turn(testDescription: "1100 m behind at 80 km/h", behind: 1_100, speed: 22, isTold: true),
        Turn(testDescription: "the same of 69°", behind: 1_100, angle: 69, speed: 22, isTold: true),
        Turn(testDescription: "150 m behind at 72 km/h", behind: 150, speed: 20, isTold: true),
        Turn(testDescription: "50 m behind at 72 km/h", behind: 50, speed: 20, isTold: true),
        Turn(testDescription: "40 m behind at 72 km/h", behind: 40, speed: 20, isTold: false),
        Turn(testDescription: "40 m behind at 50 km/h", behind: 40, speed: 14, isTold: true),
        Turn(testDescription: "10 m behind at 50 km/h", behind: 10, speed: 14, isTold: false),
        Turn(testDescription: "at it at 50 km/h", behind: 0, speed: 14, isTold: false),
        Turn(testDescription: "at it at 40 km/h", behind: 0, speed: 11, isTold: true),
        Turn(testDescription: "50 m before it at 50 km/h", behind: -50, speed: 14, isTold: false),
    ]

    @Test(
        "who does not brake is told of a remote hazard, but for a sharp turn at the way out",
        arguments: turns)
    func mustBrake(_ turn: Turn) throws {
        let fence = try Cab.bridge(
            chance: 0.009, escape: 1_700,
            turn: Approach.Turn(toGo: 1_700 - turn.behind, angle: turn.angle))
        var cab = Cab([fence])
        cab.drive(from: -2_400, to: -1_705, speed: turn.speed)
        #expect(cab.told == (turn.isTold ? ["advisory b"] : []))
        if turn.isTold {
            #expect(try #require(cab.details.first?.toEscape) > 3 * turn.speed)
        }
    }
}
