import Glibc
import SystemTestKit
import Testing

/// A recorded drive on a named pipe: a source like any receiver, as fast as the daemon reads.
/// Successive daemon processes share it, its bus and its journal.
@MainActor
final class PipedDrive {
    let bench: DaemonBench
    private let epochs: [String]
    private let pipe: String
    private var writer: Int32 = -1

    init(_ trace: Trace) throws {
        bench = try DaemonBench()
        try bench.installFences(of: trace)
        epochs = trace.epochs
        pipe = bench.directory.file("receiver")
        bench.source = "nmea:\(pipe)"
    }

    isolated deinit { close(writer) }

    /// How a process of the daemon ended.
    enum Ending: Equatable {
        /// By an orderly stop at the end of the drive.
        case stopped
        /// By a signal, on the way or while it stopped.
        case killed
    }

    /// One process: it continues from where the daemon was, to the end of the drive.
    /// - Parameter tracer: the command in front of the program; it may kill it.
    func live(under tracer: [String] = []) throws -> Ending {
        try start(under: tracer)
        try #require(
            waitUntil(seconds: 120) { bench.hasEnded || lastFix != nil }, "\(bench.errors)")
        if !bench.hasEnded { try drive() }
        if !bench.hasEnded { bench.daemon?.signal(SIGTERM) }
        let ending = try #require(bench.daemon?.wait(seconds: 120), "\(bench.errors)")
        try #require(ending.status == 0 || ending.status == 137, "\(ending)")
        if ending.status == 0 { events = try log().count }
        return ending.status == 0 ? .stopped : .killed
    }

    /// Events in the log at the last orderly stop.
    private(set) var events = 0

    /// Starts the daemon on a pipe without a writer.
    func start(under tracer: [String] = []) throws {
        // Data that the last process had not read is discarded.
        close(writer)
        unlink(pipe)
        try #require(mkfifo(pipe, 0o600) == 0, "errno \(errno)")
        writer = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(writer >= 0, "errno \(errno)")
        let outside = bench.wrapper
        bench.wrapper = outside + tracer
        bench.start()
        bench.wrapper = outside
    }

    /// Feeds the fixes that the daemon has not judged, until it has or is dead.
    func drive() throws {
        let done = lastFix ?? 0
        let next = done == 0 ? 0 : try #require(index(of: done)) + 1
        var rest = Array(epochs[next...].joined().utf8)[...]
        let last = try #require(epochs.last.flatMap(secondOfDay))
        try #require(
            waitUntil(seconds: 120) {
                if !rest.isEmpty {
                    let count = rest.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
                    rest = rest.dropFirst(max(0, count))
                    return bench.hasEnded
                }
                return bench.hasEnded || lastFix.map { second($0) == last } ?? false
            }, "\(bench.errors)")
    }

    /// Receiver time of the fix judged last, µs; nil while the daemon does not answer.
    private var lastFix: Int64? { bench.property("LastFixTimestamp").flatMap { Int64($0) } }

    private func index(of time: Int64) -> Int? {
        epochs.lastIndex { secondOfDay($0) == second(time) }
    }

    private func second(_ time: Int64) -> Int { Int(time / 1_000_000 % 86_400) }

    /// As in an RMC; the drive is within one day.
    private func secondOfDay(_ epoch: String) -> Int? {
        guard let time = epoch.split(separator: ",").dropFirst().first, time.count >= 6,
            let digits = Int(time.prefix(6))
        else { return nil }
        return digits / 10_000 * 3600 + digits / 100 % 100 * 60 + digits % 100
    }

    /// The whole log, without the boot.
    func log() throws -> [String] {
        let columns = """
            seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error, \
            speed, course, latitude, longitude, stay, announced, metadata
            """
        return try rows("SELECT \(columns) FROM event ORDER BY seq", of: "events.sqlite")
    }

    /// The result of a database query.
    func rows(_ question: String, of database: String) throws -> [String] {
        let run = Subprocess(["sqlite3", "\(bench.state)/\(database)", question])
        let ending = try #require(run.wait(seconds: 60))
        try #require(ending.status == 0, "\(ending.errors)")
        return ending.output.split(separator: "\n").map(String.init)
    }
}
