/// A request, after its header has been read.
package struct WebRequest: Sendable {
    /// `GET` or `HEAD`; others are refused before.
    package var method: String
    /// Percent-decoded, without the query: `/v1/state`.
    package var path: String
    /// The headers that the server was asked to read, by their names as they were asked for; one
    /// that a request has twice is ``repeated``.
    package var headers: [String: String]
    /// The headers that came more than once.
    package var repeated: Set<String>
    /// The arguments that the server was asked to read, percent-decoded.
    package var arguments: [String: String]

    package init(
        method: String = "GET", path: String, headers: [String: String] = [:],
        repeated: Set<String> = [], arguments: [String: String] = [:]
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.repeated = repeated
        self.arguments = arguments
    }
}

/// A response with all of its bytes.
package struct WebResponse: Equatable, Sendable {
    /// As in RFC 9110, section 15.
    package var status: UInt32
    /// Beside those of the server; names and values without line ends.
    package var headers: [(name: String, value: String)]
    /// The whole body, unless it is ``large``.
    package var body: [UInt8]
    /// The whole body, as it is: it no longer grows.
    package var large: SharedBody?

    package init(
        status: UInt32 = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        large: SharedBody? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.large = large
    }

    /// A refusal, with its reason for people.
    package init(refusing status: UInt32, _ why: String) {
        self.init(
            status: status, headers: Self.headers("text/plain; charset=utf-8"),
            body: Array("\(why)\n".utf8))
    }

    /// A file of a page, whose browser runs, shows and asks for nothing of anybody else.
    /// - Parameters:
    ///   - type: its type, without the character set, which is UTF-8.
    ///   - origin: whose pictures it may show beside its own.
    package init(page type: String, _ body: [UInt8], imagesFrom origin: String? = nil) {
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:\(origin.map { " \($0)" } ?? ""); frame-ancestors 'none'; "
            + "base-uri 'none'; form-action 'none'"
        self.init(
            headers: Self.headers("\(type); charset=utf-8")
                + [("Content-Security-Policy", policy)], body: body)
    }

    /// The headers of a body of that type that nobody keeps, guesses the type of, or embeds.
    package static func headers(_ type: String) -> [(name: String, value: String)] {
        [
            ("Content-Type", type), ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }

    package static func == (one: WebResponse, other: WebResponse) -> Bool {
        one.status == other.status && one.body == other.body && one.large === other.large
            && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
}

/// What one server admits.
package struct WebLimits: Sendable {
    /// Connections at once. An eighth is for those that are not trusted yet, whose oldest goes for a new
    /// one; the others are shared by those for whom they are trusted.
    package var connections: UInt32 = 32
    /// Bytes of one connection's memory: its header, and what is being sent.
    package var memory = 16 << 10
    /// A connection without any activity ends after this, s.
    package var idleSeconds: UInt32 = 30
    /// A request must be complete by then, s.
    package var headerSeconds = 10.0
    /// And its client must have taken the answer by then, s.
    package var answerSeconds = 30.0
    /// The same of a client that is trusted, s.
    package var trustedSeconds = 300.0
    /// Bytes of a stream that its client has not taken; more are not sent to it.
    package var unsent = 64 << 10

    package init() {}
}
