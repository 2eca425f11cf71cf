import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import Storage
import Testing

/// Fences that are together larger than what may be in memory at once. Whatever is asked, nothing
/// of it is taken for damage.
@Suite("a catalogue of large fences")
struct CrowdedTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    enum Crowd: String, CaseIterable {
        /// The first is the quickest, and the one for debug.
        case shops, both, polygons
    }

    private func star(_ id: String, _ place: Coordinate, _ positions: Int) throws -> Fence {
        var ring = (0..<positions).map { k in
            let angle = 2 * Double.pi * Double(k) / Double(positions)
            return OddAreas.at(
                place.latitude + 0.001 * sin(angle), place.longitude + 0.001 * cos(angle))
        }
        ring.append(ring[0])
        return Fence(id: id, area: try Area(.polygons([[ring]])))
    }

    private func shop(_ id: String, _ place: Coordinate) throws -> Fence {
        Fence(
            id: id, area: try Area(.circle(center: place, radius: 20)),
            description: String(repeating: "opens at eight. ", count: 1_280))
    }

    private func fences(_ crowd: Crowd) throws -> [Fence] {
        var fences: [Fence] = []
        if crowd != .shops {
            fences += try (0..<60).map {
                try star("area-\($0)", OddAreas.at(48, 11 + 0.003 * Double($0)), 5_000)
            }
        }
        if crowd != .polygons {
            fences += try (0..<400).map {
                try shop("shop-\($0)", OddAreas.at(48.01, 11 + 0.001 * Double($0)))
            }
        }
        return fences
    }

    @Test("ids that Swift takes for the same are two answers")
    func canonicallyEquivalentIDs() throws {
        let store = try Store(directory: scratch.path, bootID: nil)
        _ = try store.apply(
            upserts: [try circle("\u{E9}", 48, 11), try circle("e\u{301}", 48, 11)])
        let ranking = store.catalogue.ranking(to: point(48, 11), limit: 10)
        #expect(try ranking.step { false }?.count == 2)
    }

    @Test(
        "every question is answered, and the file stays where it is",
        arguments: Sample.of(Crowd.allCases))
    func questions(_ crowd: Crowd) throws {
        let fences = try fences(crowd)
        do {
            let store = try Store(directory: scratch.path, bootID: nil)
            var rest = fences[...]
            _ = try store.replaceAll(origin: .named("source/crowd")) { rest.popFirst() }
        }
        let store = try Store(directory: scratch.path, bootID: nil)
        let place = point(48.003, 11.05)
        for _ in 0..<2 {
            // The engine's: never short while there are others.
            for limit in [1, 20, 60, 256] {
                let nearest = try store.nearest(to: place, limit: limit)
                #expect(nearest.count <= limit && !nearest.isEmpty)
                #expect(nearest.map(\.signedDistance) == nearest.map(\.signedDistance).sorted())
            }
            let window = try store.nearest(to: place, limit: 20)
            #expect(window.count == 20)
            _ = try store.entries(meeting: GeoBox(west: 10, south: 47, east: 12, north: 49))
            _ = try store.entries(ids: fences.map(\.id))
            // A client's: exact, with the window in memory.
            let ranking = store.catalogue.ranking(to: place, limit: 256)
            var steps = 0
            var found: [RankedFence]?
            while found == nil {
                found = try ranking.step { true }
                steps += 1
            }
            var expected = try fences.map { fence in
                let area = try #require(fence.area)
                return (id: fence.id, distance: area.signedDistance(to: place))
            }
            expected.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
            let nearest = expected.prefix(256)
            #expect(found?.map(\.id) == nearest.map(\.id) && steps > 1)
            #expect(found?.map(\.signedDistance) == nearest.map(\.distance))
            #expect(try fences.allSatisfy { try store.catalogue.passingEntry(id: $0.id) != nil })
            var (last, listed) = ("", 0)
            while let page = Optional(try store.catalogue.fences(after: last, limit: 500)),
                !page.isEmpty
            {
                (last, listed) = (page[page.count - 1].fence.id, listed + page.count)
            }
            #expect(listed == fences.count)
            let listing = store.catalogue.listing(
                FenceFilter(origin: .named("source/crowd")), limit: fences.count)
            #expect(try listing.step { false }?.isEmpty == false)
            let grid = try #require(
                FenceGrid(
                    GeoBox(west: 10, south: 47, east: 12, north: 49), columns: 2, rows: 2))
            #expect(
                try store.catalogue.counting(grid).step { false }?.reduce(0, +)
                    == UInt32(fences.count))
            _ = window.count
        }
        #expect(store.setAside.isEmpty && store.suspects.isEmpty)
        #expect(store.count == fences.count)
        #expect(try store.apply(upserts: [try circle("one more", 48, 11)]).changed == 1)
        #expect(scratch.names.filter { $0.contains("unusable") }.isEmpty)
        let path = scratch.file("catalogue.sqlite")
        #expect(StoreCheck.verdict(of: path) == .sound)
    }

    @Test("those without room leave their places in the window to the next ones")
    func places() throws {
        let store = try Store(directory: scratch.path, bootID: nil)
        let large = try (0..<60).map {
            try star("area-\($0)", OddAreas.at(48, 11 + 0.00001 * Double($0)), 5_000)
        }
        let small = try (0..<100).map { try circle("\($0)", 48.2, 11 + 0.001 * Double($0)) }
        for fence in large + small { _ = try store.apply(upserts: [fence]) }
        let nearest = try store.nearest(to: point(48, 11), limit: 100)
        #expect(nearest.count == 100)
        let held = nearest.prefix { $0.entry.id.hasPrefix("area-") }.count
        // 4 MiB of 80 KB each, and the nearest of them.
        #expect(held == 52 && store.unreadable.count == 8)
        #expect(nearest.dropFirst(held).allSatisfy { !$0.entry.id.hasPrefix("area-") })
    }

    @Test("the check of a file finds what damages it, in the nodes of the R*Tree too")
    func check() throws {
        let path = scratch.file("catalogue.sqlite")
        do {
            let store = try Store(directory: scratch.path, bootID: nil)
            for k in 0..<2_000 where k % 500 == 0 {
                _ = try store.apply(
                    upserts: (k..<k + 500).map { try circle("\($0)", 48, 0.01 * Double($0)) })
            }
        }
        #expect(StoreCheck.verdict(of: path) == .sound)
        #expect(StoreCheck.verdict(of: scratch.file("none")) != .sound)
        try sqlite("UPDATE box_node SET data = zeroblob(length(data)) WHERE nodeno = 1", path)
        guard case .damaged = StoreCheck.verdict(of: path) else {
            Issue.record("not found")
            return
        }
    }
}
