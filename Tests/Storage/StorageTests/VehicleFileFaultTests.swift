import Foundation
import Model
import SystemTestKit
import Testing

@testable import Storage

/// A process writes the file three times, under strace(1).
@Suite("the vehicle's file under kill and power cut", .needs(.tracing))
struct VehicleFileFaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The number of the last write that is there; 0 before the first.
    /// - Throws: where the file is not whole.
    private func last() throws -> Int {
        let height = try VehicleFile(directory: scratch.path).read()?.vehicle.height
        return height.map { Int((($0 - 3) * 1_000).rounded()) } ?? 0
    }

    /// Runs it with strace's options, which see only calls on the file and its directory.
    /// - Returns: the number of the last write that it has called durable.
    private func write(_ options: String) throws -> Int {
        let child = try Child(
            [scratch.path],
            shell: """
                at=$(realpath "$1")
                exec strace -f -qqq -P "$at" -P "$at/vehicle" -P "$at/vehicle.new" \\
                    -P "$at/vehicle.second" -P "$at/vehicle.second.new" \(options) \\
                    "$0" vehicle "$at"
                """)
        var kept = 0
        while let line = child.line() { kept = Int(line.dropFirst("kept ".count)) ?? kept }
        child.waitUntilEnd()
        return kept
    }

    @Test(
        "killed at any system call, it is whole, and what was called durable is there",
        arguments: [("openat", 12), ("write", 6), ("fsync", 12), ("rename", 6)])
    func killed(call: String, count: Int) throws {
        for number in 1...count {
            let before = try last()
            let kept = try write(
                "-o /dev/null -e trace=\(call) -e inject=\(call):signal=KILL:when=\(number)")
            #expect(kept < 3, "killed at \(call) \(number)")
            let found = try last()
            // Before its first rename, what the process before it left.
            #expect(found == kept || found == kept + 1 || (kept == 0 && found == before))
        }
        #expect(try write("-o /dev/null -e trace=\(call)") == 3)
        #expect(try last() == 3)
    }

    @Test("its bytes are on the disk before its name, and its name before it is called durable")
    func order() throws {
        let log = scratch.file("calls")
        #expect(try write("-o '\(log)' -y -e trace=openat,write,fsync,rename") == 3)
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .compactMap { line -> String? in
                let call = line.split(separator: " ").dropFirst().joined(separator: " ")
                let name = String(call.prefix { $0 != "(" })
                if name == "openat" { return nil }
                return ["vehicle.new", "vehicle.second.new"].first(where: call.contains)
                    .map { "\(name) \($0)" } ?? name
            }
        let once = ["vehicle.new", "vehicle.second.new"].flatMap { name in
            ["write", "fsync", "rename"].map { "\($0) \(name)" } + ["fsync"]
        }
        #expect(calls == once + once + once)
    }
}
