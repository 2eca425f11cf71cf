import Bytes
import EngineTestKit
import Geodesy
import Testing
import Time

@testable import Law
@testable import Model

/// What the vehicle's own network says of its motion: section 13 of the law.
@Suite struct WheelTests {
    private static func report(
        _ second: Double, x: Double, y: Double = 0, speed: Double? = nil, _ wheels: WheelReading?
    ) -> PositionReport {
        var report = Script.report(second, x: x, y: y, speed: speed)
        report.wheels = wheels
        return report
    }

    @Test("the odometer adds what the wheels have counted, and goes on by itself without them")
    func metres() {
        var script = Script([])
        for second in 0..<10 { script.at(Double(second), x: 20 * Double(second), speed: 20) }
        let before = script.tracker.engine.odometer.reading
        for second in 10..<20 {
            let wheels = WheelReading(speed: 19, isStanding: false, way: 19)
            script.send(
                Self.report(Double(second), x: 20 * Double(second), speed: 20, wheels),
                arriving: Double(second))
        }
        let heard = script.tracker.engine.odometer.reading
        #expect(abs(heard.way - before.way - 190) < 1e-6)
        // How far the path is from it is the bound of a stay.
        #expect(abs(heard.bySpeed - before.bySpeed - 200) < 1)
        for second in 20..<30 { script.at(Double(second), x: 20 * Double(second), speed: 20) }
        let after = script.tracker.engine.odometer.reading
        #expect(abs(after.way - heard.way - 200) < 1)
        #expect(after.gap == 0 && after.newPaths == 0)
    }

    @Test("across a hole the wheels count the gap, not the straight line")
    func gap() {
        var script = Script([])
        script.at(0, x: 0, speed: 20)
        script.send(
            Self.report(100, x: 1000, speed: 20, .init(speed: 20, isStanding: false, way: 1900)),
            arriving: 100)
        #expect(script.tracker.engine.odometer.reading.gap == 1900)
    }

    @Test("while the wheels stand a receiver that drifts counts nothing, and the stop counts")
    func drift() throws {
        var fence = try Script.circle("scale", x: 0, radius: 60)
        fence.terms.stop = .seconds(60)
        var (script, silent) = (Script([fence]), Script([fence]))
        func drive(_ second: Double, _ x: Double, _ y: Double, _ speed: Double, stands: Bool) {
            var report = Self.report(second, x: x, y: y, speed: speed, nil)
            silent.send(report, arriving: second)
            report.wheels = WheelReading(
                speed: stands ? 0 : speed, isStanding: stands, way: stands ? 0 : speed)
            script.send(report, arriving: second)
        }
        for second in 0..<10 {
            drive(Double(second), -200 + 20 * Double(second), 0, 20, stands: false)
        }
        // Ten metres here and there at up to 2 m/s, as under a roof.
        for second in 10..<100 {
            let drift = 4 * (Double(second) / 4).truncatingRemainder(dividingBy: 2)
            drive(Double(second), drift, drift, 1.5 + drift / 10, stands: true)
        }
        let stood = script.tracker.engine.odometer.reading.metres
        #expect(stood < silent.tracker.engine.odometer.reading.metres - 50)
        for second in 100..<120 {
            drive(Double(second), 20 * Double(second - 99), 0, 20, stands: false)
        }
        #expect(script.told == ["enter scale certain", "exit scale certain"])
        #expect(script.events.last?.terms?.stopped == true)
        #expect(script.events.last?.terms?.byWheels == true)
        #expect(silent.told.contains("no-stop scale certain"))
    }

    @Test("on a ferry the wheels stand, and everything is told as without them")
    func ferry() throws {
        var fence = try Script.circle("port", x: 1000, radius: 300)
        fence.terms.stop = .seconds(20)
        var (script, silent) = (Script([fence]), Script([fence]))
        for second in 0..<120 {
            let wheels = WheelReading(speed: 0, isStanding: true, way: 0)
            let x = 20 * Double(second)
            script.send(
                Self.report(Double(second), x: x, speed: 20, wheels), arriving: Double(second))
            silent.at(Double(second), x: x, speed: 20)
        }
        #expect(script.told == silent.told)
        #expect(script.told == ["enter port certain", "exit port certain", "no-stop port certain"])
        #expect(script.tracker.engine.odometer.reading.metres == 0)
    }

