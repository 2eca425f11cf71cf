/// Who is answered: HTTP alone cannot tell a browser's page of ours from a page of somebody else in
/// the same browser, nor this user from another of the machine.
package struct AccessRules: Equatable, Sendable {
    /// Where the socket is.
    package enum Place: Equatable, Sendable {
        /// A UNIX socket, whose permissions say who may; a forwarder may give it any port.
        case file
        /// On loopback, which every user of the machine reaches: hence a token.
        case loopback(port: UInt16, token: String)
    }

    /// Where it listens.
    package var place: Place
    /// What else a reverse proxy before a UNIX socket may call this host: names, without a port.
    package var names: [String]

    package init(_ place: Place, names: [String] = []) {
        self.place = place
        self.names = names
    }

    /// The headers that ``refusal(of:)`` looks at.
    package static let headers = [
        "Host", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Authorization",
    ]

    private static let hosts = ["localhost", "127.0.0.1", "[::1]"]

    /// Why a request is not answered; nil if it is.
    package func refusal(of request: WebRequest) -> WebResponse? {
        guard let host = request.headers["Host"], !request.repeated.contains("Host") else {
            return WebResponse(refusing: 400, "one Host, please")
        }
        // A name of somebody else that resolves to this machine (DNS rebinding) is not ours.
        guard isOurs(host) else { return WebResponse(refusing: 421, "not this host") }
        let site = request.headers["Sec-Fetch-Site"] ?? "none"
        guard site == "none" || site == "same-origin" || Self.isVisit(request),
            !request.repeated.contains("Sec-Fetch-Site")
        else { return WebResponse(refusing: 403, "not from another page") }
        guard case .loopback(_, let token) = place, Self.isSecret(request.path) else { return nil }
        let given = request.headers["Authorization"] ?? ""
        guard !request.repeated.contains("Authorization"), Self.equal(given, "Bearer \(token)")
        else { return WebResponse(refusing: 401, "needs the token of the address") }
        return nil
    }

    /// A link of somebody, or a file with the address, leads a person to the page itself. It says
    /// nothing that is secret, cannot be framed, and its opener cannot read it.
    private static func isVisit(_ request: WebRequest) -> Bool {
        request.path == "/" && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"] == "document"
            && request.repeated.isDisjoint(with: ["Sec-Fetch-Mode", "Sec-Fetch-Dest"])
    }

    /// Whether one that is not refused comes from somebody who may see what is secret: a UNIX socket is
    /// opened by nobody else, and on loopback what is secret has needed the token.
    package func isProved(by request: WebRequest) -> Bool {
        switch place {
        case .file: true
        case .loopback: Self.isSecret(request.path)
        }
    }

    private func isOurs(_ host: String) -> Bool {
        switch place {
        case .loopback(let port, _): return Self.hosts.contains { host == "\($0):\(port)" }
        case .file:
            return (Self.hosts + names).contains { name in
                guard host.utf8.starts(with: name.utf8) else { return false }
                let rest = host.utf8.dropFirst(name.utf8.count)
                guard let first = rest.first else { return true }
                let digits = rest.dropFirst()
                return first == UInt8(ascii: ":") && (1...5).contains(digits.count)
                    && digits.allSatisfy { (0x30...0x39).contains($0) }
            }
        }
    }

    /// The files of a page say nothing that is secret, and a browser asks for them without a
    /// token.
    private static func isSecret(_ path: String) -> Bool {
        ["/v1/", "/tiles/"].contains { path.utf8.starts(with: $0.utf8) } || path == "/metrics"
    }

    /// In a time that does not depend on where they differ.
    static func equal(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }
}
