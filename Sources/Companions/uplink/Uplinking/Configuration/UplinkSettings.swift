package import Settings

/// `/etc/geofenced/uplink.d/NAME.conf`: where events go, as whom, and which.
package struct UplinkSettings {
    /// Where a destination begins that the daemon does not know yet.
    package enum Beginning: String, CaseIterable, Sendable {
        /// With the next event.
        case now
        /// With the oldest event of the log.
        case oldest
    }

    /// Kinds of destinations.
    package enum Destination: Sendable {
        /// An MQTT 5 broker.
        case mqtt(BrokerDestination)
        /// A web hook, or an entity set of an OData service.
        case web(WebDestination)
    }

    private enum Kind: String, CaseIterable { case mqtt, webhook, odata }

    /// What the destination is, and how it is reached.
    package var destination: Destination
    /// How events are written for it.
    package var format: EventFormat
    /// Where it begins.
    package var beginning: Beginning
    /// What leaves the vehicle.
    package var filter: UplinkFilter

    /// Reads the file; nil if something is wrong, which is then among the problems. Keys of other
    /// kinds of destinations are unknown.
    package static func read(
        _ file: ProgramSettings
    ) -> (settings: UplinkSettings?, problems: [SettingsProblem]) {
        var file = file
        let kind = file.choice("Uplink", "Type", Kind.mqtt)
        let box = BoxName(from: &file)
        let beginning = file.choice("Uplink", "From", Beginning.now)
        var filter = UplinkFilter(from: &file)
        filter.hasPosition = file.flag("Uplink", "Position", false)
        filter.hasDriver = file.flag("Uplink", "Driver", false)
        let read: (destination: Destination, format: EventFormat)?
        switch kind {
        case .mqtt:
            let broker = BrokerDestination.read(&file, box, filter)
            read = broker.map { (.mqtt($0.destination), $0.format) }
        case .webhook:
            let hook = WebDestination.readHook(&file, box)
            read = hook.map { (.web($0.destination), $0.format) }
        case .odata:
            let table = WebDestination.readTable(&file, box)
            read = table.map { (.web($0.destination), .entity($0.table)) }
        }
        file.finish()
        guard let read, file.problems.isEmpty else { return (nil, file.problems) }
        if case .web(let web) = read.destination { web.check(&file) }
        guard file.problems.isEmpty else { return (nil, file.problems) }
        let settings = UplinkSettings(
            destination: read.destination, format: read.format, beginning: beginning,
            filter: filter)
        return (settings, [])
    }
}
