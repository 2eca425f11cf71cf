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
    private func ask(_ text: String) throws -> RawClient {
        let client = try listener.connect()
        client.send(text.utf8)
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
        late.send(Self.get("/late").utf8)
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
        var client: RawClient? = try listener.connect()
        client?.send(Self.get("/").utf8)
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

    @Test("to a client that does not read nothing is sent, and more when it has read that")
    func slow() throws {
        var limits = WebLimits()
        limits.unsent = 10_000
        var stream: WebStream?
        let server = try serve(limits) { _, answer in stream = answer.stream(headers: []) }
        defer { server.stop() }
        let client = try listener.connect()
        client.send(Self.get("/").utf8)
        try loop.run { stream != nil }
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 5000)
        var sent = 0
        // More than a socket and the server keep together.
        while stream?.send(piece) == true, sent < 5000 {
            sent += 1
            for _ in 0..<3 { try loop.runOnce(timeout: .milliseconds(0)) }
        }
        #expect(sent < 5000)
        #expect(stream?.isClosed == false)
        #expect((1...10_000).contains(stream?.backlog ?? 0))
        var hasDrained = false
        stream?.onDrained = { hasDrained = true }
        try loop.run {
            client.read()
            return hasDrained
        }
        // One message is sent, however long it is.
        #expect(stream?.send(Array(repeating: UInt8(ascii: "y"), count: 20_000)) == true)
        #expect(stream?.send(piece) == false)
        try loop.run {
            client.read()
            return client.received.utf8.count(where: { $0 == UInt8(ascii: "y") }) == 20_000
        }
        let count = client.received.utf8.count { $0 == UInt8(ascii: "x") }
        #expect(count == sent * 5000 && !client.isClosed)
    }

    @Test("a client that takes nothing of a stream for the idle time gives its place back")
    func stuck() throws {
        var limits = WebLimits()
        limits.idleSeconds = 1
        var stream: WebStream?
        let server = try serve(limits) { _, answer in stream = answer.stream(headers: []) }
        defer { server.stop() }
        let client = try listener.connect()
        client.send(Self.get("/").utf8)
        try loop.run { stream != nil }
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 5000)
        try loop.run {
            stream?.send(piece)
            return stream?.isClosed == true
        }
        #expect(stream?.isClosed == true && server.connectionCount == 0)
        withExtendedLifetime(client) {}
    }

    /// Clients that want a place and give it back late.
    enum Lingering: String, CaseIterable {
        case silent, partHeader, chunked, chunkedGET, announced, expecting, slowTaker, manyHeaders

        var text: String {
            switch self {
            case .silent: ""
            case .partHeader: "GET / HTTP/1.1\r\nHost: "
            case .chunked: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
            case .chunkedGET: "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            case .announced: "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999\r\n\r\n"
            case .expecting:
                "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
            case .slowTaker: "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
            case .manyHeaders: "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 300)
            }
        }
    }

    @Test("clients without a token never keep out one that has it", arguments: Lingering.allCases)
    func flood(_ kind: Lingering) throws {
        // More than a socket keeps.
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        var stream: WebStream?
        let server = try serve { request, answer in
            guard request.path == "/live" else {
                return answer.respond(WebResponse(body: request.path == "/" ? body : []))
            }
            answer.trust()
            stream = answer.stream(headers: [])
        }
        defer { server.stop() }
        let viewer = try listener.connect()
        viewer.send(Self.get("/live").utf8)
        try loop.run { stream != nil }
        var others: [RawClient] = []
        for _ in 0..<100 {
            let other = try listener.connect()
            other.send(kind.text.utf8)
            others.append(other)
            for _ in 0..<3 { try loop.runOnce(timeout: .milliseconds(0)) }
        }
        #expect(try ask(Self.get("/small")).status == "200")
        #expect(server.connectionCount <= 40)
        stream?.send(Array("still".utf8))
        try loop.run {
            viewer.read()
            return viewer.received.contains("still")
        }
        #expect(viewer.received.contains("still") && !viewer.isClosed)
    }

    @Test(
        "a request that announces a body is refused at its header, and its place is free",
        arguments: [Lingering.chunkedGET, .announced, .expecting])
    func bodies(_ kind: Lingering) throws {
        let server = try serve { _, answer in answer.respond(WebResponse()) }
        defer { server.stop() }
        let client = try ask(kind.text)
        #expect(client.status == "400")
        try loop.run { server.connectionCount == 0 }
        #expect(server.connectionCount == 0)
    }

    @Test("an answer that is not taken in time gives its place back, and a trusted one has longer")
    func untaken() throws {
        var limits = WebLimits()
        limits.answerSeconds = 0.1
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let server = try serve(limits) { request, answer in
            if request.path == "/trusted" { answer.trust() }
            answer.respond(WebResponse(body: body))
        }
        defer { server.stop() }
        let (trusted, other) = (try listener.connect(), try listener.connect())
        trusted.send(Self.get("/trusted").utf8)
        other.send(Self.get("/other").utf8)
        try loop.run { server.connectionCount == 2 }
        try loop.run { server.connectionCount == 1 }
        #expect(server.connectionCount == 1)
        try loop.run {
            trusted.read()
            return trusted.isClosed
        }
        #expect(trusted.received.utf8.count > body.count)
        withExtendedLifetime(other) {}
    }

    @Test(
        "a client that hangs up before it is answered is noticed at once, and gives its place back")
    func hangUp() throws {
        var waiting: [WebAnswer] = []
        var left = 0
        let server = try serve { _, answer in
            answer.trust()
            answer.onLeave = { left += 1 }
            waiting.append(answer)
        }
        defer { server.stop() }
        var clients = try (0..<20).map { _ in try listener.connect() }
        for client in clients { client.send(Self.get("/").utf8) }
        try loop.run { waiting.count == 20 }
        clients.removeLast(19)
        #expect(try loop.run { left == 19 && server.connectionCount == 1 })
        for answer in waiting { answer.respond(WebResponse(body: Array("late".utf8))) }
        try loop.run {
            clients[0].read()
            return clients[0].isClosed
        }
        #expect(clients[0].status == "200" && left == 19)
    }

    @Test("a stream whose client hangs up ends at once")
    func streamHangUp() throws {
        var hasEnded = false
        var stream: WebStream?
        let server = try serve { _, answer in
            stream = answer.stream(headers: [])
            stream?.onEnd = { hasEnded = true }
        }
        defer { server.stop() }
        var client: RawClient? = try listener.connect()
        client?.send(Self.get("/").utf8)
        try loop.run { stream != nil }
        for _ in 0..<20 { try loop.runOnce(timeout: .milliseconds(1)) }
        client = nil
        #expect(try loop.run { hasEnded && server.connectionCount == 0 })
    }

    @Test(
        "whoever has most of the places makes room for another, and for nobody has he room himself")
    func shares() throws {
        var refused: [String] = []
        var served: [String: [WebAnswer]] = [:]
        let server = try serve { request, answer in
            guard answer.trust(as: request.path) else {
                refused.append(request.path)
                return answer.respond(WebResponse(refusing: 503, "busy"))
            }
            served[request.path, default: []].append(answer)
        }
        defer { server.stop() }
        var clients: [RawClient] = []
        func ask(_ path: String, _ count: Int) throws {
            for _ in 0..<count {
                let client = try listener.connect()
                client.send(Self.get(path).utf8)
                clients.append(client)
                for _ in 0..<5 { try loop.runOnce(timeout: .milliseconds(1)) }
            }
        }
        // Of 32 places 28 are for those who are trusted.
        try ask("/greedy", 40)
        try loop.run { served["/greedy"]?.count == 28 && refused.count == 12 }
        #expect(served["/greedy"]?.count == 28 && refused == Array(repeating: "/greedy", count: 12))
        try ask("/other", 20)
        try loop.run { (served["/other"]?.count ?? 0) + refused.count == 32 }
        // Each has as many as the other.
        #expect(served["/other"]?.count == 14 && refused.count == 18)
        #expect(
            clients.prefix(14).allSatisfy { client in
                client.read()
                return client.isClosed
            })
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
        one.send(Self.get("/live").utf8)
        other.send(Self.get("/late").utf8)
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
        client.send(text.utf8)
        try loop.run(seconds: 1) {
            client.read()
            return client.isClosed
        }
        #expect(client.status != "200" || text.hasPrefix("\r\n"))
        #expect(try ask(Self.get("/")).status == "200")
    }
}
