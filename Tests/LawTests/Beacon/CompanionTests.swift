import EngineTestKit
import Testing
import Time

@testable import Law
@testable import Model

@Suite("A companion")
struct CompanionTests {
    private func drive(_ count: UInt16 = 1, group: String? = nil) -> BeaconDrive {
        BeaconDrive(
            (1...count).map { minor in
                var region = BeaconDrive.region("t\(minor)", minor: minor)
                region.rule.isCompanion = true
                region.rule.group = group
                return region
            })
    }

    @Test("is coupled after 500 m together, from the first sighting on")
    func coupled() {
        var drive = drive()
        drive.hear()
        drive.pass(50, speed: 9, hearing: (5, [1]))
        #expect(drive.told.isEmpty)
        drive.pass(10, speed: 9, hearing: (5, [1]))
        #expect(drive.told == ["enter t1 coupled"])
        #expect(drive.events.first.map { drive.time(of: $0) } == 60)
    }

    @Test("is not coupled by standing beside it, nor by passing it")
    func beside() {
        var drive = drive()
        drive.pass(3_600, hearing: (1, [1]))
        drive.pass(10, speed: 20, hearing: (1, [1]))
        drive.pass(600, speed: 20)
        #expect(drive.told.isEmpty)
        #expect(drive.tracker.engine.beacons.companions(at: drive.now).isEmpty)
    }

    @Test("must travel 500 m again after a silence longer than its patience")
    func silence() {
        var drive = drive()
        drive.pass(20, speed: 20, hearing: (1, [1]))
        drive.pass(40, speed: 20)
        drive.hear()
        #expect(drive.told.isEmpty)
        drive.pass(27, speed: 20, hearing: (1, [1]))
        #expect(drive.told == ["enter t1 coupled"])
    }

    @Test("without a group: both are coupled")
    func both() {
        var drive = drive(2)
        drive.pass(40, speed: 20, hearing: (1, [1, 2]))
        #expect(drive.told == ["enter t1 coupled", "enter t2 coupled"])
    }

    @Test("of a group is the one that is stronger by 6 dB")
    func stronger() {
        var drive = drive(2, group: "trailer")
        for _ in 0..<60 {
            drive.hear(1, rssi: -80)
            drive.hear(2, rssi: -74)
            drive.pass(1, speed: 20)
        }
        #expect(drive.told == ["enter t2 coupled"])
    }

    @Test("of a group that is as near as another is ambiguous, until one is left behind")
    func ambiguous() {
        var drive = drive(2, group: "trailer")
        for _ in 0..<60 {
            drive.hear(1, rssi: -75)
            drive.hear(2, rssi: -70)
            drive.pass(1, speed: 20)
        }
        #expect(drive.told.isEmpty)
        let both = drive.tracker.engine.beacons.companions(at: drive.now)
        #expect(both.map(\.region.id) == ["t1", "t2"])
        #expect(both.filter(\.isAmbiguous).count == 2)
        drive.pass(40, speed: 20, hearing: (1, [1]))
        #expect(drive.told == ["enter t1 coupled"])
    }

    @Test("that is coupled ends the presence by hand of another of its group")
    func contradicted() {
        var drive = drive(2, group: "trailer")
        drive.give(.presence(ManualPresence(.inside), of: "t1"))
        drive.pass(60, speed: 20, hearing: (1, [2]))
        #expect(drive.told == ["enter t1 manual", "exit t1 coupled", "enter t2 coupled"])
    }
}

@Suite("Presence by hand")
struct ManualPresenceTests {
    private static let region = BeaconDrive.region("dock")

    @Test("here: inside without a radio, until it is withdrawn")
    func here() {
        var drive = BeaconDrive([Self.region], hasListened: false)
        drive.radio(.deaf)
        drive.give(.presence(ManualPresence(.inside), of: "dock"))
        drive.give(.presence(ManualPresence(.inside), of: "dock"))
        drive.pass(3_600, speed: 20)
        #expect(drive.told == ["enter dock manual"])
        #expect(drive.tracker.engine.beacons.states(at: drive.now)[0].isManual)
        drive.give(.presence(ManualPresence(.unknown), of: "dock"))
        #expect(drive.told == ["enter dock manual", "exit dock manual"])
    }

