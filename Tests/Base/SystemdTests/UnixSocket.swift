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
            if path.hasPrefix("@") { space[0] = 0 }
        }
        // An abstract name is all the bytes that are counted; a path may be followed by NULs.
        let length =
            path.hasPrefix("@") ? 2 + path.utf8.count : MemoryLayout<sockaddr_un>.size
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(length))
            }
        }
        guard result == 0 else { throw SystemError(operation: "bind \(path)", errno: errno) }
        return descriptor
    }

    /// The next datagram and the descriptors that came with it, nil when there is none.
    func receive() -> (bytes: [UInt8], descriptors: [Int32])? {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var control = [UInt8](repeating: 0, count: 256)
        return buffer.withUnsafeMutableBytes { space in
            control.withUnsafeMutableBytes { controlSpace in
                var part = iovec(iov_base: space.baseAddress, iov_len: space.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = controlSpace.baseAddress
                    message.msg_controllen = controlSpace.count
                    let count = recvmsg(
                        descriptor, &message, Int32(truncatingIfNeeded: MSG_DONTWAIT))
                    guard count >= 0 else { return nil }
                    var descriptors: [Int32] = []
                    // One cmsghdr: its length (8 bytes), level and type (4 each), then the data.
                    if message.msg_controllen >= 20 {
                        let length = controlSpace.load(as: Int.self)
                        for offset in stride(from: 16, to: length, by: 4) {
                            descriptors.append(
                                controlSpace.load(fromByteOffset: offset, as: Int32.self))
                        }
                    }
                    return (Array(space.prefix(count)), descriptors)
                }
            }
        }
    }

    /// The next datagram as text.
    func receiveText() -> String? {
        receive().map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
