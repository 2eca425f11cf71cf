import FixSources
import Foundation
import JSON
import Model
import SystemTestKit
import Testing
import Time

/// The output of gpsd 3.22 along a drive of 26 minutes, see
/// Tests/ReplayTests/Traces/regensburg-drive-gpsd.md: 2803 reports, 771 fixes, 24 crossings.
struct RecordedDrive {
    /// Every object that gpsd sent, without the greeting.
    let lines: [String]

    static let fences = Trace.path("regensburg-drive-gpsd.geojson")

    static let fenceCount = 6

    init() throws {
        let unpacked = try #require(
            Subprocess(["zcat", Trace.path("regensburg-drive-gpsd.json.gz")]).wait())
        try #require(unpacked.status == 0, "\(unpacked.errors)")
        lines = unpacked.output.split(whereSeparator: \.isNewline).map(String.init)
            .filter { $0.contains(#""class":"TPV""#) || $0.contains(#""class":"SKY""#) }
    }

    /// The part up to that report.
    init(upTo count: Int) throws {
        self.init(lines: Array(try RecordedDrive().lines.prefix(count)))
    }

    init(lines: [String]) { self.lines = lines }

    /// The part in which gpsd sent a fix every two seconds: sent faster than real time, the timers
    /// of a replay would expire in a gap, and those of the daemon not.
    static func steady() throws -> RecordedDrive {
        let lines = try RecordedDrive().lines
        let start = try #require(lines.firstIndex { $0.contains("T17:05:30.000Z") })
        return RecordedDrive(lines: Array(lines[start...]))
    }

    /// The events without any fault: those of the tool, on the same reports.
    func oracle(_ fences: String = Self.fences) throws -> [LoggedLine] {
        try replay(lines.joined(separator: "\n"), fences)
    }

    /// Receiver time of the last report with a position, µs.
    var end: Int64 { time(before: lines.count) }

    /// Receiver time of the last report with a position before that line, µs.
    func time(before number: Int) -> Int64 {
        let last = lines[..<number].last { $0.contains("\"lat\":") }
        let time = last.flatMap { try? JSONValue(parsing: $0) }?["time"]?.string
        return (time.flatMap { UTCTime(iso8601: $0) }?.nanoseconds ?? 0) / 1000
    }

    /// Circles of several sizes around places on the road, `count` for each size, as CSV: with six
    /// sizes and forty places some eleven hundred crossings.
    func denseFences(places count: Int, sizes: [Int] = [20, 40, 70, 110, 160, 230]) -> String {
        let positions = lines.compactMap { line -> (Double, Double)? in
            guard let report = try? JSONValue(parsing: line),
                let latitude = report["lat"]?.double, let longitude = report["lon"]?.double
            else { return nil }
            return (latitude, longitude)
        }
        var text = "id,latitude,longitude,radius,dwell\n"
        for place in 0..<count {
            let (latitude, longitude) = positions[positions.count * place / count]
            for size in sizes {
                text += "\(place)-\(size),\(latitude),\(longitude),\(size),\(size / 4)\n"
            }
        }
        return text
    }
}

/// The address sanitizer keeps freed memory: growth is not the daemon's then.
let isMemorySanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

extension Trait where Self == ConditionTrait {
    /// The daemon has a process of its own check a database.
    static var checksStores: Self {
        .enabled(
            if: !isMemorySanitized,
            "for builds without the sanitizer, which does not fit into the limits of the check")
    }
}

/// The current memory of a process, in kB: `VmRSS`, or another line of /proc/PID/status.
func memory(of process: Subprocess, _ name: String = "VmRSS") throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
    return try #require(
        line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
}

extension LoggedLine {
    /// Without its number: for a comparison with other events in between.
    var unnumbered: String {
        "\(crossing) \(time) \(fixTime) \(reason ?? "") \(distance ?? 0) \(stay ?? 0)"
            + " \(inferred ?? false)"
    }
}

/// Checks that the events are those of the oracle; reports the first difference.
func expectSame(
    _ events: [LoggedLine], _ oracle: [LoggedLine],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard events != oracle else { return }
    let same = zip(events, oracle).prefix { $0 == $1 }.count
    func lines(_ events: [LoggedLine]) -> String {
        events.dropFirst(same).prefix(3).map { "\($0.seq ?? 0) \($0.unnumbered)" }
            .joined(separator: "\n")
    }
    Issue.record(
        """
        \(events.count) events, \(oracle.count) expected; after \(same) that are the same:
        \(lines(events))
        instead of
        \(lines(oracle))
        """, sourceLocation: sourceLocation)
}
