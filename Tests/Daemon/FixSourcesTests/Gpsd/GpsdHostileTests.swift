import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

@MainActor
@Suite("whoever sits behind gpsd's port", .serialized)
struct GpsdHostileTests {
    let loop: EventLoop
    let server: TestServer
    let listener = Listener()

    init() throws {
        loop = try EventLoop()
        server = try TestServer(loop)
    }

    private func source() -> GpsdSource {
        var timing = GpsdSource.Timing()
        timing.firstRetry = .milliseconds(1)
        timing.longestRetry = .milliseconds(2)
        let address = GpsdAddress(host: "127.0.0.1", port: server.port)
        return GpsdSource(loop, .network(address), listener.handlers, timing: timing)
    }

    private let tpv = #"{"class":"TPV","mode":3,"lat":49.5,"lon":12.25}"# + "\n"

    private func error(of size: Int) -> String {
        #"{"class":"ERROR","message":""# + String(repeating: "x", count: max(0, size - 30))
            + "\"}\n"
    }

    /// Sizes of the data before the connection ends, and of the data on the next one.
    nonisolated static let sizes = [60, 5000, GpsdLines.longest - 1, GpsdLines.longest, 20_000]
        .flatMap { before in
            [(before, 100), (before, GpsdLines.longest), (before, 20_100), (before, 70_000)]
        }

    @Test(
        "a refusal by gpsd ends the connection in the middle of its data; the next is clean",
        arguments: sizes)
    func refusal(_ before: Int, _ after: Int) throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { server.accepted == 1 && !server.received.isEmpty })
        // Two refusals and half a position, all in one chunk, and then the end.
        server.send(error(of: before) + error(of: 40) + tpv + String(tpv.dropLast(20)))
        server.drop()
        #expect(try loop.run { server.accepted >= 2 })
        #expect(listener.reports.isEmpty || before >= GpsdLines.longest)
        // No earlier data precedes the new data.
        let reports = listener.reports.count
        #expect(try loop.run { server.received.count(where: { $0 == "\n" }) >= server.accepted })
        server.send(String(repeating: "y", count: after) + "\n" + tpv)
        #expect(try loop.run { listener.reports.count == reports + 1 })
        gpsd.stop()
    }

    @Test("half a line at the end of each connection is never joined to the next")
    func halves() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { server.received.hasSuffix("\n") })
        for cut in 1..<tpv.utf8.count where cut % 5 == 0 {
            let asked = server.received.utf8.count
            server.send(String(tpv.prefix(cut)))
            server.drop()
            #expect(try loop.run { server.received.utf8.count > asked })
            server.send(String(tpv.dropFirst(cut)))
        }
        server.send("\n" + tpv)
        #expect(try loop.run { listener.reports.count == 1 })
        gpsd.stop()
    }

    @Test("stopped by its own reports in the middle of a flood, it reports nothing more")
    func stopped() throws {
        let gpsd = source()
        listener.onReport = { gpsd.stop() }
        gpsd.start()
        #expect(try loop.run { !server.received.isEmpty })
        server.send(String(repeating: tpv, count: 200))
        #expect(try loop.run { listener.bursts == 1 })
        #expect(try !loop.run(seconds: 0.05) { listener.bursts > 1 })
    }

    @Test("a peer that changes its name with every line has no effect")
    func names() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { !server.received.isEmpty })
        let before = loop.iteration
        for number in 0..<50 {
            server.send(
                (0..<20).map { "{\"class\":\"VERSION\",\"release\":\"\(number)-\($0)\"}\n" }
                    .joined())
        }
        server.send(tpv)
        #expect(try loop.run { listener.reports.count == 1 })
        #expect(listener.states.count == 2, "\(listener.states)")
        #expect(loop.iteration > before)
        gpsd.stop()
    }
}
