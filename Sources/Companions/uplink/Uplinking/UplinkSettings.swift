import BusClient
package import MQTT
package import Settings
import Systemd

/// `/etc/geofenced/uplink.d/NAME.conf`: where events go, as whom, and which.
package struct UplinkSettings {
    /// When an event counts as delivered.
    package enum Acknowledgement: String, CaseIterable, Sendable {
        /// The ingest has said that its database has it.
        case backend
        /// The broker has taken it, and somebody was there to get it.
        case broker
    }

    /// Where a destination begins that the daemon does not know yet.
    package enum Beginning: String, CaseIterable, Sendable {
        /// With the next event.
        case now
        /// With the oldest event of the log.
        case oldest
    }

    private enum Kind: String, CaseIterable { case mqtt }

    /// How the broker is reached.
    package var broker: MQTTSettings
    /// `gf/1/TENANT/BOX`, without a slash at the end.
    package var topic: String
    /// When an event counts as delivered.
    package var acknowledgement: Acknowledgement
    /// Where it begins.
    package var beginning: Beginning
    /// After the broker's goodbye the first try is within this, s.
    package var spread: Double
    /// What leaves the vehicle.
    package var filter: UplinkFilter

    /// Reads the file; nil if something is wrong, which is then among the problems.
    /// - Parameter credentials: the directory of what `@name` refers to, see systemd.exec(5).
    package static func read(
        _ file: ProgramSettings, credentials: String?
    ) -> (settings: UplinkSettings?, problems: [SettingsProblem]) {
        var file = file
        _ = file.choice("Uplink", "Type", Kind.mqtt)
        let url = file.text("Uplink", "URL") ?? ""
        let address = BrokerAddress(url)
        if address == nil {
            file.refuse("Uplink", "URL", "\(url): not mqtt://HOST[:PORT] or mqtts://HOST[:PORT]")
        }
        var names: [String] = []
        for key in ["Tenant", "Box"] {
            let name = file.text("Uplink", key) ?? ""
            if !isName(name) {
                file.refuse(
                    "Uplink", key,
                    "\(name.isEmpty ? "missing" : name): 1 to 64 of A-Z, a-z, 0-9, - and _")
            }
            names.append(name)
        }
        var broker = MQTTSettings(
            host: address?.host ?? "", port: address?.port ?? 0, clientID: names[1])
        broker.keepAlive = Int(
            file.span("Uplink", "KeepAliveSec", 240, in: 5...3600))
        let spread = file.span("Uplink", "ReconnectSpreadSec", 60, in: 0...3600)
        let acknowledgement = file.choice("Uplink", "Ack", Acknowledgement.backend)
        let beginning = file.choice("Uplink", "From", Beginning.now)
        readIdentity(&file, &broker, isSecure: address?.isSecure ?? false, credentials)
        var filter = readFilter(&file)
        filter.hasPosition = file.flag("Uplink", "Position", false)
        file.finish()
        guard file.problems.isEmpty else { return (nil, file.problems) }
        let topic = "gf/1/\(names[0])/\(names[1])"
        broker.will = .init(
            topic: "\(topic)/status", payload: Array(#"{"v":1,"online":false}"#.utf8), delay: 60)
        return (
            UplinkSettings(
                broker: broker, topic: topic, acknowledgement: acknowledgement,
                beginning: beginning, spread: spread, filter: filter), []
        )
    }

    /// `[A-Za-z0-9_-]{1,64}`: what may stand in a topic, a certificate and a file name.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    private static func readIdentity(
        _ file: inout ProgramSettings, _ broker: inout MQTTSettings, isSecure: Bool,
        _ credentials: String?
    ) {
        let user = file.text("Auth", "User")
        var paths: [String: String] = [:]
        for key in ["Password", "CA", "Certificate", "Key"] {
            guard let name = file.text("Auth", key) else { continue }
            guard name.hasPrefix("@") else {
                // A password that was written here must not get into the journal.
                let what = key == "Password" ? "it" : name
                file.refuse("Auth", key, "\(what): not @NAME of a credential")
                continue
            }
            guard let path = Credential.path(of: String(name.dropFirst()), in: credentials) else {
                file.refuse("Auth", key, "\(name): there is no such credential")
                continue
            }
            paths[key] = path
        }
        broker.user = user
        if let path = paths["Password"] {
            if user == nil { file.refuse("Auth", "Password", "there is no User") }
            broker.password = Credential.text(at: path)
            if broker.password == nil { file.refuse("Auth", "Password", "it cannot be read") }
        }
        guard isSecure else {
            for key in ["CA", "Certificate", "Key"] where paths[key] != nil {
                file.refuse("Auth", key, "only with mqtts://")
            }
            return
        }
        var tls = MQTTSettings.TLS(authorities: paths["CA"])
        if let certificate = paths["Certificate"], let key = paths["Key"] {
            tls.identity = .init(certificate: certificate, key: key)
        } else if (paths["Certificate"] == nil) != (paths["Key"] == nil) {
            file.refuse("Auth", "Key", "Certificate and Key belong together")
        }
        broker.tls = tls
    }

    private static func readFilter(_ file: inout ProgramSettings) -> UplinkFilter {
        var filter = UplinkFilter()
        filter.ids = file.list("Filter", "Ids")
        filter.kinds = Set(file.list("Filter", "Kinds"))
        for kind in filter.kinds.subtracting(ForwardedEvent.kinds).sorted() {
            file.refuse("Filter", "Kinds", "\(kind): no kind of event")
        }
        for entry in file.list("Filter", "Metadata") {
            let parts = entry.split(separator: "=", maxSplits: 1)
            if parts.count == 2 {
                filter.metadata[String(parts[0])] = String(parts[1])
            } else {
                file.refuse("Filter", "Metadata", "\(entry): not KEY=VALUE")
            }
        }
        filter.allowed = Set(file.list("Fields", "Metadata"))
        return filter
    }
}

/// `mqtts://broker.example:8883`.
struct BrokerAddress {
    let host: String
    let port: UInt16
    let isSecure: Bool

    init?(_ text: String) {
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
