import FixSources
import Glibc
import Model
import Systemd
import Time

/// Bytes as the behaviour of a server in place of gpsd: its data, in which chunks, and when it ends
/// the connection. The real source reads it over a real socket, on a real loop; of each connection
/// it must have received every position up to the first refusal, and nothing else.
enum GpsdSessionFuzz {
    /// More shows no new behaviour, only takes longer.
    private static let longest = 512

    static func flaw(_ bytes: [UInt8]) -> String? {
        MainActor.assumeIsolated {
            do {
                return try GpsdSession().flaw(bytes.prefix(longest))
            } catch {
                return "\(error)"
            }
        }
    }
}

@MainActor
private final class GpsdSession {
    private static let server = Result { try SessionServer() }

    private let loop: EventLoop
    private let server: SessionServer
    private var heard: [PositionReport] = []
    private var expected: [PositionReport] = []
    /// The data sent on this connection.
    private var said: [UInt8] = []

    init() throws {
        loop = try EventLoop()
        server = try Self.server.get()
    }

    func flaw(_ bytes: ArraySlice<UInt8>) throws -> String? {
        var timing = GpsdSource.Timing()
        timing.firstRetry = TimeSpan(nanoseconds: 1000)
        timing.longestRetry = timing.firstRetry
        timing.accuracy = timing.firstRetry
        // What is expected has the errors as they were stated.
        var settings = ReceiverSettings()
        settings.errorScale = [:]
        let source = GpsdSource(
            loop, .socket(server.path),
            FixSourceHandlers(
                reports: { [unowned self] in heard += $0.map { Self.asSaid($0.report) } },
                state: { _ in }),
            settings, timing: timing)
        source.start()
        defer {
            source.stop()
            server.forget()
        }
        guard try reconnect() else { return "it does not come" }
        var reader = ByteReader(bytes)
        var connections = 1
        while !reader.isAtEnd {
            let act = reader.below(16)
            guard act == 7 || act == 10 else {
                try say(text(act, &reader))
                if act % 2 == 0 { try run() }
                continue
            }
            if act == 7 { try run() }
            try hangUp()
            guard heard == expected else { return difference }
            guard connections < 6 else { break }
            connections += 1
            guard try reconnect() else { return "it does not come again" }
        }
        try hangUp()
        return heard == expected ? nil : difference
    }

    /// Without the time of its arrival.
    private static func asSaid(_ report: PositionReport) -> PositionReport {
        var said = report
        if said.isTimedByArrival { said.time = nil }
        said.isTimedByArrival = false
        return said
    }

    private var difference: String { "heard \(heard), said \(expected)" }

    private func text(_ act: Int, _ reader: inout ByteReader) -> [UInt8] {
        let number = reader.below(256)
        switch act {
        case 0: return (0..<number).map { _ in UInt8(reader.below(256)) }
        case 1:
            return Array("{\"class\":\"ERROR\",\"message\":\"".utf8)
                + [UInt8](repeating: UInt8(ascii: "x"), count: number * 97) + Array("\"}\n".utf8)
        case 2: return Array("{\"class\":\"VERSION\",\"release\":\"\(number)\"}\r\n".utf8)
        case 3:
            return Array(
                "{\"class\":\"DEVICE\",\"path\":\"/dev/a\",\"activated\":\(number % 2)}\n".utf8)
        case 4, 12: return tpv(number)
        case 5, 13: return [UInt8](repeating: UInt8(ascii: "y"), count: number * 257)
        case 9: return Array(tpv(number).prefix(number))
        case 11: return tpv(number).filter { $0 != 10 } + Array(" {\"x\":1}\n".utf8)
        case 14:
            return Array(" 12:00 { \"class\" : \"TPV\" , \"mode\":3,\"lat\":1e\(number)}\n".utf8)
        default: return [10]
        }
    }

    private func tpv(_ number: Int) -> [UInt8] {
        Array("{\"class\":\"TPV\",\"mode\":3,\"lat\":\(number).5,\"lon\":\(said.count)}\r\n".utf8)
    }

    private func say(_ bytes: [UInt8]) throws {
        said += bytes
        var rest = bytes[...]
        // Full, or closed: it accepts more after reading, or there is no peer.
        while !rest.isEmpty, let count = server.send(rest) {
            rest = rest.dropFirst(count)
            if !rest.isEmpty { try run() }
        }
    }

    /// Runs the loop until nothing is immediately ready.
    private func run() throws {
        for _ in 0..<64 where try !loop.runOnce(timeout: .zero) { return }
    }

    /// Ends the connection, and returns what must have been received on it.
    private func hangUp() throws {
        server.hangUp()
        expected += Self.positions(in: said)
        said = []
        for _ in 0..<1000 where heard.count < expected.count {
            try loop.runOnce(timeout: .microseconds(100))
        }
        try run()
    }

    private func reconnect() throws -> Bool {
        for _ in 0..<20_000 {
            if server.accept() { return true }
            try loop.runOnce(timeout: .microseconds(100))
        }
        return false
    }

    /// By the simplest means: the lines of all data, up to the first refusal. No session lasts so
    /// long that another receiver takes over.
    private static func positions(in stream: [UInt8]) -> [PositionReport] {
        var reports: [PositionReport] = []
        let decoder = GpsdDecoder()
        var source: String?
        var rest = stream[...]
        while let newline = rest.firstIndex(of: 10) {
            var line = Array(rest[..<newline])
            rest = rest[(newline + 1)...]
            guard line.count < GpsdLines.longest else { continue }
            if line.last == 13 { line.removeLast() }
            guard !line.isEmpty else { continue }
            switch decoder.word(line.span) {
            case .report(let report, let device):
                guard device == nil || source == nil || device == source else { continue }
                if report.hasFix, report.coordinate != nil { source = source ?? device }
                reports.append(report)
            case .error: return reports
            case .deviceGone(let path):
                if source == path { source = nil }
            case .devices(let all):
                if let known = source, all[known] == nil { source = nil }
            case .unreadable, .version, .deviceHere, .other: break
            }
        }
        return reports
    }
}

private func socketPath() -> String { "/tmp/gpsd-session-\(getpid())" }

/// On any thread that ends the process.
private func removeSocket() { unlink(socketPath()) }

/// The other side, one connection at a time.
@MainActor
private final class SessionServer {
    let path: String
    private let listener: Int32
    private var client: Int32 = -1

    init() throws {
        path = socketPath()
        unlink(path)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 4) == 0 else {
            throw SystemError(operation: "listening at \(path)", errno: errno)
        }
        // Not needed once there is a connection; nothing is left behind.
        atexit(removeSocket)
    }

    /// Accepts a connection and reads its request for positions: closing with unread data would be
    /// a reset, which discards sent data.
    func accept() -> Bool {
        if client < 0 {
            client = Glibc.accept(listener, nil, nil)
        }
        guard client >= 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 512)
        return recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0
    }

    /// The number of bytes accepted; nil without a peer.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes {
            Glibc.send(
                client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            )
        }
        return count >= 0 ? count : errno == EAGAIN ? 0 : nil
    }

    func hangUp() {
        if client >= 0 { close(client) }
        client = -1
    }

    /// Closes connections that were made meanwhile.
    func forget() {
        hangUp()
        while case let next = Glibc.accept(listener, nil, nil), next >= 0 { close(next) }
    }
}
