import FixSources
import Glibc
import JSON
import Model
import SystemTestKit
import Systemd
import Testing
import Time

/// A receiver on TCP, for a real gpsd in front of the daemon. The test decides when it sends.
final class Receiver {
    let port: UInt16
    private let listener: Int32
    private var connection: Int32 = -1

    init() throws {
        (listener, port) = try listening()
    }

    deinit {
        close(connection)
        close(listener)
    }

    /// Whether gpsd has connected, and been heard of by ``send(_:)``.
    var isConnected: Bool { connection >= 0 }

    /// Sends, once gpsd has connected, at a hundred epochs a second or less.
    func send(_ epochs: some Collection<String>) throws {
        for epoch in epochs {
            if connection < 0 { try accept() }
            var text = epoch
            let sent = text.withUTF8 {
                Glibc.send(
                    connection, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
            if sent < 0 { hangUp() }
            usleep(10_000)
        }
    }

    /// Forgets the connection: the next gpsd makes another.
    func hangUp() {
        close(connection)
        connection = -1
    }

    private func accept() throws {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(poll(&ready, 1, 10_000) == 1, "gpsd does not come")
        connection = Glibc.accept(listener, nil, nil)
        try #require(connection >= 0)
    }
}

/// The gpsd of this machine itself, and a second client that records its output.
@MainActor
final class Gpsd {
    let port: UInt16
    private let receiver: UInt16
    private(set) var process: Subprocess?
    private var recorder: Subprocess?

    init(receiver: Receiver) throws {
        let (descriptor, port) = try listening()
        close(descriptor)
        self.port = port
        self.receiver = receiver.port
    }

    var uri: String { "gpsd://127.0.0.1:\(port)" }

    /// Starts it and waits until it listens.
    func start() throws {
        let process = Subprocess([
            "gpsd", "-N", "-n", "-S", String(port), "tcp://127.0.0.1:\(receiver)",
        ])
        self.process = process
        let port = port
        try #require(waitUntil { process.hasEnded || isListening(port) }, "\(process.errorsSoFar)")
        try #require(!process.hasEnded, "\(process.errorsSoFar)")
    }

    func kill() {
        process?.signal(SIGKILL)
        _ = process?.wait()
        process = nil
    }

    /// From now on its output is recorded.
    func record() throws {
        let recorder = Subprocess(["stdbuf", "-oL", "gpspipe", "-w", "127.0.0.1:\(port)"])
        self.recorder = recorder
        try #require(waitUntil { recorder.outputSoFar.contains("\"WATCH\"") })
    }

    /// A recording as `geofencectl replay` reads it.
    var recording: String { recorder?.outputSoFar ?? "" }

    /// Each object it sent; to Swift CR LF is one character.
    private var lines: [Substring] { recording.split(whereSeparator: \.isNewline) }

    /// How many objects it has sent.
    var reports: Int { lines.count }

    /// How many fixes it has sent.
    var fixes: Int { lines.count { $0.contains("\"lat\":") } }

    /// Receiver time of the last fix it sent, µs; 0 before the first.
    var lastFix: Int64 {
        guard let line = lines.last(where: { $0.contains("\"lat\":") }),
            let text = (try? JSONValue(parsing: String(line)))?["time"]?.string
        else { return 0 }
        return (UTCTime(iso8601: text)?.nanoseconds ?? 0) / 1000
    }
}

/// A socket on a free port of loopback.
func listening() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                && getsockname(descriptor, $0, &length) == 0
        }
    }
    try #require(isBound, "errno \(errno)")
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// Whether somebody does.
func isListening(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
