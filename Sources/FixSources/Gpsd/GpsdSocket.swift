import Glibc

/// Sockets towards a gpsd, none of which ever blocks. `gps_open()` is not used: it connects
/// synchronously, and a gpsd that hangs would hang the daemon.
enum GpsdSocket {
    /// An address to try, with its length.
    struct Endpoint {
        fileprivate var storage: sockaddr_storage
        fileprivate var length: socklen_t
        fileprivate var family: Int32
    }

    /// The addresses of a host. Numbers and `localhost` are answered at once; for any other name
    /// the system's resolver is asked, which may block for as long as it takes.
    static func endpoints(host: String, port: UInt16) -> Result<[Endpoint], GpsdSocketError> {
        if host == "localhost" {
            // Both, without asking the resolver; gpsd may listen on either.
            return numeric("::1", port).flatMap { six in
                numeric("127.0.0.1", port).map { $0 + six }
            }
        }
        return numeric(host, port).flatMapError { _ in resolve(host, port, flags: 0) }
    }

    /// A UNIX socket; a path that is too long is cut, and there will be nobody.
    static func endpoint(path: String) -> Endpoint {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { room in
            withUnsafeBytes(of: address) { room.copyMemory(from: $0) }
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
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            return .failure(GpsdSocketError(reason: String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var found: [Endpoint] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            var storage = sockaddr_storage()
            let length = Int(entry.ai_addrlen)
            guard let address = entry.ai_addr, length <= MemoryLayout.size(ofValue: storage) else {
                continue
            }
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
            }
            found.append(
                Endpoint(storage: storage, length: entry.ai_addrlen, family: entry.ai_family))
        }
        return .success(found)
    }

    /// Begins to connect; when the socket becomes writable, ``error(of:)`` tells how it went.
    static func connect(_ endpoint: Endpoint) -> Result<Int32, GpsdSocketError> {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(endpoint.family, type, 0)
        guard descriptor >= 0 else { return .failure(.last) }
        // A peer that is gone without a word: the kernel notices within a minute, without us. (To a
        // UNIX socket that is nothing, and there the kernel knows at once.)
        for (level, option, value) in [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30),
            (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
        ] {
            var value = Int32(value)
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        var endpoint = endpoint
        let status = withUnsafePointer(to: &endpoint.storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, endpoint.length)
            }
        }
        guard status == 0 || errno == EINPROGRESS || errno == EINTR else {
            let failure = GpsdSocketError.last
            close(descriptor)
            return .failure(failure)
        }
        return .success(descriptor)
    }

    /// What a connect has come to; nil is connected.
    static func error(of descriptor: Int32) -> GpsdSocketError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return .last
        }
        return code == 0 ? nil : GpsdSocketError(reason: String(cString: strerror(code)))
    }

    /// Sends a command whole; a fresh socket has room for it.
    static func send(_ command: String, to descriptor: Int32) -> GpsdSocketError? {
        let bytes = Array(command.utf8)
        let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if sent == bytes.count { return nil }
        return sent < 0 ? .last : GpsdSocketError(reason: "gpsd takes no commands")
    }
}

/// Why there is no connection.
struct GpsdSocketError: Error {
    let reason: String

    /// What the C library has just left in errno.
    static var last: GpsdSocketError {
        GpsdSocketError(reason: String(cString: strerror(errno)))
    }
}
