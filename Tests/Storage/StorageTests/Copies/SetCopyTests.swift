import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import SystemTestKit
import Testing

@testable import Storage

@Suite("a lost catalogue is filled again from the copies of its sets")
struct SetCopyTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// All copied.
    private func fill() throws -> Store {
        let store = try scratch.open()
        try SampleSets.fill(store)
        try copy(store)
        return store
    }

    private func copy(_ store: Store) throws {
        try store.writeCopies()
        #expect(store.catalogue.copiesBehind.isEmpty)
    }

    private func copyFile(_ origin: FenceOrigin) -> String {
        scratch.file("copies/" + SetCopyFormat.fileName(of: origin.name))
    }

    /// By origin and id.
    private func everything(_ store: Store) throws -> [String: Fence] {
        try store.catalogue.fences(limit: .max).reduce(into: [:]) {
            $0["\($1.origin.text) \($1.fence.id)"] = $1.fence
        }
    }

    private func marks(_ store: Store) throws -> [String] {
        try store.catalogue.origins().map {
            "\($0.origin) \($0.fences) \($0.accepted) \($0.digest)"
        }.sorted()
    }

    @Test(
        "whatever way it was lost, all of it is back",
        arguments: [
            ["catalogue.sqlite"], ["catalogue.sqlite", "manifest"],
            ["catalogue.sqlite", "manifest", "events.sqlite"],
            ["catalogue.sqlite", "events.sqlite"],
            ["catalogue.sqlite", "manifest", "manifest.second", "events.sqlite"],
        ], [false, true])
    func healed(_ names: [String], isOverwritten: Bool) throws {
        var (before, known): ([String: Fence], [String]) = ([:], [])
        do {
            let store = try fill()
            _ = try store.commit(record([event(1)], known: store.generation))
            (before, known) = (try everything(store), try marks(store))
        }
        for name in names {
            scratch.remove(name)
            guard isOverwritten else { continue }
            try Data("nothing".utf8).write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        let store = try scratch.open()
        #expect(store.count == 0 && store.catalogue.healable.count == 3)
        let outcomes = try store.heal()
        #expect(outcomes.values.allSatisfy { if case .healed = $0 { true } else { false } })
        #expect(try everything(store) == before)
        #expect(try marks(store) == known)
        #expect(!store.catalogue.lacksFences)
        #expect(
            try scratch.open().catalogue.healable.isEmpty && !scratch.open().catalogue.lacksFences)
    }

    @Test("a hazard with more ends than are taken now is read, and comes back from its copy")
    func stored() throws {
        let fence = try RouteAttack.hazard(
            ends: 300, sections: 50, at: Coordinate(latitude: 48, longitude: 11))
        do {
            let store = try scratch.open()
            #expect(throws: CatalogueRefusal.self) { try store.apply(upserts: [fence]) }
            let session = try store.beginImport(origin: .bus)
            try session.add(fence, added: nil)
            _ = try session.finish(replacing: false)
            try copy(store)
        }
        #expect(try everything(scratch.open()).values.map(\.self) == [fence])
        scratch.remove("catalogue.sqlite")
        let store = try scratch.open()
        #expect(store.count == 0)
        _ = try store.heal()
        #expect(try everything(store).values.map(\.self) == [fence] && !store.catalogue.lacksFences)
    }

    @Test(
        "an older catalogue gets what it lacks, and loses what was removed since")
    func older() throws {
        let name = "catalogue.sqlite"
        do {
            let store = try fill()
            _ = try store.apply(upserts: [try circle("old", 3, 4)])
            try copy(store)
        }
        try FileManager.default.copyItem(
            atPath: scratch.file(name), toPath: scratch.file("older"))
        var before: [String: Fence] = [:]
        do {
            let store = try scratch.open()
            _ = try store.apply(upserts: [try circle("new", 3, 4)], removing: ["old"])
            try store.replace(SampleSets.source, try SampleSets.fences(10..<30, "later"))
            try copy(store)
            before = try everything(store)
        }
        scratch.remove(name)
        try FileManager.default.moveItem(atPath: scratch.file("older"), toPath: scratch.file(name))
        let store = try scratch.open()
        #expect(store.catalogue.healable == [.bus, SampleSets.source])
        try store.heal()
        #expect(try everything(store) == before && !store.catalogue.lacksFences)
    }

    @Test("a copy that is older than the catalogue adds to it, and takes nothing from it")
    func olderCopy() throws {
        let names = [
            "catalogue.sqlite", "copies/" + SetCopyFormat.fileName(of: FenceOrigin.bus.name),
        ]
        func putBack(_ name: String, from older: String) throws {
            try? FileManager.default.removeItem(atPath: scratch.file(name))
            try FileManager.default.moveItem(
                atPath: scratch.file(older), toPath: scratch.file(name))
        }
        func change(_ upserts: [Fence], removing ids: [String] = []) throws {
            let store = try scratch.open()
            _ = try store.apply(upserts: upserts, removing: ids)
            try copy(store)
        }
        try change([try circle("moved", 1, 1), try circle("gone", 2, 2), try circle("back", 3, 3)])
        try FileManager.default.copyItem(
            atPath: scratch.file(names[1]), toPath: scratch.file("copy"))
        try change([try circle("moved", 5, 5), try circle("new", 6, 6)], removing: ["back"])
        try FileManager.default.copyItem(
            atPath: scratch.file(names[0]), toPath: scratch.file("catalogue"))
        try change([try circle("newest", 7, 7), try circle("back", 3, 3)], removing: ["gone"])
        try putBack(names[0], from: "catalogue")
        try putBack(names[1], from: "copy")
        let store = try scratch.open()
        #expect(store.catalogue.healable == [.bus])
        #expect(try store.heal() == [.bus: .partly(1)])
        #expect(
            try everything(store).keys.sorted() == ["bus back", "bus gone", "bus moved", "bus new"])
        #expect(try store.catalogue.fence(id: "moved")?.fence == circle("moved", 5, 5))
        #expect(store.catalogue.lacksFences && store.catalogue.healable.isEmpty)
        #expect(try scratch.open().catalogue.lacksFences)
    }

    @Test("whatever is changed, at any moment the copies give back what there is")
    func changes() throws {
        var random = SeededRandom(seed: 17)
        var store = try scratch.open()
        for round in 0..<150 {
            let first = Int(random.next() % 40)
            let some = try SampleSets.fences(
                first..<first + Int(random.next() % 20), "\(random.next() % 3)")
            let origin = random.next() % 2 == 0 ? SampleSets.source : .bus
            switch random.next() % 8 {
            case 0: try store.replace(SampleSets.source, some)
            case 1, 2: _ = try store.apply(upserts: some, origin: origin, leavesOut: true)
            case 3:
                _ = try store.apply(
                    upserts: [], removing: some.map(\.id), origin: origin, leavesOut: true)
            case 4:
                let session = try store.beginImport(origin: origin)
                for fence in some { try session.add(fence) }
                _ = try session.finish(replacing: false)
            case 5:
                try store.retire(
                    some.prefix(3).compactMap { fence in
                        try store.catalogue.fence(id: fence.id).map {
                            SpentFence(fence: fence.id, added: $0.added)
                        }
                    })
            case 6: try copy(store)
            default: store = try scratch.open()
            }
            guard round % 5 == 4 else { continue }
            try copy(store)
            let (before, known) = (try everything(store), try marks(store))
            scratch.remove("catalogue.sqlite")
            store = try scratch.open()
            try store.heal()
            #expect(try everything(store) == before, "round \(round)")
            #expect(try marks(store) == known, "round \(round)")
            #expect(!store.catalogue.lacksFences)
        }
    }

    @Test("a fence that has ended stays ended, also when it was not removed yet")
    func ended() throws {
        var store = try fill()
        let added = try #require(try store.catalogue.fence(id: "s1")).added
        try store.retire([SpentFence(fence: "s1", added: added)])
        let waiting = SpentFence(
            fence: "s2", added: try #require(try store.catalogue.fence(id: "s2")).added)
        var ending = record([event(1)], known: store.generation)
        ending.spent = [waiting]
        _ = try store.commit(ending)
        let known = try marks(store)
        #expect(store.catalogue.copiesBehind.isEmpty)
        scratch.remove("catalogue.sqlite")
        store = try scratch.open()
        try store.heal()
        #expect(try marks(store) == known && !store.catalogue.lacksFences)
        #expect(try store.catalogue.fence(id: "s1") == nil)
        // It is what the log says has ended.
        #expect(try store.catalogue.fence(id: "s2")?.added == waiting.added)
        #expect(try store.log.spentFences(limit: 10) == [waiting])
    }

    @Test("a copy with any byte changed, or cut anywhere, never gives what was not there")
    func damaged() throws {
        var (before, whole): ([String: Fence], Data) = ([:], Data())
        do {
            let store = try scratch.open()
            try store.replace(SampleSets.source, try SampleSets.fences(0..<5))
            try copy(store)
            _ = try store.apply(
                upserts: try SampleSets.fences(3..<8, "later"), removing: ["s1"],
                origin: SampleSets.source,
                leavesOut: true)
            before = try everything(store)
            #expect(store.catalogue.copiesBehind.isEmpty)
        }
        whole = try #require(FileManager.default.contents(atPath: copyFile(SampleSets.source)))
        let manifest = try #require(FileManager.default.contents(atPath: scratch.file("manifest")))
        // As it was written at once.
        let first = try Dictionary(
            uniqueKeysWithValues: SampleSets.fences(0..<5).map {
                ("\(SampleSets.source.text) \($0.id)", $0)
            })
        for index in stride(from: 0, through: whole.count, by: 11) {
            for isCut in [false, true] {
                var other = isCut ? whole.prefix(index) : whole
                if !isCut, index < whole.count { other[index] ^= 0x11 }
                scratch.remove("catalogue.sqlite")
                try manifest.write(to: URL(fileURLWithPath: scratch.file("manifest")))
                try other.write(to: URL(fileURLWithPath: copyFile(SampleSets.source)))
                let store = try scratch.open()
                try store.heal()
                let found = try everything(store)
                if store.catalogue.lacksFences {
                    #expect([[:], first].contains(found), "byte \(index), cut \(isCut)")
                } else {
                    #expect(found == before, "byte \(index), cut \(isCut)")
                }
                // What comes after that is copied, and is back after the next loss.
                let isMissing = store.catalogue.lacksFences
                _ = try store.apply(upserts: [try circle("next", 3, 4)], origin: SampleSets.source)
                try copy(store)
                let now = try everything(store)
                scratch.remove("catalogue.sqlite")
                let again = try scratch.open()
                try again.heal()
                #expect(try everything(again) == now, "byte \(index), cut \(isCut)")
                #expect(again.catalogue.lacksFences == isMissing, "byte \(index), cut \(isCut)")
            }
        }
    }

    @Test("a change writes a few times its own bytes, however large the set is")
    func wear() throws {
        let store = try scratch.open()
        _ = try store.apply(upserts: try SampleSets.fences(0..<5_000, "one of many"))
        try copy(store)
        func size() throws -> Int {
            try #require(FileManager.default.contents(atPath: copyFile(.bus))).count
        }
        var (written, changed, last) = (0, 0, try size())
        for number in 0..<3_000 {
            let fence = try SampleSets.fences(
                number % 4_000..<number % 4_000 + 1, "change \(number)")
            _ = try store.apply(upserts: fence)
            changed += try size() - last
            written += try size() - last
            if !store.catalogue.copiesBehind.isEmpty {
                try copy(store)
                written += try size()
            }
            last = try size()
        }
        #expect(written <= 4 * changed, "\(written) bytes for \(changed)")
    }

    @Test("a copy that cannot be written is named, and refuses no change")
    func refused() throws {
        let store = try fill()
        try FileManager.default.removeItem(atPath: copyFile(.bus))
        try FileManager.default.createDirectory(
            atPath: copyFile(.bus), withIntermediateDirectories: false)
        _ = try store.apply(upserts: [try circle("more", 1, 2)])
        #expect(store.catalogue.copyProblem != nil)
        #expect(store.catalogue.copiesBehind == [.bus])
        try FileManager.default.removeItem(atPath: copyFile(.bus))
        try copy(store)
        #expect(store.catalogue.copyProblem == nil)
    }

    @Test(
        "killed at any system call, what is healed is what was there at some time, or is missed",
        .needs(.tracing),
        arguments: ["openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "unlink"])
    func killed(_ call: String) throws {
        var number = 1
        var wasKilled = true
        while wasKilled {
            wasKilled = try Child.killed(at: call, number, mode: "copies", in: scratch.path)
            do {
                let store = try scratch.open()
                let (before, known) = (try everything(store), try marks(store))
                #expect(!store.catalogue.lacksFences, "killed at \(call) \(number)")
                // The copies are made good from the catalogue.
                if number % 2 == 0 { try copy(store) }
                scratch.remove("catalogue.sqlite")
                let healed = try scratch.open()
                try healed.heal()
                if number % 2 == 0 || !healed.catalogue.lacksFences {
                    #expect(try everything(healed) == before, "killed at \(call) \(number)")
                    #expect(try marks(healed) == known, "killed at \(call) \(number)")
                } else {
                    for id in try everything(healed).keys {
                        #expect(id.hasPrefix("bus ") || id.hasPrefix("source/set "))
                    }
                }
                try healed.catalogue.acceptLoss(of: nil)
            }
            for name in scratch.names {
                try FileManager.default.removeItem(atPath: scratch.file(name))
            }
            number += Sample.step
        }
        #expect(number > 1 + Sample.step)
    }

    @Test("a copy that was being written while the set changed is not taken")
    func overtaken() throws {
        let store = try fill()
        try store.replace(SampleSets.source, try SampleSets.fences(0..<10))
        try Store.writeCopy(of: SampleSets.source, in: scratch.path)
        try store.replace(SampleSets.source, try SampleSets.fences(0..<12))
        store.catalogue.takeCopy(of: SampleSets.source)
        #expect(store.catalogue.copiesBehind == [SampleSets.source])
        try copy(store)
    }

    @Test("the copy of a set that was removed is gone with it")
    func gone() throws {
        let store = try fill()
        try store.replace(SampleSets.source, [])
        _ = try store.apply(upserts: [], removing: ["own0", "own1", "own2"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.file("copies")).count == 1)
    }
}
