import EngineTestKit
import Formats
import FormatsTestKit
import Foundation
import Geodesy
import Law
import Model
import Storage
import Testing

@Suite("beacon fences in the catalogue")
struct BeaconFenceTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: nil)
    }

    private static let uuid = BeaconUUID(high: 1, low: 2)

    private static func fence(_ id: String, minor: UInt16 = 1) -> Fence {
        Fence(id: id, subject: .beacons(BeaconRule(.minor(uuid, major: 0, minor: minor))))
    }

    private static var everyRule: [BeaconRule] {
        let space = BeaconNamespace(high: 7, low: 8)
        var trailer = BeaconRule(.minor(uuid, major: 1, minor: 2))
        trailer.isCompanion = true
        trailer.group = "ü"
        var dock = BeaconRule(.major(uuid, 9))
        dock.sightings = 1
        dock.leastRSSI = -70
        return [
            trailer, dock, BeaconRule(.uuid(uuid)), BeaconRule(.namespace(space)),
            BeaconRule(.instance(space, 11)),
        ]
    }

    @Test("every kind is kept across a restart, among thousands of areas")
    func kept() throws {
        let areas = try (0..<2_000).map { try circle("f\($0)", 48 + Double($0) / 1_000, 11) }
        let fences = Self.everyRule.enumerated().map { index, rule in
            Fence(id: "b\(index)", subject: .beacons(rule)).unusual(FenceProperty.ofFences)
        }
        let change = try store.apply(upserts: areas + fences)
        #expect(change.changed == 2_005 && store.count == 2_005)
        #expect(try store.apply(upserts: fences).changed == 0)
        let again = try Store(directory: scratch.path, bootID: nil)
        for fence in fences { #expect(try again.catalogue.fence(id: fence.id)?.fence == fence) }
        let expected = fences.compactMap { BeaconRegion($0, added: 1) }
        #expect(try Set(again.catalogue.beaconRegions()) == Set(expected))
        // Listed by id, but not among the areas.
        #expect(try again.catalogue.fences(after: "b", limit: 5).map(\.fence) == fences)
        #expect(try again.entries(ids: fences.map(\.id)).isEmpty)
        let everywhere = GeoBox(west: -180, south: -90, east: 180, north: 90)
        #expect(try again.entries(meeting: everywhere).count == 2_000)
        let within = again.catalogue.listing(FenceFilter(within: everywhere), limit: 3_000)
        #expect(try within.step { false }?.count == 2_000)
        let all = again.catalogue.listing(FenceFilter(origin: .bus), limit: 3_000)
        #expect(try all.step { false }?.count == 2_005)
        let grid = try #require(FenceGrid(everywhere, columns: 1, rows: 1))
        #expect(try again.catalogue.counting(grid).step { false } == [2_000])
        #expect(try again.nearest(to: point(48, 11), limit: 3_000).count == 2_000)
    }

    @Test("edited, replaced by an area and back, removed: a new kind is a new fence")
    func edits() throws {
        _ = try store.apply(upserts: [Self.fence("a"), try circle("b", 48, 11)])
        _ = try store.apply(upserts: [Self.fence("a", minor: 2)])
        #expect(try store.catalogue.fence(id: "a")?.added == 1)
        #expect(
            try store.catalogue.beaconRegions().map(\.rule.pattern) == [
                .minor(Self.uuid, major: 0, minor: 2)
            ])
        _ = try store.apply(upserts: [try circle("a", 48, 11), Self.fence("b")])
        #expect(try store.catalogue.fence(id: "a")?.added == 3)
        #expect(try store.catalogue.fence(id: "b")?.added == 3)
        #expect(try store.catalogue.beaconRegions().map(\.id) == ["b"])
        #expect(try store.nearest(to: point(48, 11), limit: 9).map(\.entry.id) == ["a"])
        _ = try store.apply(upserts: [], removing: ["b", "a"])
        #expect(try store.catalogue.beaconRegions().isEmpty && store.count == 0)
    }

    @Test("an origin's set is replaced, beacons and areas together")
    func swept() throws {
        let origin = FenceOrigin.named("source/yard")
        func replace(_ fences: [Fence]) throws {
            var rest = fences[...]
            _ = try store.replaceAll(origin: origin) { rest.popFirst() }
        }
        try replace([Self.fence("a"), try circle("b", 48, 11), Self.fence("c")])
        try replace([Self.fence("c"), try circle("d", 48, 11)])
        #expect(try store.catalogue.beaconRegions().map(\.id) == ["c"])
        #expect(try store.catalogue.fences(limit: 9).map(\.fence.id) == ["c", "d"])
    }

    @Test("a change to more than 1,024 is refused as a whole, by every path")
    func tooMany() throws {
        let most = (0..<BeaconRegion.most).map { Self.fence("b\($0)") }
        let one = [Self.fence("one too many")]
        let refusal = ChangeRefusal.tooManyBeacons(limit: BeaconRegion.most)
        #expect(throws: refusal) { try store.apply(upserts: most + one) }
        #expect(store.count == 0)
        _ = try store.apply(upserts: most)
        #expect(throws: refusal) { try store.apply(upserts: one) }
        #expect(try store.catalogue.beaconRegions().count == BeaconRegion.most)
        _ = try store.apply(upserts: one, removing: ["b0"])
        #expect(try store.catalogue.beaconRegions().count == BeaconRegion.most)
    }

    @Test("a damaged record gives a valid fence or none: every bit changed")
    func damaged() throws {
        for rule in Self.everyRule {
            let fence = Fence(id: "a", subject: .beacons(rule))
            let bytes = StoredFenceBytes.encode(fence)
            #expect(StoredFenceBytes.decode(bytes) == fence)
            for index in bytes.indices {
                for bit in 0..<8 {
                    var other = bytes
                    other[index] ^= 1 << UInt8(bit)
                    guard let read = StoredFenceBytes.decode(other)?.beacons else { continue }
                    #expect(read.flaw == nil)
                }
                #expect(StoredFenceBytes.decode(Array(bytes.prefix(index))) == nil)
            }
        }
    }
}
