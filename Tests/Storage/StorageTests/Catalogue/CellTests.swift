import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import Storage
import Testing
import Time

@Suite("fences that share a row")
struct CellTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: nil)
    }

    /// Circles and squares around a town, some with long texts.
    private func fence(_ id: Int, _ random: inout SeededRandom) throws -> Fence {
        let latitude = random.uniform(48...48.3)
        let longitude = random.uniform(11.3...11.8)
        let metadata =
            random.chance(0.05)
            ? "{\"note\":\"\(String(repeating: "x", count: random.integer(0..<2_000)))\"}" : "{}"
        let geometry: Geometry
        if random.chance(0.2) {
            let (south, west) = (latitude, longitude)
            geometry = .polygons([
                [
                    [
                        Coordinate(latitude: south, longitude: west),
                        Coordinate(latitude: south, longitude: west + 0.01),
                        Coordinate(latitude: south + 0.01, longitude: west + 0.01),
                        Coordinate(latitude: south, longitude: west),
                    ]
                ]
            ])
        } else {
            // Some with few digits, as people write them, some with every bit in use.
            let exact = random.chance(0.5)
            geometry = .circle(
                center: Coordinate(
                    latitude: exact ? latitude : (latitude * 1e6).rounded() / 1e6,
                    longitude: exact ? longitude : (longitude * 1e6).rounded() / 1e6),
                radius: exact ? random.uniform(20...900) : Double(random.integer(20..<900)))
        }
        return Fence(
            id: "\(id)", area: try Area(geometry), title: random.chance(0.1) ? "t\(id)" : "",
            dwell: random.chance(0.1) ? .seconds(5) : .zero, metadata: metadata)
    }

    @Test(
        "after any batches of additions, edits, moves and removals the answers are those of arrays",
        arguments: [1, 2, 3, 4] as [UInt64])
    func batches(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let oracle = MemoryFenceStore()
        // Large ones fill cells, small ones get cells of their own.
        for size in [600, 20, 900, 5, 60, 400, 30] {
            var upserts: [Int: Fence] = [:]
            for _ in 0..<size {
                let id = random.integer(0..<1_500)
                upserts[id] = try fence(id, &random)
            }
            let gone = (0..<size / 4).map { _ in random.integer(0..<1_500) }
            let removals = Set(gone).filter { upserts[$0] == nil }.map(String.init).sorted()
            let fences = upserts.keys.sorted().compactMap { upserts[$0] }
            let change = try store.apply(upserts: fences, removing: removals)
            #expect(try oracle.apply(upserts: fences, removing: removals) == change, "\(random)")
            try compare(oracle, &random)
        }
        // The file gives the same answers as the connection.
        let again = try Store(directory: scratch.path, bootID: nil)
        #expect(again.setAside.isEmpty)
        #expect(try again.catalogue.fences(limit: 2_000) == store.catalogue.fences(limit: 2_000))
        #expect(StoreCheck.verdict(of: scratch.file("catalogue.sqlite")) == .sound)
    }

    private func compare(_ oracle: MemoryFenceStore, _ random: inout SeededRandom) throws {
        #expect(store.count == oracle.count)
        #expect(try store.counts() == [.bus: oracle.count])
        let ids = (0..<1_500).map(String.init)
        #expect(try store.entries(ids: ids) == oracle.entries(ids: ids), "\(random)")
        let listed = try store.catalogue.fences(limit: 2_000).map(\.fence.id)
        #expect(listed == oracle.all.map(\.fence.id).sorted(), "\(random)")
        // A walk, so that each search begins with the results of the previous one.
        var place = Coordinate(latitude: random.uniform(48...48.3), longitude: 11.5)
        for _ in 0..<20 {
            place.longitude += random.uniform(-0.02...0.02)
            let anchor = SurfacePoint(place)
            #expect(
                try store.nearest(to: anchor, limit: 21) == oracle.nearest(to: anchor, limit: 21),
                "\(random), \(place)")
            let box = GeoBox(around: place, radius: random.uniform(1...3_000))
            let met = try store.entries(meeting: box).map(\.fence.id)
            #expect(Set(met).count == met.count)
            #expect(Set(met).isSuperset(of: oracle.entries(meeting: box).map(\.fence.id)))
        }
    }

    @Test("a set that is replaced in portions keeps what is new")
    func replacedInPortions() throws {
        let place = FenceOrigin.file("x.csv")
        let old = try store.beginImport(origin: place)
        try old.add(try circle("old", 48, 11))
        #expect(try old.finish(replacing: true).changed == 1)
        let session = try store.beginImport(origin: place)
        for id in 0..<200 { try session.add(try circle("new\(id)", 48, 11)) }
        var change: CatalogueChange?
        while change == nil { change = try session.finish(replacing: true, until: { true }) }
        #expect(change?.changed == 200)
        #expect(change?.removed == 1)
        #expect(store.count == 200)
        #expect(try store.entries(ids: (0..<200).map { "new\($0)" }).count == 200)
        #expect(try store.entries(ids: ["old"]).isEmpty)
    }

    @Test("an import larger than the sort memory is stored whole, and duplicates are found")
    func large() throws {
        var random = SeededRandom(seed: 5)
        let note = "{\"note\":\"\(String(repeating: "x", count: 4_000))\"}"
        var fences = try (0..<1_200).map { try fence($0, &random) }
        for index in fences.indices where index % 2 == 0 { fences[index].metadata = note }
        let session = try store.beginImport(origin: .bus)
        for fence in fences { try session.add(fence) }
        var portions = 0
        var change: CatalogueChange?
        while change == nil {
            change = try session.finish(replacing: true, until: { true })
            portions += 1
        }
        #expect(portions > 10)
        #expect(change?.changed == 1_200)
        #expect(try store.entries(ids: fences.map(\.id)).map(\.fence) == fences)
        let oracle = MemoryFenceStore(fences)
        let anchor = point(48.1, 11.5)
        #expect(
            try store.nearest(to: anchor, limit: 50) == oracle.nearest(to: anchor, limit: 50))
        #expect(!scratch.names.contains { $0.hasPrefix(".sort") })

        let twins = try store.beginImport(origin: .file("x"))
        for id in 0..<600 {
            var fence = try circle("n\(id % 599)", 48, 11)
            fence.metadata = note
            try twins.add(fence)
        }
        #expect(throws: CatalogueRefusal(fence: "n0", reason: "comes twice in one batch")) {
            try twins.finish(replacing: false)
        }
        #expect(store.count == 1_200 && store.generation == 1)
    }

    @Test("if no file can be created the sort runs in memory, as the catalogue does")
    func inMemory() throws {
        let store = try Store(directory: scratch.file("nowhere"), bootID: nil)
        let note = "{\"note\":\"\(String(repeating: "x", count: 4_000))\"}"
        var random = SeededRandom(seed: 7)
        var fences = try (0..<600).map { try fence($0, &random) }
        for index in fences.indices { fences[index].metadata = note }
        var rest = fences.makeIterator()
        let change = try store.replaceAll(origin: .file("x")) { rest.next() }
        #expect(change.changed == 600)
        #expect(try store.entries(ids: fences.map(\.id)).map(\.fence) == fences)
    }

    @Test("a damaged cell loses only its own fences, which are named")
    func damaged() throws {
        _ = try store.apply(upserts: (0..<50).map { try circle("\($0)", 1, 2) })
        for bytes in ["x'01'", "x'01ff'", "x'010500010000'", "x'07'", "x''"] {
            let other = try Scratch()
            let fresh = try Store(directory: other.path, bootID: nil)
            _ = try fresh.apply(upserts: (0..<50).map { try circle("\($0)", 1, 2) })
            try sqlite("UPDATE cell SET fences = \(bytes)", other.file("catalogue.sqlite"))
            #expect(throws: StoreError.self, "\(bytes)") { try fresh.catalogue.fence(id: "7") }
            #expect(try fresh.entries(ids: ["7"]).isEmpty, "\(bytes)")
            #expect(try fresh.nearest(to: point(1, 2), limit: 9).isEmpty, "\(bytes)")
            #expect(fresh.unreadable.contains("fence \"7\""), "\(bytes)")
            #expect(fresh.suspects.count == 1, "\(bytes)")
            // Not before it is known of whose sets it was.
            #expect(throws: StoreError.self) { try fresh.apply(upserts: [try circle("7", 1, 2)]) }
            try fresh.checkAndMend()
            #expect(fresh.suspects.isEmpty && fresh.unreadable.isEmpty, "\(bytes)")
            #expect(try fresh.catalogue.origins().first?.lost?.fences == 50, "\(bytes)")
            _ = try fresh.apply(upserts: [try circle("7", 1, 2)])
            #expect(try fresh.nearest(to: point(1, 2), limit: 9).count == 1, "\(bytes)")
            #expect(fresh.setAside.isEmpty, "\(bytes)")
        }
        #expect(try store.entries(ids: ["7"]).count == 1)
    }

    @Test("the R*Tree is sound after an import and after edits")
    func tree() throws {
        var random = SeededRandom(seed: 6)
        _ = try store.apply(upserts: (0..<3_000).map { try fence($0, &random) })
        _ = try store.apply(
            upserts: (0..<200).map { try fence($0 * 7, &random) },
            removing: (0..<200).map { "\($0 * 11 + 1)" }
                .filter { (Int($0) ?? 0) % 7 != 0 })
        let output = try sqlite(
            "SELECT rtreecheck('box'); PRAGMA integrity_check", scratch.file("catalogue.sqlite"))
        #expect(output == "ok\nok\n")
    }
}
