import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

/// Data that gpsd sends while the listening process is away.
@MainActor
@Suite("gpsd, while nobody listens", .serialized)
struct GpsdAbsenceTests {
    let loop: EventLoop
    let server: TestServer
    let folder = TemporaryDirectory()
    let manager: Int32

    init() throws {
        loop = try EventLoop()
        server = try TestServer(loop)
        server.greeting = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
        // In the role of the service manager, which stores the descriptors passed to it.
        manager = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.file("notify")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(manager, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    private func store(_ left: [(name: String, descriptor: Int32)] = []) throws -> DescriptorStore {
        DescriptorStore(try ServiceManager(path: folder.file("notify")), left: left)
    }

    private func source(
        _ listener: Listener, _ store: DescriptorStore, device: String? = nil
    ) -> GpsdSource {
        var timing = GpsdSource.Timing()
        timing.firstRetry = .seconds(60)
        let address = GpsdAddress(host: "127.0.0.1", port: server.port, device: device)
        return GpsdSource(
            loop, .network(address), listener.handlers, timing: timing, store: store)
    }

    private func tpv(_ second: Int) -> String {
        let time = "2024-03-02T12:00:\(second < 10 ? "0" : "")\(second).000Z"
        return #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(time)","#
            + #""lat":49.5,"lon":12.25,"eph":9.5,"speed":2.5}"# + "\r\n"
    }

    /// Connects, and ends like a killed process: the stored descriptor, by its name.
    private func killedWhileConnected() throws -> (name: String, descriptor: Int32) {
        let listener = Listener()
        let gpsd = source(listener, try store())
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(try loop.run { server.received.hasSuffix("}\n") })
        server.send(tpv(1))
        #expect(try loop.run { listener.reports.count == 1 })
        #expect(listener.waited.isEmpty)
        gpsd.handOver()
        // Stored again under a name that says which receiver is the source.
        let first = try #require(kept())
        close(first.descriptor)
        #expect(kept() == nil, "FDSTOREREMOVE")
        let left = try #require(kept())
        #expect(left.name == first.name + "-/dev/x")
        return left
    }

    /// The last descriptor passed to the manager, which is a separate one.
    private func kept() -> (name: String, descriptor: Int32)? {
        var text = [UInt8](repeating: 0, count: 512)
        var control = [UInt8](repeating: 0, count: 256)
        var count = 0
        text.withUnsafeMutableBytes { text in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: text.baseAddress, iov_len: text.count)
                withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    count = recvmsg(manager, &message, Int32(MSG_DONTWAIT))
                }
            }
        }
        guard count > 0 else { return nil }
        let lines = String(decoding: text.prefix(count), as: UTF8.self).split(separator: "\n")
        guard lines.first == "FDSTORE=1", let name = lines.last?.split(separator: "=").last else {
            return nil
        }
        // struct cmsghdr is 16 bytes here.
        let descriptor = control.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: 16, as: Int32.self)
        }
        return (String(name), descriptor)
    }

    @Test(
        "data sent between two processes is read by the second, as waiting since the first"
    )
    func killed() throws {
        let left = try killedWhileConnected()
        // The end of a line whose beginning the first had read, and 40 s of reports.
        server.send(#""lat":1.5,"lon":2.5}"# + "\r\n" + (2..<42).map(tpv).joined())
        let listener = Listener()
        let before = server.accepted
        let gpsd = source(listener, try store([left]))
        gpsd.start()
        #expect(listener.reports.count == 40, "at once: no timer decides before")
        #expect(
            listener.waited.map(\.lowerBound)
                == [Uptime](repeating: Uptime(nanoseconds: 0), count: 40),
            "since when is for who has judged the last")
        #expect(try loop.run { server.received.hasSuffix("?VERSION;?DEVICES;\n") })
        server.send(server.greeting + tpv(42))
        #expect(try loop.run { listener.reports.count == 41 })
        #expect(listener.waited.count == 40, "the next has not waited")
        #expect(listener.states.last == .connected("gpsd 3.22"))
        #expect(server.accepted == before, "the same connection")
        gpsd.stop()
        #expect(try loop.run { server.clientCount == 0 })
    }

    @Test("a connection that gpsd has closed meanwhile is replaced at once")
    func closed() throws {
        let left = try killedWhileConnected()
        server.send(tpv(2))
        server.drop()
        let listener = Listener()
        let gpsd = source(listener, try store([left]))
        gpsd.start()
        #expect(listener.reports.count == 1)
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(server.accepted == 2)
        gpsd.stop()
    }

    @Test("a connection to another gpsd, or for another receiver, is not reused")
    func another() throws {
        let left = try killedWhileConnected()
        server.send(tpv(2))
        let listener = Listener()
        let store = try store([left])
        let gpsd = source(listener, store, device: "/dev/y")
        gpsd.start()
        store.dropRest()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(listener.reports.isEmpty && server.accepted == 2)
        #expect(try loop.run { server.clientCount == 1 })
        gpsd.stop()
    }

    @Test("our own pause is reported: waiting data has its interval, later data its own time")
    func paused() throws {
        let listener = Listener()
        let gpsd = source(listener, try store())
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(try loop.run { server.received.hasSuffix("}\n") })
        let since = EventLoop.uptime
        server.send((1..<4).map(tpv).joined())
        gpsd.catchUp(since: since)
        #expect(listener.reports.count == 3)
        #expect(listener.waited.map(\.lowerBound) == [since, since, since])
        server.send(tpv(4))
        #expect(try loop.run { listener.reports.count == 4 })
        #expect(listener.arrivals[3] > since && listener.waited.count == 3)
        gpsd.catchUp(since: since)
        #expect(listener.reports.count == 4)
        gpsd.stop()
    }
}
