import EngineTestKit
import Foundation
import Law
import Model
import SystemTestKit
import Testing

@testable import Storage

@Suite("The schemas of the store")
struct SchemaTests {
    /// A file of the store.
    struct File: CustomTestStringConvertible, Sendable {
        var name: String
        var format: DatabaseFormat

        var testDescription: String { name }

        static let all = [
            File(name: "events", format: .events), File(name: "catalogue", format: .catalogue),
        ]
    }

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What a program has written whose schemas had been built up by steps.
    private func bringSteps() throws {
        for file in File.all {
            let dump = URL(filePath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../Data/steps/\(file.name).sql")
            try sqlite(
                try String(contentsOf: dump, encoding: .utf8), scratch.file(file.name + ".sqlite"))
        }
    }

    @Test(
        "a new file is at once known for what it is, without a look at each word",
        arguments: File.all)
    func asMade(_ file: File) throws {
        let database = try Database(path: ":memory:", .memory)
        try file.format.create(database)
        #expect(try database.pragma("user_version") == Int64(file.format.version))
        // Other versions of SQLite may write otherwise what they make themselves.
        let version = try database.first("SELECT sqlite_version()") { $0.text(0) }
        if version == "3.40.1" {
            var defined = ""
            try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
                defined += (0..<4).map { (row.optionalText($0) ?? "") + "\n" }.joined()
                return true
            }
            let path = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../../Sources/Storage/Schemas/\(file.name).defined")
            if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
                try defined.write(to: path, atomically: true, encoding: .utf8)
            }
            #expect(
                try String(contentsOf: path, encoding: .utf8) == defined, "GOLDEN=1 writes it")
            #expect(try file.format.schema.isAsMade(database))
        }
        for more in [
            "CREATE TRIGGER t AFTER INSERT ON state BEGIN DELETE FROM state; END",
            "DROP TRIGGER t; ALTER TABLE state ADD COLUMN later INTEGER",
        ] {
            try database.script(more)
            #expect(try !file.format.schema.isAsMade(database), "\(more)")
        }
    }

    @Test(
        "files that were built up by steps are the same, are used, and go on",
        arguments: File.all)
    func steps(_ file: File) throws {
        try bringSteps()
        do {
            let database = try Database(path: scratch.file(file.name + ".sqlite"), .existing)
            #expect(
                try file.format.difference(in: database, version: file.format.version) == nil)
        }
        let store = try scratch.open()
        #expect(store.setAside.isEmpty && store.takeForeign().isEmpty)
        #expect(store.count == 6 && store.generation == 1 && store.log.lastSeq == 5)
        #expect(store.log.id == "4f3b7933df033956e190aeba1b558942")
        #expect(
            try store.catalogue.origins().map(\.origin) == [.file("preston-cold-start.geojson")])
        #expect(try store.log.openStays().map(\.fence).sorted().first == "around")
        #expect(try store.log.events(after: 0, limit: 9).map(\.seq) == [1, 2, 3, 4, 5])
        _ = try store.apply(upserts: [try circle("one", 1, 2)])
        #expect(try store.commit(record([event(6)]))[0].seq == 6)
    }

    @Test("a file of an older version is refused by its name, and kept", arguments: File.all)
    func older(_ file: File) throws {
        try bringSteps()
        let path = scratch.file(file.name + ".sqlite")
        let backup = scratch.file("backup")
        _ = try StoreBackup.make(of: scratch.path, to: backup)
        let (version, older) = (file.format.version, file.format.version - 1)
        for path in [path, "\(backup)/\(file.name).sqlite"] {
            try sqlite("PRAGMA user_version=\(older)", path)
        }
        let failure = #expect(throws: BackupFailure.self) {
            try StoreBackup.restore(backup, into: scratch.path)
        }
        #expect(
            failure?.reason
                == "was made by an older version (schema \(older), this one knows \(version))")
        let store = try scratch.open()
        let kept = try #require(store.setAside.first)
        #expect(kept.path == path && store.setAside.count == 1)
        #expect(kept.reason == "schema version \(older), this program knows \(version)")
        #expect(FileManager.default.fileExists(atPath: kept.movedTo))
        // No number is given twice, and the fences are missed.
        if file.name == "events" {
            #expect(try store.commit(record([event(6)]))[0].seq >= 6)
        } else {
            #expect(store.catalogue.lacksFences || store.wantsFiles)
        }
    }

    @Test("a table of a later version in the way of a step: set aside, and the store opens")
    func blocked() throws {
        try bringSteps()
        try sqlite("CREATE TABLE novelty (a)", scratch.file("events.sqlite"))
        let store = try Store(
            directory: scratch.path, bootID: nil, events: .newerEvents, fences: .catalogue)
        #expect(store.setAside.map(\.reason).first?.contains("novelty") == true)
        #expect(try store.commit(record([event(6)]))[0].seq >= 6)
    }
}
