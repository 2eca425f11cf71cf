import CCurl

// Unsafe: owns the parsed address for the length of a call; libcurl's texts are copied and released
// once.

/// An absolute http or https address, normalised by libcurl (RFC 3986), without user and password.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// The whole address, without a fragment.
    package let text: String
    /// `https://erp.example:443`: scheme, host in lower case and port, which credentials are for.
    package let origin: String
    /// The host, for messages.
    package let host: String
    /// Whether what is sent there is encrypted.
    package let isEncrypted: Bool

    /// Whether the host is this machine, by its name.
    package var isLocal: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Bytes of an address.
    package static let longest = 8192

    /// - Throws: ``FlawedAddress`` for anything but an absolute http or https address.
    package init(_ text: String) throws(FlawedAddress) {
        try self.init(base: nil, text)
    }

    /// An address of an answer, absolute or relative to the one of the request.
    /// Servers exist that write spaces and letters of any language as they are.
    package func resolving(_ reference: String) throws(FlawedAddress) -> WebAddress {
        let isPlain = reference.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        let reserved = "!#$%&'()*+,/:;=?@[]"
        return try WebAddress(
            base: self.text, isPlain ? reference : Self.escape(reference, keeping: reserved))
    }

    /// With another name below the path, escaped: `…/svc` and `A B` are `…/svc/A%20B`.
    package func appending(path name: String) throws(FlawedAddress) -> WebAddress {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].hasSuffix("/") ? String(parts[0].dropLast()) : String(parts[0])
        let query = parts.count > 1 ? "?\(parts[1])" : ""
        return try WebAddress("\(path)/\(Self.escape(name, keeping: "/()',="))\(query)")
    }

    /// With parameters after those of the query, escaped.
    package func appending(
        query parameters: [(name: String, value: String)]
    ) throws(FlawedAddress) -> WebAddress {
        guard !parameters.isEmpty else { return self }
        // OData's names begin with a dollar sign; servers exist that want it as it is.
        let query = parameters.map {
            "\(Self.escape($0.name, keeping: "$"))=\(Self.escape($0.value, keeping: "$,:/'()*"))"
        }
        let mark = text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return try WebAddress(text + mark + query.joined(separator: "&"))
    }

    /// The parameters of the query, not escaped.
    package var query: [(name: String, value: String)] {
        guard let mark = text.firstIndex(of: "?") else { return [] }
        return text[text.index(after: mark)...].split(separator: "&").map { parameter in
            let parts = parameter.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.unescaped(parts[0]), parts.count > 1 ? Self.unescaped(parts[1]) : "")
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986 and those of `kept`.
    package static func escape(_ text: String, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            case _ where kept.utf8.contains(byte): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package var description: String { text }

    private init(base: String?, _ text: String) throws(FlawedAddress) {
        let refusal = FlawedAddress()
        guard text.utf8.count <= Self.longest, !text.utf8.contains(where: { $0 <= 0x20 }),
            let address = unsafe curl_url()
        else { throw refusal }
        defer { unsafe curl_url_cleanup(address) }
        if let base {
            guard unsafe curl_url_set(address, CURLUPART_URL, base, 0) == CURLUE_OK else {
                throw refusal
            }
        }
        guard unsafe curl_url_set(address, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw refusal
        }
        func part(_ which: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard unsafe curl_url_get(address, which, &text, flags) == CURLUE_OK,
                let text = unsafe text
            else { return nil }
            defer { unsafe curl_free(text) }
            return unsafe String(cString: text)
        }
        // CURLU_DEFAULT_PORT
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = part(CURLUPART_PORT, 1), part(CURLUPART_USER) == nil,
            part(CURLUPART_PASSWORD) == nil
        else { throw refusal }
        unsafe curl_url_set(address, CURLUPART_FRAGMENT, nil, 0)
        guard let whole = part(CURLUPART_URL) else { throw refusal }
        self.text = whole
        self.host = host
        origin = "\(scheme)://\(host):\(port)"
        isEncrypted = scheme == "https"
    }
}

/// A text that is no absolute http or https address, or one with a user and a password.
package struct FlawedAddress: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String { "no http or https address without a password" }
}
