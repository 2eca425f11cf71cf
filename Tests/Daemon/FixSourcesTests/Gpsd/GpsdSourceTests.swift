import Geodesy
import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

@MainActor
@Suite("gpsd, as a server of the test plays it", .serialized)
struct GpsdSourceTests {
    let loop: EventLoop
    let server: TestServer
    let listener = Listener()

    init() throws {
        loop = try EventLoop()
        server = try TestServer(loop)
        server.greeting =
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
            + "\r\n"
    }

    private func source(_ device: String? = nil, port: UInt16? = nil) -> GpsdSource {
        var timing = GpsdSource.Timing()
        timing.connect = .milliseconds(100)
        timing.silence = .milliseconds(80)
        timing.firstRetry = .milliseconds(10)
        timing.longestRetry = .milliseconds(40)
        let address = GpsdAddress(host: "127.0.0.1", port: port ?? server.port, device: device)
        return GpsdSource(loop, .network(address), listener.handlers, timing: timing)
    }

    private func tpv(_ second: Int) -> String {
        let time = "2024-03-02T12:00:\(second < 10 ? "0" : "")\(second).000Z"
        return #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(time)","#
            + #""lat":49.5,"lon":12.25,"eph":9.5,"speed":2.5}"# + "\r\n"
    }

    @Test("connects, requests only what it needs, and names the server")
    func connects() throws {
        let gpsd = source("/dev/ttyUSB0")
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(listener.states.count == 2, "connecting, then connected: \(listener.states)")
        #expect(try loop.run { server.received.hasSuffix("\n") })
        #expect(
            server.received
                == "?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/ttyUSB0\"}\n")
        gpsd.stop()
    }

    @Test("a UNIX socket works the same, and a missing one is retried")
    func unixSocket() throws {
        let folder = TemporaryDirectory()
        var timing = GpsdSource.Timing()
        timing.firstRetry = .milliseconds(10)
        timing.longestRetry = .milliseconds(40)
        let gpsd = GpsdSource(loop, .socket(folder.file("gpsd")), listener.handlers, timing: timing)
        gpsd.start()
        #expect(try loop.run { listener.waited(because: "No such file or directory") })
        let server = try TestServer(loop, path: folder.file("gpsd"))
        #expect(try loop.run { server.received.hasSuffix("\n") })
        #expect(server.received == "?WATCH={\"enable\":true,\"json\":true}\n")
        server.send(self.server.greeting + tpv(1))
        #expect(try loop.run { listener.reports.count == 1 })
        #expect(listener.states.last == .connected("gpsd 3.22"))
        server.drop()
        #expect(try loop.run { listener.waitsBecause == "gpsd has closed the connection" })
        gpsd.stop()
    }

    @Test("a burst is passed on in order, with one arrival and one wake-up")
    func burst() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(try loop.run { !server.received.isEmpty })
        let before = loop.iteration
        server.send((0..<20).map(tpv).joined())
        #expect(try loop.run { listener.reports.count == 20 })
        #expect(loop.iteration - before <= 2)
        #expect(
            listener.reports.map(\.time)
                == (0..<20).map { utc("2024-03-02T12:00:00Z") + .seconds(Double($0)) })
        #expect(Set(listener.arrivals).count == 1)
        gpsd.stop()
    }

    @Test("a line in many pieces is one report")
    func dribble() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        for byte in tpv(1).utf8 {
            server.send([byte])
            try loop.runOnce(timeout: .milliseconds(1))
        }
        #expect(try loop.run { listener.reports.count == 1 })
        gpsd.stop()
    }

    @Test("garbage, binary, an endless line and broken objects do not hide a fix")
    func garbage() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        var random = Splitmix(state: 7)
        for round in 0..<30 {
            server.send((0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) })
            server.send([UInt8](repeating: UInt8(ascii: "x"), count: 40_000))
            server.send(
                "\n{\"class\":\"TPV\",\"mode\":3,\"lat\":49\n{\"class\":\"TPV\"\n[[[[[{{{{\n")
            server.send(
                "{\"class\":\"DEVICE\",\"path\":7}\n{\"class\":\"VERSION\",\"release\":[]}\n{}\n\0\n"
            )
            server.send(tpv(round))
            #expect(try loop.run { listener.reports.count == round + 1 })
        }
        #expect(gpsd.unreadable == 60)
        #expect(listener.unreadable == 60)
        #expect(listener.reports.allSatisfy { $0.hasFix && $0.error == 9.5 })
        gpsd.stop()
    }

    @Test("a mutated TPV never crashes and never gives NaN or infinity", arguments: 0..<10)
    func mutated(_ seed: Int) {
        var random = Splitmix(state: UInt64(seed) &+ 99)
        let decoder = GpsdDecoder()
        for _ in 0..<3000 {
            var line = Array(tpv(1).dropLast(2).utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                if Bool.random(using: &random) {
                    line[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    line.insert(contentsOf: line[place...].prefix(40), at: place)
                }
            }
            guard case .report(let report, _) = decoder.word(line.span) else { continue }
            #expect(report.coordinate?.latitude.isFinite ?? true)
            #expect(report.error.map { $0 > 0 } ?? true)
        }
    }

    @Test(
        "a line that makes libgps loop for ever is not passed to it",
        arguments: [
            #"{"class":"TPV","class":"TPV","class":"VERSION"}"#,
            #"{"class":"TPV","mode":2}x{"class":"SKY","mode":3}"#, #"{1"class":"TPV"}"#,
        ])
    func endless(_ text: String) {
        let line = Array(text.utf8)
        #expect([.unreadable, .other].contains(GpsdDecoder().word(line.span)))
    }

    @Test("end, reset and refusal lead to a retry, each time later up to the limit")
    func reconnects() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        // Closing with unread data would be a reset.
        #expect(try loop.run { !server.received.isEmpty })
        server.drop()
        #expect(try loop.run { server.accepted == 2 })
        #expect(try loop.run { server.received.count(where: { $0 == "\n" }) == 2 })
        #expect(listener.waited(because: "gpsd has closed the connection"))
        server.drop(reset: true)
        #expect(try loop.run { server.accepted == 3 })
        #expect(listener.waited(because: "Connection reset by peer"))
        gpsd.stop()

        let alone = Listener()
        var timing = GpsdSource.Timing()
        timing.firstRetry = .milliseconds(10)
        timing.longestRetry = .milliseconds(40)
        let refused = GpsdSource(
            loop, .network(GpsdAddress(port: try freePort(loop))), alone.handlers, timing: timing)
        refused.start()
        #expect(try loop.run { alone.states.count >= 12 })
        refused.stop()
        let attempts = alone.states.compactMap { state -> Uptime? in
            if case .waiting("Connection refused", let until) = state { until } else { nil }
        }
        let steps = zip(attempts.dropFirst(), attempts).map { ($0 - $1).nanoseconds / 1_000_000 }
        #expect(steps.prefix(3).elementsEqual([20, 40, 40]) { $0 >= $1 }, "\(steps)")
    }

    @Test("a server that never answers a connect is given up after a while")
    func hangs() throws {
        // A full backlog: the kernel drops further connections.
        let deaf = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(deaf) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var fillers: [Int32] = []
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(deaf, $0, length)
                getsockname(deaf, $0, &length)
                listen(deaf, 0)
                for _ in 0..<4 {
                    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
                    fillers.append(socket(AF_INET, type, 0))
                    connect(fillers[fillers.count - 1], $0, length)
                }
            }
        }
        defer { fillers.forEach { close($0) } }
        let gpsd = source(port: UInt16(bigEndian: address.sin_port))
        gpsd.start()
        #expect(try loop.run { listener.waitsBecause == "no answer" })
        gpsd.stop()
    }

    @Test("a silent server is kept and reported as silent, until it sends again")
    func silent() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { listener.states.last == .silent })
        server.send(tpv(1))
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(listener.reports.count == 1)
        #expect(try loop.run { listener.states.last == .silent })
        #expect(server.accepted == 1)
        gpsd.stop()
    }

    @Test("a receiver that is removed and comes back is reported")
    func device() throws {
        let gpsd = source()
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        server.send(#"{"class":"DEVICE","path":"/dev/x","activated":0}"# + "\r\n")
        #expect(try loop.run { listener.states.last == .deviceLost("/dev/x") })
        server.send(
            #"{"class":"DEVICE","path":"/dev/x","activated":"2024-03-02T12:00:00.000Z"}"# + "\r\n")
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        server.send(#"{"class":"ERROR","message":"No such device"}"# + "\r\n")
        #expect(try loop.run { listener.waitsBecause == "gpsd says: No such device" })
        gpsd.stop()
    }

    @Test("stopped from within its own handler it is silent at once")
    func stops() throws {
        let gpsd = source()
        listener.onReport = { gpsd.stop() }
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        server.send(tpv(1) + tpv(2))
        #expect(try loop.run { listener.bursts == 1 })
        let states = listener.states.count
        #expect(
            try !loop.run(seconds: 0.15) {
                listener.bursts > 1 || listener.states.count > states
            })
    }
}
