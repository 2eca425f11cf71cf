import EngineTestKit
import Foundation
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

/// Changes a database with the SQLite shell, and returns its output.
@discardableResult
func sqlite(_ sql: String, _ path: String) throws -> String {
    let run = Subprocess([
        "sqlite3",
        // Newer ones let nobody edit a schema, and the command says what it has set.
        "-cmd", ".output /dev/null", "-cmd", ".dbconfig defensive off", "-cmd", ".output stdout",
        // A leading comment would be taken for an option.
        path, "\n" + sql,
    ])
    let ending = try #require(run.wait(seconds: 60))
    try #require(ending.status == 0, "\(ending.errors)")
    return ending.output
}

@Suite("faults of the store")
struct FaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func open() throws -> Store {
        try Store(directory: scratch.path, bootID: nil)
    }

    @Test(
        "killed at any commit, nothing acknowledged is lost and stays alternate", arguments: 1...8)
    func killed(_ round: Int) throws {
        var acknowledged: UInt64 = 0
        for life in 1...3 {
            let child = try Child(["commit", scratch.path])
            for _ in 0..<(round * 7 + life) {
                let line = try #require(child.line())
                acknowledged = try #require(UInt64(line.dropFirst("committed ".count)))
            }
            child.kill()
            while let line = child.line() {
                acknowledged = UInt64(line.dropFirst("committed ".count)) ?? acknowledged
            }
            let store = try open()
            #expect(store.setAside.isEmpty)
            #expect(store.log.lastSeq >= acknowledged && store.log.lastSeq <= acknowledged + 1)
            let log = try store.log.events(after: 0, limit: 100_000)
            #expect(log.map(\.seq) == Array(1...store.log.lastSeq))
            // Even numbers enter, odd ones leave: the stay belongs to its event.
            #expect(try store.log.openStays().count == (store.log.lastSeq % 2 == 0 ? 1 : 0))
        }
    }

    @Test("killed during an import, the catalogue is either the old or the new one, whole")
    func killedImport() throws {
        for life in 1...3 {
            let child = try Child(["import", scratch.path])
            for _ in 0..<life { _ = try #require(child.line()) }
            child.kill()
            let store = try open()
            #expect(store.setAside.isEmpty)
            #expect(store.count == 2_000)
            let titles = Set(try store.catalogue.fences(limit: 2_000).map(\.fence.title))
            #expect(titles.count == 1)
        }
    }

    @Test("a process killed while it replaces an origin's set leaves one set whole, and no other's")
    func killedReplace() throws {
        for life in 1...3 {
            let child = try Child(["replace", scratch.path])
            for _ in 0..<life { _ = try #require(child.line()) }
            child.kill()
            let store = try open()
            #expect(store.setAside.isEmpty)
            #expect(store.count == 1_001)
            let many = try #require(
                try store.catalogue.origins().first { $0.origin == .named("source/many") })
            #expect(many.fences == 1_000 && many.generation == store.generation)
            let listing = store.catalogue.listing(FenceFilter(origin: many.origin), limit: 2_000)
            let fences = try #require(try listing.step { false })
            let numbers = fences.compactMap { Int($0.fence.id) }
            #expect(Set(numbers) == Set((numbers.min() ?? 0)..<(numbers.min() ?? 0) + 1_000))
            #expect(Set(fences.map(\.fence.title)).count == 1)
            #expect(try store.catalogue.fence(id: "own")?.origin == .bus)
        }
    }

    @Test(
        "a full disk is reported as such; the store goes on when there is room", .needs(.mounts))
    func diskFull() throws {
        // In a mount namespace of its own, which ends with it.
        let inside = """
            mount -t tmpfs -o size=700k none "$1" || exit 9
            { read line; mount --options-mode ignore -o remount,size=8m "$1"; echo; } | "$0" fill "$1"
            """
        let child = try Child(
            [scratch.path, inside],
            shell: """
                if [ "$(id -u)" = 0 ]; then options=-m; else options=-rm; fi
                exec unshare $options sh -c "$2" "$0" "$1"
                """)
        #expect(child.line() == "failed diskFull")
        child.send("room")
        #expect(child.line() == "again true")
        #expect(child.line() == "whole true")
    }

    @Test("a file that may not grow is an I/O error, and the store goes on when it may")
    func limited() throws {
        let directory = try Scratch()
        let child = try Child(["limit", directory.path])
        #expect(child.line() == "failed inputOutput")
        #expect(child.line() == "again true")
        #expect(child.line() == "whole true")
    }

    @Test("a commit that fails in the middle stores nothing of it, and the same can be tried again")
    func failedCommit() throws {
        _ = try open().commit(record([event(1)]))
        let store = try open()
        // The second statement of the commit fails, the first has been done by then.
        try sqlite(
            "CREATE INDEX frozen ON stay (abs(-9223372036854775807 - length(fence)))",
            scratch.file("events.sqlite"))
        var entered = record([event(2)])
        entered.opened = [
            OpenStay(
                fence: "a", added: 1, began: UTCTime(nanoseconds: 2), dwellTold: false)
        ]
        let error = #expect(throws: StoreError.self) { try store.commit(entered) }
        #expect(error?.message == "integer overflow")
        #expect(try store.log.events(after: 0, limit: 9).count == 1)
        #expect(store.log.lastSeq == 1)
        try sqlite("DROP INDEX frozen", scratch.file("events.sqlite"))
        #expect(try store.commit(entered)[0].seq == 2)
    }

    enum Damage: String, CaseIterable {
        case text, truncated, zeroes, scribbled, foreign, newer, otherTables, empty
    }

    @Test(
        "an unusable file is quarantined under another name, and a new one created",
        arguments: Damage.allCases, ["catalogue.sqlite", "events.sqlite"])
    func unusable(_ damage: Damage, _ name: String) throws {
        do {
            let store = try open()
            _ = try store.apply(upserts: (0..<300).map { try circle("\($0)", 1, 2) })
            _ = try store.commit(record((0..<300).map { event(Double($0)) }))
        }
        let path = scratch.file(name)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        var ruined = bytes
        switch damage {
        case .text: ruined = Data("this is no database\n".utf8)
        case .truncated: ruined = bytes.prefix(bytes.count / 2)
        case .zeroes: ruined = Data(count: bytes.count)
        case .scribbled:
            for index in stride(from: 4_096, to: bytes.count, by: 97) { ruined[index] ^= 0x55 }
        case .empty: ruined = Data()
        case .foreign: try sqlite("PRAGMA application_id=7", path)
        case .newer:
            // Of the log a later version has only more.
            if name == "events.sqlite" { try sqlite("ALTER TABLE stay DROP COLUMN watch", path) }
            try sqlite("PRAGMA user_version=99", path)
        case .otherTables: try sqlite("DROP TABLE state", path)
        }
        if ruined != bytes { try ruined.write(to: URL(fileURLWithPath: path)) }
        do {
            let store = try open()
            if damage == .empty {
                #expect(store.setAside.isEmpty)
            } else {
                let file = try #require(store.setAside.first)
                #expect(file.path == path)
                #expect(file.movedTo == path + ".unusable-1")
                #expect(!file.reason.isEmpty)
                #expect(scratch.names.contains(name + ".unusable-1"))
            }
            _ = try store.apply(upserts: [try circle("new", 1, 2)])
            _ = try store.commit(record([event(1)]))
        }
        let again = try open()
        #expect(again.setAside.isEmpty)
        #expect(try again.catalogue.fence(id: "new") != nil)
        #expect(again.log.lastSeq >= 1)
    }

    @Test("without a directory fences from files are in memory, and are saved once it exists")
    func noDirectory() throws {
        let directory = scratch.file("later")
        let store = try Store(directory: directory, bootID: nil)
        #expect(store.absence?.kind == .cannotOpen)
        #expect(store.absence?.path == directory + "/events.sqlite")
        var fences = [try circle("a", 1, 2), try circle("b", 3, 4)]
        _ = try store.replaceAll(origin: .file("f")) { fences.popLast() }
        #expect(store.count == 2)
        let added = try store.catalogue.fence(id: "a")?.added
        // Changes that must be durable are refused.
        #expect(throws: StoreError.self) { try store.apply(upserts: [try circle("c", 5, 6)]) }
        #expect(throws: StoreError.self) { try store.commit(record([event(1)])) }
        #expect(try store.log.events(after: 0, limit: 9).isEmpty)
        store.mend()
        #expect(store.absence != nil)

        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        #expect(try store.commit(record([event(1)]))[0].seq == 1)
        store.mend()
        #expect(store.absence == nil)
        #expect(store.setAside.isEmpty)
        _ = try store.apply(upserts: [try circle("c", 5, 6)])
        let again = try Store(directory: directory, bootID: nil)
        #expect(again.count == 3)
        #expect(try again.catalogue.fence(id: "a")?.added == added)
        #expect(again.generation == store.generation)
        #expect(again.log.lastSeq == 1)
    }

    @Test("an event log that is removed while it is open: numbers continue")
    func takenAway() throws {
        let store = try open()
        _ = try store.commit(record([event(1), event(2)]))
        for name in scratch.names where name.hasPrefix("events") {
            try FileManager.default.removeItem(atPath: scratch.file(name))
        }
        #expect(try store.commit(record([event(3)]))[0].seq == 3)
        #expect(store.log.oldestSeq == 3)
        #expect(try open().log.lastSeq == 3)
    }

    @Test("a catalogue that is damaged while it is open is suspect, and quarantined once checked")
    func damagedWhileOpen() throws {
        let store = try open()
        for round in 0..<40 {
            let fences = try (0..<100).map { try circle("\(round)-\($0)", 1, 2) }
            _ = try store.apply(upserts: fences)
        }
        let path = scratch.file("catalogue.sqlite")
        try sqlite("PRAGMA wal_checkpoint(TRUNCATE)", path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4_096)
        handle.write(Data(repeating: 0x55, count: Int(size) - 4_096))
        var told = 0
        store.onSuspect { told += 1 }
        for _ in 0..<3 {
            #expect(throws: StoreError.self) {
                for round in 0..<40 { _ = try store.entries(ids: ["\(round)-1"]) }
            }
        }
        #expect(store.suspects.map(\.path) == [path] && told == 1)
        #expect(store.setAside.isEmpty && store.count == 4_000)
        // What says nothing of the file changes nothing.
        store.resolve(path, .unknown("no process could be started"))
        store.mend()
        #expect(store.setAside.isEmpty && store.suspects.count == 1)
        let verdict = StoreCheck.verdict(of: path)
        guard case .damaged = verdict else {
            Issue.record("\(verdict)")
            return
        }
        store.resolve(path, verdict)
        #expect(try store.entries(ids: ["1-1"]).isEmpty)
        #expect(store.setAside.map(\.path) == [path] && store.suspects.isEmpty)
        #expect(store.count == 0)
        #expect(store.generation == 41, "who watches for changes sees that all are gone")
        #expect(try store.apply(upserts: [try circle("a", 1, 2)]).generation == 42)
        #expect(try open().count == 1)
    }
}
