import EngineTestKit
import Law
import Testing
import Time

@testable import Model

@Suite("A radio")
struct BeaconRadioTests {
    private static let region = BeaconDrive.region("dock")

    private func inside() -> BeaconDrive {
        var drive = BeaconDrive([Self.region])
        drive.pass(10, hearing: (1, [1]))
        return drive
    }

    @Test("that does not listen causes no exit; that is reported after 30 s, and at its end")
    func deaf() {
        var drive = inside()
        drive.radio(.deaf)
        #expect(drive.tracker.engine.beacons.states(at: drive.now)[0].isUncertain)
        drive.pass(30, speed: 20)
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(600, speed: 20)
        #expect(drive.told == ["enter dock sighted", "beacons-lost"])
        drive.radio(.listening)
        #expect(drive.told.last == "beacons-regained")
        drive.pass(30, speed: 20)
        #expect(drive.told.count == 3)
        drive.pass(1, speed: 20)
        #expect(drive.told.last == "exit dock silent")
    }

    @Test("that does not listen for a moment is not lost, and the gap is not learned")
    func moment() {
        var drive = inside()
        drive.radio(.deaf)
        drive.pass(29, speed: 20)
        drive.radio(.listening)
        drive.hear()
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(31, speed: 20)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    @Test("that has never listened is not lost")
    func never() {
        var drive = BeaconDrive([Self.region], hasListened: false)
        drive.pass(600, speed: 20)
        #expect(drive.told.isEmpty)
    }

    @Test("that rests stops the clocks, is not lost, and makes no stay uncertain")
    func resting() {
        var drive = inside()
        drive.radio(.resting)
        drive.pass(600, speed: 20)
        #expect(!drive.tracker.engine.beacons.states(at: drive.now)[0].isUncertain)
        #expect(drive.told == ["enter dock sighted"])
    }

    @Test("that listens now and then has patience for 180 s")
    func limited() {
        var drive = inside()
        drive.radio(.limited)
        drive.pass(179, speed: 20)
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(2, speed: 20)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    @Test("does not listen for a killed process: no exit, and patience starts again")
    func killed() {
        var drive = inside()
        drive.pass(5, speed: 20, hearing: (1, [1]))
        drive.kill(for: 600, regions: [Self.region])
        #expect(drive.told == ["enter dock sighted", "position-lost"])
        #expect(drive.tracker.engine.beacons.states(at: drive.now)[0].presence == .inside)
        drive.radio(.listening)
        drive.pass(30, speed: 20)
        #expect(drive.told.last == "position-regained")
        drive.pass(2, speed: 20)
        #expect(drive.told.last == "exit dock silent")
    }

    @Test(
        "scans actively only while a strength or a coupling is to be decided",
        arguments: [-90, nil])
    func active(_ rssi: Int?) {
        var region = Self.region
        region.rule.leastRSSI = -60
        var drive = BeaconDrive([region])
        #expect(!drive.tracker.engine.beacons.wantsActiveScan(at: drive.now))
        drive.hear(rssi: rssi)
        #expect(drive.tracker.engine.beacons.wantsActiveScan(at: drive.now))
        drive.pass(16)
        #expect(!drive.tracker.engine.beacons.wantsActiveScan(at: drive.now))
    }
}
