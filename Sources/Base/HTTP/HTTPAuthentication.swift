package import Settings

/// `[Auth]` of a program that speaks HTTP: how it proves who it is. Secrets are names of credentials.
package struct HTTPAuthentication: Hashable, Sendable {
    /// A way to prove it; of the first three at most one.
    package enum Way: String, CaseIterable, Sendable {
        /// User and password.
        case basic
        /// A token from the credentials.
        case bearer
        /// A token from an authorization server.
        case oauth2
        /// A certificate of the client.
        case mtls
    }

    /// Of `Type=`.
    package var ways: Set<Way> = []
    /// As it is sent.
    package var user = ""
    /// Name of the credential.
    package var password = ""
    /// Name of the credential.
    package var token = ""
    /// Of the authorization server.
    package var tokenURL: WebAddress?
    /// As the authorization server knows it.
    package var clientID = ""
    /// Name of the credential.
    package var clientSecret = ""
    /// What the token is asked for; empty: whatever there is.
    package var scope = ""
    /// Name of the credential; empty: the system's.
    package var authorities = ""
    /// Name of the credential.
    package var certificate = ""
    /// Name of the credential.
    package var key = ""
    /// Address of a proxy; empty: that of the environment.
    package var proxy = ""

    /// The keys of `[Auth]`.
    package static let keys = [
        "Type", "User", "Password", "Token", "TokenURL", "ClientId", "ClientSecret", "Scope", "CA",
        "Certificate", "Key", "Proxy",
    ]

    /// Proves nothing.
    package init() {}

    /// Takes the keys of `[Auth]`; what they lack together is found by ``check(_:destination:in:)``.
    package init(from file: inout ProgramSettings) {
        let section = "Auth"
        ways =
            file.value(section, "Type") { text throws(BadValue) in
                var ways: Set<Way> = []
                for word in text.split(whereSeparator: { $0 == " " || $0 == "," })
                where word != "none" {
                    guard let way = Way(rawValue: String(word)) else {
                        throw BadValue(reason: "not none, basic, bearer, oauth2 or mtls")
                    }
                    ways.insert(way)
                }
                return ways
            } ?? []
        user = file.text(section, "User") ?? ""
        password = file.credential(section, "Password") ?? ""
        token = file.credential(section, "Token") ?? ""
        tokenURL = file.value(section, "TokenURL", WebAddress.setting)
        clientID = file.text(section, "ClientId") ?? ""
        clientSecret = file.credential(section, "ClientSecret") ?? ""
        scope = file.text(section, "Scope") ?? ""
        authorities = file.credential(section, "CA") ?? ""
        certificate = file.credential(section, "Certificate") ?? ""
        key = file.credential(section, "Key") ?? ""
        proxy = file.value(section, "Proxy", WebAddress.setting)?.text ?? ""
    }

    /// Reports what is missing, and secrets that would be sent without encryption.
    /// - Parameter destination: where requests go, by its key.
    package func check(
        _ file: inout ProgramSettings, destination: WebAddress,
        in key: (section: String, name: String)
    ) {
        let needs: [(Way, Bool, String)] = [
            (.basic, user.isEmpty, "User"), (.basic, password.isEmpty, "Password"),
            (.bearer, token.isEmpty, "Token"), (.oauth2, tokenURL == nil, "TokenURL"),
            (.oauth2, clientID.isEmpty, "ClientId"),
            (.oauth2, clientSecret.isEmpty, "ClientSecret"),
            (.mtls, certificate.isEmpty, "Certificate"), (.mtls, self.key.isEmpty, "Key"),
        ]
        for (way, isMissing, name) in needs where isMissing && ways.contains(way) {
            file.refuse("Auth", name, "is missing")
        }
        let secret = ways.subtracting([.mtls])
        if secret.count > 1 {
            file.refuse("Auth", "Type", "only one of basic, bearer and oauth2")
        }
        // On the way anybody could read them; to this machine there is no way.
        guard !secret.isEmpty else { return }
        var places = [(section: key.section, name: key.name, address: destination)]
        if let tokenURL { places.append(("Auth", "TokenURL", tokenURL)) }
        for place in places where !place.address.isEncrypted && !place.address.isLocal {
            file.refuse(
                place.section, place.name,
                "credentials would be sent without encryption; use https")
        }
    }

    /// Whether the credentials that it needs are there and can be what they are for.
    /// - Throws: what is wrong with the first that is not.
    package func check(_ credentials: Credentials) throws(BadValue) {
        _ = try identity(credentials)
        _ = try tokenRequest(credentials)
    }

    /// What is sent with a request. The token of ``Way/oauth2`` is missing: see
    /// ``tokenRequest(_:)``.
    /// - Throws: for a credential that is not there.
    package func identity(_ credentials: Credentials) throws(BadValue) -> HTTPIdentity {
        var identity = HTTPIdentity()
        if !authorities.isEmpty { identity.authorities = try credentials.path(of: authorities) }
        if ways.contains(.mtls) {
            identity.certificate = try credentials.path(of: certificate)
            identity.key = try credentials.path(of: key)
        }
        if !proxy.isEmpty { identity.proxy = proxy }
        if ways.contains(.basic) { identity.basic = (user, try credentials.text(of: password)) }
        if ways.contains(.bearer) { identity.bearer = try credentials.text(of: token) }
        return identity
    }

    /// Asks the authorization server for a token: client credentials (RFC 6749, section 4.4), by
    /// basic authentication (section 2.3.1). ``BearerToken`` reads the answer. Nil without
    /// ``Way/oauth2``.
    /// - Throws: for a credential that is not there.
    package func tokenRequest(_ credentials: Credentials) throws(BadValue) -> HTTPRequest? {
        guard ways.contains(.oauth2), let tokenURL else { return nil }
        var request = HTTPRequest(tokenURL)
        request.identity = try identity(credentials)
        // Both are form-encoded before they become user and password.
        request.identity.basic = (
            WebAddress.escape(clientID),
            WebAddress.escape(try credentials.text(of: clientSecret))
        )
        request.fields = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        var form = "grant_type=client_credentials"
        if !scope.isEmpty { form += "&scope=\(WebAddress.escape(scope))" }
        request.body = Array(form.utf8)
        return request
    }
}

extension WebAddress {
    /// Reads the value of a setting.
    package static func setting(_ text: String) throws(BadValue) -> WebAddress {
        do throws(FlawedAddress) { return try WebAddress(text) } catch {
            throw BadValue(reason: error.description)
        }
    }
}
