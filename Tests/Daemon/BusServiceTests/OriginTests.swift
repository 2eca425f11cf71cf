import BusService
import Foundation
import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct OriginTests {
    let fixture: ServiceFixture
    let client: BusConnection
    let files = TemporaryDirectory()

    init() throws {
        var limits = MonitoringSettings()
        limits.fenceLimit = 50
        limits.originShare = .fences(20)
        fixture = try ServiceFixture(limits: limits)
        fixture.settings.spoolDirectory = fixture.state.path
        try fixture.connect()
        client = try fixture.bus.connect(fixture.loop)
    }

    private func csv(_ ids: [String]) -> String {
        "id,latitude,longitude,radius\n" + ids.map { "\($0),48,11,50\n" }.joined()
    }

    private func importing(
        _ ids: [String], _ origin: String, _ options: [(String, BusValue)] = [],
        by other: BusConnection? = nil
    ) throws -> Result<[BusValue], BusError> {
        let descriptor = open(files.write(csv(ids), to: "fences"), O_RDONLY)
        defer { close(descriptor) }
        return try fixture.call(
            other ?? client, "ImportFencesFrom",
            [
                .fileDescriptor(descriptor), .string("csv"), .string(origin),
                .dictionary(options),
            ])
    }

    private func applying(
        _ ids: [String], removing: [String] = [], _ origin: String,
        _ options: [(String, BusValue)] = [], by other: BusConnection? = nil
    ) throws -> Result<[BusValue], BusError> {
        let fences = ids.map { id in
            BusValue.structure([
                .string(id),
                .dictionary([
                    ("latitude", .double(48)), ("longitude", .double(11)),
                    ("radius", .double(60)),
                ]),
            ])
        }
        return try fixture.call(
            other ?? client, "ApplyFencesFrom",
            [
                .string(origin), .array(of: FenceMessage.signature, fences),
                .strings(removing), .dictionary(options),
            ])
    }

    private func ids(_ filter: [(String, BusValue)]) throws -> [String]? {
        let answer = try fixture.call(
            client, "ListFences", [.dictionary(filter), .uint32(0), .uint32(0)])
        return answer.success?.first?.asArray?.compactMap { $0.asStructure?.first?.asString }
    }

    private func counts(_ answer: Result<[BusValue], BusError>) throws -> [UInt64] {
        let values = try answer.get()
        #expect(values.count == 4)
        return values.prefix(3).compactMap(\.asUInt64)
    }

    @Test("a set is replaced whole, no other is touched, and the change is signalled")
    func replace() throws {
        try fixture.add("own", east: 300)
        let listener = try Listener(client, fixture.loop)
        #expect(try counts(importing(["a", "b", "c"], "source/depots")) == [2, 3, 0])
        #expect(
            try counts(importing(["c", "d"], "source/depots", [("replace", .bool(true))]))
                == [3, 1, 2])
        #expect(try counts(importing(["e"], "source/depots")) == [4, 1, 0])
        #expect(try ids([("origin", .string("source/depots"))]) == ["c", "d", "e"])
        #expect(try ids([("origin", .string("bus"))]) == ["own"])
        #expect(try ids([("origin", .string(""))]) == ["own"])
        #expect(try ids([]) == ["c", "d", "e", "own"])
        let fence = try fixture.call(client, "GetFence", [.string("c")]).success?.first
        #expect(fence?.asDictionary?["origin"] == .string("source/depots"))
        // No polling is needed.
        #expect(
            try fixture.loop.run {
                listener.all("PropertiesChanged").contains {
                    $0[1].asDictionary?["Generation"] == .uint64(4)
                        && $0[1].asDictionary?["FenceCount"] == .uint64(4)
                }
            })
    }

    @Test("origins are listed with their fences and their last change")
    func list() throws {
        try fixture.add("own", east: 300)
        let before = UInt64(Date().timeIntervalSince1970) * 1_000_000
        _ = try importing(["a", "b"], "source/depots")
        _ = try applying(["r"], "roads/bayern")
        let origins = try #require(
            try fixture.call(client, "ListOrigins").success?.first?.asArray)
        #expect(
            origins.map { $0.asStructure?.first?.asString } == [
                "bus", "source/depots", "roads/bayern",
            ])
        let details = origins.compactMap { $0.asStructure?.last?.asDictionary }
        #expect(details.map { $0["fences"]?.asUInt64 } == [1, 2, 1])
        #expect(details.map { $0["generation"]?.asUInt64 } == [1, 2, 3])
        // Nobody writes copies here, and the first batch had none to be appended to.
        #expect(details.allSatisfy { $0["copied"]?.asBool == false })
        for detail in details {
            let changed = try #require(detail["changed_at"]?.asUInt64)
            #expect(changed >= before - 2_000_000 && changed <= before + 600_000_000)
        }
        let shown = try fixture.busctl("ListOrigins")
        #expect(shown?.output.hasPrefix(#"a(sa{sv}) 3 "bus" 6 "#) == true)
    }

    @Test("a time of the file that is no time is left out of the list")
    func damagedTime() throws {
        _ = try importing(["a"], "source/depots")
        let file = "\(fixture.state.path)/catalogue.sqlite"
        let change = "UPDATE origin SET changed_at = 1 << 62"
        #expect(Subprocess(["sqlite3", file, change]).wait()?.status == 0)
        let answer = try fixture.call(client, "ListOrigins").success?.first?.asArray
        let detail = try #require(answer?.last?.asStructure?.last?.asDictionary)
        #expect(detail["fences"]?.asUInt64 == 1 && detail["changed_at"] == nil)
    }

    @Test("another's id is a warning that names both, the rest is stored; ApplyFences refuses")
    func taken() throws {
        _ = try importing(["a", "b"], "source/depots")
        let answer = try applying(["a", "c"], removing: ["b", "none"], "roads/bayern").get()
        #expect(answer.prefix(3).compactMap(\.asUInt64) == [2, 1, 0])
        let warnings = answer[3].asArray?.compactMap(\.asStructure) ?? []
        #expect(warnings.compactMap { $0.first?.asString } == ["b", "a"])
        for warning in warnings {
            #expect(
                warning.last
                    == .string(
                        "belongs to source/depots; the entry of roads/bayern is left out"))
        }
        let old = try fixture.call(
            client, "ApplyFences",
            [.array(of: FenceMessage.signature, []), .strings(["a"]), .uint64(0)])
        #expect(old.failure?.message.contains("belongs to source/depots") == true)
        #expect(try counts(applying(["c"], removing: ["a"], "source/depots"))[1...] == [0, 1])
    }

    @Test("a failed condition is a named error, and nothing is stored")
    func conditions() throws {
        _ = try importing((0..<10).map { "\($0)" }, "source/depots")
        func refusal(_ answer: Result<[BusValue], BusError>) -> String? {
            answer.failure.map { String($0.name.split(separator: ".").last ?? "") }
        }
        let replace = ("replace", BusValue.bool(true))
        #expect(
            try refusal(importing(["1"], "source/depots", [replace, ("max_removed", .uint64(8))]))
                == "TooManyRemoved")
        #expect(
            try refusal(importing((0..<21).map { "n\($0)" }, "source/new")) == "QuotaExceeded")
        _ = try importing((0..<20).map { "o\($0)" }, "source/other")
        #expect(
            try refusal(importing((0..<21).map { "b\($0)" }, "bus")) == "TooManyFences")
        #expect(
            try refusal(importing(["1"], "source/depots", [("if_generation", .uint64(0))]))
                == "GenerationChanged")
        #expect(
            try refusal(
                applying([], removing: ["1", "2"], "source/depots", [("max_removed", .uint64(1))]))
                == "TooManyRemoved")
        let dry = try applying(
            ["new"], removing: ["1"], "source/depots", [("dry_run", .bool(true))])
        #expect(try counts(dry) == [2, 1, 1])
        let rehearsed = try importing(
            ["1"], "source/depots", [replace, ("dry_run", .bool(true))])
        #expect(try counts(rehearsed) == [2, 0, 9])
        #expect(fixture.monitoring.fenceCount == 30 && fixture.monitoring.generation == 2)
        #expect(
            try counts(
                importing(
                    ["1"], "source/depots",
                    [replace, ("max_removed", .uint64(9)), ("if_generation", .uint64(1))]))
                == [3, 0, 9])
    }

    @Test("a wrong request is refused with its reason")
    func refused() throws {
        for (origin, reason) in [
            ("source/a b", "names no origin"), ("a/b/c", "names no origin"),
            ("file:roads.csv", "administrator's"), ("roads.csv", "administrator's"),
        ] {
            for error in [
                try applying(["a"], origin).failure, try importing(["a"], origin).failure,
            ] {
                #expect(error?.name == BusError.invalidArguments)
                #expect(error?.message.contains(reason) == true, "\(origin): \(error as Any)")
            }
        }
        for options in [
            [("colour", BusValue.string("red"))], [("dry_run", .uint64(1))],
            [("max_removed", .string("x"))], [("if_generation", .bool(true))],
        ] {
            #expect(
                try applying(["a"], "source/a", options).failure?.name
                    == BusError.invalidArguments)
            #expect(
                try importing(["a"], "source/a", options).failure?.name
                    == BusError.invalidArguments)
        }
        // A batch is not a whole set.
        #expect(
            try applying(["a"], "source/a", [("replace", .bool(true))]).failure?.name
                == BusError.invalidArguments)
        #expect(fixture.monitoring.fenceCount == 0)
    }

    @Test("the owner of an origin's bus name writes only that origin; others need manage-fences")
    func owner() throws {
        let fixture = try ServiceFixture(trusted: TrustedCallers(uids: [], group: nil))
        fixture.settings.spoolDirectory = fixture.state.path
        try fixture.connect()
        let sync = try fixture.bus.connect(fixture.loop)
        let stranger = try fixture.bus.connect(fixture.loop)
        var isOwned = false
        try sync.requestName("org.geofenced.Sync1.depots") { _ in isOwned = true }
        try fixture.loop.run { isOwned }
        func outcome(_ origin: String, _ caller: BusConnection) throws -> String? {
            let applied = try fixture.call(
                caller, "ApplyFencesFrom",
                [
                    .string(origin), .array(of: FenceMessage.signature, []), .strings([]),
                    .dictionary([]),
                ])
            let descriptor = open(files.write(csv(["x"]), to: "fences"), O_RDONLY)
            defer { close(descriptor) }
            let imported = try fixture.call(
                caller, "ImportFencesFrom",
                [.fileDescriptor(descriptor), .string(""), .string(origin), .dictionary([])])
            #expect(applied.failure?.name == imported.failure?.name)
            return imported.failure?.name
        }
        let denied = Geofence1.Failure.notAuthorized.name
        #expect(try outcome("source/depots", stranger) == denied)
        for origin in ["source/depots2", "roads/depots", "bus", "source/", ""] {
            #expect(try outcome(origin, sync) == denied, "\(origin)")
        }
        #expect(fixture.monitoring.fenceCount == 0)
        #expect(try outcome("source/depots", sync) == nil)
        #expect(fixture.monitoring.fenceCount == 1)
        func list(_ filter: [(String, BusValue)], _ caller: BusConnection) throws -> String? {
            try fixture.call(
                caller, "ListFences", [.dictionary(filter), .uint32(0), .uint32(0)]
            ).failure?.name
        }
        let own = [("origin", BusValue.string("source/depots"))]
        #expect(try list(own, sync) == nil)
        #expect(try list([("after", .string("a"))] + own, sync) == nil)
        #expect(try list(own, stranger) == denied)
        for origin in ["source/depots2", "roads/depots", "bus", "source/", ""] {
            #expect(try list([("origin", .string(origin))], sync) == denied, "\(origin)")
        }
        #expect(try list([], sync) == denied)
        #expect(try list([("after", .string("source/depots"))], sync) == denied)
        for question in ["ListOrigins", "CountFences"] {
            let arguments: [BusValue] =
                question == "ListOrigins"
                ? []
                : [
                    .structure([.double(0), .double(0), .double(1), .double(1)]), .uint32(1),
                    .uint32(1),
                ]
            #expect(try fixture.call(sync, question, arguments).failure?.name == denied)
        }
    }
}
