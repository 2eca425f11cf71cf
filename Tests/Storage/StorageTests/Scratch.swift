import Engine
import EngineTestKit
import Foundation
import Geodesy
import Storage

/// A private directory for one test, deleted with it.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/fence-stores-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

/// A program that was built beside the tests, with its input and output on pipes.
final class Child {
    let process = Process()
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
        process.waitUntilExit()
    }
}

extension SQLiteFenceStore {
    /// How many fences each origin has.
    func counts() throws -> [FenceOrigin: Int] {
        Dictionary(uniqueKeysWithValues: try origins().map { ($0.origin, $0.fences) })
    }
}
