import Glibc
import Systemd

// Unsafe: addresses of sockets are structures of ours, passed with their own size.

/// Why there is no socket to listen on.
package struct ListenProblem: Error, Equatable, CustomStringConvertible {
    /// In words.
    package var description: String
}

/// A socket that listens, and who may be answered on it.
package struct ListenSocket {
    /// The caller owns it.
    package var descriptor: Int32
    /// What a request has to have.
    package var rules: AccessRules

    /// The one that the service manager has passed: a UNIX socket, since on a network somebody would
    /// have to be told a token.
    /// - Parameters:
    ///   - unit: the one that should have passed it.
    ///   - otherwise: what listens on the loopback, for who has passed a socket of a network.
    /// - Throws: ``ListenProblem`` or ``SystemError``.
    @MainActor
    package static func activated(unit: String, otherwise: String) throws -> ListenSocket {
        let passed = try ServiceManager.takeDescriptors()
        guard let first = passed.first, passed.count == 1 else {
            throw ListenProblem(description: "needs one socket of the service manager: \(unit)")
        }
        var domain: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(first.descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0,
            domain == AF_UNIX
        else {
            throw ListenProblem(
                description: "not a UNIX socket; \(otherwise) listens on loopback: \(first.name)")
        }
        return ListenSocket(descriptor: first.descriptor, rules: AccessRules(.file))
    }

    /// A new UNIX socket for the user alone.
    /// - Throws: ``SystemError``, also where there is a file already.
    package static func file(_ path: String) throws -> ListenSocket {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(operation: "listening on \(path)", errno: ENAMETOOLONG)
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let made = try open(AF_UNIX, path)
        let before = umask(0o177)
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(
                made, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        umask(before)
        try listen(made, result, path)
        return ListenSocket(descriptor: made, rules: AccessRules(.file))
    }

    /// On 127.0.0.1, with a token that only the one who has started it knows.
    /// - Throws: ``SystemError``.
    package static func loopback(port: UInt16) throws -> ListenSocket {
        let what = "127.0.0.1:\(port)"
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let made = try open(AF_INET, what)
        // Connections of the one before do not keep it from the same port.
        var isReused: Int32 = 1
        _ = unsafe setsockopt(
            made, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(
                made, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        try listen(made, result, what)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe getsockname(
                made, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        guard named == 0 else { throw failed(made, what) }
        let place = AccessRules.Place.loopback(
            port: UInt16(bigEndian: address.sin_port), token: token())
        return ListenSocket(descriptor: made, rules: AccessRules(place))
    }

    /// The address for a browser; nil for a file, which browsers cannot open.
    package var address: String? {
        guard case .loopback(let port, let token) = rules.place else { return nil }
        return "http://127.0.0.1:\(port)/#token=\(token)"
    }

    /// 128 bits of getrandom(2), as 32 hexadecimal digits.
    private static func token() -> String {
        var source = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        return String((0..<32).map { _ in digits[Int(source.next() & 15)] })
    }

    private static func open(_ domain: Int32, _ what: String) throws -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let made = socket(domain, kind, 0)
        guard made >= 0 else { throw SystemError(operation: "listening on \(what)", errno: errno) }
        return made
    }

    /// With the longest queue that the kernel allows: it drops a connection beyond it, and the client
    /// tries again only after seconds. A burst of strangers must not do that to a viewer.
    private static func listen(_ made: Int32, _ bound: Int32, _ what: String) throws {
        guard bound == 0, Glibc.listen(made, SOMAXCONN) == 0 else { throw failed(made, what) }
    }

    private static func failed(_ made: Int32, _ what: String) -> SystemError {
        let error = SystemError(operation: "listening on \(what)", errno: errno)
        close(made)
        return error
    }
}
