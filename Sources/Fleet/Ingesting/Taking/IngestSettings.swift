package import MQTT
package import Settings

/// `/etc/geofenced/ingest.conf`: the brokers and the database.
package struct IngestSettings {
    /// Every shard; the client id is made unique by ``Intake``.
    package var brokers: [MQTTSettings]
    /// A conninfo string, with `password=` replaced by the credential `@database`, if there is one.
    package var database: String
    /// Days that events are kept.
    package var retention: Int

    private static let day = 86_400.0

    /// Reads the file; nil if something is wrong, which is then among the problems.
    package static func read(
        _ file: ProgramSettings, credentials: String?
    ) -> (settings: IngestSettings?, problems: [SettingsProblem]) {
        var file = file
        let urls = file.list("Ingest", "Brokers")
        let addresses = urls.map { ($0, BrokerAddress($0)) }
        for (url, address) in addresses where address == nil {
            file.refuse(
                "Ingest", "Brokers", "\(url): not mqtt://HOST[:PORT] or mqtts://HOST[:PORT]")
        }
        if urls.isEmpty { file.refuse("Ingest", "Brokers", "missing") }
        var database = file.text("Ingest", "Database") ?? "dbname=fleet"
        if let path = Credential.path(of: "database", in: credentials),
            let password = Credential.text(at: path)
        {
            let quoted = password.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
            database += " password='\(quoted)'"
        }
        let retention = file.span(
            "Ingest", "RetentionSec", 90 * day, in: day...3660 * day)
        let isSecure = addresses.contains { $0.1?.isSecure ?? false }
        var identity = MQTTSettings(host: "", port: 0, clientID: "")
        identity.readIdentity(from: &file, isSecure: isSecure, credentials: credentials)
        file.finish()
        guard file.problems.isEmpty else { return (nil, file.problems) }
        let brokers = addresses.compactMap(\.1).map { address in
            var broker = identity
            broker.host = address.host
            broker.port = address.port
            broker.tls = address.isSecure ? identity.tls : nil
            broker.keepAlive = 60
            broker.waitingLimit = 64 << 20
            return broker
        }
        return (
            IngestSettings(
                brokers: brokers, database: database, retention: Int(retention / day)), []
        )
    }
}
