import Files
import Glibc

// Unsafe: addresses are structs of ours with their own lengths; getaddrinfo(3)'s list is copied and
// released once.

/// Sockets to a gpsd, which never block. `gps_open()` is not used: it connects synchronously, and a
/// gpsd that hangs would hang the daemon.
package enum GpsdSocket {
    /// An address to try, with its length.
    package struct Endpoint {
        fileprivate var storage: sockaddr_storage
        fileprivate var length: socklen_t
        fileprivate var family: Int32

        /// The address of the host, 4 or 16 bytes; empty for a UNIX socket.
        package var host: [UInt8] {
            // Behind family and port; in an IPv6 address, behind the flow label, too.
            let place: Range<Int>
            switch family {
            case AF_INET: place = 4..<8
            case AF_INET6: place = 8..<24
            default: return []
            }
            return unsafe withUnsafeBytes(of: storage) { unsafe Array($0[place]) }
        }
    }

    /// The addresses of a host. Numeric addresses and `localhost` are known at once; for any other
    /// name the system's resolver is asked, which may block for long.
    package static func endpoints(
        host: String, port: UInt16
    ) -> Result<[Endpoint], GpsdSocketError> {
        if host == "localhost" {
            // Both, without the resolver; gpsd may listen on either.
            return numeric("::1", port).flatMap { six in
                numeric("127.0.0.1", port).map { $0 + six }
            }
        }
        return numeric(host, port).flatMapError { _ in resolve(host, port, flags: 0) }
    }

    /// A UNIX socket; a path that is too long is truncated, and connecting fails.
    package static func endpoint(path: String) -> Endpoint {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            unsafe room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { room in
            unsafe withUnsafeBytes(of: address) { unsafe room.copyMemory(from: $0) }
        }
        return Endpoint(
            storage: storage, length: socklen_t(MemoryLayout<sockaddr_un>.size), family: AF_UNIX)
    }

    private static func numeric(
        _ host: String, _ port: UInt16
    ) -> Result<[Endpoint], GpsdSocketError> {
        resolve(host, port, flags: AI_NUMERICHOST)
    }

    private static func resolve(
        _ host: String, _ port: UInt16, flags: Int32
    ) -> Result<[Endpoint], GpsdSocketError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            return unsafe .failure(GpsdSocketError(reason: String(cString: gai_strerror(code))))
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [Endpoint] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = unsafe entry.ai_next
            var storage = sockaddr_storage()
            let length = unsafe Int(entry.ai_addrlen)
            guard let address = unsafe entry.ai_addr, length <= MemoryLayout.size(ofValue: storage)
            else {
                continue
            }
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
            }
            unsafe found.append(
                Endpoint(storage: storage, length: entry.ai_addrlen, family: entry.ai_family))
        }
        return .success(found)
    }

    /// Begins to connect; when the socket becomes writable, ``error(of:)`` returns the result.
    package static func connect(_ endpoint: Endpoint) -> Result<Int32, GpsdSocketError> {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(endpoint.family, type, 0)
        guard descriptor >= 0 else { return .failure(.last) }
        // The kernel detects a peer that has vanished within a minute, without us. (This has no
        // effect on a UNIX socket, where the kernel knows at once.)
        for (level, option, value) in [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30),
            (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
        ] {
            var value = Int32(value)
            unsafe setsockopt(
                descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        var endpoint = endpoint
        let status = unsafe withUnsafePointer(to: &endpoint.storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, endpoint.length)
            }
        }
        guard status == 0 || errno == EINPROGRESS || errno == EINTR else {
            let failure = GpsdSocketError.last
            close(descriptor)
            return .failure(failure)
        }
        return .success(descriptor)
    }

    /// The result of connecting; nil is connected.
    package static func error(of descriptor: Int32) -> GpsdSocketError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return .last
        }
        return code == 0 ? nil : GpsdSocketError(reason: Errno(code).description)
    }

    /// Bytes that can be read now.
    static func waiting(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        // FIONREAD, which Swift's Glibc module does not have.
        return unsafe ioctl(descriptor, 0x541B, &count) == 0 ? max(0, Int(count)) : 0
    }

    /// Whether the peer has closed and everything has been read.
    static func hasEnded(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Sends a complete command; a new socket has room for it.
    package static func send(_ command: String, to descriptor: Int32) -> GpsdSocketError? {
        let bytes = Array(command.utf8)
        let sent = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if sent == bytes.count { return nil }
        return sent < 0 ? .last : GpsdSocketError(reason: "gpsd takes no commands")
    }
}

/// Why there is no connection.
package struct GpsdSocketError: Error {
    /// In the words of the system.
    package let reason: String

    /// The error that the C library has just left in errno.
    static var last: GpsdSocketError {
        GpsdSocketError(reason: Errno.last.description)
    }
}
