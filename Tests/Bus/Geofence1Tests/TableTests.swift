import BusClient
import Engine
import Formats
import FormatsTestKit
import Geodesy
import Geofence1
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
        let message = FenceMessage.properties(fence, origin: "x")
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

    private static let whole: LoggedEvent = {
        var whole = told
        whole.event.terms = TermsDetails()
        whole.event.terms?.speedLimit = 50
        whole.event.terms?.speedUnit = "mph"
        whole.event.terms?.highestSpeed = 71.25
        whole.event.terms?.length = .seconds(12.5)
        whole.event.terms?.stopped = false
        return whole
    }()

    private static let told = LoggedEvent(
        seq: 42,
        event: Event(
            kind: .exit, fence: "a", title: "A",
            time: ReceiverTime(nanoseconds: 1_795_158_843_420_000_000),
            fixTime: ReceiverTime(nanoseconds: 1_795_158_850_000_000_000), presence: .outside,
            inferred: true, reason: .fenceRemoved, distance: 12.25, error: 5, speed: 22, course: 87,
            coordinate: Coordinate(latitude: 48.125, longitude: -11.5), stay: .seconds(3725.5),
            announced: false, metadata: #"{"height":3.5}"#,
            approach: ApproachDetails(
                kind: .height, limit: 4.1, sign: "13'6\"", basis: .signedActual, date: "2024",
                source: "a list", condition: "Mo-Fr", isDoubtful: true, vehicle: 4.2,
                certainty: .confirmed, margin: 0.15, shortBy: 0.25, toGo: 812.5, toGoTime: 40,
                toEscape: -3.5, escape: Approach.Escape(road: "Mill Lane", side: .left),
                road: "High Street", chance: 0.475, way: .corridor, group: 1),
            evidence: Evidence(
                distance: 12.34, error: 5, inradius: 300, buffer: 30, proofBound: -7.25, run: 64,
                settled: .seconds(10.5)),
            beacon: BeaconEvidence(
                beacon: .eddystone(BeaconNamespace(high: 1, low: 2), instance: 3), level: -71.25,
                sightings: 7, gap: .seconds(0.984), silence: .seconds(35.1),
                patience: .seconds(30), way: 612.5)),
        bootID: "0123456789abcdef0123456789abcdef")

    @Test("an event with every field comes back from the bus as it was")
    func events() {
        for field in EventField.all { #expect(field.value(of: Self.whole) != nil, "\(field.name)") }
        let message = EventMessage(Self.whole, withLocation: true, log: "abc")
        #expect(LoggedEvent(bus: message.arguments) == Self.whole)
    }

    @Test("a signal leaves out the evidence, which is in the log")
    func signals() {
        let message = EventMessage(Self.whole, withLocation: true)
        var expected = Self.whole
        expected.event.evidence = nil
        #expect(LoggedEvent(bus: message.arguments) == expected)
    }

    @Test("without location no field contains the position")
    func withoutLocation() {
        let message = EventMessage(Self.whole, withLocation: false, log: "abc")
        var expected = Self.whole
        expected.event.coordinate = nil
        expected.event.speed = nil
        expected.event.course = nil
        #expect(LoggedEvent(bus: message.arguments) == expected)
    }

    @Test("an event without a fence has neither title nor metadata on the bus")
    func withoutFence() throws {
        let zero = ReceiverTime(nanoseconds: 0)
        let lost = LoggedEvent(
            seq: 1,
            event: Event(kind: .positionLost, fence: nil, time: zero, fixTime: zero, presence: nil),
            bootID: nil)
        let details = try #require(
            EventMessage(lost, withLocation: true).arguments.last?.asDictionary)
        #expect(Set(details.keys) == ["kind", "time", "fix_time", "inferred"])
    }
}
