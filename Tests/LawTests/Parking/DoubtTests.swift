import EngineTestKit
import Geodesy
import Law
import Model
import Testing
import Time

/// Section 2 of the law: a position that is doubted.
struct DoubtTests {
    /// Stands at the origin from -200 s to 0 s, in a yard; 22 km away there is another.
    private func standing(isOff: Bool = true, seconds: Int = 200) throws -> Script {
        var drive = Script([
            try Script.circle("here", x: 0, radius: 100),
            try Script.circle("there", x: 22_000, radius: 100),
        ])
        stand(&drive, -seconds...0, x: 0)
        if isOff { drive.take(.ignition(false), at: 0) }
        return drive
    }

    /// Fixes of one place, one a second.
    private func stand(_ drive: inout Script, _ seconds: ClosedRange<Int>, x: Double) {
        for second in seconds { drive.at(Double(second), x: x, speed: 0) }
    }

    private let inside = ["initial here initial"]

    @Test(
        "a jump of 22 km for ten minutes, and back: no crossing, no tow", arguments: [true, false])
    func tenMinutes(isOff: Bool) throws {
        var drive = try standing(isOff: isOff)
        stand(&drive, 1...600, x: 22_000)
        #expect(drive.told == inside + ["position-doubtful"])
        #expect(drive.events.last?.time == Script.time(1))
        #expect(drive.events.last?.distance.map { Int($0 / 1_000) } == 22)
        #expect(drive.tracker.engine.isPositionUncertain)
        stand(&drive, 601...700, x: 3)
        #expect(drive.told == inside + ["position-doubtful", "position-trusted"])
        #expect(drive.events.last?.time == Script.time(601))
        #expect(!drive.tracker.engine.isPositionUncertain)
        #expect((drive.tracker.engine.parking.place != nil) == isOff)
    }

    @Test("a small jump, within the circle of a parked vehicle, is none to doubt")
    func small() throws {
        var drive = try standing()
        stand(&drive, 1...100, x: 45)
        stand(&drive, 101...200, x: 0)
        #expect(drive.told == inside)
        #expect(drive.tracker.engine.parking.place?.coordinate == Script.place(0))
    }

