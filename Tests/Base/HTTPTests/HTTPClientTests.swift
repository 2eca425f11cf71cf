import HTTP
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite struct HTTPClientTests {
    /// Python's own server over a directory with one file.
    private func serve(_ directory: TemporaryDirectory) throws -> (Subprocess, String) {
        directory.write(String(repeating: "fence ", count: 50_000), to: "set")
        let server = Subprocess(
            ["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"],
            directory: directory.path)
        var port = ""
        waitUntil(seconds: 20) {
            // "Serving HTTP on 127.0.0.1 port 40513 (http://127.0.0.1:40513/) ..."
            let words = server.outputSoFar.split(separator: " ")
            guard let place = words.firstIndex(of: "port"), place + 1 < words.count else {
                return false
            }
            port = String(words[place + 1])
            return true
        }
        try #require(!port.isEmpty, "\(server.errorsSoFar)")
        return (server, "http://127.0.0.1:\(port)")
    }

    private func get(
        _ address: String, limits: HTTPLimits = HTTPLimits(), most: Int = .max
    ) throws -> (Result<HTTPResponse, HTTPError>?, Int) {
        let loop = try EventLoop()
        let client = try HTTPClient(loop)
        var request = HTTPRequest(try WebAddress(address))
        request.limits = limits
        var size = 0
        var result: Result<HTTPResponse, HTTPError>?
        try client.begin(request) { chunk in
            size += chunk.count
            return size <= most
        } done: {
            result = $0
        }
        try loop.run(seconds: 20) { result != nil }
        return (result, size)
    }

    @Test("A file comes whole, and its head with it")
    func file() throws {
        let directory = TemporaryDirectory()
        let (server, address) = try serve(directory)
        defer { withExtendedLifetime((server, directory)) {} }
        let (result, size) = try get("\(address)/set")
        let head = try #require(result).get()
        #expect(head.status == 200)
        #expect(head.field("content-length") == "300000")
        #expect(size == 300_000)
        #expect(try #require(try get("\(address)/none").0).get().status == 404)
    }

    @Test("An address of a proxy that libcurl does not understand is not repeated")
    func proxy() throws {
        for proxy in ["http://box:rose@a b:1", "box:rose^@a b", "gopher://box:rose@a:1"] {
            let loop = try EventLoop()
            let client = try HTTPClient(loop)
            var request = HTTPRequest(try WebAddress("http://192.0.2.1/"))
            request.identity.proxy = proxy
            var reason: String?
            try client.begin(request) { _ in
                true
            } done: {
                if case .failure(let error) = $0 { reason = error.reason }
            }
            try loop.run(seconds: 20) { reason != nil }
            let text = try #require(reason)
            #expect(!text.contains("rose"), "\(text)")
        }
    }

    @Test("What proves who we are is not repeated with what a server says")
    func echo() {
        var identity = HTTPIdentity()
        #expect(identity.hidden(in: "no rose") == "no rose")
        identity.bearer = "rose"
        #expect(identity.hidden(in: "no rose\u{301}, rose") == "no …\u{301}, …")
        identity.basic = ("box", "tulip")
        #expect(identity.hidden(in: "rose tulip Ym94OnR1bGlw") == "… … …")
    }

    @Test("A receiver that has had enough ends the answer")
    func enough() throws {
        let directory = TemporaryDirectory()
        let (server, address) = try serve(directory)
        defer { withExtendedLifetime((server, directory)) {} }
        guard case .failure(let error)? = try get("\(address)/set", most: 1000).0 else {
            Issue.record("taken")
            return
        }
        #expect(error.kind == .refusedBody)
    }

    /// Answers once, with these fields; says its port.
    private static let encoder = """
        import gzip, socket, sys
        head, times = sys.argv[1].encode(), int(sys.argv[2])
        body = b"fence " * 50000
        for _ in range(times):
            body = gzip.compress(body)
        if b"chunked" in head:
            body = b"%x\\r\\n%s\\r\\n0\\r\\n\\r\\n" % (len(body), body)
        server = socket.create_server(("127.0.0.1", 0))
        print(server.getsockname()[1], flush=True)
        client, _ = server.accept()
        client.recv(65536)
        client.sendall(b"HTTP/1.1 200 OK\\r\\n" + head + b"\\r\\nConnection: close\\r\\n\\r\\n" + body)
        """

    @Test(
        "What is compressed more than once, or on its way, is not unpacked",
        arguments: [
            ("Content-Encoding: gzip", 1, true), ("Transfer-Encoding: chunked", 0, true),
            ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", 1, true),
            ("Transfer-Encoding: gzip, chunked", 1, false), ("Transfer-Encoding: gzip", 1, false),
            ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 1, false),
            ("Content-Encoding: gzip\r\nContent-Encoding: gzip", 2, false),
            ("Content-Encoding: gzip, gzip", 2, false),
        ])
    func encoded(_ fields: String, _ times: Int, _ isTaken: Bool) throws {
        let server = Subprocess(["python3", "-u", "-c", Self.encoder, fields, "\(times)"])
        defer { withExtendedLifetime(server) {} }
        try #require(waitUntil(seconds: 20) { server.outputSoFar.hasSuffix("\n") })
        let port = server.outputSoFar.dropLast()
        switch try #require(try get("http://127.0.0.1:\(port)/").0) {
        case .success: #expect(isTaken)
        case .failure(let error): #expect(!isTaken && error.kind == .refusedBody, "\(error)")
        }
    }

    @Test("Where nobody listens there is an error, and no encryption where none is spoken")
    func nobody() throws {
        guard case .failure(let error)? = try get("http://127.0.0.1:1/").0 else {
            Issue.record("answered")
            return
        }
        #expect(error.kind == .unreachable)
        let directory = TemporaryDirectory()
        let (server, address) = try serve(directory)
        defer { withExtendedLifetime((server, directory)) {} }
        guard case .failure(let other)? = try get("https\(address.dropFirst(4))/set").0 else {
            Issue.record("answered")
            return
        }
        #expect(other.kind == .tls)
    }
}
