import BusClient
import FenceFiles
import Formats
import FormatsTestKit
import Geodesy
import Geofence1
import Model
import Systemd
import Testing
import Time

@Suite("fences and events as the bus has them")
struct TableTests {
    @Test("every property of a fence comes back from the bus")
    func fences() throws {
        let area = try Area(
            .circle(center: Coordinate(latitude: 48.1, longitude: 11.5), radius: 50))
        for property in FenceProperty.fields {
            let fence = Fence(id: "a", area: area, metadata: #"{"height":3.4}"#)
                .unusual([property])
            let properties = try onTheBus(fence)
            #expect(properties[property.name.description] != nil)
            #expect(try FenceMessage.fence(id: "a", properties) == fence)
        }
    }

    @Test(
        "a hazard with its approach comes back from the bus, a bad one is refused with its reason")
    func approaches() throws {
        for fence in try hazards() {
            var properties = try onTheBus(fence)
            #expect(try FenceMessage.fence(id: fence.id, properties) == fence)
            properties["approach"] = .string("{\"approach\":\"corridor\"}")
            #expect(throws: FenceProblem("no limits")) {
                try FenceMessage.fence(id: fence.id, properties)
            }
        }
    }

    /// A tree and a cone.
    private func hazards() throws -> [Fence] {
        let line = [at(48, 11), at(48, 11.01)]
        let legs = [Approach.Leg(endToGo: 0, chance: 0.5, escapeToGo: 20)]
        let tree = Fence(
            id: "a",
            area: try Area(
                .lines([line, [at(48, 11.01), at(48, 11.011)]], width: 2 * Approach.reach)),
            approach: Approach(
                limits: Limits([.height: 3.9], sign: "3.9"), course: .legs(legs),
                rivals: [line.reversed()]))
        let cone = Fence(
            id: "b", area: try Area(.circle(center: at(48, 11), radius: Approach.coneRadius)),
            approach: Approach(limits: Limits([.width: 2]), course: .cone(direction: 12.5)))
        return [tree, cone]
    }

