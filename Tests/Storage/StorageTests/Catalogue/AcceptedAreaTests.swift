import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import Storage
import Testing

/// Unusual areas of every sort that producers create.
enum OddAreas {
    typealias Ring = [Coordinate]

    static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Ring {
        [
            at(south, west), at(south, east), at(north, east), at(north, west), at(south, west),
        ]
    }

    static func star(_ random: inout SeededRandom, _ center: Coordinate, _ reach: Double) -> Ring {
        let count = random.integer(3..<40)
        var ring = (0..<count).map { k in
            let angle = 2 * Double.pi * Double(k) / Double(count)
            let r = reach * random.uniform(0.3...1)
            return at(
                min(max(center.latitude + r * sin(angle), -90), 90),
                center.longitude + r * cos(angle))
        }
        ring.append(ring[0])
        return ring
    }

    /// Cut at the antimeridian, as RFC 7946 requires.
    static func clipped(_ west: Double, _ south: Double, _ east: Double, _ north: Double)
        -> Geometry
    {
        .polygons([[box(west, south, 180, north)], [box(-180, south, east - 360, north)]])
    }

    static let named: [(name: String, geometry: Geometry)] = [
        (
            "closed a turn away",
            .polygons([
                [[at(-60, -180), at(-60, -90), at(-60, 0), at(-60, 90), at(-60, 180)]]
            ])
        ),
        (
            "inradius 0 to the search",
            .polygons([
                [[at(10, 10), at(10.1234567, 10.3), at(10.0411523, 10.1), at(10, 10)]]
            ])
        ),
        (
            "a sliver of 0.8 mm",
            .polygons([
                [[at(0, 10), at(0.1234567, 10.3), at(0.0411523, 10.1), at(0, 10)]]
            ])
        ),
        ("the whole Earth", .polygons([[box(-180, -90, 180, 90)]])),
        ("a band", .polygons([[box(-180, -10, 180, 10)]])),
        ("cut at 180", clipped(179, -1, 181, 1)),
        ("beyond 180", .polygons([[box(179, -1, 181, 1)]])),
        ("written from 350 on", .polygons([[box(350, 0, 365, 5)]])),
        ("a cap", .polygons([[[at(60, 0), at(60, 120), at(60, -120), at(60, 0)]]])),
        ("a cap to the pole", .polygons([[box(-180, 70, 180, 90)]])),
        (
            "lobes that meet in a point",
            .polygons([[[at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(1, 1), at(0, 2), at(0, 0)]]])
        ),
        ("a hole that touches", .polygons([[box(0, 0, 4, 4), box(0, 1, 2, 2)]])),
        (
            "a millimetre", .polygons([[box(11, 48, 11.000_000_01, 48.000_000_01)]])
        ),
        ("the largest circle", .circle(center: at(0, 540), radius: 2e7)),
        ("the smallest circle", .circle(center: at(-90, -540), radius: 1e-300)),
        (
            "a corridor round the Earth",
            .corridor(line: [at(0, -180), at(0, 0), at(0, 180)], width: 1)
        ),
        ("a corridor of a nanometre", .corridor(line: [at(1, 1), at(1, 1.1)], width: 1e-9)),
        ("minus zero", .circle(center: at(-0.0, -0.0), radius: 7)),
    ]

    static func random(_ random: inout SeededRandom) -> Geometry {
        let place = at(random.uniform(-89...89), random.uniform(-360...360))
        let reach = pow(10, random.uniform(-7...1.2))
        switch random.integer(0..<6) {
        case 0:
            return .circle(center: place, radius: pow(10, random.uniform(-9...7.3)))
        case 1:
            let line = (0..<random.integer(2..<9)).map { _ in
                at(
                    min(max(place.latitude + random.uniform(-reach...reach), -90), 90),
                    place.longitude + random.uniform(-reach...reach))
            }
            return .corridor(line: line, width: pow(10, random.uniform(-6...4)))
        case 2:
            let west = random.uniform(170...180)
            let south = random.uniform(-90...80)
            return clipped(west, south, random.uniform(181...190), south + random.uniform(0...10))
        case 3:
            let a = at(random.uniform(-80...80), place.longitude)
            let b = at(a.latitude + reach, a.longitude + random.uniform(0...1))
            let share = random.uniform(0.2...0.8)
            let off = pow(10, random.uniform(-12 ... -3))
            let c = at(
                a.latitude + (b.latitude - a.latitude) * share,
                a.longitude + (b.longitude - a.longitude) * share + off)
            return .polygons([[[a, b, c, a]]])
        case 4:
            let west = Double(random.integer(-180..<180))
            let latitude = random.uniform(-85...85)
            let turns = random.chance(0.5) ? 360.0 : -360
            return .polygons([
                [[0, 90, 180, 270, 360].map { at(latitude, west + $0 / 360 * turns) }]
            ])
        default:
            return .polygons(
                (0..<random.integer(1..<5)).map { _ in [star(&random, place, reach)] })
        }
    }
}

