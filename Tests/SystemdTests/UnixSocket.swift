import Glibc
import Systemd

/// A Unix socket bound by a test.
final class UnixSocket {
    private(set) var descriptor: Int32

    /// A stream socket that listens and never accepts.
    init(listeningAt path: String) throws {
        descriptor = try Self.bound(Int32(SOCK_STREAM.rawValue), path)
        guard listen(descriptor, 8) == 0 else {
            throw SystemError(operation: "listen", errno: errno)
        }
    }

    /// A datagram socket, as journald's and the service manager's.
    init(receivingAt path: String) throws {
        descriptor = try Self.bound(Int32(SOCK_DGRAM.rawValue), path)
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    private static func bound(_ type: Int32, _ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, type | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { space in
            for (index, byte) in path.utf8.enumerated() { space[index] = byte }
        }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError(operation: "bind \(path)", errno: errno) }
        return descriptor
    }
}
