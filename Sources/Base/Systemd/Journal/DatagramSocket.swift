import CSystemd
import Glibc

// Unsafe: connect(2) and sendmsg(2) take structs and arrays of ours, which outlive the call.

/// A Unix datagram socket that sends to one path and never blocks. It is not connected, so that the
/// receiver may be restarted.
@MainActor
final class DatagramSocket {
    private let descriptor: Int32
    private let address: sockaddr_un
    private let addressLength: socklen_t

    /// A path beginning with "@" is in the abstract namespace, as in unix(7) and sd_notify(3).
    init(path: String) throws(SystemError) {
        let bytes = Array(path.utf8)
        var address = sockaddr_un()
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
            !bytes.contains(0)
        else { throw SystemError(operation: "addressing the socket \"\(path)\"", errno: EINVAL) }
        address.sun_family = sa_family_t(AF_UNIX)
        let abstract = bytes[0] == UInt8(ascii: "@")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { space in
            unsafe space.copyBytes(from: bytes)
            if abstract { unsafe space[0] = 0 }
        }
        self.address = address
        // An abstract name has no NUL at its end; its length is that of the address.
        let header = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        addressLength = socklen_t(header + bytes.count + (abstract ? 0 : 1))
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0 else { throw .last("making a socket for \(path)") }
    }

    deinit { close(descriptor) }

    /// Sends one datagram; 0 or the errno, EAGAIN when the receiver's queue is full.
    nonisolated func send(_ bytes: [UInt8], descriptors: [Int32] = []) -> Int32 {
        let result = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe geofenced_send(
                    descriptor, address, addressLength, bytes, bytes.count, descriptors,
                    descriptors.count)
            }
        }
        return result < 0 ? errno : 0
    }
}
