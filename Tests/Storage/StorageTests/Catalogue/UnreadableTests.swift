import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import Storage
import Testing

@Suite("a record that is not as it was written")
struct UnreadableTests {
    private let scratch: Scratch
    private var path: String { scratch.file("catalogue.sqlite") }

    init() throws { scratch = try Scratch() }

    private func open() throws -> Store {
        try Store(directory: scratch.path, bootID: nil)
    }

    private func square(_ id: String, _ west: Double) throws -> Fence {
        Fence(id: id, area: try Area(.polygons([[OddAreas.box(west, 48, west + 0.001, 48.001)]])))
    }

    /// 40 fences beside one another, every second of them a square.
    private func fill() throws -> [Fence] {
        let fences = try (0..<40).map { k in
            let west = 11 + 0.002 * Double(k)
            return k % 2 == 0
                ? try square("fence-\(k)", west) : try circle("fence-\(k)", 48.0005, west)
        }
        let store = try open()
        var rest = fences[...]
        _ = try store.replaceAll(origin: .file("f")) { rest.popFirst() }
        return fences
    }

    /// Changes the bytes of the cell that has the fence with that id, from where the id begins.
    private func damage(_ id: String, _ change: (inout [UInt8], Int) -> Void) throws {
        let rows = try sqlite("SELECT number || ' ' || hex(fences) FROM cell", path)
        for row in rows.split(separator: "\n") {
            let words = row.split(separator: " ")
            var bytes = stride(from: 0, to: words[1].utf8.count, by: 2).map { offset in
                let start = words[1].index(words[1].startIndex, offsetBy: offset)
                return UInt8(words[1][start...].prefix(2), radix: 16) ?? 0
            }
            let wanted = [UInt8(id.utf8.count)] + Array(id.utf8)
            guard
                let place = (0..<max(bytes.count - wanted.count, 0)).first(where: {
                    Array(bytes[$0..<$0 + wanted.count]) == wanted
                })
            else { continue }
            change(&bytes, place + wanted.count)
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            try sqlite("UPDATE cell SET fences = x'\(hex)' WHERE number = \(words[0])", path)
            return
        }
        Issue.record("no cell has \(id)")
    }

