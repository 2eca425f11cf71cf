import Bytes
package import Time

/// One request. Redirects are not followed: the answer says where to.
package struct HTTPRequest: Sendable {
    /// Where it goes.
    package var address: WebAddress
    /// Header fields; a field with a line break is left out.
    package var fields: [(name: String, value: String)] = []
    /// What is posted; nil for a GET.
    package var body: [UInt8]?
    /// Who asks.
    package var identity = HTTPIdentity()
    /// How long, and how slowly.
    package var limits = HTTPLimits()

    package init(_ address: WebAddress) { self.address = address }
}

/// By what a client is known to a server, and a server to a client.
package struct HTTPIdentity: Sendable {
    /// User and password of basic authentication.
    package var basic: (user: String, password: String)?
    /// A bearer token.
    package var bearer: String?
    /// Path of a PEM file with the authorities to trust instead of the system's.
    package var authorities: String?
    /// Path of a PEM file with the client's certificate.
    package var certificate: String?
    /// Path of a PEM file with its key.
    package var key: String?
    /// Address of a proxy, `http://proxy:3128`; without it those of the environment count.
    package var proxy: String?

    package init() {}

    /// A text of a server without what proves who we are: some repeat what they do not accept.
    package func hidden(in text: String) -> String {
        var secrets = [bearer, basic?.password].compactMap { $0.map { Array($0.utf8) } }
        if let basic {
            secrets.append(Array(Base64.text(Array("\(basic.user):\(basic.password)".utf8)).utf8))
        }
        var (rest, shown) = (Array(text.utf8)[...], [UInt8]())
        while let byte = rest.first {
            if let found = secrets.first(where: { !$0.isEmpty && rest.starts(with: $0) }) {
                shown += Array("…".utf8)
                rest = rest.dropFirst(found.count)
            } else {
                shown.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}

/// What a server is granted.
package struct HTTPLimits: Sendable {
    /// Until the connection stands, TLS included, s.
    package var connectSeconds = 30
    /// For the whole request, s.
    package var totalSeconds = 600
    /// An answer that stays below ``slowestBytes`` a second for so long is given up, s.
    package var slowSeconds = 30
    /// Bytes a second.
    package var slowestBytes = 100

    package init() {}
}

/// The head of an answer.
package struct HTTPResponse: Sendable {
    /// 200 to 599.
    package var status: Int
    /// Names in lower case, in their order.
    package var fields: [(name: String, value: String)]

    package init(status: Int, fields: [(name: String, value: String)]) {
        self.status = status
        self.fields = fields
    }

    /// The last field of that name, which is in lower case.
    package func field(_ name: String) -> String? { fields.last { $0.name == name }?.value }

    /// Whether its validators name what was answered, and nothing else: what is rewritten within the
    /// resolution of a time keeps it, and the entity tag that is made of it, and two clocks of a server
    /// may differ (RFC 9110, section 8.8.2.2).
    package var hasStrongValidators: Bool {
        guard let text = field("last-modified") else { return true }
        guard let modified = HTTPDate.time(text), let date = field("date").flatMap(HTTPDate.time)
        else { return false }
        return date - modified >= .seconds(60)
    }

    /// How long the server asks not to be asked again (RFC 9110, section 10.2.3); no server is
    /// obeyed for longer than an hour.
    /// - Parameter now: by the server's clock, for a time that is given as a date.
    package func retryAfter(now: UTCTime) -> TimeSpan? {
        guard let text = field("retry-after") else { return nil }
        let wait =
            UInt32(text).map { TimeSpan.seconds(Double($0)) }
            ?? HTTPDate.time(text).map { $0 - now }
        return wait.map { max(.zero, min($0, .seconds(3600))) }
    }
}

/// Why there is no answer.
package struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be done about it.
    package enum Kind: Hashable, Sendable {
        /// No name, no route, nobody there: try again.
        case unreachable
        /// Too slow.
        case timeout
        /// The certificate of one of both is refused, or there is no encryption both know.
        case tls
        /// The proxy refuses to connect to the server, and answers with that status.
        case proxy(status: Int)
        /// The receiver of the body has had enough.
        case refusedBody
        /// Broken off, or no HTTP.
        case broken
        /// Of ours: no memory, an option that libcurl does not know.
        case internalError
    }

    /// Which.
    package var kind: Kind
    /// A phrase without a full stop.
    package var reason: String

    /// The server or a proxy answers, but one of the two sides refuses the other.
    package var isRefusal: Bool {
        switch kind {
        case .tls, .proxy: true
        case .unreachable, .timeout, .refusedBody, .broken, .internalError: false
        }
    }

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var description: String { reason }
}