    @Test("holds for the given time, and 12 h by default", arguments: [600.0, nil])
    func duration(_ seconds: Double?) throws {
        var drive = BeaconDrive([Self.region])
        drive.hasPosition = false
        drive.give(
            .presence(
                ManualPresence(.inside, for: seconds.map { .seconds($0) }), of: "dock"))
        drive.pass((seconds ?? 12 * 3600) - 1)
        #expect(drive.told.filter { $0.hasSuffix("manual") } == ["enter dock manual"])
        drive.pass(2)
        #expect(drive.told.last == "exit dock manual")
        let stay = try #require(drive.events.last?.stay)
        #expect(stay == .seconds(seconds ?? 12 * 3600))
    }

    @Test("here, and then a power cut: until the same time", arguments: [true, false])
    func powerCut(_ isOverBefore: Bool) throws {
        var drive = BeaconDrive([Self.region], hasListened: false)
        drive.radio(.deaf)
        drive.give(.presence(ManualPresence(.inside, for: .seconds(600)), of: "dock"))
        let until = drive.receiverTime + .seconds(600)
        #expect(drive.openStays.map(\.manualUntil) == [until])
        drive.hasPosition = false
        drive.pass(100)
        drive.cutPower(for: isOverBefore ? 900 : 300, regions: [Self.region])
        if !isOverBefore {
            #expect(drive.told == ["enter dock manual"])
            #expect(drive.tracker.engine.beacons.states(at: drive.now)[0].isManual)
            drive.pass(199)
            #expect(drive.told.count == 1)
            drive.pass(2)
        }
        #expect(drive.told == ["enter dock manual", "exit dock manual"])
        let exit = try #require(drive.events.last)
        #expect(exit.time == until && exit.stay == .seconds(600))
        #expect(drive.openStays.isEmpty)
    }

    @Test(
        "holds until the given time, whatever happens", arguments: 0..<40 as Range<UInt64>)
    func model(_ seed: UInt64) {
        #expect(SaidByHand.law.firstFlaw(in: seed..<seed + 1) == nil)
    }

    @Test("set again, or withdrawn while it is heard: the store has the right end")
    func kept() {
        var drive = BeaconDrive([Self.region])
        drive.give(.presence(ManualPresence(.inside, for: .seconds(60)), of: "dock"))
        drive.give(.presence(ManualPresence(.inside, for: .seconds(600)), of: "dock"))
        #expect(drive.openStays.map(\.manualUntil) == [drive.receiverTime + .seconds(600)])
        drive.pass(10, hearing: (1, [1]))
        drive.give(.presence(ManualPresence(.unknown), of: "dock"))
        #expect(drive.told == ["enter dock manual"])
        #expect(drive.openStays.map(\.fence) == ["dock"])
        #expect(drive.openStays.map(\.manualUntil) == [nil])
    }

    @Test("here, and then heard: continues as an ordinary stay")
    func heard() {
        var drive = BeaconDrive([Self.region])
        drive.give(.presence(ManualPresence(.inside, for: .seconds(60)), of: "dock"))
        drive.pass(70, hearing: (1, [1]))
        #expect(drive.told == ["enter dock manual"])
        drive.pass(40, speed: 20)
        #expect(drive.told == ["enter dock manual", "exit dock silent"])
    }

    @Test("gone: outside, whatever is heard, until it is withdrawn")
    func gone() {
        var drive = BeaconDrive([Self.region])
        drive.pass(10, hearing: (1, [1]))
        drive.give(.presence(ManualPresence(.outside), of: "dock"))
        drive.pass(600, hearing: (1, [1]))
        #expect(drive.told == ["enter dock sighted", "exit dock manual"])
        drive.give(.presence(ManualPresence(.unknown), of: "dock"))
        drive.pass(2, hearing: (1, [1]))
        #expect(drive.told.last == "enter dock sighted")
    }

    @Test("for a region that does not exist is ignored")
    func unknown() {
        var drive = BeaconDrive([Self.region])
        drive.give(.presence(ManualPresence(.inside), of: "other"))
        #expect(drive.told.isEmpty)
    }

    @Test("regions that change: exit when the beacon is another, or the region is removed")
    func edited() {
        for (regions, told) in [
            ([BeaconDrive.region("dock", minor: 2)], "exit dock fence-changed"),
            ([], "exit dock fence-removed"),
        ] {
            var drive = BeaconDrive([Self.region])
            drive.pass(10, hearing: (1, [1]))
            var titled = Self.region
            titled.title = "Dock 1"
            drive.give(.beacons([titled]))
            #expect(drive.told == ["enter dock sighted"])
            drive.give(.beacons(regions))
            #expect(drive.told == ["enter dock sighted", told])
        }
    }
}
