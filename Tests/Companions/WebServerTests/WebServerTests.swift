import SystemTestKit
import Systemd
import Testing
import Time
import WebServer

/// The server with raw requests, on a loop of its own.
@MainActor
@Suite struct WebServerTests {
    private let loop: EventLoop
    private let listener: TestListener

    init() throws {
        loop = try EventLoop()
        listener = try TestListener("\(UInt64.random(in: 0 ... .max))")
    }

    private func serve(
        _ limits: WebLimits = WebLimits(), _ handler: @escaping WebServer.Handler
    ) throws -> WebServer {
        try WebServer(
            loop, listener: listener.descriptor, limits: limits, headers: ["Host", "X-Seen"],
            arguments: ["within"], handler: handler)
    }

    /// What the server says to these bytes until it closes.
    private func ask(_ text: String) throws -> TestClient {
        let client = try listener.connect()
        client.send(text)
        try loop.run {
            client.read()
            return client.isClosed
        }
        return client
    }

    private static func get(_ path: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
    }

    @Test("a response of 3 MB comes whole, with its headers, and the connection ends")
    func large() throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let server = try serve { _, answer in
            answer.respond(WebResponse(headers: [("Content-Type", "text/plain")], body: body))
        }
        defer { server.stop() }
        let client = try ask(Self.get("/"))
        #expect(client.status == "200")
        #expect(client.received.hasSuffix("xxxx"))
        #expect(client.received.utf8.count > body.count)
        #expect(client.received.contains("Content-Type: text/plain\r\n"))
    }

    @Test("path, arguments and headers come decoded, and one that is there twice is named")
    func request() throws {
        var seen: WebRequest?
        let server = try serve { request, answer in
            seen = request
            answer.respond(WebResponse())
        }
        defer { server.stop() }
        _ = try ask(Self.get("/v1/fences/a%20b?within=1%2C2&other=3", "X-Seen: 1\r\nX-Seen: 2\r\n"))
        #expect(seen?.path == "/v1/fences/a b")
        #expect(seen?.arguments == ["within": "1,2"])
        #expect(seen?.headers["Host"] == "localhost")
        #expect(seen?.repeated == ["X-Seen"])
    }

    @Test(
        "what is no GET and no HEAD is refused before the program is asked",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    func methods(_ method: String) throws {
        var asked = 0
        let server = try serve { _, answer in
            asked += 1
            answer.respond(WebResponse())
        }
        defer { server.stop() }
        let client = try ask(
            "\(method) / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody")
        #expect(client.status == "405")
        #expect(asked == 0)
    }

    @Test("HEAD has the headers of GET, and no body")
    func head() throws {
        let server = try serve { _, answer in answer.respond(WebResponse(body: Array("abc".utf8))) }
        defer { server.stop() }
        let client = try ask("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.received.contains("Content-Length: 3\r\n"))
        #expect(client.received.hasSuffix("\r\n\r\n"))
    }

    @Test("an answer may come later, and others are answered in between")
    func later() throws {
        var waiting: [WebAnswer] = []
        let server = try serve { request, answer in
            if request.path == "/late" { waiting.append(answer) } else { answer.respond(.init()) }
        }
        defer { server.stop() }
        let late = try listener.connect()
        late.send(Self.get("/late"))
        try loop.run { !waiting.isEmpty }
        #expect(try ask(Self.get("/now")).status == "200")
        late.read()
        #expect(late.received.isEmpty)
        waiting.first?.respond(WebResponse(status: 404))
        try loop.run {
            late.read()
            return late.isClosed
        }
        #expect(late.status == "404")
    }

    @Test("a stream sends what it is given, when it is given, and tells when its client leaves")
    func stream() throws {
        var stream: WebStream?
        var hasEnded = false
        let server = try serve { _, answer in
            stream = answer.stream(headers: [("Content-Type", "text/event-stream")])
            stream?.onEnd = { hasEnded = true }
        }
        defer { server.stop() }
        var client: TestClient? = try listener.connect()
        client?.send(Self.get("/"))
        try loop.run { stream != nil }
        for text in ["data: one\n\n", "data: two\n\n"] {
            stream?.send(Array(text.utf8))
            try loop.run {
                client?.read()
                return client?.received.contains(text) == true
            }
            #expect(client?.received.contains(text) == true)
        }
        client = nil
        // A write is what finds it out, the first or the one after it.
        try loop.run {
            stream?.send(Array(":\n\n".utf8))
            return hasEnded
        }
        #expect(hasEnded)
        #expect(stream?.isClosed == true)
    }

    @Test("a client that does not read is closed when too much waits for it")
    func slow() throws {
        var limits = WebLimits()
        limits.unsent = 10_000
        var stream: WebStream?
        let server = try serve(limits) { _, answer in stream = answer.stream(headers: []) }
        defer { server.stop() }
        let client = try listener.connect()
        client.send(Self.get("/"))
        try loop.run { stream != nil }
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 5000)
        // More than a socket and the server keep together.
        for _ in 0..<5000 where stream?.isClosed == false {
            stream?.send(piece)
            try loop.runOnce(timeout: .milliseconds(0))
        }
        #expect(stream?.isClosed == true)
        #expect(stream?.backlog == 0)
    }

    @Test("it stops while a stream is open and an answer is awaited")
    func stopping() throws {
        var answers: [WebAnswer] = []
        var stream: WebStream?
        let server = try serve { request, answer in
            if request.path == "/live" {
                stream = answer.stream(headers: [])
            } else {
                answers.append(answer)
            }
        }
        let (one, other) = (try listener.connect(), try listener.connect())
        one.send(Self.get("/live"))
        other.send(Self.get("/late"))
        try loop.run { stream != nil && !answers.isEmpty && server.connectionCount == 2 }
        // So that the stream is suspended.
        for _ in 0..<20 { try loop.runOnce(timeout: .milliseconds(1)) }
        server.stop()
        try loop.run {
            one.read()
            other.read()
            return one.isClosed && other.isClosed
        }
        #expect(one.isClosed && other.isClosed)
        answers.first?.respond(WebResponse())
        stream?.send([1])
        #expect(stream?.isClosed == true)
    }

    @Test("a header that does not end in time gives its place back")
    func unfinished() throws {
        var limits = WebLimits()
        limits.headerSeconds = 0.1
        let server = try serve(limits) { _, answer in answer.respond(WebResponse()) }
        defer { server.stop() }
        let client = try ask("GET / HTTP/1.1\r\nHost: local")
        #expect(client.received.isEmpty)
        try loop.run { server.connectionCount == 0 }
        #expect(server.connectionCount == 0)
    }

    @Test(
        "bytes that are no request are refused, and the next request is answered",
        arguments: [
            "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
            "\r\n\r\n\r\nGET / \r\n\r\n",
            "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 20_000) + "\r\n",
            "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\n\r\n",
        ])
    func garbage(_ text: String) throws {
        let server = try serve { _, answer in answer.respond(WebResponse()) }
        defer { server.stop() }
        let client = try listener.connect()
        client.send(text)
        try loop.run(seconds: 1) {
            client.read()
            return client.isClosed
        }
        #expect(client.status != "200" || text.hasPrefix("\r\n"))
        #expect(try ask(Self.get("/")).status == "200")
    }
}
