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
            guard case .options(let options) = FenceMessage.properties(fence, origin: "x") else {
                Issue.record("no a{sv}")
                return
            }
            var properties: [String: BusValue] = [:]
            for option in options { properties[option.key] = option.value }
            #expect(properties[property.name.description] != nil)
            #expect(
                Set(properties.keys).isSubset(
                    of: FenceProperty.standing(in: [.bus, .busTold]).map(\.name.description)))
            #expect(try FenceMessage.fence(id: "a", properties) == fence)
        }
    }

    @Test(
        "a hazard with its approach comes back from the bus, a bad one is refused with its reason")
    func approaches() throws {
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
        for fence in [tree, cone] {
            guard case .options(let options) = FenceMessage.properties(fence, origin: "x") else {
                Issue.record("no a{sv}")
                return
            }
            var properties: [String: BusValue] = [:]
            for option in options { properties[option.key] = option.value }
            #expect(
                Set(properties.keys).isSubset(
                    of: FenceProperty.standing(in: [.bus, .busTold]).map(\.name.description)))
            #expect(try FenceMessage.fence(id: fence.id, properties) == fence)
            properties["approach"] = .string("{\"approach\":\"corridor\"}")
            #expect(throws: FenceProblem("no limits")) {
                try FenceMessage.fence(id: fence.id, properties)
            }
        }
    }

    private func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    private static let whole = LoggedEvent(
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
                settled: .seconds(10.5))),
        bootID: "0123456789abcdef0123456789abcdef")

    @Test("an event with every field comes back from the bus as it was")
    func events() {
        for field in EventField.all { #expect(field.value(of: Self.whole) != nil, "\(field.name)") }
        let message = EventMessage(Self.whole, withLocation: true)
        #expect(LoggedEvent(bus: message.arguments) == Self.whole)
    }

    @Test("without location no field contains the position")
    func withoutLocation() {
        let message = EventMessage(Self.whole, withLocation: false)
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
        #expect(Set(details.keys) == ["time", "fix_time", "inferred"])
    }
}
