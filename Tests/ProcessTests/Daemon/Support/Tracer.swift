import Glibc
import SystemTestKit
import Testing

/// strace(1) on a running daemon, for as long as this is kept: system calls fail or are delayed.
@MainActor
final class Tracer {
    private let strace: Subprocess

    /// - Parameters:
    ///   - injection: as in strace's `--inject`.
    ///   - paths: if not empty, only calls on these files.
    init(_ daemon: Subprocess, _ injection: String, paths: [String] = []) throws {
        let calls = String(injection.prefix { $0 != ":" })
        strace = Subprocess(
            [
                "strace", "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
                "inject=\(injection)", "-p", String(daemon.pid),
            ] + paths.flatMap { ["-P", $0] })
        try #require(
            waitUntil(seconds: 30) { strace.hasEnded || strace.errorsSoFar.contains("attached") })
        try #require(!strace.hasEnded, "\(strace.errorsSoFar)")
    }

    /// Restores the calls.
    func end() throws {
        strace.signal(SIGINT)
        _ = try #require(strace.wait(seconds: 60))
    }
}
