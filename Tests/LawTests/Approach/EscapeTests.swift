import EngineTestKit
import Geodesy
import Model
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

    /// As the compiler writes it: the legs behind the last way out, at 550 m, do not name it.
    private func compiled(
        chance: Double = 0.6, parts: Int = 1, escape: Double? = 550, rivalsAt: [Double] = []
    ) throws -> Fence {
        var legs: [Approach.Leg] = []
        var lines: [[Coordinate]] = []
        let length = 550 / Double(parts)
        for part in 0..<parts {
            let end = Double(part) * length
            legs.append(
                Approach.Leg(endToGo: end, chance: chance, next: part > 0 ? part - 1 : nil))
            lines.append(Cab.line([-end - length, -end], y: 0))
        }
        legs.append(
            Approach.Leg(
                endToGo: 550, chance: chance, next: parts - 1, escapeToGo: escape,
                escape: escape.map { _ in Approach.Escape(road: "Way Out", side: .left) }))
        lines.append(Cab.line([-3_000, -550], y: 0))
        return try Cab.tree(
            legs, along: lines, under: [Cab.line([0, 20], y: 0)],
            rivals: rivalsAt.map { Cab.line([-3_000, 500], y: $0) })
    }

    @Test(
        "10 m behind a last way out that only the legs before it name, urgent",
        arguments: [(0.6, 1), (0.6, 5), (0.35, 1), (0.1, 3)])
    func behind(_ chance: Double, _ parts: Int) throws {
        var cab = Cab([try compiled(chance: chance, parts: parts)])
        cab.drive(from: -1_500, to: -520)
        #expect(cab.told.last == "urgent b" && cab.told.count == 2)
        let urgent = try #require(cab.details.last)
        #expect((519...540).contains(urgent.toGo))
        #expect((-31 ... -10).contains(try #require(urgent.toEscape)))
    }

    @Test("where no leg names a way out there is none")
    func noEscape() throws {
        var cab = Cab([try compiled(escape: nil)])
        cab.drive(from: -1_500, to: -220)
        #expect(cab.told == ["advisory b initial"])
        cab.drive(from: -200, to: -180)
        #expect(cab.told == ["advisory b initial", "urgent b"])
        #expect(cab.details.allSatisfy { $0.toEscape == nil })
    }

    @Test("of several roads that lead to a leg the nearest way out counts")
    func several() throws {
        let legs = [
            Approach.Leg(endToGo: 0, chance: 0.3),
            Approach.Leg(endToGo: 400, chance: 0.2, next: 0, escapeToGo: 500),
            Approach.Leg(endToGo: 400, chance: 0.2, next: 0, escapeToGo: 400),
            Approach.Leg(endToGo: 400, chance: 0.2, next: 0),
        ]
        let lines = [
            Cab.line([-400, 0], y: 0), Cab.line([-900, -400], y: 0),
            [Script.place(-400, 500), Script.place(-400, 0)],
            [Script.place(-400, -500), Script.place(-400, 0)],
        ]
        let fence = try Cab.tree(legs, along: lines, under: [Cab.line([0, 20], y: 0)])
        let known = try #require(fence.approach).legs
        #expect(known.map(\.lastEscape) == [400, 500, 400, nil])
        // What the set says stays as it is.
        #expect(known.map(\.escapeToGo) == [nil, 500, 400, nil])
        var cab = Cab([fence])
        cab.drive(from: -390, to: -360, speed: 10)
        #expect(cab.told == ["urgent b initial"])
    }

    @Test("found behind it, a road beside: nothing before ten fixes")
    func found() throws {
        var alone = Cab([try compiled()])
        alone.drive(from: -500, to: -460)
        #expect(alone.told == ["urgent b initial"])
        var beside = Cab([try compiled(rivalsAt: [20])])
        // Not where its path began.
        for step in 0..<10 { beside.fix(-510, -200 + 20 * Double(step), course: 0) }
        beside.drive(from: -500, to: -420, speed: 10)
        #expect(beside.told.isEmpty)
        beside.fix(-410, speed: 10)
        #expect(beside.told == ["urgent b"])
    }

    @Test("without fixes it is inferred there")
    func inferred() throws {
        var cab = Cab([try compiled()])
        cab.drive(from: -1_000, to: -640)
        cab.wait(10)
        let urgent = try #require(cab.script.events.last { $0.kind == .urgent })
        #expect(urgent.inferred && (539...540).contains(urgent.approach?.toGo ?? 0))
        #expect((4.9...5.1).contains((urgent.time - Script.time(cab.now)).seconds))
    }

    @Test("passed in silence a mile before, it is told at once, and not where the hazard is near")
    func pocket() throws {
        // At 600 m almost all turn into a pocket, from which there is no other way out.
        let legs = [
            Approach.Leg(endToGo: 0, chance: 0.9),
            Approach.Leg(endToGo: 600, chance: 0.05, next: 0),
            Approach.Leg(endToGo: 1_700, chance: 0.04, next: 1, escapeToGo: 1_700),
        ]
        let lines = [
            Cab.line([-600, 0], y: 0), Cab.line([-1_700, -600], y: 0),
            Cab.line([-2_600, -1_700], y: 0),
        ]
        var cab = Cab([try Cab.tree(legs, along: lines, under: [Cab.line([0, 20], y: 0)])])
        cab.drive(from: -1_650, to: -1_600)
        #expect(cab.told == ["advisory b initial"])
        cab.drive(from: -1_580, to: -580)
        #expect(cab.told == ["advisory b initial", "urgent b"])
    }
}
