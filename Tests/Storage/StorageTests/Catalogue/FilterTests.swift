import EngineTestKit
import Geodesy
import Model
import Storage
import Testing

@Suite("fences listed and counted by a filter, against plain arrays")
struct FilterTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: nil)
    }

    /// Every page, as a caller reads them, each in the smallest portions.
    private func ids(_ filter: FenceFilter, after id: String = "", limit: Int) throws -> [String] {
        var all: [String] = []
        var last = id
        while true {
            let listing = store.catalogue.listing(filter, after: last, limit: limit)
            var page: [StoredFence]?
            while page == nil { page = try listing.step { true } }
            let ids = (page ?? []).map(\.fence.id)
            #expect(ids.count <= limit)
            guard let end = ids.last else { return all }
            all += ids
            last = end
        }
    }

    private func byBytes(_ ids: [String]) -> [String] {
        ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    @Test(
        "those whose boxes meet a box, in the order of their ids, whatever it is",
        arguments: RandomCatalogue.all, [8, 9] as [UInt64])
    func within(_ world: RandomCatalogue, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let fences = try world.fences(&random)
        _ = try store.apply(upserts: fences)
        var met = 0
        for round in 0..<12 {
            let center = world.coordinate(&random)
            let box =
                round == 0
                ? GeoBox(west: -180, south: -90, east: 180, north: 90)
                : GeoBox(around: center, radius: random.uniform(1...50_000))
            let found = try ids(FenceFilter(within: box), limit: [1_000, 7][round % 2])
            let expected = fences.filter { $0.area?.boundingBox.intersects(box) == true }.map(\.id)
            #expect(Set(found).isSuperset(of: expected), "\(random), \(box)")
            #expect(found == byBytes(found) && Set(found).count == found.count)
            // Boxes are rounded to 32 bits, by some metres.
            #expect(found.count <= expected.count + 20, "\(random), \(box)")
            met += expected.count
            let grid = try #require(FenceGrid(box, columns: 5, rows: 3))
            let counting = store.catalogue.counting(grid)
            var counts: [UInt32]?
            while counts == nil { counts = try counting.step { true } }
            #expect(counts?.count == 15)
            #expect(counts?.reduce(0, +) == UInt32(found.count), "\(random), \(box)")
        }
        #expect(met > 0, "\(random)")
    }

    @Test(
        "a fence that is changed or removed meanwhile is there once, or not at all, and never damaged",
        arguments: [1, 4, 100])
    func meanwhile(portions: Int) throws {
        func large(_ id: String) throws -> Fence {
            let center = Coordinate(latitude: 5, longitude: 50)
            return Fence(id: id, area: try Area(.circle(center: center, radius: 50_000)))
        }
        // Over more cells than one portion has.
        let all = try (0..<20_000).map { try circle("f\(10_000 + $0)", Double($0) / 2_000, 50) }
        _ = try store.apply(upserts: all)
        let world = GeoBox(west: 40, south: -10, east: 60, north: 20)
        for filter in [FenceFilter(origin: .bus), FenceFilter(within: world)] {
            let listing = store.catalogue.listing(filter, after: "", limit: 20_000)
            var page: [StoredFence]?
            for portion in 0..<portions where page == nil {
                page = try listing.step { true }
                guard page == nil else { break }
                // One goes, and others become so large that they are moved.
                let number = 100 * portion
                _ = try store.apply(
                    upserts: [
                        try large("f\(10_001 + number)"), try large("f\(29_999 - number)"),
                        try circle("f\(10_000 + number)", 0, 51),
                    ])
                _ = try store.apply(upserts: [], removing: ["f\(10_000 + number)"])
            }
            while page == nil { page = try listing.step { true } }
            let found = Set((page ?? []).map(\.fence.id))
            #expect(found.count == page?.count)
            #expect(store.unreadableCount == 0, "\(store.unreadable)")
            // A page is not larger than its bytes.
            let last = try #require(page?.last?.fence.id)
            let left = (0..<20_000).filter { $0 % 100 > 0 }.map { "f\(10_000 + $0)" }
            #expect(left.filter { $0 <= last && !found.contains($0) } == [])
        }
    }

    @Test("those of one origin, also within a box, page by page")
    func origin() throws {
        let origins: [FenceOrigin] = [.bus, .file("a.csv"), .named("source/a")]
        for (number, origin) in origins.enumerated() {
            var left = try (0..<300).map {
                try circle("\($0 * 3 + number)", Double($0) / 10, 1)
            }[...]
            _ = try store.replaceAll(origin: origin) { left.popFirst() }
        }
        for (number, origin) in origins.enumerated() {
            let expected = byBytes((0..<300).map { "\($0 * 3 + number)" })
            #expect(try ids(FenceFilter(origin: origin), limit: 64) == expected)
            #expect(
                try ids(FenceFilter(origin: origin), after: "5", limit: 64)
                    == expected.filter { "5".utf8.lexicographicallyPrecedes($0.utf8) })
            let box = GeoBox(west: 0.5, south: 0.95, east: 1.5, north: 2.04)
            #expect(
                try ids(FenceFilter(origin: origin, within: box), limit: 2)
                    == byBytes((10...20).map { "\($0 * 3 + number)" }))
            let listing = store.catalogue.listing(FenceFilter(origin: origin), offset: 2, limit: 2)
            #expect(
                try listing.step { false }?.map(\.fence.id) == Array(expected[2..<4]))
            let far = store.catalogue.listing(
                FenceFilter(origin: origin), offset: 20_000, limit: 64)
            #expect(try far.step { false }?.isEmpty == true)
            let near = store.catalogue.listing(FenceFilter(origin: origin), offset: 290, limit: 64)
            #expect(
                try near.step { false }?.map(\.fence.id) == Array(expected[290...]))
        }
        #expect(try ids(FenceFilter(origin: .named("source/b")), limit: 9).isEmpty)
    }

    @Test("a box over the antimeridian has what lies on both sides of it, and no more")
    func antimeridian() throws {
        _ = try store.apply(upserts: [
            try circle("west", 0, 179.9), try circle("east", 0, -179.9),
            try circle("over", 0.1, 179.9999), try circle("far", 0, 0),
        ])
        let box = GeoBox(west: 179, south: -1, east: 181, north: 1)
        #expect(try ids(FenceFilter(within: box), limit: 9) == ["east", "over", "west"])
        let grid = try #require(FenceGrid(box, columns: 2, rows: 1))
        #expect(try store.catalogue.counting(grid).step { false } == [2, 1])
    }

    @Test("each fence is counted in the cell where its centre is, or next to it")
    func cells() throws {
        _ = try store.apply(upserts: [
            try circle("north-west", 1.9, 0.1), try circle("south-east", 0.1, 2.9),
            try circle("middle", 1.5, 1.5), try circle("middle too", 1.4, 1.6),
            // Its centre is north of the box.
            try circle("outside", 2.1, 2.5, radius: 50_000), try circle("far", 5, 5),
        ])
        let box = GeoBox(west: 0, south: 0, east: 3, north: 2)
        let grid = try #require(FenceGrid(box, columns: 3, rows: 2))
        #expect(try store.catalogue.counting(grid).step { false } == [1, 2, 1, 0, 0, 1])
        let line = GeoBox(west: 1.5, south: 1.5, east: 1.5, north: 1.5)
        let point = try #require(FenceGrid(line, columns: 2, rows: 2))
        #expect(try store.catalogue.counting(point).step { false }?.reduce(0, +) == 1)
    }

    @Test("an unreadable record is skipped and named, the others are listed and counted")
    func unreadable() throws {
        let world = GeoBox(west: -180, south: -90, east: 180, north: 90)
        for id in ["a", "b", "c"] { _ = try store.apply(upserts: [try circle(id, 1, 2)]) }
        try sqlite(
            """
            UPDATE cell SET fences = x'0105' WHERE number =
                (SELECT number FROM fence WHERE id = 'b')
            """, scratch.file("catalogue.sqlite"))
        #expect(try ids(FenceFilter(origin: .bus), limit: 9) == ["a", "c"])
        #expect(try ids(FenceFilter(origin: .bus, within: world), limit: 9) == ["a", "c"])
        let grid = try #require(FenceGrid(world, columns: 1, rows: 1))
        #expect(try store.catalogue.counting(grid).step { false } == [2])
        #expect(store.unreadable == ["records of cell 2"])
    }

    @Test("a grid has at least one cell, and not too many")
    func grid() {
        let box = GeoBox(west: 0, south: 0, east: 3, north: 2)
        for (columns, rows) in [(0, 1), (1, 0), (-1, -1), (129, 128), (.max, 2), (2, .max)] {
            #expect(FenceGrid(box, columns: columns, rows: rows) == nil)
        }
        #expect(FenceGrid(box, columns: 128, rows: 128) != nil)
    }
}
