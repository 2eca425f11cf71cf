import EngineTestKit
import Testing
import Time

@testable import Law
@testable import Model

@Suite("A beacon region")
struct BeaconStayTests {
    private static let region = BeaconDrive.region("dock")

    private func drive(_ change: (inout BeaconRegion) -> Void = { _ in }) -> BeaconDrive {
        var region = Self.region
        change(&region)
        return BeaconDrive([region])
    }

    // MARK: Enter

    @Test("is entered at the first of two sightings at most 15 s apart")
    func enter() {
        var drive = drive()
        drive.hear()
        #expect(drive.told.isEmpty)
        drive.pass(15)
        drive.hear()
        #expect(drive.told == ["enter dock sighted"])
        #expect(drive.events.first.map { drive.time(of: $0) } == 60)
    }

    @Test("is not entered by sightings further apart")
    func rare() {
        var drive = drive()
        for _ in 0..<10 {
            drive.hear()
            drive.pass(15.5)
        }
        #expect(drive.told.isEmpty)
    }

    @Test("counts one advertisement on three channels as one sighting")
    func channels() {
        var drive = drive()
        for _ in 0..<3 {
            drive.hear()
            drive.pass(0.009)
        }
        #expect(drive.told.isEmpty)
        drive.hear()
        #expect(drive.told == ["enter dock sighted"])
    }

    @Test("needs as many sightings as its rule requires", arguments: [1, 3])
    func sightings(_ count: Int) {
        var drive = drive { $0.rule.sightings = count }
        for _ in 1..<count {
            drive.hear()
            drive.pass(1)
        }
        #expect(drive.told.isEmpty)
        drive.hear()
        #expect(drive.told == ["enter dock sighted"])
    }

    @Test("ignores another beacon of the same owner")
    func other() {
        var drive = drive()
        drive.pass(20, hearing: (1, [2]))
        #expect(drive.told.isEmpty)
        #expect(drive.tracker.engine.beacons.unlisted == 20)
    }

