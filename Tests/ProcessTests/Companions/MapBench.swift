import Glibc
import JSON
import SystemTestKit
import Systemd
import Testing

/// The real geofenced-map on a UNIX socket, beside a daemon that the test drives.
@MainActor
final class MapBench {
    let daemon: ServedDaemon
    private let directory = TemporaryDirectory()
    private(set) var map: Subprocess?

    init() throws { daemon = try ServedDaemon() }

    private var path: String { directory.file("http") }

    /// Starts the map, and waits until it listens.
    func startMap(_ arguments: String...) throws {
        map = nil
        unlink(path)
        let started = Subprocess(
            [
                builtProgram("geofenced-map"), "--socket", path, "--bus", daemon.bus.address,
                "--config", directory.file("map.conf"),
            ] + arguments, environment: ["NOTIFY_SOCKET": nil])
        map = started
        try #require(waitUntil { (try? client()) != nil }, "\(started.errorsSoFar)")
    }

    func stopMap() { map = nil }

    func client() throws -> MapClient { try MapClient(path) }

    /// Status and body of a request, whose answer ends the connection.
    func get(_ target: String, _ headers: String...) throws -> (status: String, body: String) {
        let client = try client()
        client.ask(target, headers)
        try #require(
            try daemon.loop.run {
                client.read()
                return client.isClosed
            })
        return (client.status, client.body)
    }

    func json(_ target: String) throws -> JSONValue {
        let (status, body) = try get(target)
        #expect(status == "200", "\(target): \(body)")
        return try JSONValue(parsing: body)
    }
}

/// A raw client. HTTP/1.0: what comes is not cut into chunks.
final class MapClient {
    private let descriptor: Int32
    private var received = ""
    private(set) var isClosed = false

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeBytes(of: &address) {
            connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
        }
        guard result == 0 else { throw SystemError(operation: "connecting", errno: errno) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func ask(_ target: String, _ headers: [String] = []) {
        let lines = ["GET \(target) HTTP/1.0", "Host: localhost"] + headers
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isClosed {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                received += String(decoding: buffer.prefix(count), as: UTF8.self)
            } else if count == 0 || errno != EAGAIN {
                isClosed = true
            } else {
                return
            }
        }
    }

    var status: String { String(received.split(separator: " ").dropFirst().first ?? "") }

    var body: String {
        guard let end = received.firstRange(of: "\r\n\r\n") else { return "" }
        return String(received[end.upperBound...])
    }

    /// The events of a stream that have come so far: name, id, data.
    var events: [(name: String, id: String?, data: String)] {
        body.split(separator: "\n\n").compactMap { block in
            var fields: [Substring: String] = [:]
            for line in block.split(separator: "\n") where !line.hasPrefix(":") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                if parts.count == 2 { fields[parts[0]] = String(parts[1]) }
            }
            return fields["data"].map { (fields["event"] ?? "message", fields["id"], $0) }
        }
    }

    /// The numbers of the events of the log.
    var numbers: [Int] {
        events.filter { $0.name == "event" }.compactMap { $0.id.flatMap { Int($0) } }
    }
}
