import EngineTestKit
import Geodesy
import Model
import Testing
import Time

/// Under the bridge, and back: section 8 of the law. Each passage has its stages and one `passed`.
@Suite struct PassageTests {
    /// A bridge of so many metres with legs from both sides, the last way out 300 m before it. Below 0 the
    /// section lies before the end of the leg from the west, as that of a place on a road.
    private static func twoWay(
        _ length: Double, chance: Double = 0.5, rivals: [[Coordinate]] = []
    ) throws -> Fence {
        let end = max(length, 0)
        func legs(after count: Int) -> [Approach.Leg] {
            [
                Approach.Leg(endToGo: 0, chance: chance),
                Approach.Leg(endToGo: 300, chance: chance, next: count, escapeToGo: 300),
            ]
        }
        let lines = [
            Cab.line([-300, 0], y: 0), Cab.line([-2_000, -300], y: 0),
            Cab.line([end + 300, end], y: 0), Cab.line([end + 2_000, end + 300], y: 0),
        ]
        let section: [[Coordinate]] =
            switch length {
            case ..<0: [Cab.line([length, 0], y: 0)]
            case 0: []
            default: [Cab.line([0, length], y: 0)]
            }
        return try Cab.tree(
            legs(after: 0) + legs(after: 2), along: lines, under: section, rivals: rivals)
    }

    /// Under the bridge, so far behind it, and back, with a fix every few seconds.
    private static func thereAndBack(
        _ fence: Fence, speed: Double, every seconds: Double, turning far: Double = 220,
        phase: Double = 0, error: Double = 5, noise: ((Double) -> SIMD2<Double>)? = nil
    ) -> Cab {
        var cab = Cab([fence])
        let start = -600.0 - phase
        var way = 0.0
        while way < 2 * (far - start) {
            let isBack = way > far - start
            let off = noise?(cab.now) ?? SIMD2(0, 0)
            cab.fix(
                (isBack ? 2 * far - start - way : start + way) + off.x, off.y, speed: speed,
                course: isBack ? 270 : 90, error: error, after: seconds)
            way += speed * seconds
        }
        return cab
    }

    struct Drive: CustomTestStringConvertible, Sendable {
        var length: Double
        var speed: Double
        var seconds: Double
        var testDescription: String { "\(length) m, \(speed) m/s, a fix in \(seconds) s" }
    }

    static let drives = [-2.0, 0, 2, 12, 20, 30, 120].flatMap { length in
        [5.0, 10, 15, 25].flatMap { speed in
            [1.0, 2, 5, 10].map { Drive(length: length, speed: speed, seconds: $0) }
        }
    }

    @Test("both ways under a bridge of any length are heard, and passed", arguments: drives)
    func back(_ drive: Drive) throws {
        let fence = try Self.twoWay(drive.length)
        let step = drive.speed * drive.seconds
        // Three fixes must lie on the way back before the bridge.
        let far = drive.length + max(220, 4 * step)
        for phase in stride(from: 0, to: step, by: max(step / 7, 1)) {
            let cab = Self.thereAndBack(
                fence, speed: drive.speed, every: drive.seconds, turning: far, phase: phase)
            Self.expectTwoPassages(cab, "from \(phase) m")
        }
    }