    @Test("a receiver without a speed has that of the wheels: a limit of speed")
    func speed() throws {
        var fence = try Script.circle("zone", x: 0, radius: 2000)
        fence.terms.speedLimit = 50
        var script = Script([fence])
        for second in 0..<30 {
            // The path says 20 m/s, the wheels 13.
            script.send(
                Self.report(
                    Double(second), x: 20 * Double(second), .init(speed: 13, isStanding: false)),
                arriving: Double(second))
        }
        #expect(script.told == ["initial zone initial"])
    }

    @Test("standing wheels change no crossing, and whatever they say the odometer never goes back")
    func properties() {
        #expect(OnWheels.carried.firstFlaw(in: 0..<150) == nil)
        // Where standing wheels arm the place before, at another fix; the last is carried by that place again.
        for seed: UInt64 in [
            30_128_607_003_175_197, 30_128_774_104_262_382, 30_128_798_532_716_247,
        ] {
            #expect(OnWheels.carried.firstFlaw(in: seed..<seed + 1) == nil)
        }
        #expect(OnWheels.forwards.firstFlaw(in: 0..<150) == nil)
    }

    @Test("a report keeps its wheels as bytes, and one of an older version has none")
    func bytes() throws {
        for wheels in [
            nil, WheelReading(speed: 3, isStanding: false),
            WheelReading(speed: 0, isStanding: true, way: 2.5),
        ] {
            let report = EngineCheckpoint.Report(
                Self.report(1, x: 2, wheels), at: Script.uptime(1))
            let bytes = ByteWriter.bytes { $0.write(report) }
            #expect(ByteReader.value(of: bytes) { try $0.readReport() } == report)
        }
    }

    // MARK: What counts

    fileprivate static func motion(
        _ speed: Double = 10, _ isStanding: Bool = false, odometer: Double? = nil, of: String = "a"
    ) -> VehicleMotion {
        VehicleMotion(
            speed: speed, isStanding: isStanding, odometer: odometer, odometerSource: of)
    }

    @Test(
        "what cannot be is refused, with its reason",
        arguments: [
            (motion(.nan), WheelRefusal.notFinite), (motion(.infinity), .notFinite),
            (motion(-1), .outOfRange), (motion(91), .outOfRange), (motion(5, true), .outOfRange),
            (motion(odometer: -1), .outOfRange), (motion(odometer: 1e11), .outOfRange),
            (motion(odometer: .nan), .notFinite),
            (motion(of: String(repeating: "x", count: 65)), .outOfRange),
        ])
    func refused(motion: VehicleMotion, reason: WheelRefusal) {
        var wheels = Wheels()
        check(wheels.take(motion, at: Script.uptime(0)) == reason)
        #expect(wheels.refused == [reason: 1])
        check(wheels.reading(at: Script.uptime(0)) == nil)
        #expect(wheels.state(at: Script.uptime(0)) == .none)
    }

    @Test("more than one a second is too often, except where the vehicle stops or starts")
    func rate() {
        var wheels = Wheels()
        check(wheels.take(Self.motion(), at: Script.uptime(0)) == nil)
        check(wheels.take(Self.motion(), at: Script.uptime(0.4)) == .tooOften)
        check(wheels.take(Self.motion(0, true), at: Script.uptime(0.4)) == nil)
        check(wheels.take(Self.motion(), at: Script.uptime(0.45)) == .tooOften)
        check(wheels.take(Self.motion(0, true), at: Script.uptime(1.4)) == nil)
    }

    @Test("after three seconds it is silent")
    func silence() {
        var wheels = Wheels()
        _ = wheels.take(Self.motion(), at: Script.uptime(0))
        #expect(wheels.state(at: Script.uptime(3)) == .moving)
        check(wheels.reading(at: Script.uptime(3)) != nil)
        #expect(wheels.state(at: Script.uptime(3.1)) == .silent)
        check(wheels.reading(at: Script.uptime(3.1)) == nil)
    }

    /// The ways at fixes a second apart; a nil is a fix while the wheels are silent.
    private func ways(_ motions: [VehicleMotion?]) -> (ways: [Double?], wheels: Wheels) {
        var wheels = Wheels()
        var ways: [Double?] = []
        for (index, motion) in motions.enumerated() {
            let now = Script.uptime(10 * Double(index))
            if let motion { _ = wheels.take(motion, at: now) }
            ways.append(wheels.reading(at: now)?.way)
            wheels.accepted()
        }
        return (ways, wheels)
    }

