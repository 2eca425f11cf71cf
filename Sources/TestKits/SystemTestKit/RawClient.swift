import Glibc
package import Systemd

/// A raw client of a UNIX socket: sends given bytes, and keeps the bytes that arrive.
package final class RawClient {
    private let descriptor: Int32
    /// The bytes that have arrived so far.
    package private(set) var received = ""
    /// The other side has closed the connection, or it has failed.
    package private(set) var isClosed = false

    /// Connects to the socket of that address, as of ``UnixAddress``.
    package init(_ address: String) throws(SystemError) {
        descriptor = try UnixAddress(address).connected()
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Sends bytes; those that do not fit into the buffer of the socket are lost.
    package func send(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads the available bytes.
    package func read() {
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

    /// The status of an HTTP response, such as `200`; empty before its first line.
    package var status: String {
        String(
            received.prefix(while: { $0 != "\r\n" }).split(separator: " ").dropFirst().first ?? "")
    }
}

/// The address of a UNIX stream socket: unix(7).
package struct UnixAddress {
    private let address: sockaddr_un
    private let length: socklen_t

    /// A path, or with a leading NUL an abstract name; at most 107 bytes.
    package init(_ name: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        // An abstract name consists of all counted bytes; a path may be followed by NULs.
        length = socklen_t(bytes.first == 0 ? 2 + bytes.count : MemoryLayout<sockaddr_un>.size)
    }

    /// A socket that listens there, for the caller to close.
    package func listening() throws(SystemError) -> Int32 {
        let descriptor = try made("listening", bind)
        guard listen(descriptor, 64) == 0 else {
            let error = errno
            close(descriptor)
            throw SystemError(operation: "listening", errno: error)
        }
        return descriptor
    }

    /// A socket that is connected to the one that listens there, for the caller to close.
    package func connected() throws(SystemError) -> Int32 { try made("connecting", connect) }

    private func made(
        _ operation: String, _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = withUnsafeBytes(of: address) {
            call(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
        guard result == 0 else {
            let error = errno
            close(descriptor)
            throw SystemError(operation: operation, errno: error)
        }
        return descriptor
    }
}
