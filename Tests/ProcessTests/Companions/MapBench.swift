import Glibc
import JSON
import SystemTestKit
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

    func client() throws -> RawClient { try RawClient(path) }

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

/// HTTP/1.0: the answer is not chunked.
extension RawClient {
    func ask(_ target: String, _ headers: [String] = []) {
        let lines = ["GET \(target) HTTP/1.0", "Host: localhost"] + headers
        send((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

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
