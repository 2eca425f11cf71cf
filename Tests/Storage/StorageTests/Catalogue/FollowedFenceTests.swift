import EngineTestKit
import Geodesy
import Law
import Model
import Storage
import Testing
import Time

/// Fences with `arrive_sec`, which are found wherever the vehicle is.
@Suite("fences whose way is followed")
struct FollowedFenceTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: nil)
    }

    private func followed(_ id: String, _ latitude: Double = 48) throws -> Fence {
        var fence = try circle(id, latitude, 11)
        fence.terms.arrive = .seconds(300)
        return fence
    }

    private func ids() throws -> [String] { try store.followed().map(\.id).sorted() }

    @Test("are found among thousands of others, as all others are, and again after a restart")
    func found() throws {
        let areas = try (0..<2_000).map { try circle("f\($0)", 48 + Double($0) / 1_000, 11) }
        _ = try store.apply(upserts: areas + [try followed("a"), try followed("b", 49)])
        #expect(try ids() == ["a", "b"])
        let again = try Store(directory: scratch.path, bootID: nil)
        #expect(try again.followed().map(\.id).sorted() == ["a", "b"])
        #expect(try again.catalogue.fence(id: "a")?.fence == (try followed("a")))
        let nearest = try again.nearest(
            to: SurfacePoint(Coordinate(latitude: 49, longitude: 11)), limit: 3)
        #expect(nearest.map(\.entry.id).contains("b"))
        let everywhere = GeoBox(west: -180, south: -90, east: 180, north: 90)
        #expect(try again.entries(meeting: everywhere).count == 2_002)
        #expect(try again.catalogue.beaconRegions().isEmpty)
    }

    @Test("follow their edits: with it, without it, moved, removed")
    func edited() throws {
        _ = try store.apply(upserts: [try circle("a", 48, 11), try circle("b", 48, 11)])
        #expect(try ids() == [])
        _ = try store.apply(upserts: [try followed("a")])
        #expect(try ids() == ["a"])
        _ = try store.apply(upserts: [try followed("a", 50), try followed("b")])
        #expect(try ids() == ["a", "b"])
        _ = try store.apply(upserts: [try circle("b", 48, 11)])
        #expect(try ids() == ["a"])
        _ = try store.apply(upserts: [], removing: ["a"])
        #expect(try ids() == [] && store.count == 1)
    }

    @Test("a change to more than 256 is refused as a whole, by every path")
    func tooMany() throws {
        let most = try (0..<Arrival.most).map { try followed("b\($0)") }
        let one = [try followed("one too many")]
        let refusal = ChangeRefusal.tooManyFollowed(limit: Arrival.most)
        #expect(throws: refusal) { try store.apply(upserts: most + one) }
        #expect(store.count == 0)
        _ = try store.apply(upserts: most)
        #expect(throws: refusal) { try store.apply(upserts: one) }
        #expect(try store.followed().count == Arrival.most)
        _ = try store.apply(upserts: one, removing: ["b0"])
        #expect(try store.followed().count == Arrival.most)
        // Beacons are counted apart.
        let beacon = BeaconRule(.uuid(BeaconUUID(high: 1, low: 2)))
        _ = try store.apply(upserts: [Fence(id: "beacon", subject: .beacons(beacon))])
        #expect(try store.catalogue.beaconRegions().count == 1)
    }

    @Test("the log knows whether the vehicle is arriving")
    func lastArrival() throws {
        func event(_ kind: EventKind) -> Event {
            Event(
                kind: kind, fence: "a", time: UTCTime(nanoseconds: 7),
                fixTime: UTCTime(nanoseconds: 7), presence: .outside)
        }
        var told = event(.arriving)
        told.terms = TermsDetails()
        told.terms?.eta = UTCTime(nanoseconds: 9)
        for event in [event(.exit), told] {
            _ = try store.commit(
                EventRecord(
                    events: [event], opened: [], closed: [], known: 1, positionLost: false))
        }
        #expect(try store.log.lastArrival(at: "a")?.event == told)
        #expect(try store.log.lastArrival(at: "b") == nil)
    }
}
