import Foundation
import SystemTestKit
import Testing

extension DaemonTests {
    /// The first run after cloning: `make run`, without the build.
    @MainActor
    @Suite("at first sight")
    struct FirstRunTests {
        private static let drives = Trace.path("../../Drives/")
        private let directory = TemporaryDirectory()

        /// A drive of three seconds.
        private var recording: String {
            directory.write(
                (0..<3).map {
                    epoch(latitude: 48 + Double($0) * 0.0001, at: 1_700_000_000 + Double($0))
                }.joined(), to: "drive.nmea")
        }

        @Test("a drive begins at once, in plain lines, and leaves nothing behind")
        func run() throws {
            let work = TemporaryDirectory()
            let programs = builtProgram("geofenced").dropLast("/geofenced".count)
            let (unused, port) = try listening()
            close(unused)
            let run = Subprocess(
                ["\(Self.drives)run"],
                environment: [
                    "PROGRAMS": String(programs), "TMPDIR": work.path, "GPSD_PORT": "\(port)",
                ])
            var said: [Substring] { (run.outputSoFar + run.errorsSoFar).split(separator: "\n") }
            try #require(
                waitUntil(seconds: 60) {
                    run.hasEnded || said.count > 5 && said.contains { $0.contains("  initial  ") }
                }, "\(said)")
            #expect(!said.contains { $0.hasPrefix("<") || $0.contains("lost") }, "\(said)")
            run.signal(SIGINT)
            #expect(run.wait()?.status == 0, "\(run.errorsSoFar)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: work.path).isEmpty)
        }

        @Test(
            "a delayed receiver catches up, and its times continue from round to round")
        func feed() throws {
            let place = directory.file("port")
            let feed = Subprocess(["\(Self.drives)feed", recording, place])
            func written() -> String { (try? String(contentsOfFile: place, encoding: .utf8)) ?? "" }
            try #require(waitUntil { feed.hasEnded || written().hasSuffix("\n") })
            let port = written().dropLast()
            let reader = Subprocess(["bash", "-c", "exec cat </dev/tcp/127.0.0.1/\(port)"])
            func times() -> [Int] {
                reader.outputSoFar.split(whereSeparator: \.isNewline).compactMap(Self.time)
            }
            try #require(waitUntil { times().count >= 2 }, "\(feed.errorsSoFar)")
            feed.signal(SIGSTOP)
            usleep(4_000_000)
            feed.signal(SIGCONT)
            #expect(
                waitUntil(seconds: 20) {
                    Int(Date().timeIntervalSince1970) - (times().last ?? 0) < 3
                })
            // The third round: its times continue those of two others.
            #expect(waitUntil(seconds: 20) { times().count > 6 })
            let all = times()
            #expect(all == Array((all.first ?? 0)..<(all.first ?? 0) + all.count))
            #expect(feed.outputSoFar.contains("begins again"))
        }

        /// Of an RMC whose checksum is right, seconds since 1970; nil of every other line.
        private static func time(_ line: Substring) -> Int? {
            let parts = line.dropFirst().split(separator: "*")
            guard parts.count == 2, Int(parts[1], radix: 16) == Int(parts[0].utf8.reduce(0, ^)),
                parts[0].hasPrefix("GPRMC,")
            else { return nil }
            let fields = parts[0].split(separator: ",", omittingEmptySubsequences: false)
            func two(_ text: Substring, _ place: Int) -> Int32 {
                Int32(text.dropFirst(2 * place).prefix(2)) ?? -1
            }
            var date = tm()
            (date.tm_hour, date.tm_min) = (two(fields[1], 0), two(fields[1], 1))
            (date.tm_sec, date.tm_mday) = (two(fields[1], 2), two(fields[9], 0))
            (date.tm_mon, date.tm_year) = (two(fields[9], 1) - 1, two(fields[9], 2) + 100)
            return timegm(&date)
        }
    }
}
