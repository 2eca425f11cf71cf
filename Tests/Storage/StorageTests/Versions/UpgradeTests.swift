import EngineTestKit
import Foundation
import Law
import Model
import Testing
import Time

@testable import Storage

@Suite("An upgrade from a version before the rule")
struct UpgradeTests {
    /// The migrations of commit c5ddf594.
    private static let versions = (events: 9, catalogue: 4)

    @Test("loses no fence and no event, and uses no number twice")
    func upgrade() throws {
        let scratch = try Scratch()
        let fences = try (0..<50).map { try circle("f\($0)", Double($0), 2) }
        // What it writes has not changed since: cells, and rows of the log.
        do {
            let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
            var rest = fences.makeIterator()
            _ = try store.replaceAll(origin: .named("source/depots")) { rest.next() }
            var first = record([event(1), event(2, .dwell)])
            first.opened = [
                OpenStay(
                    fence: "f1", added: 1, began: UTCTime(nanoseconds: 1), dwellTold: true)
            ]
            _ = try store.commit(first)
            try store.register(
                Consumer(name: "com.example.Alert1", uid: 1, acknowledged: 1, options: "{}"))
        }
        // It had no marks, and no manifest.
        try FileManager.default.removeItem(atPath: scratch.file("manifest"))
        let columns = ["accepted", "sum", "hazards"]
        try sqlite(
            columns.map { "ALTER TABLE origin DROP COLUMN \($0);" }.joined()
                + "PRAGMA user_version=\(Self.versions.catalogue)", scratch.file("catalogue.sqlite")
        )
        // It told nothing of lost fences, counted no metres, and knew one log, no drivers, trips and routes.
        let later = [
            ("state", "fences_lost"), ("state", "driven"), ("event", "odometer"), ("event", "way"),
            ("stay", "way"), ("event", "driver"), ("event", "trip"), ("state", "log_lost"),
            ("state", "log_lost_at"), ("state", "stays_doubted"),
        ]
        try sqlite(
            later.map { "ALTER TABLE \($0) DROP COLUMN \($1);" }.joined()
                + "DROP TABLE earlier; DROP TABLE driver; DROP TABLE driving;"
                + "DROP TABLE route; DROP TABLE route_state; DROP TABLE lost;"
                + "PRAGMA user_version=\(Self.versions.events)", scratch.file("events.sqlite"))
        for (format, name, version) in [
            (DatabaseFormat.catalogue, "catalogue.sqlite", Self.versions.catalogue),
            (.events, "events.sqlite", Self.versions.events),
        ] {
            let file = try Database(path: scratch.file(name), .existing)
            #expect(try format.difference(in: file, version: version) == nil)
            #expect(try file.pragma("user_version") == Int64(version))
        }
        for _ in 0..<2 {
            let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
            #expect(store.setAside.isEmpty && !store.lacksFences && store.takeForeign().isEmpty)
            #expect(store.count == 50)
            #expect(try store.origins().map(\.accepted) == [50])
            #expect(try store.events(after: 0, limit: 9).map(\.seq).prefix(2) == [1, 2])
            #expect(try store.openStays().map(\.fence) == ["f1"])
            #expect(try store.consumers().map(\.acknowledged) == [1])
            let next = store.lastSeq + 1
            #expect(try store.commit(record([event(Double(next))]))[0].seq == next)
        }
    }
}
