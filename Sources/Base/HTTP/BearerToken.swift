import JSON

/// The answer of an authorization server (RFC 6749, section 5.1).
package enum BearerToken {
    /// The token; nil if there is none that can be sent.
    package static func text(in body: [UInt8]) -> String? {
        guard let json = try? JSONValue(parsing: body), let token = json["access_token"]?.string,
            !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return token
    }
}
