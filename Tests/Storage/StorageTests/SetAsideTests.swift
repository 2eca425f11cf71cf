import EngineTestKit
import Foundation
import Model
import Storage
import SystemTestKit
import Testing

@Suite("files that are set aside")
struct SetAsideTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func open() throws -> Store {
        try Store(directory: scratch.path, bootID: nil)
    }

    @Test(
        "are at most eight, and the first of them stay",
        arguments: ["catalogue.sqlite", "events.sqlite"])
    func bounded(_ name: String) throws {
        for round in 0..<12 {
            try Data("round \(round)".utf8).write(
                to: URL(fileURLWithPath: scratch.file(name)))
            #expect(try open().setAside.count == 1)
        }
        let kept = scratch.names.filter { $0.hasPrefix(name + ".unusable-") }
        #expect(kept == (1...8).map { "\(name).unusable-\($0)" })
        for (number, round) in [(1, 0), (7, 6), (8, 11)] {
            let text = try String(
                contentsOfFile: scratch.file("\(name).unusable-\(number)"), encoding: .utf8)
            #expect(text == "round \(round)")
        }
    }

    @Test(
        "a column whose name is damaged: the file is set aside, and the store is used",
        arguments: ["catalogue.sqlite", "events.sqlite"])
    func unnamed(_ name: String) throws {
        do {
            let store = try open()
            _ = try store.apply(upserts: [try circle("one", 1, 2)])
            _ = try store.commit(record([event(1)]))
        }
        let whole = try #require(FileManager.default.contents(atPath: scratch.file(name)))
        let columns = try sqlite(
            """
            SELECT t.name || ' RENAME COLUMN ' || c.name
            FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'box%'
            """, scratch.file(name)
        ).split(separator: "\n")
        #expect(columns.count > 10)
        for column in columns {
            for file in scratch.names { unlink(scratch.file(file)) }
            try whole.write(to: URL(fileURLWithPath: scratch.file(name)))
            _ = try sqlite("ALTER TABLE \(column) TO unnamed", scratch.file(name))
            let store = try open()
            #expect(store.setAside.count == 1, "\(column)")
            _ = try store.apply(upserts: [try circle("two", 1, 2)])
            _ = try store.commit(record([event(2)]))
        }
    }

    @Test(
        "on a full disk are left where they are, and are set aside when there is room",
        .needs(.tracing))
    func fullDisk() throws {
        let name = "catalogue.sqlite"
        var last: Generation = 0
        do {
            let store = try open()
            for _ in 0..<5 {
                _ = try store.apply(upserts: [try circle("\(store.generation)", 1, 2)])
            }
            last = store.generation
        }
        try sqlite("PRAGMA user_version=9999", scratch.file(name))
        for _ in 0..<3 {
            let child = try Child(
                [scratch.path],
                shell: """
                    exec strace -f -qqq -o /dev/null -e trace=pwrite64 \
                        -e inject=pwrite64:error=ENOSPC "$0" sets "$1" 2>/dev/null
                    """)
            #expect(child.line() == nil)
            child.waitUntilEnd()
            #expect(!scratch.names.contains { $0.contains("unusable") })
            #expect(try sqlite("PRAGMA user_version", scratch.file(name)) == "9999\n")
        }
        let store = try open()
        #expect(store.setAside.map(\.movedTo) == [scratch.file(name + ".unusable-1")])
        #expect(store.generation > last && store.catalogue.lacksFences)
    }

    @Test("while in use are not followed by another one at once")
    func once() throws {
        let store = try open()
        let path = scratch.file("catalogue.sqlite")
        for _ in 0..<5 {
            for round in 0..<40 {
                let fences = try (0..<100).map { try circle("\(round)-\($0)", 1, 2) }
                _ = try? store.apply(upserts: fences)
            }
            _ = try? sqlite("PRAGMA wal_checkpoint(TRUNCATE)", path)
            let handle = try #require(FileHandle(forWritingAtPath: path))
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: 4_096)
            handle.write(Data(repeating: 0x55, count: Int(max(size, 8_192)) - 4_096))
            try handle.close()
            for round in 0..<40 { _ = try? store.entries(ids: ["\(round)-1"]) }
            for file in store.suspects {
                store.resolve(file.path, StoreCheck.verdict(of: file.path))
            }
        }
        #expect(store.setAside.count == 1)
        #expect(!scratch.names.contains { $0.contains(".unusable-2") })
    }

    enum Loss: String, CaseIterable {
        case nothing, damaged, emptied, removed
    }

    @Test(
        "a log that is lost after an orderly stop: no number is used twice, whatever else is lost",
        arguments: Loss.allCases, Loss.allCases)
    func numbers(_ log: Loss, _ numbers: Loss) throws {
        do {
            let store = try open()
            _ = try store.commit(record((1...27).map { event(Double($0)) }))
            try store.flush()
        }
        lose(log, "events.sqlite")
        lose(numbers, "numbers")
        let store = try open()
        let seq = try store.commit(record([event(99)]))[0].seq
        if log == .nothing || numbers == .nothing {
            #expect(seq == 28)
        } else {
            // Nothing is left that knows the number.
            #expect(seq == 1)
        }
    }

    @Test("a log that is lost in a power cut: numbers continue above all that were used")
    func numbersAfterPowerCut() throws {
        do {
            let store = try open()
            for second in 1...3 { _ = try store.commit(record([event(Double(second))])) }
        }
        do {
            // The log is whole: no number is skipped.
            #expect(try open().commit(record([event(4)]))[0].seq == 4)
        }
        lose(.damaged, "events.sqlite")
        let seq = try open().commit(record([event(5)]))[0].seq
        #expect(seq > 4 && seq < 2_000)
    }

    private func lose(_ loss: Loss, _ name: String) {
        let path = scratch.file(name)
        switch loss {
        case .nothing: break
        case .damaged:
            try? Data("no database, no number".utf8).write(to: URL(fileURLWithPath: path))
        case .emptied: try? Data().write(to: URL(fileURLWithPath: path))
        case .removed: try? FileManager.default.removeItem(atPath: path)
        }
    }
}