    @Test(
        "the way is what the odometer has added since the last accepted fix, where both were heard")
    func way() {
        let (ways, _) = ways([
            Self.motion(odometer: 1000), Self.motion(odometer: 1090), nil,
            Self.motion(odometer: 1200), Self.motion(odometer: 1250),
            Self.motion(odometer: 90, of: "b"), Self.motion(odometer: 110, of: "b"),
        ])
        #expect(ways == [nil, 90, nil, nil, 50, nil, 20])
    }

    @Test("an odometer that goes back or leaps counts anew from there")
    func back() {
        let (ways, wheels) = ways([
            Self.motion(odometer: 1000), Self.motion(odometer: 500), Self.motion(odometer: 520),
            Self.motion(odometer: 9000), Self.motion(odometer: 9010),
        ])
        #expect(ways == [nil, nil, 20, nil, 10])
        #expect(wheels.refused == [.wentBack: 1, .leaped: 1])
    }

    @Test("between two words of it the wheels turn on, and the sum is that of the odometer")
    func between() {
        var wheels = Wheels()
        var sum = 0.0
        for tenth in 0...100 {
            let now = Script.uptime(Double(tenth) / 10)
            // 20 m/s, braking to 0 in the last second, which it says only then.
            if tenth % 10 == 0 {
                let shown = min(20 * Double(tenth) / 10, 190)
                _ = wheels.take(
                    Self.motion(tenth == 100 ? 0 : 20, tenth == 100, odometer: shown), at: now)
            }
            sum += wheels.reading(at: now)?.way ?? 0
            wheels.accepted()
        }
        // The last second was thought to go on at 20 m/s for nine tenths of it.
        #expect(sum >= 190 && sum <= 198.1)
    }

    /// How somebody makes an odometer add more than was driven, a step in each of its words.
    enum Haste: String, CaseIterable, CustomTestStringConvertible {
        case forward = "forward in each word"
        case back = "back in every other word"
        case between = "another odometer between two words"
        case without = "no odometer between two words"
        case again = "by leaving the bus and coming back"
        case standing = "of wheels that stand and turn in turn, ten times a second"

        var testDescription: String { rawValue }

        /// s between two words.
        var pause: Double { self == .standing || self == .again ? 0.1 : 0.5 }

        func motion(_ word: Int) -> VehicleMotion {
            let forward = 240 * Double(word)
            let isOdd = word % 2 == 1
            return switch self {
            case .forward: WheelTests.motion(90, odometer: forward)
            case .back: WheelTests.motion(90, odometer: isOdd ? 240 : 0)
            case .between:
                WheelTests.motion(90, odometer: 50_000 * Double(word), of: isOdd ? "b" : "a")
            case .without: WheelTests.motion(90, odometer: isOdd ? nil : 50_000 * Double(word))
            case .again: WheelTests.motion(isOdd ? 0 : 90, isOdd, odometer: isOdd ? 205 : 0)
            case .standing: WheelTests.motion(isOdd ? 0 : 90, isOdd, odometer: 205 * Double(word))
            }
        }
    }

    @Test(
        "an odometer adds 90 m/s and 200 m at most, in however many words",
        arguments: Haste.allCases,
        [0.1, 1])
    func haste(_ haste: Haste, between fixes: Double) {
        var wheels = Wheels()
        var (word, sum) = (0, 0.0)
        for fix in 0...Int(60 / fixes) {
            let time = Double(fix) * fixes
            while Double(word) * haste.pause <= time {
                if haste == .again, word % 2 == 0 { wheels.forget() }
                _ = wheels.take(
                    haste.motion(word), at: Script.uptime(Double(word) * haste.pause))
                word += 1
            }
            sum += wheels.reading(at: Script.uptime(time))?.way ?? 0
            wheels.accepted()
            #expect(sum <= 90 * time + 200 + 1e-6)
        }
    }

    @Test("an odometer that counts in steps of 125 m adds all of them, whatever the speed")
    func steps() {
        for speed in [1.0, 14, 25, 40] {
            var wheels = Wheels()
            var sum = 0.0
            for tenth in 0...6_000 {
                let now = Script.uptime(Double(tenth) / 10)
                let shown = (speed * Double(tenth) / 10 / 125).rounded(.down) * 125
                if tenth % 10 == 0 {
                    _ = wheels.take(Self.motion(0.5, odometer: shown), at: now)
                }
                sum += wheels.reading(at: now)?.way ?? 0
                wheels.accepted()
            }
            #expect(wheels.refused.isEmpty)
            #expect(abs(sum - (speed * 600 / 125).rounded(.down) * 125) < 5)
        }
    }
}

/// For values that change when they are asked, which the macro cannot ask.
private func check(_ holds: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(holds, sourceLocation: location)
}
