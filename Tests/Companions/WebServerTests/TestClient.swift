import Glibc
import SystemTestKit
import Systemd

/// An abstract UNIX socket that listens, by its address.
struct TestListener {
    let descriptor: Int32
    private let address: sockaddr_un
    private let length: socklen_t

    init(_ name: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array("\0geofenced-\(getpid())-\(name)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        length = socklen_t(2 + bytes.count)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard call(bind, descriptor) == 0, listen(descriptor, 64) == 0 else {
            throw SystemError(operation: "listening", errno: errno)
        }
    }

    func connect() throws -> TestClient {
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard call(Glibc.connect, made) == 0 else {
            throw SystemError(operation: "connecting", errno: errno)
        }
        return TestClient(made)
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32
    ) -> Int32 {
        withUnsafeBytes(of: address) {
            function(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}

/// A raw client: sends what it is told, and keeps what comes.
final class TestClient {
    private let descriptor: Int32
    private(set) var received = ""
    private(set) var isClosed = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads what there is.
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

    var status: String {
        String(
            received.prefix(while: { $0 != "\r\n" }).split(separator: " ").dropFirst().first ?? "")
    }
}