    @Test("of all beacons of an owner is one stay, from the first to the last")
    func owner() {
        var region = Self.region
        region.rule.pattern = .uuid(BeaconDrive.uuid)
        var drive = BeaconDrive([region])
        drive.pass(10, hearing: (1, [1]))
        drive.pass(20, speed: 20)
        drive.pass(10, speed: 20, hearing: (1, [2]))
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(60, speed: 20)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    @Test("that is found at the start is initial, unless it requires an enter")
    func initial() {
        for isEnter in [false, true] {
            var region = Self.region
            region.initialEnter = isEnter
            var drive = BeaconDrive([region], hasListened: false)
            drive.radio(.listening)
            drive.pass(5, hearing: (1, [1]))
            #expect(drive.told == [isEnter ? "enter dock sighted" : "initial dock sighted"])
        }
    }

    // MARK: Exit

    @Test("is left when it is silent for 30 s and 50 m, at the last sighting")
    func exit() {
        var drive = drive()
        drive.pass(10, hearing: (1, [1]))
        drive.pass(30, speed: 10)
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(1, speed: 10)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
        #expect(drive.events.last.map { drive.time(of: $0) } == 70)
        #expect(drive.events.last?.stay == .seconds(9))
    }

    @Test("is never left while standing, and does not flap at the edge of the range")
    func standing() {
        var drive = drive()
        drive.pass(10, hearing: (1, [1]))
        for _ in 0..<20 {
            drive.pass(400)
            #expect(drive.tracker.engine.beacons.states(at: drive.now)[0].isUncertain)
            drive.hear()
            #expect(!drive.tracker.engine.beacons.states(at: drive.now)[0].isUncertain)
        }
        #expect(drive.told == ["enter dock sighted"])
    }

    @Test("waits for 50 m of path")
    func way() {
        var drive = drive()
        drive.pass(10, hearing: (1, [1]))
        drive.pass(100)
        drive.pass(9, speed: 5)
        #expect(drive.told.count == 1)
        drive.pass(4, speed: 5)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    @Test("learns the rhythm of its beacon: 12 mean gaps, 300 s at most")
    func rhythm() {
        var drive = drive()
        drive.pass(300, speed: 10, hearing: (10, [1]))
        drive.pass(119, speed: 10)
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(2, speed: 10)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    @Test("that was heard only once has no rhythm yet: its patience is 300 s")
    func once() {
        var drive = drive { $0.rule.sightings = 1 }
        drive.hear()
        drive.pass(300, speed: 10)
        #expect(drive.told == ["enter dock sighted"])
        drive.pass(1, speed: 10)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    @Test("is left in a tunnel, and without a source, after 300 s of silence")
    func withoutPosition() {
        var drive = drive()
        drive.pass(10, hearing: (1, [1]))
        drive.hasPosition = false
        drive.pass(299)
        #expect(drive.told == ["enter dock sighted", "position-lost"])
        drive.pass(2)
        #expect(drive.told == ["enter dock sighted", "position-lost", "exit dock silent"])
    }

    @Test("reports its dwell when a sighting proves it")
    func dwell() {
        var drive = drive { $0.dwell = .seconds(60) }
        drive.pass(2, hearing: (1, [1]))
        drive.pass(100)
        #expect(drive.told == ["enter dock sighted"])
        drive.hear()
        #expect(drive.told == ["enter dock sighted", "dwell dock"])
        #expect(drive.events.last.map { drive.time(of: $0) } == 121)
    }

    // MARK: Strength

    @Test("with a least RSSI is entered at that strength, and kept down to 10 dB below")
    func strength() {
        var drive = drive { $0.rule.leastRSSI = -70 }
        for rssi in [nil, -71, nil, -90] as [Int?] {
            drive.hear(rssi: rssi)
            drive.pass(1)
        }
        #expect(drive.told.isEmpty)
        for _ in 0..<40 {
            drive.hear(rssi: -60)
            drive.pass(1)
        }
        #expect(drive.told == ["enter dock sighted"])
        for _ in 0..<60 {
            drive.hear(rssi: -79)
            drive.pass(1, speed: 10)
        }
        #expect(drive.told == ["enter dock sighted"])
        for _ in 0..<100 {
            drive.hear(rssi: -85)
            drive.pass(1, speed: 10)
        }
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
    }

    // MARK: Evidence

    @Test("adds the proof to its events; an event by hand has none")
    func evidence() throws {
        var drive = drive()
        drive.hear(rssi: -70)
        drive.pass(2)
        drive.hear(rssi: -70)
        let beacon = BeaconIdentity.proximity(BeaconDrive.uuid, major: 0, minor: 1)
        #expect(
            drive.events.last?.beacon
                == BeaconEvidence(beacon: beacon, level: -70, sightings: 2, gap: .seconds(2)))
        drive.pass(60, speed: 20)
        #expect(drive.told == ["enter dock sighted", "exit dock silent"])
        let exit = try #require(drive.events.last?.beacon)
        let silence = try #require(exit.silence)
        #expect(exit.beacon == beacon && exit.sightings == 2 && exit.patience == .seconds(30))
        #expect(silence > .seconds(30) && silence < .seconds(32))
        #expect((50...700).contains(try #require(exit.way)))
        drive.give(.presence(ManualPresence(.inside), of: "dock"))
        #expect(drive.told.last == "enter dock manual")
        #expect(drive.events.last?.beacon == nil)
    }

    @Test("takes an impossible RSSI for an unknown strength", arguments: [127, 0, 20, -128])
    func unknown(_ rssi: Int) {
        let identity = BeaconIdentity.proximity(BeaconDrive.uuid, major: 0, minor: 1)
        #expect(BeaconSighting(identity, rssi: rssi).rssi == nil)
    }
}
