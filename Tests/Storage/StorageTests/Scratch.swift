import EngineTestKit
import Foundation
import Geodesy
import Model
import SystemTestKit
import Testing

@testable import Storage

/// A private directory for one test, deleted with it.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/fence-stores-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    /// The same files.
    init(copying other: Scratch) throws {
        path = NSTemporaryDirectory() + "/fence-stores-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: other.path, toPath: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func open() throws -> Store {
        try Store(directory: path, bootID: nil)
    }

    /// Databases with what SQLite keeps beside them, or other files.
    func remove(_ names: String...) {
        for name in names { for end in ["", "-wal", "-shm"] { unlink(file(name) + end) } }
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

/// A program that was built beside the tests, with its input and output on pipes.
final class Child {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = ""

    /// - Parameter shell: run by sh with `$0` the program and `$1…` the arguments.
    init(_ arguments: [String], shell: String? = nil) throws {
        let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let program = products.appendingPathComponent("store-child")
        if let shell {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", shell, program.path] + arguments
        } else {
            process.executableURL = program
            process.arguments = arguments
        }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// One that is killed at the `number`-th of these system calls; true if that came before its end.
    static func killed(at call: String, _ number: Int, mode: String, in path: String) throws -> Bool
    {
        let child = try Child(
            [path, mode],
            shell: """
                exec strace -f -qqq -o /dev/null -e trace=\(call) \\
                    -e inject=\(call):signal=KILL:when=\(number) "$0" "$2" "$1"
                """)
        let wasKilled = child.line() == nil
        child.waitUntilEnd()
        return wasKilled
    }

    /// The next line; nil at the end.
    func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending = String(pending[pending.index(after: end)...])
                return line
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            pending += String(decoding: data, as: UTF8.self)
        }
    }

    func send(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        waitUntilEnd()
    }

    /// A program of the shell that is not here has not been killed.
    func waitUntilEnd() {
        process.waitUntilExit()
        if process.terminationReason == .exit && process.terminationStatus == 127 {
            Issue.record("not found: a program of \(process.arguments ?? [])")
        }
    }
}

extension Store {
    /// How many fences each origin has.
    func counts() throws -> [FenceOrigin: Int] {
        Dictionary(uniqueKeysWithValues: try catalogue.origins().map { ($0.origin, $0.fences) })
    }

    func replace(_ origin: FenceOrigin, _ fences: [Fence]) throws {
        var rest = fences.makeIterator()
        _ = try replaceAll(origin: origin) { rest.next() }
    }

    /// What the daemon does in processes of their own.
    func writeCopies() throws {
        for origin in catalogue.copiesBehind {
            try Store.writeCopy(of: origin, in: directory)
            catalogue.takeCopy(of: origin)
        }
    }

    /// What the daemon does with a file that may be damaged: what is found in it, and what follows.
    @discardableResult
    func checkAndMend() throws -> StoreCheck.Verdict {
        let path = directory + "/catalogue.sqlite"
        let verdict = StoreCheck.verdict(of: path)
        if case .lacking(let why) = verdict {
            catalogue.suspect(why)
            let mending = try catalogue.beginMending()
            while try !mending.step(until: { true }) {}
        } else {
            resolve(path, verdict)
        }
        mend()
        return verdict
    }

    /// What the daemon does with a portion after the other: here of one entry.
    @discardableResult
    func heal() throws -> [FenceOrigin: SetHealing.Outcome] {
        try catalogue.healable.reduce(into: [:]) { outcomes, origin in
            let healing = try #require(beginHealing(origin))
            while outcomes[origin] == nil {
                var turns = 0
                outcomes[origin] = try healing.step {
                    turns += 1
                    return turns > 1
                }
            }
        }
    }
}

/// Sets that came over the bus.
enum SampleSets {
    static let source = FenceOrigin.named("source/depots")
    static let roads = FenceOrigin.named("roads/bayern")

    static func fences(_ range: Range<Int>, _ title: String = "") throws -> [Fence] {
        try range.map { number in
            var fence = try circle("s\(number)", Double(number % 80), 2)
            fence.title = title
            return fence
        }
    }

    /// Three fences of the bus, 20 of a source, hazards among 40 of the roads.
    static func fill(_ store: Store) throws {
        _ = try store.apply(upserts: try (0..<3).map { try circle("own\($0)", 1, 2) })
        try store.replace(source, try fences(0..<20))
        var random = SeededRandom(seed: 3)
        let places = (0..<200).map {
            Coordinate(latitude: 48, longitude: 11).moved(by: 40 * Double($0), toward: 70)
        }
        try store.replace(roads, RandomApproaches.fences(40, along: places, &random))
    }
}
