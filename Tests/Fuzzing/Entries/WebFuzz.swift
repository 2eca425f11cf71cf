import Glibc
import LiveMap
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
        let feed = try MapFeed(
            loop, to: .address("unix:path=/nonexistent/bus"), busName: "no bus")
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
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeBytes(of: &address) {
            connect(client, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
        }
        guard result == 0 else { throw SystemError(operation: "connecting", errno: errno) }
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var said = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<turns {
            try loop.runOnce(timeout: .milliseconds(isEnough(said) ? 0 : 1))
            let count = read(client, &buffer, buffer.count)
            if count > 0 { said += String(decoding: buffer.prefix(count), as: UTF8.self) }
            if count == 0 || isEnough(said) { break }
        }
        return said
    }
}
