import Testing
import Time

@testable import VehicleBus

/// Frames that are made here, by the numbers of SAE J1939-71 and J1979.
@Suite struct VehicleDecoderTests {
    static func at(_ seconds: Double) -> Uptime { Uptime(nanoseconds: 0) + .seconds(seconds) }

    static func speed(_ kilometres: Double, brake: UInt8 = 3, from: UInt32 = 0) -> CANFrame {
        let raw = UInt16(kilometres * 256)
        return group(
            65265, from: from,
            [0xC3 | brake << 2, UInt8(raw & 0xFF), UInt8(raw >> 8), 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    }

    static func group(_ group: UInt32, from: UInt32 = 0, _ bytes: [UInt8]) -> CANFrame {
        CANFrame(id: 0x1800_0000 | group << 8 | from, isExtended: true, bytes)!
    }

    static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    /// 65217, in steps of 5 m.
    static func fine(_ metres: Double, from: UInt32 = 0xEE) -> CANFrame {
        group(65217, from: from, little(UInt32(metres / 5)) + [0xFF, 0xFF, 0xFF, 0xFF])
    }

    /// 65248, in steps of 125 m.
    static func coarse(_ metres: Double, from: UInt32 = 0x31) -> CANFrame {
        group(65248, from: from, [0xFF, 0xFF, 0xFF, 0xFF] + little(UInt32(metres / 125)))
    }

    static func volts(_ value: Double) -> CANFrame {
        let raw = UInt16((value / 0.05).rounded())
        return group(
            65271, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, UInt8(raw & 0xFF), UInt8(raw >> 8)])
    }

    static func answer(_ bytes: [UInt8], id: UInt32 = 0x7E8) -> CANFrame {
        CANFrame(id: id, isExtended: id > 0x7FF, bytes)!
    }

    @Test("the speed of the wheels, and whether they stand")
    func speed() {
        var decoder = VehicleDecoder()
        for (second, kilometres, isStanding) in [
            (0.0, 36.0, false), (1, 1.5, false), (2, 0.5, true), (3, 1.5, true), (4, 2.5, false),
        ] {
            decoder.take(Self.speed(kilometres), at: Self.at(second))
            let motion = decoder.motion(at: Self.at(second))
            #expect(motion?.isStanding == isStanding)
            #expect(abs((motion?.speed ?? -1) - kilometres / 3.6) < 0.01)
        }
        #expect(decoder.motion(at: Self.at(6)) != nil)
        #expect(decoder.motion(at: Self.at(6.1)) == nil)
    }

    @Test("an error, what is not available, and a frame that is too short say nothing")
    func nothing() {
        for bytes: [UInt8] in [
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0x00, 0xFE],
            [0xFF, 0x00, 0xFB],
            [0xFF, 0x00], [0xFF], [],
        ] {
            var decoder = VehicleDecoder()
            decoder.take(Self.group(65265, bytes), at: Self.at(0))
            #expect(decoder.motion(at: Self.at(0)) == nil)
        }
        // The greatest speed that there is.
        var decoder = VehicleDecoder()
        decoder.take(Self.group(65265, [0xFF, 0xFF, 0xFA]), at: Self.at(0))
        #expect(abs((decoder.motion(at: Self.at(0))?.speed ?? 0) * 3.6 - 250.996) < 0.01)
    }

    @Test("without a speed a vehicle with its parking brake set stands; with one that counts")
    func brake() {
        var decoder = VehicleDecoder()
        decoder.take(Self.group(65265, [0xC7, 0xFF, 0xFF]), at: Self.at(0))
        #expect(decoder.motion(at: Self.at(0))?.isStanding == true)
        decoder.take(Self.speed(30, brake: 1), at: Self.at(1))
        #expect(decoder.motion(at: Self.at(1))?.isStanding == false)
    }

    @Test("of two nodes that disagree the first is believed, until it has been silent for 3 s")
    func nodes() {
        var decoder = VehicleDecoder()
        decoder.take(Self.speed(36, from: 0), at: Self.at(0))
        decoder.take(Self.speed(72, from: 0x0B), at: Self.at(1))
        #expect(decoder.ignored == 1)
        #expect(decoder.motion(at: Self.at(1))?.speed == 10)
        decoder.take(Self.speed(72, from: 0x0B), at: Self.at(3))
        #expect(decoder.motion(at: Self.at(3)) == nil)
        decoder.take(Self.speed(72, from: 0x0B), at: Self.at(3.1))
        #expect(decoder.motion(at: Self.at(3.1))?.speed == 20)
        decoder.take(Self.speed(36, from: 0), at: Self.at(4))
        #expect(decoder.motion(at: Self.at(4))?.speed == 20)
    }

    @Test("the odometer is known from its first step on, and goes on by the speed in between")
    func odometer() {
        var decoder = VehicleDecoder()
        func drive(_ second: Double, shows metres: Double) -> BusMotion? {
            decoder.take(Self.speed(36), at: Self.at(second))
            decoder.take(Self.coarse(metres), at: Self.at(second))
            return decoder.motion(at: Self.at(second))
        }
        for second in 0..<5 { #expect(drive(Double(second), shows: 1000)?.odometer == nil) }
        let first = drive(5, shows: 1125)
        #expect(first?.odometer == 1125)
        #expect(first?.odometerSource == "65248/31")
        for second in 6..<17 {
            #expect(drive(Double(second), shows: 1125)?.odometer == 1125 + 10 * Double(second - 5))
        }
        // The step that is due has not come: no further than that.
        for second in 17..<25 { _ = drive(Double(second), shows: 1125) }
        #expect(drive(25, shows: 1125)?.odometer == 1250)
        #expect(
            drive(26, shows: 1250)?.odometer == 1260 || drive(26, shows: 1250)?.odometer == 1250)
    }

