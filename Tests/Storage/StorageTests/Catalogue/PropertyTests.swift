import EngineTestKit
import Formats
import FormatsTestKit
import Geodesy
import Law
import Model
import Storage
import Testing

@Suite("properties in the catalogue")
struct PropertyTests {
    @Test("every property of the table is kept, alone and with all others, across a restart")
    func kept() throws {
        let scratch = try Scratch()
        var fences = [
            try circle("none", 1, 2), try circle("all", 1, 2).unusual(FenceProperty.fields),
        ]
        for property in FenceProperty.fields {
            fences.append(try circle("only \(property.name)", 1, 2).unusual([property]))
        }
        do {
            let store = try Store(directory: scratch.path, bootID: nil)
            _ = try store.apply(upserts: fences)
        }
        let store = try Store(directory: scratch.path, bootID: nil)
        for fence in fences {
            let entry = try #require(try store.entries(ids: [fence.id]).first)
            #expect(entry.fence == fence, "\(fence.id)")
        }
    }

    @Test("hazards with approaches are kept across a restart, and found by what is near")
    func approaches() throws {
        let scratch = try Scratch()
        var random = SeededRandom(seed: 7)
        let places = (0..<300).map {
            Coordinate(latitude: 48, longitude: 11).moved(by: 40 * Double($0), toward: 70)
        }
        let fences = RandomApproaches.fences(80, along: places, &random)
        #expect(fences.count > 60)
        do {
            let store = try Store(directory: scratch.path, bootID: nil)
            _ = try store.apply(upserts: fences)
            #expect(try store.apply(upserts: fences).changed == 0)
        }
        let store = try Store(directory: scratch.path, bootID: nil)
        let memory = MemoryFenceStore(fences)
        let anchor = SurfacePoint(places[150])
        let nearest = try store.nearest(to: anchor, limit: 30)
        #expect(
            nearest.map(\.entry.fence) == memory.nearest(to: anchor, limit: 30).map(\.entry.fence))
        for fence in fences {
            #expect(try store.entries(ids: [fence.id]).first?.fence == fence)
        }
    }

    @Test("a damaged approach is no fence and no crash: every byte changed")
    func damaged() throws {
        var random = SeededRandom(seed: 9)
        let places = (0..<40).map {
            Coordinate(latitude: 48, longitude: 11).moved(by: 40 * Double($0), toward: 70)
        }
        let fence = try #require(RandomApproaches.fences(9, along: places, &random).first)
        let bytes = StoredFenceBytes.encode(fence)
        #expect(StoredFenceBytes.decode(bytes) == fence)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1 << UInt8(index % 8)
            // What is read can be judged: a line for every leg.
            guard let read = StoredFenceBytes.decode(other), let approach = read.approach,
                let area = read.area
            else { continue }
            #expect(approach.fits(area.geometry))
        }
    }
}
