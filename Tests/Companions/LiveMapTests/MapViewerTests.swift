import BusClient
import Glibc
import SystemTestKit
import Systemd
import Testing
import Time
import WebServer

@testable import LiveMap

/// A viewer at a real socket.
@MainActor
@Suite struct MapViewerTests {
    private let loop: EventLoop
    private let server: WebServer
    private let client: RawClient
    private let stream: WebStream

    init() throws {
        let loop = try EventLoop()
        let address = "\0geofenced-\(getpid())-viewer-\(UInt64.random(in: 0 ... .max))"
        let listener = try UnixAddress(address).listening()
        var made: WebStream?
        let server = try WebServer(loop, listener: listener, headers: [], arguments: []) {
            _, answer in made = answer.stream(headers: [])
        }
        let client = try RawClient(address)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        try loop.run { made != nil }
        stream = try #require(made)
        (self.loop, self.server, self.client) = (loop, server, client)
    }

    /// The log, of events that are longer than they are.
    private static let filling = String(repeating: "x", count: 3000)
    private static let log = (1...400).map {
        ToldEvent(
            seq: $0, json: Array("{\"seq\":\($0),\"x\":\"\(filling)\"}".utf8))
    }

    @Test("a viewer that is behind gets no more until it reads, and then all of it, once")
    func behind() throws {
        defer { server.stop() }
        let viewer = MapViewer(stream, after: 0)
        stream.onDrained = { viewer.drained() }
        viewer.greet(last: 400)
        func pass() {
            while viewer.takes(8 << 10), let cursor = viewer.cursor, cursor < 400 {
                let page = Self.log.filter { $0.seq > cursor }.prefix(50)
                viewer.pass(Array(page), after: cursor, upTo: page.last?.seq ?? cursor, false)
            }
        }
        // It reads nothing, and what the socket takes is not all of it.
        for _ in 0..<2000 {
            pass()
            try loop.runOnce(timeout: .milliseconds(0))
        }
        let behind = try #require(viewer.cursor)
        #expect(behind < 400 && !viewer.takes(8 << 10))
        // Of what changes in the meantime it gets the last.
        for number in 1...1000 { viewer.send("state", Array("{\"n\":\(number)}".utf8)) }
        try loop.run(seconds: 20) {
            client.read()
            pass()
            return viewer.cursor == 400 && stream.backlog == 0
        }
        for _ in 0..<20 {
            try loop.runOnce(timeout: .milliseconds(1))
            client.read()
        }
        let ids = client.received.split(separator: "\n").filter { $0.hasPrefix("id: ") }
            .compactMap { Int($0.dropFirst(4)) }
        #expect(ids == Array(1...400))
        #expect(client.received.contains("{\"n\":1000}"))
        #expect(client.received.split(separator: "\n").count { $0 == "event: state" } < 1000)
        #expect(!stream.isClosed && !client.isClosed)
    }
}