    @Test("after half an hour in which the fixes agree it is believed, and no tow")
    func halfAnHour() throws {
        var drive = try standing()
        stand(&drive, 1...1_800, x: 22_000)
        #expect(drive.told == inside + ["position-doubtful"])
        stand(&drive, 1_801...2_400, x: 22_000)
        #expect(
            drive.told == inside + [
                "position-doubtful", "position-trusted jump", "exit here jump",
                "enter there certain",
            ]
                || drive.told == inside + [
                    "position-doubtful", "position-trusted jump", "exit here jump",
                    "enter there jump",
                ])
        #expect(drive.events.last?.time == Script.time(1_801))
        let place = drive.tracker.engine.parking.place
        #expect(place.map { $0.coordinate.longitude > 11.2 } == true, "armed where it is now")
    }

    @Test("a jump on the way begins the half hour anew")
    func disagreeing() throws {
        var drive = try standing()
        stand(&drive, 1...1_000, x: 22_000)
        stand(&drive, 1_001...2_800, x: 40_000)
        #expect(drive.told == inside + ["position-doubtful"])
        stand(&drive, 2_801...2_801, x: 40_000)
        #expect(drive.told.dropFirst(2).first == "position-trusted jump")
    }

    @Test("a jammed receiver begins the half hour anew, one that is a little disturbed does not")
    func jammed() throws {
        for jam: UInt8 in [127, 128] {
            var drive = try standing()
            for second in 1...1_801 {
                var report = Script.report(Double(second), x: 22_000, speed: 0)
                report.jam = second == 900 ? jam : 0
                drive.send(report, arriving: Double(second))
            }
            let isBelieved = drive.told.contains("position-trusted jump")
            #expect(isBelieved == (jam == 127))
            stand(&drive, 1_802...2_699, x: 22_000)
            #expect(drive.told.contains("position-trusted jump") == (jam == 127))
            stand(&drive, 2_700...2_700, x: 22_000)
            #expect(drive.told.contains("position-trusted jump"))
        }
    }

    @Test("it is believed when the vehicle certainly moves along a path")
    func moves() throws {
        var drive = try standing(isOff: false)
        stand(&drive, 1...30, x: 300)
        for second in 1...20 {
            drive.at(30 + Double(second), x: 300 + 10 * Double(second), speed: 10)
        }
        #expect(
            drive.told == inside + ["position-doubtful", "position-trusted jump", "exit here jump"])
        // Ten seconds from the last slow fix, and more than 50 m.
        #expect(drive.events.last?.fixTime == Script.time(40))
    }

    @Test("wandering about, and slowly, is no certain movement")
    func wanders() throws {
        var drive = try standing()
        for second in 1...900 {
            drive.at(
                Double(second), x: 300 + 3 * Double(second % 7), speed: second % 3 == 0 ? 4 : 2)
        }
        #expect(drive.told == inside + ["position-doubtful"])
    }

    @Test("a vehicle that is under way, ignition on, is believed")
    func driving() throws {
        var drive = Script([try Script.circle("there", x: 22_000, radius: 100)])
        for second in -200...0 {
            drive.at(Double(second), x: 10 * Double(second), speed: 10)
        }
        for second in 1...3 { drive.at(Double(second), x: 22_000, speed: 0) }
        #expect(drive.told == ["enter there jump"] || drive.told == ["enter there certain"])
    }

    @Test("just after a hole a jump to where the vehicle can be is not doubted, one elsewhere is")
    func wakes() throws {
        for (away, isBelieved) in [(5_000.0, true), (100_000, false)] {
            var drive = try standing()
            // First the old place, or any: a receiver that wakes.
            stand(&drive, 600...602, x: 0)
            stand(&drive, 603...640, x: away)
            #expect(drive.told.contains("position-doubtful") != isBelieved)
            #expect(!drive.told.contains("towed"))
        }
    }

    @Test("a jump over a hole that no vehicle can make is doubted")
    func overHole() throws {
        var drive = try standing()
        drive.wait(until: 50)
        stand(&drive, 60...400, x: 22_000)
        #expect(
            drive.told == inside + ["position-lost", "position-regained", "position-doubtful"])
    }

    @Test("it may be lost as well")
    func lost() throws {
        var drive = try standing()
        stand(&drive, 1...10, x: 22_000)
        drive.wait(until: 100)
        #expect(drive.told == inside + ["position-doubtful", "position-lost"])
        stand(&drive, 101...110, x: 22_000)
        #expect(drive.told.last == "position-regained")
        #expect(drive.tracker.engine.isPositionDoubtful)
        drive.wait(until: 200)
        drive.at(700, x: 0, speed: 0)
        #expect(drive.told.suffix(3) == ["position-lost", "position-regained", "position-trusted"])
    }

    @Test("what was due without fixes is decided in doubt as well, a dwell for example")
    func dwell() throws {
        var drive = Script([try Script.circle("here", x: 0, radius: 100, dwell: 300)])
        stand(&drive, -200...0, x: 0)
        stand(&drive, 1...400, x: 22_000)
        #expect(drive.told == inside + ["position-doubtful", "dwell here"])
        #expect(drive.events.last?.time == Script.time(100))
    }

    @Test("it survives a kill and a power cut, and ends at the old place")
    func powerCut() throws {
        var drive = try standing()
        stand(&drive, 1...10, x: 22_000)
        let vehicle = try #require(
            VehicleRecord(bytes: drive.tracker.engine.vehicleRecord.bytes))
        var engine = Engine(settings: EngineSettings(), generation: 1, known: 1)
        engine.resume(vehicle: vehicle)
        #expect(engine.isPositionDoubtful)
        var cut = drive
        cut.restart(with: engine)
        stand(&cut, 500...600, x: 22_000)
        #expect(cut.told == drive.told)
        stand(&cut, 601...603, x: 0)
        #expect(cut.told.dropFirst(2).first == "position-trusted")
        #expect(!cut.told.contains("towed"))
    }

    @Test("with no time set for it, no position is doubted")
    func never() throws {
        var settings = EngineSettings()
        settings.gates.doubtfulFor = .zero
        var drive = Script([try Script.circle("here", x: 0, radius: 100)], settings: settings)
        stand(&drive, -200...0, x: 0)
        drive.take(.ignition(false), at: 0)
        stand(&drive, 1...300, x: 22_000)
        #expect(
            drive.told == inside + ["exit here jump"]
                || drive.told == inside + ["exit here certain"])
    }

    #if DEBUG || EMULATED
        private static let count: UInt64 = 40
    #else
        private static let count: UInt64 = 400
    #endif

    @Test("windows, kills and power cuts agree about it", arguments: 0..<4)
    func properties(kind: Int) {
        let property = [
            Doubting.windowed, Doubting.restored, Doubting.killed, Doubting.powerCut,
        ][kind]
        #expect(property.firstFlaw(in: 0..<Self.count) == nil)
        // The doubt begins where the vehicle has been.
        let again: UInt64 = 30_128_798_532_628_618
        #expect(property.firstFlaw(in: again..<again + 1) == nil)
    }

    @Test("these drives do have doubts, with each end")
    func occurrences() {
        let counts = Doubting.occurrences(in: 0..<Self.count)
        for kind in ["position-doubtful", "position-trusted", "position-trusted jump", "towed"] {
            #expect(counts[kind] ?? 0 > 0, "\(kind)")
        }
    }
}
