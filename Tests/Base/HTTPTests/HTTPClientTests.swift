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
