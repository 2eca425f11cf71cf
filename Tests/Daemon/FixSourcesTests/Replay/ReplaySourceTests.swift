import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

@MainActor
@Suite("replay as a source", .serialized)
struct ReplaySourceTests {
    let loop: EventLoop
    let listener = Listener()

    init() throws { loop = try EventLoop() }

    @Test("at full speed: all reports in order, then the end")
    func flatOut() throws {
        let path = dataPath("gpsd/haicom-305N.log.gz")
        let replay = ReplaySource(loop, path: path, rate: 0, listener.handlers)
        replay.start()
        #expect(try loop.run { listener.states == [.connected(path), .ended(nil)] })
        let reader = try TrackReader(path: path)
        for report in listener.reports { #expect(try reader.next() == report) }
        #expect(try reader.next() == nil)
    }

    @Test("at a rate: the length of the recording divided by it; a gap of days is skipped")
    func paced() throws {
        let folder = TemporaryDirectory()
        let text =
            (0..<20).map { rmc("1200\($0 < 10 ? "0" : "")\($0)") }.joined()
            + rmc("120000", date: "050324") + rmc("120001", date: "050324")
        let path = folder.write(text, to: "drive.nmea")
        let replay = ReplaySource(loop, path: path, rate: 100, listener.handlers)
        let start = EventLoop.uptime
        replay.start()
        #expect(try loop.run { listener.states.last == .ended(nil) })
        #expect(listener.reports.count == 22)
        // It may be late, but never early.
        for (second, arrival) in listener.arrivals.prefix(20).enumerated() {
            #expect(arrival - start >= .milliseconds(10 * Int64(second)))
        }
        // 19 s, a gap, and 1 s.
        let length = try #require(listener.arrivals.last) - start
        #expect(length >= .milliseconds(195))
        #expect(length < .seconds(5))
    }

    @Test("a file that cannot be replayed ends with the reason")
    func missing() throws {
        let replay = ReplaySource(loop, path: "/nonexistent", rate: 1, listener.handlers)
        replay.start()
        #expect(listener.states == [.ended("No such file or directory: /nonexistent")])
    }
}
