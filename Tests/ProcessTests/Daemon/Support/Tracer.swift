import Glibc
import SystemTestKit
import Testing

/// strace(1) on a daemon that runs already, for as long as this is kept: system calls fail or are
/// late.
@MainActor
final class Tracer {
    private let strace: Subprocess

    /// - Parameters:
    ///   - injection: as strace's `--inject` has it.
    ///   - paths: only calls on these files, where there are any.
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

    /// The calls are what they were before.
    func end() throws {
        strace.signal(SIGINT)
        _ = try #require(strace.wait(seconds: 60))
    }
}
