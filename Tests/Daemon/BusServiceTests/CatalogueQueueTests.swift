import BusService
import Foundation
import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

/// The catalogue has one writer at a time, and the loop its turn between all portions.
@MainActor
@Suite(.serialized)
struct CatalogueQueueTests {
    let fixture: ServiceFixture
    let client: BusConnection
    let files = TemporaryDirectory()

    init() throws {
        fixture = try ServiceFixture()
        fixture.settings.spoolDirectory = fixture.state.path
        try fixture.connect()
        client = try fixture.bus.connect(fixture.loop)
    }

    /// `(sa{sv})`
    private func circle(_ id: String, _ number: Int = 0, padding: Int = 0) -> BusValue {
        .structure([
            .string(id),
            .dictionary([
                ("latitude", .double(48 + Double(number % 100) / 100)),
                ("longitude", .double(11 + Double(number / 100) / 100)),
                ("radius", .double(50)),
                ("description", .string(String(repeating: "x", count: padding))),
            ]),
        ])
    }

    private func batch(_ name: String, _ count: Int) -> [BusValue] {
        [
            .array(
                of: FenceMessage.signature, (0..<count).map { circle("\(name)-\($0)", $0) }),
            .strings([]), .uint64(0),
        ]
    }

    /// Another caller asks one thing after the other until `isDone`; the greatest number of batches
    /// that were answered between two of its answers, and the number of its answers.
    private func asking(
        _ answered: () -> Int, until isDone: () -> Bool
    ) throws -> (most: Int, calls: Int) {
        let other = try fixture.bus.connect(fixture.loop)
        var (most, calls) = (0, 0)
        while !isDone(), calls < 100_000 {
            let before = answered()
            #expect(try fixture.call(other, "GetStates", [.strings(["x"])]).failure == nil)
            most = max(most, answered() - before)
            calls += 1
        }
        return (most, calls)
    }

    @Test("sixty calls that wait for an import are not done in one turn of the loop")
    func waiting() throws {
        var text = "id,latitude,longitude,radius\n"
        for index in 0..<30_000 { text += "i\(index),\(40 + Double(index) / 1e4),5,50\n" }
        let descriptor = open(files.write(text, to: "fences"), O_RDONLY)
        defer { close(descriptor) }
        var imported: Result<BusMessage, BusError>?
        var answers: [Result<BusMessage, BusError>] = []
        try client.call(
            ServiceFixture.manager, "ImportFences",
            [.fileDescriptor(descriptor), .string(""), .uint64(0)]
        ) { imported = $0 }
        for number in 0..<60 {
            try client.call(
                ServiceFixture.manager, "ApplyFences", batch("b\(number)", 400)
            ) {
                #expect(imported != nil, "in the order in which they came")
                answers.append($0)
            }
        }
        let asked = try asking({ answers.count }, until: { answers.count == 60 })
        #expect(answers.allSatisfy { $0.failure == nil })
        #expect(fixture.monitoring.fenceCount == 30_000 + 60 * 400)
        #expect(asked.most <= 10, "\(asked)")
    }

    @Test("the largest call is read and stored in portions")
    func largest() throws {
        var answer: Result<BusMessage, BusError>?
        try client.call(ServiceFixture.manager, "ApplyFences", batch("b", 10_000)) {
            answer = $0
        }
        let asked = try asking({ 0 }, until: { answer != nil })
        #expect(answer?.failure == nil)
        #expect(fixture.monitoring.fenceCount == 10_000)
        #expect(asked.calls > 10)
        #expect(
            try fixture.call(client, "ApplyFences", batch("b", 10_000)).success?.first == .uint64(1)
        )
    }

    @Test(
        "a call that is stored in portions has the result of one that is not",
        arguments: ["bus", "source/x"])
    func same(origin: String) throws {
        // The second is beyond the size of a small call.
        var outcomes: [[String]] = []
        for padding in [0, 20_000] {
            let suite = try CatalogueQueueTests()
            let other = "roads/y"
            func applying(
                _ origin: String, _ ids: [String], removing: [String] = [],
                _ options: [(String, BusValue)] = []
            ) throws -> String {
                let fences = BusValue.array(
                    of: FenceMessage.signature,
                    ids.enumerated().map { suite.circle($1, $0, padding: padding) })
                let result =
                    origin == "bus"
                    ? try suite.fixture.call(
                        suite.client, "ApplyFences", [fences, .strings(removing), .uint64(0)])
                    : try suite.fixture.call(
                        suite.client, "ApplyFencesFrom",
                        [.string(origin), fences, .strings(removing), .dictionary(options)])
                let ids = (try? suite.fixture.monitoring.fences(limit: 100).map(\.fence.id)) ?? []
                return "\(result) \(ids)"
            }
            outcomes.append([
                try applying(other, ["theirs"]),
                try applying(origin, ["a", "b", "c"]),
                try applying(origin, ["c", "d"], removing: ["a", "unknown"]),
                try applying(origin, ["e", "e"]),
                try applying(origin, ["e"], removing: ["e"]),
                try applying(origin, ["e", "theirs"]),
                try applying(origin, ["f"], removing: ["theirs"]),
                try applying(origin, ["g"], [("dry_run", .bool(true))]),
                try applying(origin, ["g"], removing: ["b", "c"], [("max_removed", .uint64(1))]),
                try applying(origin, ["g"], [("if_generation", .uint64(1))]),
                try applying(origin, ["bad id \u{7}"]),
            ])
        }
        for (small, large) in zip(outcomes[0], outcomes[1]) { #expect(small == large) }
    }
}
