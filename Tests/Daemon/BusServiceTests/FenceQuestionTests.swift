import BusService
import Foundation
import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct FenceQuestionTests {
    let fixture: ServiceFixture
    let client: BusConnection
    let files = TemporaryDirectory()

    init() throws {
        fixture = try ServiceFixture()
        fixture.settings.spoolDirectory = fixture.state.path
        // However fast the machine is, no query is answered in one portion.
        fixture.settings.questionPortion = .zero
        try fixture.connect()
        client = try fixture.bus.connect(fixture.loop)
    }

    private func fill(
        _ rows: [(id: String, latitude: Double, longitude: Double)], title: String = ""
    ) throws {
        let text =
            "id,title,latitude,longitude,radius\n"
            + rows.map { "\($0.id),\(title),\($0.latitude),\($0.longitude),50\n" }.joined()
        let descriptor = open(files.write(text, to: "fences"), O_RDONLY)
        defer { close(descriptor) }
        let answer = try fixture.call(
            client, "ImportFences", [.fileDescriptor(descriptor), .string(""), .uint64(0)])
        try #require(answer.failure == nil)
    }

    private func box(_ edges: [Double]) -> BusValue { .structure(edges.map { .double($0) }) }

    private func list(
        _ filter: [(String, BusValue)], _ offset: UInt32 = 0, _ most: UInt32 = 0
    ) throws -> Result<[String], BusError> {
        try fixture.call(
            client, "ListFences", [.dictionary(filter), .uint32(offset), .uint32(most)]
        ).map { $0.first?.asArray?.compactMap { $0.asStructure?.first?.asString } ?? [] }
    }

    @Test("a list has the fences within a box, in pages, over the antimeridian too")
    func within() throws {
        try fill(
            (0..<40).map { ("f\(100 + $0)", 10, Double($0) / 10) } + [
                ("east", 0, -179.5), ("west", 0, 179.5),
            ])
        let part = ("within", box([0.95, 9, 2.05, 11]))
        #expect(try list([part]).get() == (110...120).map { "f\($0)" })
        #expect(try list([part], 2, 3).get() == ["f112", "f113", "f114"])
        #expect(try list([part, ("after", .string("f118"))]).get() == ["f119", "f120"])
        #expect(try list([part, ("origin", .string("source/a"))]).get() == [])
        #expect(try list([("within", box([179, -1, -179, 1]))]).get() == ["east", "west"])
        #expect(try list([("within", box([-180, -90, 180, 90]))]).get().count == 42)
    }

    @Test(
        "an invalid box or origin is refused",
        arguments: [
            [("within", [0, 1, 2])], [("within", [0, 2, 1, 1])], [("within", [-181, 0, 1, 1])],
            [("within", [0, -91, 1, 1])], [("within", [0, 0, .nan, 1])],
            [("within", [0, 0, .infinity, 1])],
        ] as [[(String, [Double])]])
    func refused(_ filter: [(String, [Double])]) throws {
        let edges = filter.map { ($0.0, box($0.1)) }
        #expect(try list(edges).failure?.name == BusError.invalidArguments)
        for filter in [("within", BusValue.string("x")), ("origin", .uint32(1))] {
            #expect(try list([filter]).failure?.name == BusError.invalidArguments)
        }
    }

    @Test("fences are counted by cell, from the north-west")
    func count() throws {
        try fill([
            ("nw", 1.5, 0.5), ("nw2", 1.6, 0.6), ("se", 0.5, 1.5), ("out", 3, 3),
        ])
        let answer = try fixture.busctl(
            "CountFences", "(dddd)uu", "0", "0", "2", "2", "2", "2")
        #expect(answer == .init(status: 0, output: "au 4 2 0 0 1\n", errors: ""))
        for (columns, rows) in [(0, 1), (1, 0), (200, 200), (UInt32.max, 1)] as [(UInt32, UInt32)] {
            let refused = try fixture.call(
                client, "CountFences",
                [box([0, 0, 2, 2]), .uint32(columns), .uint32(rows)])
            #expect(refused.failure?.name == BusError.invalidArguments)
        }
        let world = try fixture.call(
            client, "CountFences", [box([-180, -90, 180, 90]), .uint32(128), .uint32(128)])
        let counts = world.success?.first?.asArray?.compactMap(\.asUInt32) ?? []
        #expect(counts.count == 128 * 128 && counts.reduce(0, +) == 4)
    }

    @Test("others are answered while all fences are searched, and a lost caller is dropped")
    func meanwhile() throws {
        // Long titles: few fences share a cell, so that there are many cells to look at.
        try fill(
            (0..<2_000).map { ("f\($0)", Double($0 % 170) - 85, Double($0 / 170)) },
            title: String(repeating: "x", count: 700))
        // No fence is of this origin, though the origin exists: all are searched.
        _ = try fixture.call(
            client, "ApplyFencesFrom",
            [
                .string("source/one"),
                .array(
                    of: FenceMessage.signature,
                    [
                        .structure([
                            .string("a"),
                            .dictionary([
                                ("latitude", .double(1)), ("longitude", .double(1)),
                                ("radius", .double(50)),
                            ]),
                        ])
                    ]), .strings([]), .dictionary([]),
            ])
        let filter = BusValue.dictionary([
            ("origin", .string("source/one")), ("after", .string("b")),
        ])
        let leaving = try fixture.bus.connect(fixture.loop)
        for _ in 0..<3 {
            try leaving.call(
                ServiceFixture.manager, "ListFences", [filter, .uint32(0), .uint32(0)]
            ) { _ in }
        }
        var answer: Result<BusMessage, BusError>?
        try client.call(
            ServiceFixture.manager, "ListFences", [filter, .uint32(0), .uint32(0)]
        ) { answer = $0 }
        var calls = 0
        while answer == nil, calls < 10_000 {
            #expect(try fixture.call(client, "GetStates", [.strings(["f1"])]).failure == nil)
            calls += 1
            if calls == 2 { leaving.close() }
        }
        #expect(calls > 3)
        #expect(try answer?.get().values().first?.asArray?.isEmpty == true)
    }

    @Test("when the program began is told, by the present clock")
    func began() throws {
        let told = try fixture.property("StartTimestamp") ?? ""
        let began = try #require(UInt64(told.dropFirst(2)))
        let now = UInt64(EventLoop.wallClock.nanoseconds / 1000)
        #expect(told.hasPrefix("t ") && began <= now && now - began < 600_000_000)
    }

    @Test("the log has an id, which the events that are read carry")
    func log() throws {
        let id = fixture.monitoring.logID
        #expect(id.utf8.count == 32)
        #expect(try fixture.property("LogId") == "s \"\(id)\"")
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 600)
        let events = try fixture.call(client, "ReadEvents", [.uint64(0), .uint32(0)])
        let details = events.success?.first?.asArray?.compactMap {
            $0.asStructure?.last?.asDictionary
        }
        #expect(details?.isEmpty == false)
        #expect(details?.allSatisfy { $0["log"] == .string(id) } == true)
        let features = try fixture.property("Features") ?? ""
        for feature in ["log-id", "origins", "fence-filters"] {
            #expect(features.contains("\"\(feature)\""))
        }
    }
}
