import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct FenceTests {
    let fixture: ServiceFixture
    let client: BusConnection

    init() throws {
        (fixture, client) = try ServiceFixture.withClient()
    }

    /// `(sa{sv})`
    private func circle(
        _ id: String, radius: Double = 50, _ more: [(String, BusValue)] = []
    ) -> BusValue {
        .structure([
            .string(id),
            .dictionary(
                [
                    ("latitude", .double(48)), ("longitude", .double(11)),
                    ("radius", .double(radius)),
                ] + more),
        ])
    }

    private func apply(
        _ upserts: [BusValue], removing ids: [String] = [], flags: UInt64 = 0
    ) throws -> Result<[BusValue], BusError> {
        try fixture.call(
            client, "ApplyFences",
            [.array(of: FenceMessage.signature, upserts), .strings(ids), .uint64(flags)])
    }

    @Test("busctl adds a fence, reads it back and removes it")
    func busctl() throws {
        let added = try fixture.busctl(
            "ApplyFences", "a(sa{sv})ast", "1", "bridge-7", "5", "latitude", "d", "48",
            "longitude", "d", "11", "radius", "u", "50", "title", "s", "Low bridge A3",
            "height_m", "d", "3.4", "0", "0")
        #expect(added == .init(status: 0, output: "ta(ss) 1 0\n", errors: ""))
        let read = try fixture.busctl("GetFence", "s", "bridge-7")
        #expect(read?.status == 0, "\(read?.errors ?? "")")
        for part in [
            #""latitude" d 48"#, #""longitude" d 11"#, #""radius" d 50"#,
            #""title" s "Low bridge A3""#, #""metadata" a{sv} 1 "height_m" d 3.4"#,
            #""notify_on_entry" b true"#, #""origin" s """#,
        ] {
            #expect(read?.output.contains(part) == true, "\(part) not in \(read?.output ?? "")")
        }
        let removed = try fixture.busctl("ApplyFences", "a(sa{sv})ast", "0", "1", "bridge-7", "0")
        #expect(removed?.output == "ta(ss) 2 0\n")
        let gone = try fixture.busctl("GetFence", "s", "bridge-7")
        #expect(gone?.status == 1)
        #expect(gone?.errors.contains("there is no fence \"bridge-7\"") == true)
    }

    @Test("ids in a batch are told apart by their bytes")
    func canonicallyEquivalentIDs() throws {
        #expect(try apply([circle("\u{E9}"), circle("e\u{301}")]).success?.first == .uint64(1))
        #expect(fixture.monitoring.fenceCount == 2)
    }

    @Test("a batch is idempotent: sent twice, the generation stays")
    func idempotent() throws {
        let batch = [circle("a", [("zone", .int32(4)), ("name", .string("x"))]), circle("b")]
        let first = try apply(batch)
        #expect(first.success?.first == .uint64(1))
        #expect(try apply(batch).success?.first == .uint64(1))
        #expect(fixture.monitoring.fenceCount == 2)
    }

    @Test("a fence that was read can be written back and changes nothing")
    func roundTrip() throws {
        let ring = "[[10.9,47.9],[11.1,47.9],[11.1,48.1],[10.9,48.1],[10.9,47.9]]"
        let upserts = [
            circle("c", [("dwell", .uint32(60)), ("tags", .array(of: "s", [.string("x")]))]),
            BusValue.structure([
                .string("p"),
                .dictionary([
                    (
                        "geometry",
                        .string(#"{"type":"Polygon","coordinates":[\#(ring)]}"#)
                    ), ("notify_on_exit", .bool(false)),
                ]),
            ]),
            .structure([
                .string("road"),
                .dictionary([
                    (
                        "geometry",
                        .string(#"{"coordinates":[[11,48],[11.01,48]],"type":"LineString"}"#)
                    ), ("width", .double(20)),
                ]),
            ]),
        ]
        #expect(try apply(upserts).success?.first == .uint64(1))
        let list = try fixture.call(
            client, "ListFences", [.dictionary([]), .uint32(0), .uint32(0)])
        let fences = try #require(list.success?.first?.asArray)
        #expect(fences.compactMap { $0.asStructure?.first?.asString } == ["c", "p", "road"])
        #expect(try apply(fences).success?.first == .uint64(1), "nothing has changed")
    }

    @Test(
        "a refused entry is named with its reason, and nothing of the batch is stored",
        arguments: [
            ("no area", [("title", BusValue.string("x"))], "needs geometry"),
            ("no radius", [("latitude", .double(1)), ("longitude", .double(1))], "needs geometry"),
            (
                "a radius of zero",
                [("latitude", .double(1)), ("longitude", .double(1)), ("radius", .double(0))],
                "radius"
            ),
            (
                "not a number",
                [("latitude", .double(.nan)), ("longitude", .double(1)), ("radius", .double(9))],
                "center"
            ),
            ("a text as radius", [("radius", .string("50"))], "radius is no number"),
            ("no GeoJSON", [("geometry", .string("{"))], "GeoJSON"),
            (
                "a ring that is not closed",
                [
                    (
                        "geometry",
                        .string(
                            #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#)
                    )
                ], "closed"
            ),
            (
                "a point list",
                [("geometry", .string(#"{"type":"MultiPoint","coordinates":[[0,0]]}"#))],
                "MultiPoint"
            ),
        ] as [(String, [(String, BusValue)], String)])
    func refused(name: String, properties: [(String, BusValue)], reason: String) throws {
        let bad = BusValue.structure([.string("bad"), .dictionary(properties)])
        let error = try #require(try apply([circle("good"), bad]).failure)
        #expect(error.name == "org.geofenced.Geofence1.Error.InvalidArea")
        #expect(error.message.contains("\"bad\""))
        #expect(error.message.contains(reason), "\(error.message)")
        #expect(fixture.monitoring.fenceCount == 0)
    }

    @Test("an id twice in a batch, unknown flags and too many fences are refused")
    func otherRefusals() throws {
        #expect(
            try apply([circle("a"), circle("a")]).failure?.name == BusError.invalidArguments)
        #expect(try apply([circle("a")], flags: 1).failure?.name == BusError.invalidArguments)
        let many = (0...10_000).map { circle("\($0)") }
        #expect(try apply(many).failure?.name == BusError.limitsExceeded)
        #expect(fixture.monitoring.fenceCount == 0)
        #expect(
            try fixture.call(
                client, "ListFences",
                [
                    .dictionary([("colour", .string("red"))]), .uint32(0), .uint32(0),
                ]
            ).failure?.name == BusError.invalidArguments)
    }

    @Test("a small fence is accepted with a warning")
    func warning() throws {
        let answer = try apply([circle("tiny", radius: 5)])
        let warnings = answer.success?[1].asArray ?? []
        #expect(warnings.first?.asStructure?.first == .string("tiny"))
        #expect(fixture.monitoring.fenceCount == 1)
    }

    @Test("a list is read in portions, by offset and by id")
    func portions() throws {
        _ = try apply((0..<25).map { circle("f\($0 + 100)") })
        func ids(_ filter: [(String, BusValue)], _ offset: UInt32, _ most: UInt32) throws
            -> [String]
        {
            let answer = try fixture.call(
                client, "ListFences", [.dictionary(filter), .uint32(offset), .uint32(most)])
            return answer.success?.first?.asArray?.compactMap {
                $0.asStructure?.first?.asString
            } ?? []
        }
        #expect(try ids([], 0, 2) == ["f100", "f101"])
        #expect(try ids([], 23, 10) == ["f123", "f124"])
        #expect(try ids([("after", .string("f122"))], 1, 10) == ["f124"])
        #expect(try ids([], 4_000_000_000, 10).isEmpty)
    }
}
