import BusClient
package import MQTT
package import Settings

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
            if !TopicLevel.isPlain(name) {
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
        broker.readIdentity(
            from: &file, isSecure: address?.isSecure ?? false, credentials: credentials)
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
