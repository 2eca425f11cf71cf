import Geofence1
package import Model
package import Systemd

/// The state of the daemon.
package struct DaemonStatus {
    /// The properties of the manager interface, by name.
    package var properties: [String: BusValue]
    /// Nil if there is none, or the caller may not read it.
    package var position: KnownPosition?
    /// The newest event; nil if the log is empty or may not be read.
    package var lastEvent: LoggedEvent?
    /// There is a last event, but the caller may not read it.
    package var isEventHidden = false

    /// From the properties alone.
    package init(properties: [String: BusValue], position: KnownPosition? = nil) {
        self.properties = properties
        self.position = position
    }

    /// A text property; "" if there is no property of that name.
    package func text(_ name: String) -> String { properties[name]?.asString ?? "" }
    /// An integer property; 0 if there is no property of that name.
    package func number(_ name: String) -> UInt64 { properties[name]?.asUInt64 ?? 0 }

    /// What does not work at present: the names in `Degraded`.
    package var degraded: [String] { properties["Degraded"]?.asStrings ?? [] }
    /// Ids of the fences in the window, in its order.
    package var regions: [String] { properties["Window"]?.asStrings ?? [] }
    /// The position is lost or doubtful: HANDBOOK, section 2.
    package var isUncertain: Bool { ["lost", "doubtful"].contains(text("PositionState")) }

    /// m; nil when the window is the whole catalogue.
    package var metafenceRadius: Double? {
        properties["MetafenceRadius"]?.asDouble.flatMap { $0 > 0 ? $0 : nil }
    }

    /// m; nil from a daemon that counts none.
    package var odometer: Double? { properties["Odometer"]?.asDouble }
    /// `none`, `silent`, `standing` or `moving`; nil for a daemon that does not hear wheels.
    package var wheels: String? { properties["Wheels"]?.asString }
    /// What the vehicle's own odometer shows, m; nil where it does not say.
    package var vehicleOdometer: Double? {
        properties["VehicleOdometer"]?.asDouble.flatMap { $0 >= 0 ? $0 : nil }
    }
    /// Words of the wheels, accepted and refused, by name.
    package var wheelCounters: [(name: String, count: UInt64)] {
        (properties["WheelCounters"]?.asDictionary ?? [:]).compactMap { name, value in
            value.asUInt64.map { (name, $0) }
        }.sorted { $0.name < $1.name }
    }

    /// Accepted fixes, and refused ones by reason.
    package var counters: (accepted: UInt64, refused: [(name: String, count: UInt64)]) {
        let counters = properties["FixCounters"]?.asDictionary ?? [:]
        return (
            counters["accepted"]?.asUInt64 ?? 0,
            Refusal.allCases.map { ($0.name, counters[$0.name]?.asUInt64 ?? 0) }
        )
    }
}

extension DaemonClient {
    /// Reads everything, in up to three calls.
    package func status() throws(ClientError) -> DaemonStatus {
        let properties = try properties()
        var status = DaemonStatus(properties: properties, position: try position())
        let last = status.number("LastSeq")
        guard last > 0 else { return status }
        do throws(ClientError) {
            status.lastEvent = try events(after: last - 1, limit: 1).events.last
        } catch {
            guard error.isDenied else { throw error }
            status.isEventHidden = true
        }
        return status
    }
}