    /// All except that one, by every kind of query; nothing is quarantined.
    private func expectOthers(_ fences: [Fence], but id: String) throws {
        let store = try open()
        let others = Set(fences.filter { $0.id != id })
        #expect(throws: StoreError.self) { try store.catalogue.fence(id: id) }
        for fence in others { #expect(try store.catalogue.fence(id: fence.id)?.fence == fence) }
        #expect(Set(try store.catalogue.fences(limit: 39).map(\.fence)) == others)
        #expect(try store.entries(ids: fences.map(\.id)).count == others.count)
        for _ in 0..<3 {
            // The first time from the tree, then from the prefetched cells.
            let nearest = try store.nearest(to: point(48, 11.01), limit: 30)
            #expect(nearest.count == 30 && !nearest.contains { $0.entry.fence.id == id })
        }
        let box = GeoBox(west: 10, south: 47, east: 12, north: 49)
        #expect(Set(try store.entries(meeting: box).map(\.fence)) == others)
        #expect(store.unreadable == ["fence \"\(id)\"", "records of cell 1"])
        #expect(store.setAside.isEmpty && store.mayLackFences)
        // The rest of its file can be read again, and be replaced.
        var rest = fences.filter { $0.id != id }[...]
        _ = try store.replaceAll(origin: .file("f")) { rest.popFirst() }
        #expect(Set(try store.catalogue.fences(limit: 99).map(\.fence)) == others)
        #expect(scratch.names.filter { $0.contains("unusable") }.isEmpty)
    }

    @Test("of an area: it is skipped and named, and the others are found as usual")
    func area() throws {
        let fences = try fill()
        // After the id: generation, origin, then the version of the area.
        try damage("fence-6") { bytes, place in bytes[place + 2] = 99 }
        try expectOthers(fences, but: "fence-6")
    }

    @Test("of a circle: likewise")
    func radius() throws {
        let fences = try fill()
        // Before the length of the id: the radius in mm, 100000 in three bytes.
        try damage("fence-7") { bytes, place in
            for offset in 9...11 { bytes[place - offset] = offset == 9 ? 0 : 0x80 }
        }
        try expectOthers(fences, but: "fence-7")
    }

    @Test("added again it is back, removed it is gone, and it is no longer reported")
    func mended() throws {
        let fences = try fill()
        try damage("fence-6") { bytes, place in bytes[place + 2] = 99 }
        let store = try open()
        _ = try store.nearest(to: point(48, 11.01), limit: 30)
        #expect(store.unreadableCount == 1)
        var rest = fences[...]
        _ = try store.replaceAll(origin: .file("f")) { rest.popFirst() }
        try store.checkAndMend()
        #expect(store.unreadable.isEmpty && !store.mayLackFences)
        #expect(Set(try store.catalogue.fences(limit: 99).map(\.fence)) == Set(fences))

        try damage("fence-8") { bytes, place in bytes[place + 2] = 99 }
        let again = try open()
        _ = try again.catalogue.fences(limit: 99)
        #expect(again.unreadable == ["fence \"fence-8\""])
        rest = fences.filter { $0.id != "fence-8" }[...]
        _ = try again.replaceAll(origin: .file("f")) { rest.popFirst() }
        try again.checkAndMend()
        #expect(again.unreadable.isEmpty && again.count == 39 && !again.mayLackFences)
    }

    @Test(
        "a cell that cannot be read beyond a place costs what is there, and those can be put again")
    func cell() throws {
        let fences = try fill()
        // The length of the next record, far beyond the end.
        try damage("fence-6") { bytes, _ in bytes[1] = 0xFF }
        let store = try open()
        let found = try store.catalogue.fences(limit: 99).map(\.fence)
        #expect(found.count < 40)
        #expect(store.unreadableCount > 0 && store.setAside.isEmpty)
        _ = try store.nearest(to: point(48, 11.01), limit: 30)
        var rest = fences[...]
        _ = try store.replaceAll(origin: .file("f")) { rest.popFirst() }
        #expect(Set(try store.catalogue.fences(limit: 99).map(\.fence)) == Set(fences))
        #expect(store.setAside.isEmpty)
    }

    @Test("an event of a kind that only a newer version knows is passed on by its number")
    func newerKind() throws {
        do {
            let store = try open()
            _ = try store.commit(record((1...3).map { StorageTests.event(Double($0)) }))
        }
        try sqlite("UPDATE event SET kind = 77 WHERE seq = 2", scratch.file("events.sqlite"))
        let store = try open()
        let kinds = try store.log.events(after: 0, limit: 9).map(\.event.kind)
        #expect(kinds == [.enter, EventKind(rawValue: 77), .enter])
        #expect(kinds[1].name == "kind-77" && !kinds[1].isKnown)
        #expect(store.unreadable.isEmpty)
    }

    @Test("an event whose kind is no number of one is skipped, and the log continues")
    func event() throws {
        do {
            let store = try open()
            _ = try store.commit(record((1...5).map { StorageTests.event(Double($0)) }))
        }
        try sqlite("UPDATE event SET kind = -77 WHERE seq = 2", scratch.file("events.sqlite"))
        let store = try open()
        #expect(try store.log.events(after: 0, limit: 2).map(\.seq) == [1, 3])
        #expect(try store.log.events(after: 1, limit: 9).map(\.seq) == [3, 4, 5])
        #expect(store.unreadable == ["event 2"])
        #expect(try store.commit(record([StorageTests.event(6)])).map(\.seq) == [6])
        #expect(store.setAside.isEmpty)
    }
}
