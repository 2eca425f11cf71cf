package import Program

/// Where a program that shows a page listens.
package enum ListenPlace: Equatable, Sendable {
    /// On the socket that the service manager passes.
    case activated
    /// On a new UNIX socket at this path, which must not exist.
    case socket(String)
    /// On 127.0.0.1, port 0 for any; with a token.
    case loopback(port: UInt16)

    /// Listens there; for the parameters see ``ListenSocket/activated(unit:otherwise:)``.
    /// - Throws: ``ListenProblem`` or ``SystemError``.
    @MainActor
    package func open(unit: String, otherwise: String) throws -> ListenSocket {
        switch self {
        case .activated: try .activated(unit: unit, otherwise: otherwise)
        case .socket(let path): try .file(path)
        case .loopback(let port): try .loopback(port: port)
        }
    }
}

/// The options of a command line that say it: `--socket`, `--loopback`, `--port`.
package struct ListenOptions {
    private var chosen = ListenPlace.activated
    private var port: UInt16?

    package init() {}

    /// Takes the option that the reader has just given, if it is one of these.
    /// - Returns: false for any other.
    /// - Throws: ``Failure``.
    package mutating func take(_ option: String, from reader: inout OptionReader) throws -> Bool {
        switch option {
        case "--socket":
            try mayChoose()
            chosen = .socket(try reader.value())
        case "--loopback":
            try mayChoose()
            chosen = .loopback(port: 0)
        case "--port": port = try reader.value("not a number from 0 to 65535") { UInt16($0) }
        default: return false
        }
        return true
    }

    /// What they say together, after the last one.
    /// - Throws: ``Failure`` for a port without `--loopback`.
    package func place() throws -> ListenPlace {
        guard let port else { return chosen }
        guard case .loopback = chosen else {
            throw Failure.usage("only with --loopback", "--port")
        }
        return .loopback(port: port)
    }

    private func mayChoose() throws {
        guard chosen == .activated else {
            throw Failure.usage("only one of --socket and --loopback")
        }
    }
}