    @Test("a word in say that no file may have is refused on the bus, too")
    func say() throws {
        let area = try Area(
            .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 50))
        var properties = try onTheBus(Fence(id: "a", area: area))
        properties["metadata"] = .dictionary([("say", .string("enter"))])
        let fence = try FenceMessage.fence(id: "a", properties)
        #expect(try readBack(fence) == fence)
        properties["metadata"] = .dictionary([("say", .string("entre"))])
        let error = #expect(throws: FenceProblem.self) {
            try FenceMessage.fence(id: "a", properties)
        }
        #expect(error?.description.hasPrefix("say: entre is not one of ") == true)
    }

    @Test("metadata with the name of a property is refused, or read back from a file as metadata")
    func metadataNames() throws {
        let triangle = [at(48, 11), at(48, 11.01), at(48.01, 11), at(48, 11)]
        let areas: [Geometry] = [
            .circle(center: at(48, 11), radius: 50), .corridor(line: triangle, width: 20),
            .polygons([[triangle]]),
        ]
        let beacons = BeaconRule(.uuid(BeaconUUID(high: 1, low: 2)))
        let fences =
            try areas.map { Fence(id: "a", area: try Area($0)) } + hazards()
            + [Fence(id: "a", subject: .beacons(beacons))]
        let values: [BusValue] = [
            .string("x"), .double(5), .bool(false),
            BusValue(metadata: BeaconJSON.text(beacons.pattern)),
        ]
        for fence in fences {
            var refused: Set<String> = []
            for name in FenceProperty.all.map(\.name.description) {
                for value in values {
                    var properties = try onTheBus(fence)
                    properties["metadata"] = .dictionary([(name, value)])
                    let told: Fence
                    do {
                        told = try FenceMessage.fence(id: fence.id, properties)
                    } catch {
                        #expect(
                            error.description
                                == "metadata cannot be called \(name), which is a property")
                        refused.insert(name)
                        continue
                    }
                    #expect(told.metadata.contains(name))
                    #expect(try readBack(told) == told, "\(name) of \(fence)")
                }
            }
            #expect(refused.isSuperset(of: ["title", "dwell", "beacon"]))
            #expect(refused.isDisjoint(with: ["id", "latitude", "origin"]))
            #expect(refused.contains("group") == (fence.beacons != nil))
        }
    }

    private func readBack(_ fence: Fence) throws -> Fence? {
        var bytes: [UInt8] = []
        var writer = FenceFileWriter { bytes += $0 }
        try writer.append(fence)
        try writer.finish()
        let reader = FenceFileReader(bytes, name: "f")
        guard case .fence(let fence, _, _)? = reader.nextEntry() else { return nil }
        return fence
    }

    @Test("beacons survive the bus unchanged, and invalid ones are refused with a reason")
    func beacons() throws {
        let uuid = BeaconUUID(high: 1, low: 2)
        var rule = BeaconRule(.minor(uuid, major: 0, minor: 65_535))
        rule.leastRSSI = -80
        rule.isCompanion = true
        rule.group = "trailer"
        let space = BeaconNamespace(high: 1, low: 2)
        for rule in [rule, BeaconRule(.uuid(uuid)), BeaconRule(.instance(space, 3))] {
            let fence = Fence(id: "a", subject: .beacons(rule), dwell: .seconds(60))
            var properties = try onTheBus(fence)
            #expect(try FenceMessage.fence(id: "a", properties) == fence)
            properties["radius"] = .double(50)
            #expect(throws: FenceProblem("both beacon and radius")) {
                try FenceMessage.fence(id: "a", properties)
            }
            properties["radius"] = nil
            properties["sightings"] = .string("2")
            #expect(throws: FenceProblem("sightings is no whole number")) {
                try FenceMessage.fence(id: "a", properties)
            }
        }
    }

    /// The properties of `fence` as a message has them: none that the table does not have there.
    private func onTheBus(_ fence: Fence) throws -> [String: BusValue] {
        let message = FenceMessage.properties(
            CatalogueFence(fence: fence, origin: FenceOrigin(name: "x")))
        #expect(message.signature == "a{sv}")
        let properties = try #require(message.asDictionary)
        #expect(
            Set(properties.keys).isSubset(
                of: FenceProperty.standing(in: [.bus, .busTold]).map(\.name.description)))
        return properties
    }

    private func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test("an event with every field comes back from the bus as it was")
    func events() {
        for field in EventField.all {
            #expect(field.value(of: WholeEvent.logged) != nil, "\(field.name)")
        }
        let message = EventMessage(WholeEvent.logged, withLocation: true, log: "abc")
        #expect(LoggedEvent(bus: message.arguments) == WholeEvent.logged)
    }

    @Test("a signal leaves out the evidence and the driver, which are in the log")
    func signals() {
        let message = EventMessage(WholeEvent.logged, withLocation: true)
        var expected = WholeEvent.logged
        expected.event.evidence = nil
        expected.event.trip?.from?.metadata = "{}"
        expected.event.trip?.to?.metadata = "{}"
        expected.driver = nil
        #expect(LoggedEvent(bus: message.arguments) == expected)
    }

    @Test("without location no field contains the position or the driver")
    func withoutLocation() {
        let message = EventMessage(WholeEvent.logged, withLocation: false, log: "abc")
        var expected = WholeEvent.logged
        expected.event.coordinate = nil
        expected.event.speed = nil
        expected.event.course = nil
        expected.driver = nil
        #expect(LoggedEvent(bus: message.arguments) == expected)
    }

    @Test("an event without a fence has neither title nor metadata on the bus")
    func withoutFence() throws {
        let zero = UTCTime(nanoseconds: 0)
        let lost = LoggedEvent(
            seq: 1,
            event: Event(kind: .positionLost, fence: nil, time: zero, fixTime: zero, presence: nil),
            bootID: nil)
        let details = try #require(
            EventMessage(lost, withLocation: true).arguments.last?.asDictionary)
        #expect(Set(details.keys) == ["kind", "time", "fix_time", "inferred"])
    }
}
