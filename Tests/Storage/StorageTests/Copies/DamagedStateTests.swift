import EngineTestKit
import Foundation
import Model
import SystemTestKit
import Testing

@testable import Storage

/// Damage to the files of the state directory, up to three of them at a time: the fences are back, or
/// the state says whose are not.
@Suite("any files of the state directory damaged")
struct DamagedStateTests {
    enum Damage: String, CaseIterable {
        case deleted, overwritten, cut, older
    }

    private static let databases = ["catalogue.sqlite", "events.sqlite"]

    /// What the files were, before two changes and an event, and after them.
    private struct State {
        var older: [String: Data] = [:]
        var last: [String: Data] = [:]
        /// The fences of each origin.
        var fences: [FenceOrigin: [String: Fence]] = [:]
    }

    private func fences(_ store: Store) throws -> [FenceOrigin: [String: Fence]] {
        try store.catalogue.fences(limit: .max).reduce(into: [:]) {
            $0[$1.origin, default: [:]][$1.fence.id] = $1.fence
        }
    }

    private func files(_ scratch: Scratch) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
        return paths.reduce(into: [:]) { files, path in
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(
                atPath: scratch.file(path), isDirectory: &isDirectory)
            guard !isDirectory.boolValue else { return }
            files[path] = FileManager.default.contents(atPath: scratch.file(path))
        }
    }

    private func state() throws -> State {
        var state = State()
        let scratch = try Scratch()
        do {
            let store = try scratch.open()
            try SampleSets.fill(store)
            try store.writeCopies()
            _ = try store.commit(record([event(1)], known: store.generation))
        }
        state.older = try files(scratch)
        do {
            let store = try scratch.open()
            _ = try store.apply(upserts: [try circle("later", 3, 4)], removing: ["own0"])
            try store.replace(SampleSets.source, try SampleSets.fences(10..<30, "later"))
            try store.replace(.named("source/new"), [try circle("new", 5, 6)])
            try store.writeCopies()
            _ = try store.commit(record([event(2)], known: store.generation))
            state.fences = try fences(store)
            #expect(!store.catalogue.lacksFences && store.catalogue.copiesBehind.isEmpty)
        }
        state.last = try files(scratch)
        #expect(!state.last.keys.contains { $0.hasSuffix("-wal") })
        return state
    }

    private func damage(_ data: Data, _ older: Data?, _ damage: Damage) -> Data? {
        switch damage {
        case .deleted: nil
        case .overwritten: Data(repeating: 0x5A, count: data.count)
        case .cut: data.prefix(data.count / 2)
        case .older: older
        }
    }

    /// Nil if it holds.
    private func flaw(_ state: State, _ damages: [(name: String, damage: Damage)]) throws -> String?
    {
        let scratch = try Scratch()
        var files = state.last
        for (name, kind) in damages {
            guard let data = files[name] else { continue }
            files[name] = damage(data, state.older[name], kind)
        }
        try FileManager.default.createDirectory(
            atPath: scratch.file("copies"), withIntermediateDirectories: true)
        for (name, data) in files {
            try data.write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        // What is said after the next start counts, too.
        var missed: [Set<FenceOrigin>] = []
        var wrong: Set<FenceOrigin> = []
        for _ in 0..<2 {
            let store = try scratch.open()
            try store.heal()
            let found = try fences(store)
            wrong = Set(
                Set(found.keys).union(state.fences.keys).filter {
                    found[$0] != state.fences[$0]
                })
            missed.append(
                Set(try store.catalogue.origins().filter { $0.lost != nil }.map(\.origin)))
            try store.writeCopies()
        }
        // Of a set of which nobody knows how many there were the bus is said.
        guard missed.allSatisfy({ wrong.isSubset(of: $0) || $0.contains(.bus) && !wrong.isEmpty })
        else { return "wrong: \(wrong), missed: \(missed)" }
        return nil
    }

    @Test("one, two and three at a time, in the same way", arguments: Damage.allCases)
    func same(_ damage: Damage) throws {
        let state = try state()
        let names = state.last.keys.sorted()
        for first in names.indices {
            for second in first..<names.count {
                for third in stride(from: second, to: names.count, by: Sample.step) {
                    let some = Set([first, second, third]).sorted().map { names[$0] }
                    let flaw = try flaw(state, some.map { ($0, damage) })
                    #expect(flaw == nil, "\(damage): \(some)")
                }
            }
        }
    }

    @Test("three at a time, each in another way")
    func mixed() throws {
        let state = try state()
        let names = state.last.keys.sorted()
        var random = SeededRandom(seed: 28)
        for _ in 0..<200 / Sample.step {
            let some = names.shuffled(using: &random).prefix(3).map {
                ($0, Damage.allCases.randomElement(using: &random) ?? .deleted)
            }
            let flaw = try flaw(state, some)
            #expect(flaw == nil, "\(some)")
        }
    }
}