    @Test("an odometer that shows what none can says nothing, and the speed is told all the same")
    func beyond() throws {
        var decoder = VehicleDecoder()
        for second in 0..<9 {
            let at = Self.at(Double(second))
            decoder.take(Self.speed(36), at: at)
            decoder.take(Self.fine(11_874_321_000 + 10 * Double(second)), at: at)
            let motion = try #require(decoder.motion(at: at))
            #expect(motion.odometer == nil && motion.speed == 10)
        }
        #expect(decoder.ignored == 9)
    }

    @Test("a finer odometer takes over, a coarser one never does while that is heard")
    func finer() {
        var decoder = VehicleDecoder()
        for second in 0..<10 {
            let now = Self.at(Double(second))
            decoder.take(Self.speed(36), at: now)
            decoder.take(Self.coarse(1000 + 125 * Double(second / 5)), at: now)
            if second > 5 { decoder.take(Self.fine(5 + 10 * Double(second)), at: now) }
        }
        #expect(decoder.motion(at: Self.at(9))?.odometerSource == "65217/EE")
        #expect(decoder.motion(at: Self.at(9))?.odometer == 95)
        #expect(decoder.ignored == 3)
    }

    @Test("an odometer that goes back, or leaps, is known again from its next step on")
    func leaps() {
        var decoder = VehicleDecoder()
        for (second, metres, shown) in [
            (0.0, 1000.0, nil), (1, 1010, 1010), (2, 500, nil), (3, 510, 510), (4, 9000, nil),
            (5, 9010, 9010.0),
        ] {
            decoder.take(Self.speed(0), at: Self.at(second))
            decoder.take(Self.fine(metres), at: Self.at(second))
            #expect(decoder.motion(at: Self.at(second))?.odometer == shown)
        }
    }

    @Test(
        "frames in quick succession add 90 m/s and two steps at most, also where some go back",
        arguments: [false, true])
    func haste(goesBack: Bool) throws {
        var decoder = VehicleDecoder()
        var (sum, last) = (0.0, nil as Double?)
        for frame in 0..<5_000 {
            // A hundred in a second, each a step of 240 m ahead.
            let now = Self.at(Double(frame) / 100)
            let shown = goesBack ? Double(frame % 2) : Double(frame)
            decoder.take(Self.speed(0), at: now)
            decoder.take(Self.coarse(240 * shown), at: now)
            let present = decoder.motion(at: now)?.odometer
            if let present, let last { sum += max(0, present - last) }
            last = present
            #expect(sum <= 90 * Double(frame) / 100 + 250)
        }
    }

    @Test("answers of OBD-II, of 11 and of 29 bits")
    func answers() {
        for id: UInt32 in [0x7E8, 0x7EF, 0x18DA_F110] {
            var decoder = VehicleDecoder()
            decoder.take(Self.answer([3, 0x41, 0x0D, 72, 0xAA], id: id), at: Self.at(0))
            #expect(decoder.motion(at: Self.at(0))?.speed == 20)
            decoder.take(Self.answer([6, 0x41, 0xA6, 0, 0, 1, 0, 0xAA], id: id), at: Self.at(0))
            decoder.take(Self.answer([6, 0x41, 0xA6, 0, 0, 1, 1, 0xAA], id: id), at: Self.at(1))
            #expect(decoder.motion(at: Self.at(1))?.odometer == 25_700)
        }
        for bytes: [UInt8] in [
            [2, 1, 0x0D], [3, 0x7F, 0x0D, 0x12], [3, 0x41, 0x0D], [4, 0x41, 0x0D, 72, 0],
            [9, 0x41, 0x0D, 72],
            [0x10, 0x41, 0x0D, 72], [], [6, 0x41, 0xA6, 0, 0, 1],
        ] {
            var decoder = VehicleDecoder()
            let isTaken = decoder.take(Self.answer(bytes), at: Self.at(0))
            #expect(!isTaken)
        }
        var other = VehicleDecoder(.j1939)
        var isTaken = other.take(Self.answer([3, 0x41, 0x0D, 72]), at: Self.at(0))
        #expect(!isTaken)
        var cars = VehicleDecoder(.obd2)
        isTaken = cars.take(Self.speed(36), at: Self.at(0))
        #expect(!isTaken)
    }

    @Test("the ignition: the key switch, else whether the network is awake")
    func ignition() {
        var decoder = VehicleDecoder()
        #expect(decoder.ignition(at: Self.at(0)) == nil)
        decoder.take(Self.group(61444, []), at: Self.at(0))
        #expect(decoder.ignition(at: Self.at(5)) == true)
        #expect(decoder.ignition(at: Self.at(9.9)) == true)
        #expect(decoder.ignition(at: Self.at(10)) == false)
        decoder.take(Self.volts(24), at: Self.at(20))
        #expect(decoder.ignition(at: Self.at(20)) == true)
        decoder.take(Self.volts(4), at: Self.at(21))
        #expect(decoder.ignition(at: Self.at(21)) == nil)
        // The network is awake, and the key is out.
        decoder.take(Self.volts(0), at: Self.at(22))
        decoder.take(Self.group(61444, []), at: Self.at(23))
        #expect(decoder.ignition(at: Self.at(23)) == false)
    }

    @Test("it is told once a second, and at once when the vehicle stops or starts")
    func due() {
        var decoder = VehicleDecoder()
        var told: [Double] = []
        for tenth in 0..<60 {
            let second = Double(tenth) / 10
            decoder.take(Self.speed(tenth == 25 ? 0 : 50), at: Self.at(second))
            if decoder.due(at: Self.at(second)) != nil { told.append(second) }
        }
        #expect(told == [0, 1, 2, 2.5, 2.6, 3.6, 4.6, 5.6])
    }
}