@Suite("every area that is accepted")
struct AcceptedAreaTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Through the store and back, in every possible way.
    private func survive(_ fences: [Fence]) throws {
        do {
            let store = try Store(directory: scratch.path, bootID: nil)
            for fence in fences { _ = try store.apply(upserts: [fence]) }
        }
        let store = try Store(directory: scratch.path, bootID: nil)
        #expect(store.count == fences.count)
        for fence in fences {
            let stored = try #require(try store.catalogue.fence(id: fence.id)?.fence)
            let (area, found) = (try #require(fence.area), try #require(stored.area))
            #expect(stored == fence && found.size == area.size)
            #expect(found.inradii == area.inradii, "\(area.geometry)")
            let box = area.boundingBox
            #expect(
                try store.entries(meeting: box).contains { $0.fence == fence },
                "\(area.geometry)")
        }
        let all = try store.catalogue.fences(limit: fences.count + 1).map(\.fence)
        #expect(Set(all) == Set(fences))
        for place in [point(48, 11), point(0, 180), point(90, 0), point(-60, 5)] {
            let nearest = try store.nearest(to: place, limit: fences.count + 1)
            #expect(Set(nearest.map(\.entry.fence)) == Set(fences))
            #expect(nearest.allSatisfy { $0.signedDistance.isFinite })
        }
        #expect(store.unreadable.isEmpty && store.setAside.isEmpty)
    }

    @Test("odd ones are accepted, and come back")
    func named() throws {
        try survive(
            OddAreas.named.map { Fence(id: $0.name, area: try Area($0.geometry)) })
    }

    @Test("random ones are refused or come back", arguments: 1...3 as ClosedRange<UInt64>)
    func generated(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var fences: [Fence] = []
        for index in 0..<100 {
            guard let area = try? Area(OddAreas.random(&random)) else { continue }
            fences.append(Fence(id: "\(index)", area: area))
        }
        #expect(fences.count > 50)
        try survive(fences)
    }

    @Test("the engine judges them as it judges any other")
    func engine() throws {
        for (name, geometry) in OddAreas.named {
            let area = try Area(geometry)
            #expect(area.inradii.allSatisfy { $0 > 0 }, "\(name)")
            for place in [point(0, 0), point(-60, 5), point(10.05, 10.15), point(90, 0)] {
                let clearance = area.clearance(at: place)
                #expect(clearance.signedDistance.isFinite && clearance.inradius > 0, "\(name)")
            }
        }
    }

    @Test("too many large areas for the memory: those that fit are monitored")
    func crowded() throws {
        let store = try Store(directory: scratch.path, bootID: nil)
        func ring(_ radius: Double) -> [Coordinate] {
            var ring = (0..<50_000).map { k in
                let angle = 2 * Double.pi * Double(k) / 50_000
                return OddAreas.at(48 + radius * sin(angle), 11 + radius * cos(angle))
            }
            ring.append(ring[0])
            return ring
        }
        let area = try Area(.polygons([[ring(0.5)]]))
        for index in 0..<9 {
            _ = try store.apply(upserts: [Fence(id: "\(index)", area: area)])
        }
        let box = GeoBox(west: 10.9, south: 47.9, east: 11.1, north: 48.1)
        let watched = try store.entries(meeting: box)
        // 4 MiB of 800 KB each.
        #expect(watched.count == 5)
        #expect(store.unreadable.count == 4)
        #expect(store.unreadable.allSatisfy { $0.contains("too large beside the others") })
        // Areas in the window are reused, and not decoded again.
        #expect(Set(try store.entries(meeting: box)) == Set(watched))
        // A list has them all, a few at a time.
        var (last, listed) = ("", 0)
        while true {
            let page = try store.catalogue.fences(after: last, limit: 1_000)
            guard let end = page.last else { break }
            #expect(page.count <= 2)
            (last, listed) = (end.fence.id, listed + page.count)
        }
        #expect(listed == 9)
        #expect(try store.catalogue.fence(id: "8") != nil)
    }
}
