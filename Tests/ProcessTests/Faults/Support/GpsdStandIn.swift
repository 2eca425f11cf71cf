import Glibc
import SystemTestKit
import Testing

/// A server in place of gpsd that sends the output of a real one: for faults of bytes and
/// connections, which a real one does not produce. The test decides when it sends.
final class GpsdStandIn {
    let port: UInt16
    private var listener: Int32
    private var connection: Int32 = -1

    init() throws { (listener, port) = try listening() }

    deinit {
        hangUp()
        close(listener)
    }

    var uri: String { "gpsd://127.0.0.1:\(port)" }

    /// Waits until the daemon has connected and requested reports, and greets it as gpsd does.
    func accept(greets: Bool = true) throws {
        connection = try comer()
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(connection, SOL_SOCKET, option, &patience, length)
        }
        var on: Int32 = 1
        setsockopt(
            connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var asked: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while !asked.contains(UInt8(ascii: "\n")) {
            let count = recv(connection, &buffer, buffer.count, 0)
            try #require(count > 0, "no ?WATCH")
            asked += buffer.prefix(count)
        }
        try #require(String(decoding: asked, as: UTF8.self).hasPrefix("?WATCH={\"enable\":true"))
        guard greets else { return }
        say(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#)
    }

    /// A connection on which nothing has been sent yet.
    func comer() throws -> Int32 {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ready, 1, 60_000) == 1, "the daemon does not come")
        let descriptor = Glibc.accept(listener, nil, nil)
        try #require(descriptor >= 0)
        return descriptor
    }

    /// A whole line.
    func say(_ line: String) { send(Array(line.utf8) + [0x0D, 0x0A]) }

    /// Lines, one after the other; `before` may send something else before each.
    func say(_ lines: some Sequence<String>, before: (Int) throws -> Void) rethrows {
        for (number, line) in lines.enumerated() {
            try before(number)
            say(line)
        }
    }

    func say(_ lines: some Sequence<String>) { for line in lines { say(line) } }

    /// Bytes as they are, in pieces of that size.
    func send(_ bytes: [UInt8], inPiecesOf size: Int = .max) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            let sent = piece.withUnsafeBytes {
                Glibc.send(
                    connection, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    func hangUp() {
        if connection >= 0 { close(connection) }
        connection = -1
    }
}
