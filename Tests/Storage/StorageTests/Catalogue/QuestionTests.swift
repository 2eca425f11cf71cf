import EngineTestKit
import Geodesy
import Law
import Model
import Storage
import Testing

@Suite("questions to the catalogue, against plain arrays")
struct QuestionTests {
    @Test(
        "the nearest are the same, in the same order", arguments: RandomCatalogue.all,
        [1, 2, 3] as [UInt64])
    func nearest(_ world: RandomCatalogue, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = try Scratch()
        let fences = try world.fences(&random)
        let store = try Store(directory: scratch.path, bootID: nil)
        _ = try store.apply(upserts: fences)
        let oracle = MemoryFenceStore(fences)
        for round in 0..<24 {
            let far = Coordinate(
                latitude: random.uniform(-90...90), longitude: random.uniform(-180...180))
            let place = round % 5 == 0 ? far : world.coordinate(&random)
            let anchor = SurfacePoint(place)
            let limit = [1, 20, 37, 1_000][round % 4]
            let found = try store.nearest(to: anchor, limit: limit)
            let expected = oracle.nearest(to: anchor, limit: limit)
            guard found != expected else { continue }
            let places = zip(found, expected).enumerated().filter { $1.0 != $1.1 }
            Issue.record(
                """
                \(random), \(place), limit \(limit): \(found.count) of \(expected.count); first \
                \(places.first.map { "\($0): \($1.0) for \($1.1)" } ?? "none")
                """)
            return
        }
    }

    @Test("no box that meets is left out", arguments: RandomCatalogue.all, [4, 5] as [UInt64])
    func meeting(_ world: RandomCatalogue, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = try Scratch()
        let fences = try world.fences(&random)
        let store = try Store(directory: scratch.path, bootID: nil)
        _ = try store.apply(upserts: fences)
        let oracle = MemoryFenceStore(fences)
        var met = 0
        for _ in 0..<50 {
            let box = GeoBox(
                around: world.coordinate(&random), radius: random.uniform(1...5_000))
            let found = try store.entries(meeting: box).map(\.fence.id)
            let expected = Set(oracle.entries(meeting: box).map(\.fence.id))
            #expect(Set(found).isSuperset(of: expected), "\(random), \(box)")
            #expect(Set(found).count == found.count, "twice: \(random), \(box)")
            // Boxes are rounded to 32 bits, by some metres.
            #expect(found.count <= expected.count + 20, "\(random), \(box)")
            met += expected.count
        }
        #expect(met > 0, "\(random)")
    }

    /// Near cells are kept from one query to the next; with a long text in every fence they are too
    /// large for that.
    @Test(
        "step by step the answers stay correct, with any changes in between",
        arguments: RandomCatalogue.all, [0, 700])
    func walk(_ world: RandomCatalogue, letters: Int) throws {
        var random = SeededRandom(seed: 6)
        let scratch = try Scratch()
        var fences = try world.fences(&random)
        let text = String(repeating: "x", count: letters)
        for index in fences.indices { fences[index].description = text }
        let store = try Store(directory: scratch.path, bootID: nil)
        _ = try store.apply(upserts: fences)
        let oracle = MemoryFenceStore(fences)
        var place = world.coordinate(&random)
        for step in 0..<60 {
            place =
                Coordinate(
                    latitude: min(max(place.latitude + random.uniform(-0.01...0.01), -90), 90),
                    longitude: place.longitude + random.uniform(-0.02...0.02)
                ).normalized
            if step % 17 == 16 {
                let other = try Area(.circle(center: place, radius: random.uniform(20...300)))
                let new = Fence(id: "new \(step)", area: other)
                var edited = fences[step]
                edited.subject = .area(other)
                let gone = [fences[step + 100].id]
                _ = try store.apply(upserts: [new, edited], removing: gone)
                _ = try oracle.apply(upserts: [new, edited], removing: gone)
            }
            let anchor = SurfacePoint(place)
            let found = try store.nearest(to: anchor, limit: 21)
            #expect(found == oracle.nearest(to: anchor, limit: 21), "\(random), step \(step)")
            let box = GeoBox(around: place, radius: random.uniform(1...2_000))
            let met = Set(try store.entries(meeting: box).map(\.fence.id))
            let expected = Set(oracle.entries(meeting: box).map(\.fence.id))
            #expect(met.isSuperset(of: expected), "\(random), step \(step)")
            #expect(met.count <= expected.count + 20, "\(random), step \(step)")
        }
    }

    @Test("a query by id returns the fence as stored")
    func identifiers() throws {
        var random = SeededRandom(seed: 9)
        let scratch = try Scratch()
        let fences = try RandomCatalogue.all[0].fences(&random)
        let store = try Store(directory: scratch.path, bootID: nil)
        _ = try store.apply(upserts: fences)
        let found = try store.entries(ids: ["nobody"] + fences.map(\.id))
        #expect(found.map(\.fence) == fences)
        #expect(Set(found.map(\.added)) == [1])
    }

    @Test("an empty catalogue answers with nothing")
    func empty() throws {
        let scratch = try Scratch()
        let store = try Store(directory: scratch.path, bootID: nil)
        #expect(try store.nearest(to: point(0, 0), limit: 20).isEmpty)
        #expect(
            try store.entries(meeting: GeoBox(west: -180, south: -90, east: 180, north: 90))
                .isEmpty)
        #expect(store.generation == 0)
        #expect(store.count == 0)
        #expect(try store.log.openStays().isEmpty)
        #expect(store.log.lastSeq == 0 && store.log.oldestSeq == 1)
    }
}
