import EngineTestKit
import Foundation
import Law
import Model
import Testing
import Time

@testable import Storage

extension DatabaseFormat {
    /// The catalogue of a program that has a column and a table more.
    fileprivate static let newerCatalogue: DatabaseFormat = {
        var format = DatabaseFormat.catalogue
        format.migrations.append(
            """
            ALTER TABLE origin ADD COLUMN later INTEGER NOT NULL DEFAULT 7;
            CREATE TABLE novelty (number INTEGER PRIMARY KEY);
            """)
        return format
    }()
}

@Suite("The catalogue of a newer program")
struct NewerCatalogueTests {
    private let scratch: Scratch
    private static let depots = FenceOrigin.named("source/depots")

    init() throws { scratch = try Scratch() }

    private func newer() throws -> Store {
        try Store(
            directory: scratch.path, bootID: nil, events: .newerEvents, fences: .newerCatalogue)
    }

    private func older() throws -> Store { try scratch.open() }

    private func bring(_ title: String, to store: Store) throws {
        var rest = try (0..<30).map { number in
            var fence = try circle("f\(number)", Double(number), 2)
            fence.title = title
            return fence
        }[...]
        _ = try store.replaceAll(origin: Self.depots) { rest.popFirst() }
    }

    @Test("is set aside, and what came over the bus is in the older one again; ten switches")
    func copies() throws {
        var fences: [String: Fence] = [:]
        var added = 0
        func use(_ store: Store) throws {
            try store.heal()
            #expect(!store.catalogue.lacksFences)
            let found = try store.catalogue.fences(limit: .max).map(\.fence)
            #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) }) == fences)
            // A set is brought, a fence is added, another one ends for ever.
            try bring("\(added)", to: store)
            added += 1
            let own = try circle("own\(added)", 50, Double(added))
            _ = try store.apply(upserts: [own])
            if let ending = try store.catalogue.fence(id: "own\(added - 1)") {
                try store.retire([SpentFence(fence: ending.fence.id, added: ending.added)])
            }
            fences = Dictionary(
                uniqueKeysWithValues: try store.catalogue.fences(limit: .max).map {
                    ($0.fence.id, $0.fence)
                })
            #expect(fences.count == 31)
            try store.writeCopies()
        }
        for _ in 0..<10 {
            try use(newer())
            try use(older())
        }
    }

    @Test("is set aside, and what was in it is missed until it is brought again; ten switches")
    func switches() throws {
        var generations: [Generation] = []
        var numbers: [UInt64] = []
        func use(_ store: Store, _ round: Int) throws {
            try bring("round \(round)", to: store)
            #expect(!store.catalogue.lacksFences && store.count == 30)
            generations.append(store.generation)
            var next = record([event(Double(round), .initial)], known: store.generation)
            next.opened = [
                OpenStay(
                    fence: "f1", added: store.generation,
                    began: UTCTime(nanoseconds: Int64(round)), dwellTold: false)
            ]
            // Sometimes the log does not know of the last generation.
            if round % 2 == 0 { next.known = 0 }
            numbers.append(try store.commit(next)[0].seq)
        }
        for round in 0..<10 {
            do {
                let store = try newer()
                // What the older program has accepted is there.
                #expect(store.setAside.isEmpty && !store.catalogue.lacksFences, "round \(round)")
                #expect(round == 0 || store.count == 30)
                try use(store, 2 * round)
            }
            let store = try older()
            #expect(store.setAside.map(\.path) == [scratch.file("catalogue.sqlite")])
            #expect(store.setAside.first?.reason.contains("this program knows 5") == true)
            #expect(store.catalogue.lacksFences && store.count == 0)
            #expect(try store.catalogue.origins().first?.lost?.fences == 30)
            #expect(try store.log.openStays().map(\.fence) == ["f1"])
            #expect(store.generation > generations.last ?? 0)
            try use(store, 2 * round + 1)
        }
        #expect(numbers == Array(1...20))
        #expect(zip(generations, generations.dropFirst()).allSatisfy(<))
        #expect(
            scratch.names.filter { $0.contains(".unusable-") && !$0.contains("-wal") }.count <= 8)
    }
}
