import FenceStores
import Fencing
import FencingTestKit
import Geodesy
import Testing

/// Where a random catalogue lies.
struct World: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var latitudes: ClosedRange<Double>
    var longitudes: ClosedRange<Double>
    var radii: ClosedRange<Double>
    var count = 400

    static let all = [
        World(
            testDescription: "dense town", latitudes: 48.1...48.2, longitudes: 11.5...11.6,
            radii: 15...400),
        World(
            testDescription: "whole Earth", latitudes: -90...90, longitudes: -180...180,
            radii: 20...500_000),
        World(
            testDescription: "antimeridian", latitudes: -17...(-16), longitudes: 179.5...180.5,
            radii: 20...20_000),
        World(
            testDescription: "North Pole", latitudes: 89.5...90, longitudes: -180...180,
            radii: 20...30_000),
        World(
            testDescription: "South Pole", latitudes: -90...(-89.9), longitudes: -180...180,
            radii: 20...3_000),
        World(
            testDescription: "nested, huge", latitudes: 51...51.001, longitudes: 7...7.001,
            radii: 10...3_000_000),
    ]

    func coordinate(_ random: inout SeededRandom) -> Coordinate {
        var longitude = random.uniform(longitudes)
        if longitude > 180 { longitude -= 360 }
        return Coordinate(latitude: random.uniform(latitudes), longitude: longitude)
    }

    /// Circles, boxes and corridors; a tenth of them in exactly one place, so that ties occur.
    func fences(_ random: inout SeededRandom) throws -> [Fence] {
        let shared = coordinate(&random)
        var fences: [Fence] = []
        while fences.count < count {
            let center = random.chance(0.1) ? shared : coordinate(&random)
            let radius = radii.lowerBound * pow2(random.unit() * log2(radii))
            let geometry: Geometry
            switch random.integer(0..<4) {
            case 0 where center.latitude.magnitude < 80 && radius < 100_000:
                let half = radius / 200_000
                let west = center.longitude - half
                let south = center.latitude - half
                geometry = .polygons([
                    [
                        [
                            Coordinate(latitude: south, longitude: west),
                            Coordinate(latitude: south, longitude: west + 2 * half),
                            Coordinate(latitude: south + 2 * half, longitude: west + 2 * half),
                            Coordinate(latitude: south + 2 * half, longitude: west),
                            Coordinate(latitude: south, longitude: west),
                        ]
                    ]
                ])
            case 1 where center.latitude.magnitude < 80 && radius < 10_000:
                geometry = .corridor(
                    line: [
                        center,
                        Coordinate(
                            latitude: center.latitude + 0.01, longitude: center.longitude + 0.01),
                    ], width: radius)
            default:
                geometry = .circle(
                    center: center, radius: random.chance(0.3) ? radii.lowerBound : radius)
            }
            let id = String(random.next(), radix: 36)
            fences.append(Fence(id: id, area: try Area(geometry), title: "ü \(id)"))
        }
        return fences
    }

    private func log2(_ range: ClosedRange<Double>) -> Double {
        var ratio = range.upperBound / range.lowerBound
        var log = 0.0
        while ratio > 1 {
            ratio /= 2
            log += 1
        }
        return log
    }

    private func pow2(_ exponent: Double) -> Double {
        var result = 1.0
        var rest = exponent
        while rest >= 1 {
            result *= 2
            rest -= 1
        }
        return result * (1 + rest)
    }
}

@Suite("questions to the catalogue, against plain arrays")
struct QuestionTests {
    @Test(
        "the nearest are the same, in the same order", arguments: World.all,
        [1, 2, 3] as [UInt64])
    func nearest(_ world: World, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = try Scratch()
        let fences = try world.fences(&random)
        let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
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

    @Test("no box that meets is left out", arguments: World.all, [4, 5] as [UInt64])
    func meeting(_ world: World, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scratch = try Scratch()
        let fences = try world.fences(&random)
        let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
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

    /// What is near is remembered from one question to the next; with a long text in every fence it
    /// is too much to be.
    @Test(
        "step by step the answers stay the same, whatever is changed in between",
        arguments: World.all, [0, 700])
    func walk(_ world: World, letters: Int) throws {
        var random = SeededRandom(seed: 6)
        let scratch = try Scratch()
        var fences = try world.fences(&random)
        let text = String(repeating: "x", count: letters)
        for index in fences.indices { fences[index].description = text }
        let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
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
                edited.area = other
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

    @Test("what is asked by id comes back as it was put")
    func identifiers() throws {
        var random = SeededRandom(seed: 9)
        let scratch = try Scratch()
        let fences = try World.all[0].fences(&random)
        let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
        _ = try store.apply(upserts: fences)
        let found = try store.entries(ids: ["nobody"] + fences.map(\.id))
        #expect(found.map(\.fence) == fences)
        #expect(Set(found.map(\.added)) == [1])
    }

    @Test("an empty catalogue answers with nothing")
    func empty() throws {
        let scratch = try Scratch()
        let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
        #expect(try store.nearest(to: point(0, 0), limit: 20).isEmpty)
        #expect(
            try store.entries(meeting: GeoBox(west: -180, south: -90, east: 180, north: 90))
                .isEmpty)
        #expect(store.generation == 0)
        #expect(store.count == 0)
        #expect(try store.openStays().isEmpty)
        #expect(store.lastSeq == 0 && store.oldestSeq == 1)
    }
}
