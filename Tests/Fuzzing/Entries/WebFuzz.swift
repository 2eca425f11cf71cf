import Glibc
import LiveMap
import SystemTestKit
import Systemd
import Time
import WebServer

/// Bytes of a client of the live map, over a real socket: without the token nothing of the vehicle
/// is asked for, and the next client is answered.
enum WebFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        MainActor.assumeIsolated {
            // Also a file of settings.
            let settings = MapSettings.parse(bytes, file: "map.conf").settings
            if case .server(let address) = settings.tiles, settings.tiles.origin == nil {
                return "tiles of nobody: \(address)"
            }
            do { return try WebSession.shared.get().flaw(bytes) } catch { return "\(error)" }
        }
    }
}

@MainActor
private final class WebSession {
    static let shared = Result { try WebSession() }

    private static let plain = Array("GET /app.css HTTP/1.1\r\nHost: localhost:1\r\n\r\n".utf8)
    private let loop: EventLoop
    private let server: WebServer
    private let path = "/tmp/geofenced-fuzz-\(getpid())"

    init() throws {
        loop = try EventLoop()
        unlink(path)
        let listener = try ListenSocket.file(path)
        // No bus: what would ask the daemon is answered with 502.
        let feed = try MapFeed(loop, to: .address("unix:path=/nonexistent/bus"))
        let rules = AccessRules(
            .loopback(port: 1, token: "5f1d9c0e7b3a48269d10c4e2fa8b7365"))
        let map = try LiveMap(feed, rules, MapSettings())
        server = try WebServer(
            loop, listener: listener.descriptor, headers: LiveMap.headers,
            arguments: LiveMap.arguments
        ) { request, answer in map.answer(request, answer) }
    }

    func flaw(_ bytes: [UInt8]) throws -> String? {
        let said = try talk(bytes, turns: 16) { _ in false }
        for status in ["502", "503"] where said.hasPrefix("HTTP/1.1 \(status)") {
            return "the daemon is asked for one without the token"
        }
        let answer = try talk(Self.plain, turns: 2000) { $0.hasPrefix("HTTP/1.1 200") }
        return answer.hasPrefix("HTTP/1.1 200") ? nil : "the next is not answered"
    }

    /// What the server says to these bytes, within so many turns of the loop.
    private func talk(
        _ bytes: [UInt8], turns: Int, until isEnough: (String) -> Bool
    ) throws -> String {
        let client = try RawClient(path)
        client.send(bytes)
        for _ in 0..<turns {
            try loop.runOnce(timeout: .milliseconds(isEnough(client.received) ? 0 : 1))
            client.read()
            if client.isClosed || isEnough(client.received) { break }
        }
        return client.received
    }
}
