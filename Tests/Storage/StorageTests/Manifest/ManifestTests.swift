import Bytes
import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import SystemTestKit
import Testing

@testable import Storage

@Suite("what was accepted, and is not here")
struct ManifestTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func fill() throws { try SampleSets.fill(scratch.open()) }

    /// By name, with the counts that are missed.
    private func lost(_ store: Store) throws -> [String: Int] {
        try store.catalogue.origins().reduce(into: [:]) { $0[$1.origin.text] = $1.lost?.fences }
    }

    /// What each origin has, counted again, is what the catalogue and the manifest say.
    private func isRight(_ store: Store) throws -> Bool {
        let (stored, counted) = try store.catalogue.connection.use { database in
            let stored = try SetContents.all(in: database).mapValues(\.mark)
            let counted = try CatalogueNumbers(counting: database).marks(database)
            return (stored, counted.filter { stored[$0.key] != nil })
        }
        let manifest = store.catalogue.manifest.entries
        let known = manifest.mapValues(\.set.mark).filter { $0.value != .nothing }
        return stored == counted && known == stored
            && manifest.values.allSatisfy { $0.next == nil }
    }

    @Test("whatever is changed, catalogue and manifest say what the fences are")
    func agree() throws {
        var random = SeededRandom(seed: 11)
        var store = try scratch.open()
        for round in 0..<120 {
            let first = Int(random.next() % 40)
            let some = try SampleSets.fences(
                first..<first + Int(random.next() % 20), "\(random.next() % 3)")
            switch random.next() % 7 {
            case 0, 1:
                try store.replace(
                    random.next() % 2 == 0 ? SampleSets.source : SampleSets.roads, some)
            case 2: _ = try store.apply(upserts: some, origin: SampleSets.source, leavesOut: true)
            case 3:
                let ids = some.map(\.id)
                _ = try store.apply(
                    upserts: [], removing: ids, origin: SampleSets.roads, leavesOut: true)
            case 4:
                var dry = ChangeConditions()
                dry.isDryRun = true
                _ = try store.apply(
                    upserts: some, origin: SampleSets.source, conditions: dry, leavesOut: true)
            case 5: store = try scratch.open()
            default:
                let session = try store.beginImport(origin: SampleSets.source)
                for fence in some { try session.add(fence) }
                session.cancel()
            }
            #expect(try isRight(store), "round \(round)")
            #expect(!store.catalogue.lacksFences)
        }
    }

    @Test("equal sets have equal digests in any order, and a change of any byte another one")
    func digests() throws {
        let store = try scratch.open()
        func digest(_ fences: [Fence]) throws -> String? {
            try store.replace(SampleSets.source, fences)
            return try store.catalogue.origins().first { $0.origin == SampleSets.source }?.digest
        }
        let some = try SampleSets.fences(0..<50)
        let first = try digest(some)
        var seen: Set<String?> = [first]
        // Another generation, another number, another place in a cell.
        _ = try digest([])
        #expect(try digest(some.reversed()) == first)
        for index in some.indices {
            var changed = some
            changed[index].metadata = #"{"n":\#(index)}"#
            #expect(try seen.insert(digest(changed)).inserted)
        }
        #expect(try seen.insert(digest(some.dropLast())).inserted)
    }

    @Test(
        "a lost catalogue is missed by origin and count until its sets are back",
        arguments: ["removed", "damaged", "older"])
    func lost(_ how: String) throws {
        let name = "catalogue.sqlite"
        if how == "older" {
            // As it was before anything came.
            do { _ = try scratch.open() }
            try FileManager.default.copyItem(
                atPath: scratch.file(name), toPath: scratch.file("older"))
        }
        try fill()
        let hazards = try #require(
            try scratch.open().catalogue.origins().first { $0.origin == SampleSets.roads }?.fences)
        #expect(hazards > 10)
        scratch.remove(name)
        switch how {
        case "damaged": try Data("nothing".utf8).write(to: URL(fileURLWithPath: scratch.file(name)))
        case "older":
            try FileManager.default.copyItem(
                atPath: scratch.file("older"), toPath: scratch.file(name))
        default: break
        }
        let all = ["bus": 3, "source/depots": 20, "roads/bayern": hazards]
        for _ in 0..<3 { #expect(try lost(scratch.open()) == all) }
        var store = try scratch.open()
        #expect(
            try store.catalogue.origins().first { $0.origin == SampleSets.roads }?.lost?.haveHazards
                == true)
        #expect(
            try store.catalogue.origins().first { $0.origin == SampleSets.source }?.lost?
                .haveHazards == false
        )
        // A part of a set does not end it, all of it does, and so does another whole set.
        _ = try store.apply(
            upserts: try SampleSets.fences(0..<19), origin: SampleSets.source, leavesOut: true)
        #expect(try lost(store) == all)
        store = try scratch.open()
        #expect(try lost(store) == all)
        _ = try store.apply(upserts: try SampleSets.fences(19..<20), origin: SampleSets.source)
        #expect(try lost(store) == ["bus": 3, "roads/bayern": hazards])
        try store.replace(SampleSets.roads, [try circle("other", 5, 6)])
        #expect(try lost(store) == ["bus": 3])
        store = try scratch.open()
        #expect(try lost(store) == ["bus": 3])
        try store.catalogue.acceptLoss(of: SampleSets.roads)
        #expect(store.catalogue.lacksFences)
        try store.catalogue.acceptLoss(of: .bus)
        #expect(!store.catalogue.lacksFences)
        _ = try store.apply(upserts: [try circle("new", 1, 2)])
        #expect(try !scratch.open().catalogue.lacksFences && isRight(scratch.open()))
    }

    @Test("catalogue and manifest lost at once: something is missed, nobody knows what")
    func both() throws {
        try fill()
        scratch.remove("catalogue.sqlite")
        scratch.remove("events.sqlite")
        for name in ManifestFile.names {
            try Data("nonsense\n".utf8).write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        for _ in 0..<2 { #expect(try lost(scratch.open()) == ["bus": 0]) }
        let store = try scratch.open()
        _ = try store.apply(upserts: [try circle("new", 1, 2)])
        #expect(store.catalogue.lacksFences)
        try store.catalogue.acceptLoss(of: nil)
        #expect(try !scratch.open().catalogue.lacksFences)
    }

    @Test("an empty catalogue that is lost is no loss, and one that was never there is none")
    func nothing() throws {
        scratch.remove("catalogue.sqlite")
        #expect(try !scratch.open().catalogue.lacksFences)
        do {
            let store = try scratch.open()
            _ = try store.apply(upserts: [try circle("one", 1, 2)])
            _ = try store.commit(record([event(1)], known: 1))
            _ = try store.apply(upserts: [], removing: ["one"])
        }
        scratch.remove("catalogue.sqlite")
        #expect(try !scratch.open().catalogue.lacksFences)
        scratch.remove("catalogue.sqlite", "manifest")
        #expect(try !scratch.open().catalogue.lacksFences)
        // Nobody can say so without both manifests.
        scratch.remove("catalogue.sqlite", "manifest", "manifest.second")
        #expect(try lost(scratch.open()) == ["bus": 0])
        #expect(try lost(scratch.open()) == ["bus": 0])
    }

    @Test("a manifest that is lost alone is made anew, and a torn line is none")
    func manifestAlone() throws {
        try fill()
        scratch.remove("manifest")
        #expect(try !scratch.open().catalogue.lacksFences && isRight(scratch.open()))
        let file = try #require(FileHandle(forWritingAtPath: scratch.file("manifest")))
        try file.seekToEnd()
        try file.write(contentsOf: Data("3a5 3 0000".utf8))
        try file.close()
        #expect(try !scratch.open().catalogue.lacksFences && isRight(scratch.open()))
        scratch.remove("catalogue.sqlite")
        #expect(try lost(scratch.open()).count == 3)
    }

    @Test("every line of the manifest damaged in turn: no false loss, and the others are missed")
    func damagedLines() throws {
        try fill()
        let path = scratch.file("manifest")
        let whole = try #require(FileManager.default.contents(atPath: path))
        for index in stride(from: 25, to: whole.count, by: 7) {
            var other = whole
            other[index] ^= 2
            try other.write(to: URL(fileURLWithPath: path))
            #expect(try !scratch.open().catalogue.lacksFences, "byte \(index)")
        }
    }

    @Test("a fence of a set that has ended still counts; of the bus it is gone")
    func ended() throws {
        let store = try scratch.open()
        try store.replace(SampleSets.source, try SampleSets.fences(0..<5))
        _ = try store.apply(upserts: [try circle("own", 1, 2)])
        let digest = try store.catalogue.origins().map(\.digest)
        try store.retire([
            SpentFence(fence: "s1", added: 1), SpentFence(fence: "own", added: 2),
        ])
        let after = try store.catalogue.origins()
        #expect(after.count == 1 && after.first?.digest == digest.last)
        #expect(after.first?.fences == 4 && after.first?.accepted == 5)
        #expect(try !scratch.open().catalogue.lacksFences)
    }

    @Test(
        "numbers that follow from others and cannot be are derived anew",
        arguments: [
            "UPDATE state SET count = -7", "UPDATE state SET count = 5",
            "UPDATE state SET count = 1 << 50", "UPDATE state SET generation = -1",
            "UPDATE state SET generation = 1 << 61", "UPDATE state SET generation = 1",
            "UPDATE state SET next = 1", "UPDATE origin SET fences = 0",
            "UPDATE origin SET fences = -5 WHERE number > 0",
            "UPDATE origin SET generation = -5", "UPDATE origin SET sum = 1, accepted = 99",
        ])
    func repaired(_ damage: String) throws {
        try fill()
        let before = try scratch.open().catalogue.origins()
        let count = try scratch.open().count
        _ = try sqlite(damage, scratch.file("catalogue.sqlite"))
        let store = try scratch.open()
        #expect(store.setAside.isEmpty && !store.catalogue.lacksFences)
        #expect(store.count == count)
        #expect(try store.catalogue.origins().map(\.fences) == before.map(\.fences))
        #expect(try store.catalogue.origins().map(\.digest) == before.map(\.digest))
        #expect(store.generation >= before.map(\.generation).max() ?? 0)
        // New fences get numbers of their own.
        _ = try store.apply(upserts: try (0..<300).map { try circle("more\($0)", 30, 40) })
        #expect(store.count == count + 300)
        #expect(try isRight(store))
    }

    @Test(
        "numbers of the log that cannot be are derived anew, and none is given twice",
        arguments: [
            "UPDATE state SET last = 1", "UPDATE state SET last = -3",
            "UPDATE state SET last = 1 << 61", "UPDATE state SET announced = 99",
            "UPDATE state SET announced = -1", "UPDATE state SET known = -1",
        ])
    func repairedLog(_ damage: String) throws {
        do {
            let store = try scratch.open()
            for number in 1...5 { _ = try store.commit(record([event(Double(number))])) }
        }
        _ = try sqlite(damage, scratch.file("events.sqlite"))
        let store = try scratch.open()
        #expect(store.setAside.isEmpty)
        #expect(try store.log.events(after: 0, limit: 10).map(\.seq) == [1, 2, 3, 4, 5])
        #expect(store.log.announced.least <= store.log.lastSeq)
        #expect(try store.commit(record([event(6)])).allSatisfy { $0.seq > 5 })
    }

    @Test(
        "killed at any system call of a change, it says of no set that it is lost",
        .needs(.tracing),
        arguments: [
            "openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "unlink", "ftruncate",
        ])
    func killed(_ call: String) throws {
        var number = 1
        var wasKilled = true
        while wasKilled {
            wasKilled = try Child.killed(at: call, number, mode: "sets", in: scratch.path)
            let store = try scratch.open()
            #expect(!store.catalogue.lacksFences, "killed at \(call) \(number)")
            #expect(try isRight(store), "killed at \(call) \(number)")
            number += Sample.step
        }
        #expect(number > 1 + Sample.step || ["rename", "unlink", "ftruncate"].contains(call))
    }

    @Test("a manifest that cannot be written refuses the change, and nothing of it is stored")
    func refused() throws {
        let store = try scratch.open()
        try FileManager.default.createDirectory(
            atPath: scratch.file("manifest"), withIntermediateDirectories: false)
        #expect(throws: StoreError.self) {
            try store.apply(upserts: [try circle("one", 1, 2)])
        }
        #expect(store.count == 0)
        try FileManager.default.removeItem(atPath: scratch.file("manifest"))
        _ = try store.apply(upserts: [try circle("one", 1, 2)])
        #expect(try isRight(store))
    }

    @Test("a whole set that was not committed leaves an older one what it is")
    func olderStays() throws {
        let name = "source/depots"
        func set(_ count: Int64, _ generation: Generation) -> AcceptedSet {
            let mark = SetMark(count: count, sum: UInt64(count), hazards: 0)
            return AcceptedSet(mark: mark, generation: generation)
        }
        let first = FenceManifest(directory: scratch.path)
        try first.prepare(name, set(2, 5), isWhole: true)
        first.confirm { _ in set(2, 5) }
        let here = set(1, 3)
        let manifest = FenceManifest(directory: scratch.path)
        _ = manifest.compare([ExactText(name): here], copied: [:], isOurs: true) {
            [ExactText(name): here.mark]
        }
        #expect(manifest.older == [ExactText(name): 3])
        try manifest.prepare(name, set(4, 6), isWhole: true)
        manifest.confirm { _ in here }
        #expect(manifest.older == [ExactText(name): 3])
        try manifest.prepare(name, set(4, 7), isWhole: true)
        manifest.confirm { _ in set(4, 7) }
        #expect(manifest.older.isEmpty && manifest.lost.isEmpty)
    }

    @Test("a manifest of a later version has more words in a line")
    func later() throws {
        try fill()
        let path = scratch.file("manifest")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        var text = lines[0] + "\n"
        for line in lines.dropFirst() {
            let rest = line[(line.firstIndex(of: " ") ?? line.startIndex)...].dropFirst()
            let longer = rest.replacing(" =", with: " copy:7 at:9 =", maxReplacements: 1)
            text += "\(String(FNV1a.hash64(Array(longer.utf8)), radix: 16)) \(longer)\n"
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        var file = ManifestFile(directory: scratch.path, ManifestFile.names[0])
        #expect(file.load().count == 3 && !file.isDamaged)
        #expect(try !scratch.open().catalogue.lacksFences)
    }
}
