import EngineTestKit
import Geodesy
import Law
import Model
import Storage
import Testing
import Time

@Suite("changes of the catalogue")
struct ChangeTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store(directory: scratch.path, bootID: nil)
    }

    @Test("the same batch again changes nothing and keeps the generation")
    func idempotent() throws {
        let fences = [try circle("a", 1, 2), try circle("b", 1, 3)]
        #expect(try store.apply(upserts: fences).changed == 2)
        let again = try store.apply(upserts: fences)
        #expect(again == CatalogueChange(generation: 1))
        #expect(store.generation == 1)
        #expect(store.count == 2)
    }

    @Test("an edit keeps the generation of its addition, a new addition does not")
    func added() throws {
        _ = try store.apply(upserts: [try circle("a", 1, 2)])
        _ = try store.apply(upserts: [try circle("a", 1, 2, radius: 50)])
        #expect(try store.entries(ids: ["a"])[0].added == 1)
        #expect(try store.catalogue.fence(id: "a")?.changed == 2)
        _ = try store.apply(upserts: [], removing: ["a"])
        #expect(try store.catalogue.fence(id: "a") == nil)
        _ = try store.apply(upserts: [try circle("a", 1, 2)])
        #expect(try store.entries(ids: ["a"])[0].added == 4)
    }

    @Test("a moved fence is found where it is and not where it was")
    func moved() throws {
        _ = try store.apply(upserts: [try circle("a", 1, 2)])
        _ = try store.apply(upserts: [try circle("a", 50, 60)])
        let old = GeoBox(around: Coordinate(latitude: 1, longitude: 2), radius: 500)
        let new = GeoBox(around: Coordinate(latitude: 50, longitude: 60), radius: 500)
        #expect(try store.entries(meeting: old).isEmpty)
        #expect(try store.entries(meeting: new).count == 1)
    }

    @Test("one id twice in a batch: nothing of the batch is stored, and the id is named")
    func twice() throws {
        let batch = [try circle("a", 1, 2), try circle("b", 1, 2), try circle("a", 1, 3)]
        #expect(throws: CatalogueRefusal(fence: "a", reason: "comes twice in one batch")) {
            try store.apply(upserts: batch)
        }
        #expect(store.count == 0 && store.generation == 0)
        #expect(throws: CatalogueRefusal.self) {
            try store.apply(upserts: [try circle("a", 1, 2)], removing: ["a"])
        }
    }

    @Test("every field of a fence survives the disk")
    func everything() throws {
        let metadata = #"{"height":3.9,"note":"Brücke \u0000 \"x\"","list":[1,2,{}]}"#
        var fence = Fence(
            id: "Ünter-7/ä",
            area: try Area(
                .circle(
                    center: Coordinate(latitude: -0.1 + 0.3, longitude: 1e-300), radius: 1.0 / 3)),
            title: "t", description: "d\nd", dwell: .seconds(90.5), notifyOnEntry: false,
            notifyOnExit: false, initialEnter: true, metadata: metadata)
        for flags in 0..<8 {
            fence.notifyOnEntry = flags & 1 != 0
            fence.notifyOnExit = flags & 2 != 0
            fence.initialEnter = flags & 4 != 0
            _ = try store.apply(upserts: [fence])
            let reopened = try Store(directory: scratch.path, bootID: nil)
            #expect(try reopened.catalogue.fence(id: fence.id)?.fence == fence)
        }
    }

    @Test("the bus may not touch a fence of a file, and the batch says whose it is")
    func ownedByFile() throws {
        var left = [try circle("a", 1, 2)]
        _ = try store.replaceAll(origin: .file("roads.csv")) { left.popLast() }
        let refusal = CatalogueRefusal(fence: "a", reason: "belongs to the file roads.csv")
        #expect(throws: refusal) {
            try store.apply(upserts: [try circle("b", 1, 2), try circle("a", 5, 5)])
        }
        #expect(throws: refusal) { try store.apply(upserts: [], removing: ["a"]) }
        #expect(store.count == 1)
        #expect(try store.catalogue.fence(id: "a")?.origin == .file("roads.csv"))
    }

    @Test("an entry of a file whose id the bus owns is skipped and named, the others are loaded")
    func ownedByBus() throws {
        _ = try store.apply(upserts: [try circle("a", 1, 2, title: "bus")])
        var left = [try circle("a", 1, 2, title: "file"), try circle("b", 3, 4)]
        let change = try store.replaceAll(origin: .file("roads.csv")) { left.popLast() }
        #expect(change.changed == 1)
        #expect(
            change.warnings.map(\.description) == [
                "fence \"a\": belongs to the bus; the entry of the file roads.csv is left out"
            ])
        #expect(try store.catalogue.fence(id: "a")?.fence.title == "bus")
        #expect(try store.counts() == [.bus: 1, .file("roads.csv"): 1])
    }

    @Test("a file that is read again replaces its own fences and no others")
    func replaced() throws {
        _ = try store.apply(upserts: [try circle("bus", 1, 2)])
        let old = try (0..<2_500).map { try circle("f\($0)", Double($0) / 100, 0) }
        let new = try (2_000..<3_000).map { try circle("f\($0)", Double($0) / 100, 0) }
        var iterator = old.makeIterator()
        _ = try store.replaceAll(origin: .file("x")) { iterator.next() }
        iterator = new.makeIterator()
        let change = try store.replaceAll(origin: .file("x")) { iterator.next() }
        #expect(change.changed == 500)
        #expect(change.removed == 2_000)
        #expect(store.count == 1_001)
        iterator = new.makeIterator()
        let again = try store.replaceAll(origin: .file("x")) { iterator.next() }
        #expect(again == CatalogueChange(generation: 3))
        let ids = try store.catalogue.fences(limit: 2_000).map(\.fence.id)
        #expect(ids == (new.map(\.id) + ["bus"]).sorted())
        #expect(
            try store.catalogue.fences(after: "f2", offset: 3, limit: 2).map(\.fence.id)
                == Array(ids.filter { $0 > "f2" }[3..<5]))
    }

    @Test("an import that fails or is dropped leaves nothing behind")
    func dropped() throws {
        struct Broken: Error {}
        var count = 0
        #expect(throws: Broken.self) {
            try store.replaceAll(origin: .file("x")) {
                count += 1
                if count > 10 { throw Broken() }
                return try circle("\(count)", 1, 2)
            }
        }
        count = 0
        #expect(throws: CatalogueRefusal(fence: "1", reason: "comes twice in one batch")) {
            try store.replaceAll(origin: .file("x")) {
                count += 1
                return count < 20 ? try circle("1", 1, 2) : nil
            }
        }
        do {
            let session = try store.beginImport(origin: .bus)
            try session.add(try circle("a", 1, 2))
        }
        #expect(store.count == 0 && store.generation == 0)
        #expect(try store.apply(upserts: [try circle("a", 1, 2)]).changed == 1)
    }

    @Test("during an import the old catalogue answers, events are committed, changes are busy")
    func meanwhile() throws {
        _ = try store.apply(upserts: [try circle("old", 1, 2)])
        let session = try store.beginImport(origin: .bus)
        for index in 0..<5_000 { try session.add(try circle("n\(index)", 1, 2)) }
        #expect(try store.nearest(to: point(1, 2), limit: 20).count == 1)
        let time = UTCTime(nanoseconds: 0)
        let event = Event(
            kind: .enter, fence: "old", time: time, fixTime: time, presence: .inside)
        let record = EventRecord(
            events: [event], opened: [], closed: [], known: 1, positionLost: false)
        #expect(try store.commit(record).count == 1)
        let error = #expect(throws: StoreError.self) {
            try store.apply(upserts: [try circle("x", 1, 2)])
        }
        #expect(error?.kind == .busy)
        _ = try session.finish(replacing: false)
        #expect(store.count == 5_001)
        #expect(try store.apply(upserts: [try circle("x", 1, 2)]).changed == 1)
    }

    @Test("an area too small to be detected is accepted with a warning")
    func small() throws {
        let change = try store.apply(upserts: [
            try circle("small", 1, 2, radius: 5), try circle("good", 1, 2, radius: 15),
        ])
        #expect(change.changed == 2)
        #expect(change.warnings.map(\.fence) == ["small"])
    }

    @Test("the memory store gives the same answers to the same changes")
    func memory() throws {
        var random = SeededRandom(seed: 77)
        let memory = MemoryFenceStore()
        for _ in 0..<200 {
            let ids = (0..<random.integer(0..<5)).map { _ in "\(random.integer(0..<20))" }
            let gone = (0..<random.integer(0..<3)).map { _ in "\(random.integer(0..<20))" }
            let fences = try ids.map { try circle($0, Double(random.integer(0..<2)), 0) }
            let expected = Result { try memory.apply(upserts: fences, removing: gone) }
            let got = Result { try store.apply(upserts: fences, removing: gone) }
            switch (expected, got) {
            case (.success(let a), .success(let b)): #expect(a == b)
            case (.failure(let a), .failure(let b)): #expect("\(a)" == "\(b)")
            default: Issue.record("\(random): \(expected) against \(got)")
            }
            let stored = try store.entries(ids: (0..<20).map(String.init))
            #expect(stored == memory.entries(ids: (0..<20).map(String.init)), "\(random)")
            #expect(store.generation == memory.generation && store.count == memory.count)
        }
    }
}
