import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite("Beacons on the bus", .serialized)
struct BeaconTests {
    let fixture: ServiceFixture
    let client: BusConnection

    init() throws {
        (fixture, client) = try ServiceFixture.withClient()
    }

    private static let uuid = BeaconUUID(high: 1, low: 2)

    private static func sighting(_ minor: UInt16, rssi: Int = -59) -> BeaconSighting {
        BeaconSighting(
            .proximity(uuid, major: 7, minor: minor), rssi: rssi, measuredPower: -59)
    }

    private func add(_ id: String, minor: UInt16, companion: Bool = false) throws {
        var rule = BeaconRule(.minor(Self.uuid, major: 7, minor: minor))
        rule.isCompanion = companion
        let fence = Fence(
            id: id, subject: .beacons(rule), title: "T \(id)", metadata: #"{"height_m":4}"#)
        _ = try fixture.monitoring.apply(upserts: [fence], removing: [], at: fixture.now)
    }

    private func range(
        _ client: BusConnection, _ options: [(String, BusValue)] = []
    ) throws -> Result<[BusValue], BusError> {
        let beacons = BeaconMessage.value(of: [.uuid(Self.uuid)])
        return try fixture.call(
            client, "CreateRangingSession", [.dictionary([("beacons", beacons)] + options)])
    }

    private func peer(_ path: String) -> BusPeer {
        BusPeer(
            destination: Geofence1.name, path: path, interface: Geofence1.rangingInterface)
    }

    @Test("the list has metadata as far as a message holds it")
    func large() throws {
        let metadata = #"{"note":""# + String(repeating: "n", count: 60_000) + #""}"#
        let fences = (10..<74).map { number in
            Fence(
                id: "f\(number)",
                subject: .beacons(BeaconRule(.minor(Self.uuid, major: 7, minor: UInt16(number)))),
                metadata: metadata)
        }
        _ = try fixture.monitoring.apply(upserts: fences, removing: [], at: fixture.now)
        let list = try fixture.call(client, "ListBeacons").success?[0].asArray ?? []
        #expect(list.count == fences.count)
        let places = list.indices.filter {
            list[$0].asStructure?[1].asDictionary?["metadata"] != nil
        }
        #expect(places == Array(0..<(3 << 20) / metadata.utf8.count))
    }

    @Test("a presence by hand is an event, is listed, and can be withdrawn")
    func manual() throws {
        try add("dock", minor: 1)
        fixture.monitoring.wallClock = { UTCTime(nanoseconds: 1_800_000_000_000_000_000) }
        func say(_ presence: UInt32, _ options: [(String, BusValue)] = []) throws -> BusError? {
            try fixture.call(
                client, "SetPresence",
                [.string("dock"), .uint32(presence), .dictionary(options)]
            ).failure
        }
        #expect(try say(2) == nil)
        let list = try #require(
            try fixture.call(client, "ListBeacons").success?[0].asArray?.first?.asStructure)
        #expect(list[0].asString == "dock")
        let details = try #require(list[1].asDictionary)
        #expect(details["presence"]?.asUInt32 == 2 && details["manual"]?.asBool == true)
        #expect(details["title"]?.asString == "T dock" && details["since"] != nil)
        #expect(details["beacon"]?.asDictionary?["uuid"]?.asString == Self.uuid.text)
        #expect(try say(0) == nil)
        let kinds = try fixture.monitoring.events(after: 0, limit: 9).events.map(\.event.kind)
        #expect(kinds == [.enter, .exit])
        #expect(try say(3)?.name == BusError.invalidArguments)
        #expect(try say(2, [("until", .uint64(1))])?.name == BusError.invalidArguments)
        #expect(try say(2, [("for", .uint64(1))])?.name == BusError.invalidArguments)
        let unknown = try fixture.call(
            client, "SetPresence", [.string("gate"), .uint32(2), .dictionary([])])
        #expect(unknown.failure?.name == Geofence1.Failure.noSuchFence.name)
    }

