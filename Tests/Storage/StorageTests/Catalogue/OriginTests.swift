import EngineTestKit
import Foundation
import Geodesy
import Model
import Storage
import Testing

@Suite("fences of several origins")
struct OriginTests {
    private let scratch: Scratch
    private let store: Store
    private let depots = FenceOrigin.named("source/depots")
    private let roads = FenceOrigin.named("roads/bayern")

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: nil)
    }

    private func replace(
        _ origin: FenceOrigin, _ ids: [String], _ conditions: ChangeConditions = .init()
    ) throws -> CatalogueChange {
        var fences = try ids.map { try circle($0, 1, 2, title: origin.text) }[...]
        return try store.replaceAll(origin: origin, conditions: conditions) { fences.popFirst() }
    }

    private func ids(_ origin: FenceOrigin) throws -> [String] {
        let listing = store.catalogue.listing(FenceFilter(origin: origin), limit: 100_000)
        return try #require(try listing.step { false }).map(\.fence.id)
    }

    @Test("each replaces its own set, removes what is not in it, and touches no other's")
    func sweep() throws {
        _ = try store.apply(upserts: [try circle("own", 1, 2)])
        _ = try replace(.file("yard.csv"), ["y"])
        _ = try replace(roads, ["r1", "r2"])
        _ = try replace(depots, (0..<500).map { "d\($0)" })
        let change = try replace(depots, ["d7", "new"])
        #expect(change.changed == 1 && change.removed == 499)
        #expect(try ids(depots) == ["d7", "new"])
        #expect(try replace(depots, []).removed == 2)
        #expect(try store.counts() == [.bus: 1, .file("yard.csv"): 1, roads: 2])
        #expect(store.count == 4)
    }

    @Test("another's entry is a warning that names both, and the rest is stored")
    func taken() throws {
        _ = try replace(roads, ["1"])
        let change = try replace(depots, ["1", "2"])
        #expect(
            change.warnings.map(\.description) == [
                "fence \"1\": belongs to roads/bayern; the entry of source/depots is left out"
            ])
        #expect(try store.counts() == [roads: 1, depots: 1])
        #expect(try store.catalogue.fence(id: "1")?.fence.title == "roads/bayern")
        let batch = try store.apply(
            upserts: [try circle("1", 5, 5), try circle("3", 5, 5)], removing: ["2"],
            origin: .named("x/y"), leavesOut: true)
        #expect(batch.changed == 1 && batch.removed == 0)
        #expect(batch.warnings.map(\.fence) == ["2", "1"])
        // Once its owner has removed it, another may own it.
        _ = try replace(roads, [])
        #expect(try replace(depots, ["1", "2"]).warnings.isEmpty)
        #expect(try store.catalogue.fence(id: "1")?.origin == depots)
    }

    @Test("origins, their fences, and when they were changed survive a restart")
    func restart() throws {
        let before = Int64(Date().timeIntervalSince1970)
        _ = try replace(depots, ["a"])
        _ = try replace(roads, ["b", "c"])
        _ = try replace(depots, ["a", "z"])
        let again = try Store(directory: scratch.path, bootID: nil)
        let origins = try again.catalogue.origins()
        #expect(origins == (try store.catalogue.origins()))
        #expect(origins.map(\.origin) == [depots, roads])
        #expect(origins.map(\.fences) == [2, 2])
        #expect(origins.map(\.generation) == [3, 2])
        let after = Int64(Date().timeIntervalSince1970)
        for origin in origins {
            #expect((before...after).contains(try #require(origin.changedAt)))
        }
        #expect(try again.catalogue.fence(id: "b")?.origin == roads)
        // Nothing has changed: neither has the time.
        #expect(try replace(roads, ["b", "c"]) == CatalogueChange(generation: 3))
        #expect(try store.catalogue.origins() == origins)
    }

    @Test("a name that owned nothing is forgotten")
    func nothing() throws {
        _ = try replace(depots, [])
        _ = try store.apply(upserts: [], origin: roads)
        let rows = try sqlite("SELECT count(*) FROM origin", scratch.file("catalogue.sqlite"))
        #expect(rows == "1\n", "the bus alone")
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var ids: [String]
        var conditions: @Sendable (inout ChangeConditions) -> Void
        var refusal: ChangeRefusal
    }

    @Test(
        "if a condition does not hold nothing is stored",
        arguments: [
            Refused(
                testDescription: "a quota", ids: (0..<6).map { "n\($0)" },
                conditions: { $0.originLimit = 5 },
                refusal: .quotaExceeded(.named("source/depots"), limit: 5)),
            Refused(
                testDescription: "a full catalogue", ids: (0..<6).map { "\($0)" } + ["n1", "n2"],
                conditions: { $0.fenceLimit = 7 }, refusal: .tooManyFences(limit: 7)),
            Refused(
                testDescription: "more removals than are let", ids: ["0", "1"],
                conditions: { $0.mostRemoved = 1 },
                refusal: .tooManyRemoved(
                    .named("source/depots"), count: 2, present: 4, limit: 1)),
            Refused(
                testDescription: "a change since", ids: ["0"],
                conditions: { $0.unchangedSince = 1 },
                refusal: .changedSince(.named("source/depots"), 2)),
        ])
    func conditions(_ refused: Refused) throws {
        _ = try store.apply(upserts: [try circle("own", 1, 2)])
        _ = try replace(depots, ["0", "1", "2", "3"])
        var conditions = ChangeConditions()
        refused.conditions(&conditions)
        #expect(throws: refused.refusal) { try replace(depots, refused.ids, conditions) }
        #expect(try ids(depots) == ["0", "1", "2", "3"])
        #expect(store.count == 5 && store.generation == 2)
        #expect(try replace(depots, ["0", "1", "2", "4"]).removed == 1, "the next one goes in")
    }

    @Test(
        "too many are refused at the first one beyond the limit, whoever has the others",
        arguments: [(false, 7), (true, 3)])
    func early(removesNothing: Bool, read: Int) throws {
        _ = try store.apply(upserts: [try circle("own", 1, 2)])
        _ = try replace(depots, ["0", "1", "2", "3"])
        var conditions = ChangeConditions()
        conditions.fenceLimit = 7
        conditions.removesNothing = removesNothing
        var count = 0
        #expect(throws: ChangeRefusal.tooManyFences(limit: 7)) {
            try store.replaceAll(origin: depots, conditions: conditions) {
                count += 1
                return count > 100 ? nil : try circle("n\(count)", 1, 2)
            }
        }
        #expect(count == read)
        #expect(try ids(depots) == ["0", "1", "2", "3"])
    }

    @Test(
        "what adds nothing passes a limit that has been lowered, and what keeps to them is stored")
    func keeping() throws {
        _ = try replace(depots, ["0", "1", "2", "3"])
        _ = try replace(roads, ["r"])
        var conditions = ChangeConditions()
        conditions.originLimit = 2
        conditions.fenceLimit = 2
        conditions.mostRemoved = 2
        // The other's change does not count as a change of this one.
        conditions.unchangedSince = 1
        #expect(try replace(depots, ["0", "1", "4"], conditions).changed == 1)
        #expect(try ids(depots) == ["0", "1", "4"])
    }

    @Test("a dry run reports the result, and stores nothing", arguments: [true, false])
    func dryRun(inPortions: Bool) throws {
        _ = try replace(depots, ["0", "1", "2"])
        var conditions = ChangeConditions()
        conditions.isDryRun = true
        let change =
            try inPortions
            ? replace(depots, ["2", "3"], conditions)
            : store.apply(
                upserts: [try circle("3", 1, 2)], removing: ["0", "1"], origin: depots,
                conditions: conditions)
        #expect(change == CatalogueChange(generation: 1, changed: 1, removed: 2))
        #expect(try ids(depots) == ["0", "1", "2"])
        #expect(store.generation == 1 && store.count == 3)
        conditions.isDryRun = false
        #expect(try replace(depots, ["2", "3"], conditions).removed == 2)
    }

    @Test("there are at most 256 named origins, and a removed one makes room")
    func many() throws {
        for number in 0..<256 {
            _ = try store.apply(
                upserts: [try circle("f\(number)", 1, 2)], origin: .named("n/\(number)"))
        }
        #expect(throws: ChangeRefusal.tooManyOrigins(limit: 256)) { try replace(depots, ["d"]) }
        _ = try replace(.file("x"), ["x"])
        _ = try replace(.named("n/0"), [])
        #expect(try replace(depots, ["d"]).changed == 1)
    }

    @Test(
        "an invalid name of an origin is refused",
        arguments: [
            "a/", "/a", "/", "a/b/c", "a//b", "source/ä", "source/a b", "source/..", "-a/b",
            "source/" + String(repeating: "x", count: 122),
        ])
    func flawed(_ text: String) {
        #expect(throws: FlawedOrigin.self) { try FenceOrigin(text: text) }
    }

    @Test(
        "the name of an origin maps back to it",
        arguments: [
            FenceOrigin.bus, .file("roads.csv"), .named("source/a"), .named("Roads.2/B-1_x"),
            .named("source/" + String(repeating: "x", count: 121)),
        ])
    func names(_ origin: FenceOrigin) throws {
        #expect(try FenceOrigin(text: origin.text) == origin)
        #expect(try FenceOrigin(text: origin.name) == origin)
        #expect(FenceOrigin(name: origin.name) == origin)
    }
}
