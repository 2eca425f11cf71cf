import HTTP
package import Settings

extension UplinkSettings {
    /// Whether the credentials that the destination needs are there and can be what they are for.
    /// - Throws: what is wrong with the first that is not.
    package func check(_ credentials: Credentials) throws(BadValue) {
        switch destination {
        case .mqtt(let broker): _ = try broker.connection(credentials)
        case .web(let web): try web.check(credentials)
        }
    }
}

extension WebDestination {
    /// Whether its credentials are there and can be what they are for.
    fileprivate func check(_ credentials: Credentials) throws(BadValue) {
        try authentication.check(credentials)
        _ = try keys(credentials)
    }

    /// What a hook's batches are signed with.
    func keys(_ credentials: Credentials) throws(BadValue) -> [[UInt8]] {
        guard case .hook(_, let secrets) = service else { return [] }
        return try secrets.map { name throws(BadValue) in
            guard let key = HookRequest.key(try credentials.text(of: name)) else {
                throw BadValue(reason: "credential \(name) is no secret: whsec_BASE64")
            }
            return key
        }
    }
}
