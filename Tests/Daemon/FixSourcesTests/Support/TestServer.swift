import Glibc
import Systemd

/// A server on loopback, or on a UNIX socket, that lives on the loop of the test and does what the test says.
@MainActor
final class TestServer {
    let port: UInt16
    /// Connections that have come so far.
    private(set) var accepted = 0
    /// What the clients have sent so far.
    private(set) var received = ""
    /// Sent to each client as soon as it connects.
    var greeting = ""
    private let loop: EventLoop
    private let listener: Int32
    private var accepting: IOSource?
    private var clients: [Int32: IOSource] = [:]
    /// Connections that have not ended.
    var clientCount: Int { clients.count }

    /// Listens on a port of its own, or on the one given.
    init(_ loop: EventLoop, port wanted: UInt16 = 0) throws {
        self.loop = loop
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(bind(listener, $0, length) == 0)
                getsockname(listener, $0, &length)
            }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        listen(listener, 5)
        accepting = try IOSource(loop, descriptor: listener, events: .readable) {
            [unowned self] _ in accept()
        }
    }

    /// Listens on a UNIX socket; there is no port then.
    init(_ loop: EventLoop, path: String) throws {
        self.loop = loop
        port = 0
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0)
            }
        }
        listen(listener, 5)
        accepting = try IOSource(loop, descriptor: listener, events: .readable) {
            [unowned self] _ in accept()
        }
    }

    isolated deinit {
        accepting = nil
        close(listener)
        drop()
    }

    private func accept() {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        accepted += 1
        clients[client] = try? IOSource(loop, descriptor: client, events: .readable) {
            [unowned self] _ in
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(client, &buffer, buffer.count)
            if count > 0 {
                received += String(decoding: buffer[..<count], as: UTF8.self)
            } else {
                clients[client] = nil
                close(client)
            }
        }
        if !greeting.isEmpty { send(greeting) }
    }

    /// Sends to all clients that are connected.
    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        for client in clients.keys {
            Glibc.send(
                client, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    /// Closes all connections; with a reset, as a crash does.
    func drop(reset: Bool = false) {
        for (client, source) in clients {
            source.isEnabled = false
            if reset {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    client, SOL_SOCKET, SO_LINGER, &linger,
                    socklen_t(MemoryLayout.size(ofValue: linger)))
            }
            close(client)
        }
        clients = [:]
    }
}

/// A port of loopback on which nobody listens.
@MainActor
func freePort(_ loop: EventLoop) throws -> UInt16 { try TestServer(loop).port }
