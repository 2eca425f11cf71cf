package import MQTT
import PostgreSQL
package import Settings
import SharedLimits

/// `/etc/geofenced/ingest.conf`: the brokers and the database.
package struct IngestSettings {
    /// Every shard; the client id is made unique by ``Intake``.
    package var brokers: [MQTTSettings]
    /// A conninfo string; with the password if there is a credential `database`.
    package var database: String
    /// Whether several ingests share the events of a broker.
    package var isShared: Bool
    /// Days that events are kept, for `setup`.
    package var retention: Int

    private static let day = 86_400.0
    /// Bytes of waiting messages, of all brokers together.
    private static let mostWaiting = 64 << 20

    /// Reads the file; nil if something is wrong, which is then among the problems.
    package static func read(
        _ file: ProgramSettings, credentials: Credentials
    ) -> (settings: IngestSettings?, problems: [SettingsProblem]) {
        var file = file
        let urls = file.list("Ingest", "Brokers")
        var addresses: [BrokerAddress] = []
        for url in urls {
            do throws(BadValue) { addresses.append(try BrokerAddress.setting(url)) } catch {
                file.refuse("Ingest", "Brokers", error.reason)
            }
        }
        if urls.isEmpty { file.refuse("Ingest", "Brokers", "is missing") }
        let password = file.password("Ingest", "Password", credentials)
        var database = file.text("Ingest", "Database") ?? "dbname=fleet"
        do throws(DatabaseError) {
            database = try ConnectionText.text(of: database, password: password)
        } catch { file.refuse("Ingest", "Database", error.message) }
        let retention = file.span("Ingest", "RetentionSec", 90 * day, in: day...3660 * day)
        let isShared = file.flag("Ingest", "Shared", true)
        let authentication = MQTTAuthentication(from: &file, for: addresses)
        file.finish()
        guard file.problems.isEmpty else { return (nil, file.problems) }
        var brokers: [MQTTSettings] = []
        for address in addresses {
            var broker = MQTTSettings(address, clientID: "")
            broker.keepAlive = 60
            broker.waitingLimit = mostWaiting / addresses.count
            broker.packetLimit = UInt32(SharedLimits.packetToOffice)
            do throws(BadValue) { try authentication.apply(to: &broker, credentials) } catch {
                file.refuse(error.reason)
                return (nil, file.problems)
            }
            brokers.append(broker)
        }
        return (
            IngestSettings(
                brokers: brokers, database: database, isShared: isShared,
                retention: Int(retention / day)), []
        )
    }
}
