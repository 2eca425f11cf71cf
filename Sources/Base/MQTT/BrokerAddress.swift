package import Settings

/// `mqtts://broker.example:8883`, or `mqtt://` without TLS.
package struct BrokerAddress: Hashable, Sendable {
    /// A name or an address, the latter without brackets.
    package let host: String
    /// 8883 by default, 1883 without TLS.
    package let port: UInt16
    /// With TLS.
    package let isSecure: Bool

    /// Whether the name of the host means this machine.
    package var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    /// Nil for anything else.
    package init?(_ text: String) {
        let schemes: [(String, UInt16, Bool)] = [
            ("mqtts://", 8883, true), ("mqtt://", 1883, false),
        ]
        guard let (scheme, standard, isSecure) = schemes.first(where: { text.hasPrefix($0.0) })
        else { return nil }
        self.isSecure = isSecure
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        let authority: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            authority = rest[rest.index(after: end)...]
        } else {
            let end = rest.firstIndex(of: ":") ?? rest.endIndex
            host = String(rest[..<end])
            authority = rest[end...]
        }
        guard !host.isEmpty, host.utf8.count <= 255,
            !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x2F || $0 == 0x40 })
        else { return nil }
        if authority.isEmpty {
            port = standard
        } else if authority.hasPrefix(":"), let port = UInt16(authority.dropFirst()), port > 0 {
            self.port = port
        } else {
            return nil
        }
    }
}

extension BrokerAddress {
    /// Reads the value of a setting.
    package static func setting(_ text: String) throws(BadValue) -> BrokerAddress {
        guard let address = BrokerAddress(text) else {
            throw BadValue(reason: "not mqtt://HOST[:PORT] or mqtts://HOST[:PORT]")
        }
        return address
    }
}

/// Names that are a level of a topic, a name in a certificate and a file name alike.
package enum TopicLevel {
    /// Whether it is `[A-Za-z0-9_-]{1,64}`.
    package static func isPlain(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