    private static func expectTwoPassages(_ cab: Cab, _ comment: Comment) {
        let kinds = cab.script.events.filter { $0.fence == "b" }.map(\.kind)
        let passages = kinds.split(separator: .clear).map(Array.init)
        #expect(passages.count == 2, comment)
        #expect(passages.allSatisfy { $0.last == .urgent }, comment)
        #expect(
            cab.told.filter { $0.hasPrefix("clear") }
                == ["clear b passed", "clear b passed"], comment)
    }

    /// Of a receiver, metres at each second.
    private static func errors(_ random: inout SeededRandom) -> [SIMD2<Double>] {
        var off = SIMD2(6 * random.normal(), 6 * random.normal())
        return (0..<600).map { _ in
            off = off * 0.967 + SIMD2(1.53 * random.normal(), 1.53 * random.normal())
            return off
        }
    }

    @Test("with the error of a receiver, too", arguments: [12.0, 20, 30])
    func noisy(_ length: Double) throws {
        let fence = try Self.twoWay(length)
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let errors = Self.errors(&random)
            let speed = random.uniform(5...25)
            let cab = Self.thereAndBack(
                fence, speed: speed, every: 1, turning: length + 200, error: 14.7,
                noise: { errors[min(Int($0), 599)] })
            Self.expectTwoPassages(cab, "seed \(seed), \(speed) m/s")
        }
    }

    /// The road behind the bridge is itself a leg: a way round, back to the same side.
    /// - Parameter rise: of the road under the bridge and behind it to the north, m for each to the east.
    private static func loop(_ length: Double, rise: Double = 0) throws -> Fence {
        let legs = [
            Approach.Leg(endToGo: 0, chance: 0.5),
            Approach.Leg(endToGo: 400, chance: 0.5, next: 0),
        ]
        let exit = Script.place(length, length * rise)
        let round =
            [exit, Script.place(600, 600 * rise)] + Cab.line([600, -400], y: 800)
            + Cab.line([-400], y: 0)
        return try Cab.tree(
            legs, along: [Cab.line([-400, 0], y: 0), round], under: [[Script.place(0), exit]])
    }

    @Test("at a walk, round a bend into a passage that leads to the way round: passed")
    func yard() throws {
        for length in [3.0, 5, 9] {
            let fence = try Self.loop(length, rise: 0.7)
            for seed in 0..<40 as Range<UInt64> {
                var random = SeededRandom(seed: seed)
                let errors = Self.errors(&random)
                let speed = random.uniform(3...7)
                var cab = Cab([fence])
                for (step, error) in errors.enumerated() where speed * Double(step) < 500 {
                    let x = -380 + speed * Double(step)
                    cab.fix(
                        x + error.x, max(x, 0) * 0.7 + error.y, speed: speed,
                        course: x < 0 ? 90 : 55, error: 14.7)
                }
                #expect(
                    cab.told.first { $0.hasPrefix("clear") } == "clear b passed",
                    "\(length) m, seed \(seed)")
            }
        }
    }

    @Test("the road behind the bridge is itself a leg: there, round, and there again")
    func loop() throws {
        var cab = Cab([try Self.loop(12)])
        cab.drive(from: -380, to: 600)
        let there = ["advisory b initial", "urgent b", "clear b passed"]
        #expect(cab.told == there)
        for step in 1...40 { cab.fix(600, 20 * Double(step), course: 0) }
        for step in 1...50 { cab.fix(600 - 20 * Double(step), 800, course: 270) }
        for step in 1...40 { cab.fix(-400, 800 - 20 * Double(step), course: 180) }
        cab.drive(from: -380, to: 100)
        #expect(cab.told == there + ["advisory b", "urgent b", "clear b passed"])
    }

    @Test("urgent, turned round before the bridge, and back by a way round: told again")
    func turnedRound() throws {
        let legs = [
            Approach.Leg(endToGo: 0, chance: 0.5),
            Approach.Leg(endToGo: 0, chance: 0.5),
            Approach.Leg(endToGo: 400, chance: 0.5, next: 1, escapeToGo: 400),
        ]
        // Away from the bridge is the way to its other side.
        let round =
            Cab.line([0, -600], y: 0) + Cab.line([-600, 412], y: 800) + Cab.line([412], y: 0)
        let fence = try Cab.tree(
            legs,
            along: [Cab.line([-400, 0], y: 0), Cab.line([412, 12], y: 0), round],
            under: [Cab.line([0, 12], y: 0)])
        var cab = Cab([fence])
        cab.drive(from: -380, to: -60)
        #expect(cab.told == ["advisory b initial", "urgent b"])
        cab.drive(from: -80, to: -600)
        #expect(cab.told.last == "clear b turned-off" && cab.told.count == 3)
        for step in 1...40 { cab.fix(-600, 20 * Double(step), course: 0) }
        for step in 1...50 { cab.fix(-600 + 20 * Double(step), 800, course: 90) }
        for step in 1...40 { cab.fix(412, 800 - 20 * Double(step), course: 180) }
        cab.drive(from: 392, to: -100)
        #expect(cab.told.suffix(2) == ["urgent b", "clear b passed"])
    }

    @Test("behind a hole of four minutes, on the way back: passed, and told again")
    func hole() throws {
        var cab = Cab([try Self.twoWay(12)])
        cab.drive(from: -600, to: -60)
        let told = cab.told
        #expect(told.last == "urgent b")
        cab.fix(212, course: 270, after: 240)
        cab.drive(from: 192, to: -100)
        #expect(cab.told == told + ["clear b passed", "urgent b", "clear b passed"])
        // It stands where it is found.
        var standing = Cab([try Self.twoWay(12)])
        standing.drive(from: -600, to: -60)
        standing.fix(212, speed: 0, course: nil, after: 240)
        for _ in 0..<20 { standing.fix(212, speed: 0, course: nil) }
        standing.drive(from: 192, to: -100)
        #expect(standing.told == told + ["clear b passed", "urgent b", "clear b passed"])
    }

    @Test("found behind a hole on the same side, farther away: told again")
    func comesAgain() throws {
        var cab = Cab([try Self.twoWay(12)])
        cab.drive(from: -600, to: -60)
        let told = cab.told
        cab.now += 240
        cab.drive(from: -1_000, to: 60)
        #expect(
            cab.told
                == told + ["clear b turned-off", "advisory b", "urgent b", "clear b passed"])
    }

    @Test("who leaves the road just before the bridge has not passed it")
    func leaves() throws {
        let ways: [(String, [SIMD2<Double>])] = [
            ("right turn", (1...15).map { SIMD2(-4, 10 * Double($0)) }),
            (
                "and along it, 40 m beside",
                (1...4).map { SIMD2(-4, 10 * Double($0)) }
                    + (1...12).map { SIMD2(-4 + 10 * Double($0), 40) }
            ),
            (
                "turned round",
                [SIMD2(-3, 4), SIMD2(-8, 9)] + (1...12).map { SIMD2(-8 - 10 * Double($0), 9) }
            ),
        ]
        for length in [0.0, 12, 30] {
            for (name, places) in ways {
                var cab = Cab([try Self.twoWay(length)])
                cab.drive(from: -600, to: -5, speed: 10)
                var last = SIMD2(-5.0, 0)
                for place in places {
                    let step = place - last
                    cab.fix(
                        place.x, place.y, speed: 10,
                        course: abs(step.y) > abs(step.x) ? 0 : step.x > 0 ? 90 : 270)
                    last = place
                }
                #expect(cab.told.last == "clear b turned-off", "\(name), \(length) m: \(cab.told)")
            }
        }
    }

    @Test("a fork right at the bridge: the road that has parted is not the section")
    func fork() throws {
        let parting = [Cab.line([0], y: 0) + Cab.line([40, 120], y: 25)]
        // As long as the roads cannot be told apart by the fixes, what is behind the bridge counts.
        let behind = [Cab.line([12, 400], y: 0)]
        let fence = try Self.twoWay(12, rivals: parting + behind)
        var aside = Cab([fence])
        aside.drive(from: -600, to: -10, speed: 10)
        for step in 0..<12 {
            let x = 5 + 8.5 * Double(step)
            aside.fix(x, min(x * 25 / 40, 25), speed: 10, course: x < 40 ? 58 : 90)
        }
        #expect(aside.told.last == "clear b turned-off")
        var through = Cab([fence])
        through.drive(from: -600, to: 100, speed: 10)
        #expect(through.told.last == "clear b passed")
    }
}
