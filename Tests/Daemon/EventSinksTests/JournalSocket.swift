import Glibc
import Systemd

/// journald's socket, bound by a test.
final class JournalSocket {
    private let descriptor: Int32

    init(_ path: String) throws {
        let type = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(type), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError(operation: "bind \(path)", errno: errno) }
    }

    deinit { close(descriptor) }

    /// The fields of the next entry, `NAME=value` each (none of ours has a new line in it); nil
    /// when there is none.
    func receive() -> [String]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
