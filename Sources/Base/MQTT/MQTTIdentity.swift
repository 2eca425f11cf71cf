package import Settings

extension MQTTSettings {
    /// Reads `[Auth]`: `User=`, and `Password=`, `CA=`, `Certificate=`, `Key=` as `@NAME` of a
    /// credential. What is wrong becomes a problem of the file.
    package mutating func readIdentity(
        from file: inout ProgramSettings, isSecure: Bool, credentials: String?
    ) {
        user = file.text("Auth", "User")
        var paths: [String: String] = [:]
        for key in ["Password", "CA", "Certificate", "Key"] {
            guard let name = file.text("Auth", key) else { continue }
            // A password that was written here must not get into the journal.
            let shown = key == "Password" ? "it" : name
            guard name.hasPrefix("@") else {
                file.refuse("Auth", key, "\(shown): not @NAME of a credential")
                continue
            }
            guard let path = Credential.path(of: String(name.dropFirst()), in: credentials) else {
                file.refuse("Auth", key, "\(name): there is no such credential")
                continue
            }
            paths[key] = path
        }
        if let path = paths["Password"] {
            if user == nil { file.refuse("Auth", "Password", "there is no User") }
            password = Credential.text(at: path)
            if password == nil { file.refuse("Auth", "Password", "it cannot be read") }
        }
        guard isSecure else {
            for key in ["CA", "Certificate", "Key"] where paths[key] != nil {
                file.refuse("Auth", key, "only with mqtts://")
            }
            return
        }
        var tls = TLS(authorities: paths["CA"])
        if let certificate = paths["Certificate"], let key = paths["Key"] {
            tls.identity = Identity(certificate: certificate, key: key)
        } else if (paths["Certificate"] == nil) != (paths["Key"] == nil) {
            file.refuse("Auth", "Key", "Certificate and Key belong together")
        }
        self.tls = tls
    }
}
