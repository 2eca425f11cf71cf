import Geodesy
import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

/// The gpsd of this machine itself, fed over TCP by the test or by gpsfake.
@MainActor
@Suite("gpsd itself", .serialized)
struct RealGpsdTests {
    let loop: EventLoop
    let listener = Listener()

    init() throws { loop = try EventLoop() }

    /// What the source calls the gpsd that is installed: `gpsd 3.22` of `gpsd: 3.22 (revision 3.22)`.
    private func installed() throws -> String {
        let ending = try #require(Subprocess(["gpsd", "-V"]).wait())
        let words = ending.output.split(separator: " ")
        try #require(words.count > 1 && words[0] == "gpsd:", "\(ending)")
        return "gpsd \(words[1])"
    }

    private func source(_ port: UInt16, device: String? = nil) -> GpsdSource {
        var timing = GpsdSource.Timing()
        timing.firstRetry = .milliseconds(50)
        timing.longestRetry = .milliseconds(200)
        return GpsdSource(
            loop, .network(GpsdAddress(port: port, device: device)), listener.handlers,
            timing: timing)
    }

    @Test(
        "a recorded receiver through gpsfake: the positions that gpsd's golden output has",
        .needs(.terminals))
    func gpsfake() throws {
        let folder = TemporaryDirectory()
        let log = folder.write(
            String(decoding: try data("gpsd/haicom-305N.log.gz"), as: UTF8.self), to: "drive.log")
        let golden = try TrackReader(path: dataPath("gpsd/haicom-305N.tpv.gz"))
        var expected: Set<Coordinate> = []
        while let report = try golden.next() {
            if let position = report.coordinate { expected.insert(position) }
        }
        let port = try freePort(loop)
        let gpsfake = Subprocess(["gpsfake", "-q", "-c", "0.02", "-P", String(port), log])
        let gpsd = source(port)
        gpsd.start()
        #expect(
            try loop.run(seconds: 60) { listener.reports.count(where: \.hasFix) > 90 },
            "\(listener.states) \(gpsfake.errorsSoFar)")
        gpsd.stop()
        let heard = Set(listener.reports.filter(\.hasFix).compactMap(\.coordinate))
        #expect(heard.subtracting(expected).isEmpty)
        #expect(heard.count > 20)
        #expect(listener.reports.filter(\.hasFix).contains { ($0.error ?? 0) > 10 })
        #expect(listener.states.contains(.connected(try installed())))
        gpsfake.signal(SIGTERM)
        #expect(try loop.run(untilEndOf: gpsfake) != nil)
    }

    @Test("gpsd killed and restarted: the source reconnects by itself")
    func killed() throws {
        let receiver = try TestServer(loop)
        let port = try freePort(loop)
        let feed = "tcp://127.0.0.1:\(receiver.port)"
        func start() -> Subprocess { Subprocess(["gpsd", "-N", "-n", "-S", String(port), feed]) }
        var second = 0
        // A receiver at some 100 Hz, for as long as the condition is awaited.
        func drive(until condition: @MainActor () -> Bool) throws -> Bool {
            try loop.run(seconds: 30) {
                if condition() { return true }
                second += 1
                let time = String(100_000 + second / 60 % 60 * 100 + second % 60)
                receiver.send(rmc(time, date: "201126") + gga(time))
                usleep(10_000)
                return false
            }
        }
        var daemon = start()
        let gpsd = source(port)
        gpsd.start()
        #expect(try drive { listener.reports.contains(where: \.hasFix) }, "\(daemon.errorsSoFar)")
        daemon.signal(SIGKILL)
        #expect(try loop.run { listener.waitsBecause != nil })
        let before = listener.reports.count
        daemon = start()
        #expect(try drive { listener.reports.dropFirst(before).contains(where: \.hasFix) })
        #expect(listener.states.last == .connected(try installed()))
        gpsd.stop()
        daemon.signal(SIGKILL)
    }
}
