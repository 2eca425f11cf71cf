package import Settings

/// `[Auth]` of a program that speaks MQTT: `User=`, and `Password=`, `CA=`, `Certificate=`, `Key=`,
/// which are names of credentials.
package struct MQTTAuthentication: Hashable, Sendable {
    private var user: String?
    private var password: String?
    private var authorities: String?
    private var certificate: String?
    private var key: String?

    /// Takes the keys of `[Auth]`; what is wrong becomes a problem of the file.
    /// - Parameter brokers: the brokers that receive the credentials.
    package init(from file: inout ProgramSettings, for brokers: [BrokerAddress]) {
        user = file.text("Auth", "User")
        password = file.credential("Auth", "Password")
        authorities = file.credential("Auth", "CA")
        certificate = file.credential("Auth", "Certificate")
        key = file.credential("Auth", "Key")
        if password != nil, user == nil { file.refuse("Auth", "Password", "there is no User") }
        if (certificate == nil) != (key == nil) {
            file.refuse("Auth", "Key", "Certificate and Key belong together")
        }
        // On a network anybody could read it; a connection to this machine uses none.
        if password != nil, brokers.contains(where: { !$0.isSecure && !$0.isLocal }) {
            file.refuse("Auth", "Password", "would be sent without encryption; use mqtts")
        }
        guard !brokers.isEmpty, !brokers.contains(where: \.isSecure) else { return }
        for (name, value) in [("CA", authorities), ("Certificate", certificate)]
        where value != nil { file.refuse("Auth", name, "only with mqtts://") }
    }

    /// Fills in who we are; TLS only where it is there already.
    /// - Throws: for a credential that is not there.
    package func apply(
        to settings: inout MQTTSettings, _ credentials: Credentials
    ) throws(BadValue) {
        settings.user = user
        if let password { settings.password = try credentials.text(of: password) }
        guard settings.tls != nil else { return }
        var tls = MQTTSettings.TLS()
        if let authorities { tls.authorities = try credentials.path(of: authorities) }
        if let certificate, let key {
            tls.identity = MQTTSettings.Identity(
                certificate: try credentials.path(of: certificate),
                key: try credentials.path(of: key))
        }
        settings.tls = tls
    }
}
