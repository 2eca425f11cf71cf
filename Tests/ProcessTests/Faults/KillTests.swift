import Foundation
import JSON
import SystemTestKit
import Testing

/// SIGKILL on entry to a system call, for every one that writes or sends something.
struct Kill: CustomTestStringConvertible, Hashable {
    let call: String
    /// The ordinal among calls of its kind, from 1.
    let number: Int

    static let calls = [
        "pwrite64", "write", "fdatasync", "fsync", "ftruncate", "fallocate", "unlink", "rename",
        "mkdir", "openat", "sendmsg", "sendto",
    ]

    var tracer: [String] {
        [
            "strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(number)",
        ]
    }

    var testDescription: String { "\(call) \(number)" }

    /// How many calls of each kind `run` makes under the tracer it is given.
    static func counts(_ file: String, _ run: ([String]) throws -> Void) throws -> [String: Int] {
        try run([
            "strace", "-f", "-qqq", "-o", file, "-e", "trace=" + calls.joined(separator: ","),
        ])
        var counts: [String: Int] = [:]
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            // PID CALL(…
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard let call = words.dropFirst().first?.prefix(while: { $0 != "(" }) else { continue }
            counts[String(call), default: 0] += 1
        }
        return counts.filter { calls.contains($0.key) }
    }

    /// All; or a random one of each kind, and more up to the number wanted.
    static func chosen(_ counts: [String: Int], sample: Int) -> [Kill] {
        let all = counts.sorted { $0.key < $1.key }.flatMap { call, count in
            (1...count).map { Kill(call: call, number: $0) }
        }
        if FaultScope.isWhole { return all }
        var random = SystemRandomNumberGenerator()
        let one = counts.keys.sorted().compactMap { call in
            all.filter { $0.call == call }.randomElement(using: &random)
        }
        return Array(one.shuffled(using: &random).prefix(sample))
            + Array(all.shuffled(using: &random).prefix(max(0, sample - one.count)))
    }
}

extension DaemonTests {
    @MainActor
    @Suite("killed at any system call", .needs(.mounts), .needs(.tracing))
    struct KillTests {
        @Test(
            "a whole drive gives the same events as without, each once in the log and all announced"
        )
        func drive() throws {
            let trace = try Trace.drive()
            let journal = try PrivateJournal()
            let calm = try Witnessed(trace, journal)
            let counts = try calm.countCalls()
            try calm.expectAllTold()
            let expected = try calm.drive.log()
            #expect(expected.count == (try trace.golden().count))
            var kills: [String: Int] = [:]
            for kill in Kill.chosen(counts, sample: 12) {
                let witnessed = try Witnessed(trace, journal)
                guard try witnessed.drive.live(under: kill.tracer) == .killed else { continue }
                kills[kill.call, default: 0] += 1
                #expect(try witnessed.drive.live() == .stopped, "\(kill)")
                #expect(try witnessed.drive.log() == expected, "\(kill)")
                #expect(witnessed.setAside.isEmpty, "\(kill)")
                try witnessed.expectAllTold("\(kill)")
            }
            #expect(kills.values.reduce(0, +) > 5)
            if FaultScope.isWhole {
                print("kills along a drive: \(kills.sorted { $0.key < $1.key })")
            }
        }
    }
}

/// A drive with a listener on the bus and a reader of the journal.
@MainActor
private final class Witnessed {
    let drive: PipedDrive
    private let journal: PrivateJournal
    private let cursor: String?
    private let monitor: BusMonitor

    init(_ trace: Trace, _ journal: PrivateJournal) throws {
        drive = try PipedDrive(trace)
        drive.bench.wrapper = journal.wrapper
        self.journal = journal
        cursor = try journal.lastCursor()
        let bus = try #require(drive.bench.bus)
        monitor = try #require(BusMonitor(bus, DaemonBench.transitions))
    }

    /// An undisturbed drive; the number of calls of each kind at which to kill.
    func countCalls() throws -> [String: Int] {
        try Kill.counts(drive.bench.directory.file("calls")) {
            try #require(try drive.live(under: $0) == .stopped)
        }
    }

    /// Quarantined files: there should never be any.
    var setAside: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: drive.bench.state)) ?? []
        return names.filter { $0.contains("unusable") }
    }

    /// Every announced event is in the journal and was signalled, at least once.
    func expectAllTold(_ comment: Comment? = nil) throws {
        let told = try drive.rows(
            "SELECT seq FROM event WHERE announced ORDER BY seq", of: "events.sqlite")
        let wanted = Set(told)
        var journalled: Set<String> = []
        #expect(
            try waitUntil(seconds: 60) {
                journalled = Set(
                    try journal.entries("SYSLOG_IDENTIFIER=geofenced", after: cursor)
                        .compactMap { $0["GEOFENCE_SEQ"]?.string })
                return journalled.isSuperset(of: wanted)
            }, comment)
        #expect(journalled == wanted, comment)
        var signalled: Set<String> = []
        #expect(
            waitUntil(seconds: 60) {
                signalled = Set(monitor.numbers.map(String.init))
                return signalled.isSuperset(of: wanted)
            }, comment)
        #expect(signalled == wanted, comment)
    }
}

extension PrivateJournal {
    /// Of the last entry there is.
    fileprivate func lastCursor() throws -> String? {
        try entries("SYSLOG_IDENTIFIER=geofenced").last?["__CURSOR"]?.string
    }
}