    @Test("only the session gets the beacons that are near, and an empty list at the end")
    func ranged() throws {
        let other = try fixture.bus.connect(fixture.loop)
        let (mine, theirs) = (
            try Listener(client, fixture.loop), try Listener(other, fixture.loop)
        )
        let path = try #require(try range(client).success?[0].asString)
        #expect(fixture.ranged == [.uuid(Self.uuid)])
        for minor in [1, 2, 1] as [UInt16] {
            fixture.monitoring.hear([Self.sighting(minor)], at: fixture.now)
        }
        #expect(try fixture.loop.run { !mine.all("Ranged").isEmpty })
        let first = try #require(mine.all("Ranged").first)
        #expect(BeaconMessage.beacons(first[1]).map(\.identity.text) == ["\(Self.uuid.text)/7/1"])
        // The others no earlier than a second later; finally an empty list.
        #expect(try fixture.loop.run(seconds: 20) { mine.all("Ranged").count >= 3 })
        let all = mine.all("Ranged")
        let second = BeaconMessage.beacons(all[1][1])
        #expect(Set(second.map(\.identity.text)).count == 2)
        #expect(second.allSatisfy { ($0.distance ?? 0) == 1 })
        #expect((all[1][0].asUInt64 ?? 0) - (all[0][0].asUInt64 ?? 0) >= 1_000_000)
        #expect(all.last.map { BeaconMessage.beacons($0[1]).isEmpty } == true)
        #expect(theirs.all("Ranged").isEmpty)
        #expect(mine.heard.filter { $0.member == "Ranged" }.allSatisfy { $0.path == path })
    }

    @Test("a session can be paused, resumed and closed, only by its client")
    func control() throws {
        let other = try fixture.bus.connect(fixture.loop)
        let path = try #require(try range(client).success?[0].asString)
        for member in ["Pause", "Resume", "Close"] {
            let refused = try fixture.call(other, member, of: peer(path))
            #expect(refused.failure?.name == Geofence1.Failure.notAuthorized.name)
        }
        #expect(try fixture.call(client, "Pause", of: peer(path)).failure == nil)
        #expect(fixture.ranged.isEmpty)
        #expect(try fixture.call(client, "Resume", of: peer(path)).failure == nil)
        #expect(fixture.ranged == [.uuid(Self.uuid)])
        #expect(try fixture.call(client, "Close", of: peer(path)).failure == nil)
        #expect(fixture.ranged.isEmpty)
        #expect(try fixture.call(client, "Pause", of: peer(path)).failure != nil)
    }

    @Test("a session ends with its client")
    func gone() throws {
        let other = try fixture.bus.connect(fixture.loop)
        _ = try #require(try range(other).success)
        #expect(!fixture.ranged.isEmpty)
        other.close()
        #expect(try fixture.loop.run { fixture.ranged.isEmpty })
    }

    @Test("a session is notified of the state of the radio and its reason")
    func state() throws {
        let listener = try Listener(client, fixture.loop)
        let path = try #require(try range(client).success?[0].asString)
        fixture.monitoring.radioChanged(
            to: BeaconRadioStatus(.off, .poweredOff), at: fixture.now)
        let told = try fixture.loop.run {
            listener.heard.contains { heard in
                heard.path == path && heard.member == "PropertiesChanged"
                    && heard.values[1].asDictionary?["Reason"]?.asString == "powered-off"
            }
        }
        #expect(told)
        #expect(try fixture.property("BeaconReason") == #"s "powered-off""#)
        #expect(try fixture.property("RangingAvailable") == "b false")
        fixture.monitoring.radioChanged(to: BeaconRadioStatus(.ranging), at: fixture.now)
        #expect(try fixture.property("BeaconState") == #"s "ranging""#)
        #expect(try fixture.property("RangingAvailable") == "b true")
    }

    @Test(
        "options that can never work are refused",
        arguments: [
            [("beacons", BusValue.array(of: "a{sv}", []))],
            [("beacons", .string("x"))],
            [("beacons", .array(of: "a{sv}", [.dictionary([("uuid", .string("x"))])]))],
            [],
        ])
    func options(_ options: [(String, BusValue)]) throws {
        let answer = try fixture.call(client, "CreateRangingSession", [.dictionary(options)])
        #expect(answer.failure?.name == BusError.invalidArguments)
        for bad in [("interval", BusValue.uint32(999)), ("x", .bool(true))] {
            #expect(try range(client, [bad]).failure?.name == BusError.invalidArguments)
        }
    }

    @Test("no more than four sessions of one caller")
    func limit() throws {
        for _ in 0..<4 { #expect(try range(client).failure == nil) }
        #expect(try range(client).failure?.name == BusError.limitsExceeded)
    }

    @Test("companions are those that may be with the vehicle")
    func companions() throws {
        try add("trailer", minor: 1, companion: true)
        try add("dock", minor: 2)
        #expect(try fixture.property("Companions") == "a{sa{sv}} 0")
        for id in ["trailer", "dock"] {
            _ = try fixture.call(
                client, "SetPresence", [.string(id), .uint32(2), .dictionary([])])
        }
        let shown = try #require(try fixture.property("Companions"))
        #expect(shown.hasPrefix("a{sa{sv}} 1 \"trailer\""), "\(shown)")
    }
}
