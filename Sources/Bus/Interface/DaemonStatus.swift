import Formats
package import JSON
package import Metrics
package import Model
package import Systemd

/// The state of the daemon, as it has told it: the rows of ``StatusRow/all``.
package struct DaemonStatus {
    /// The properties of the manager interface, by name.
    package var properties: [String: BusValue]
    /// Nil if there is none, or the caller may not read it.
    package var position: ToldPosition?
    /// The newest event; nil if the log is empty or may not be read.
    package var lastEvent: LoggedEvent?
    /// There is a last event, but the caller may not read it.
    package var isEventHidden = false

    /// From the properties alone.
    package init(properties: [String: BusValue], position: ToldPosition? = nil) {
        self.properties = properties
        self.position = position
    }

    /// The value of a property, or what stands for it where the daemon does not tell it.
    package subscript<Value>(_ property: StatusProperty<Value>) -> Value {
        property.form.value(properties[property.row.name])
    }

    /// The position is lost or doubtful: HANDBOOK, section 2.
    package var isUncertain: Bool { ["lost", "doubtful"].contains(self[.positionState]) }
    /// The fixes are those of a recording, which has clocks of its own.
    package var isRecorded: Bool { self[.source].hasPrefix("replay:") }

    /// Fixes since it began.
    package var accepted: UInt64 { count(of: "accepted") }
    /// Fixes since it began, by reason.
    package var refused: [ToldCount] {
        Refusal.allCases.map { ToldCount($0.name, count(of: $0.name)) }
    }

    private func count(of name: String) -> UInt64 {
        self[.fixCounters].first { $0.name == name }?.count ?? 0
    }

    /// With the companions that may be with it; nil for a daemon that has none.
    package var vehicle: VehicleState? {
        var vehicle = self[.vehicle]
        vehicle?.companions = self[.companions].map(\.id)
        return vehicle
    }

    /// The companions that determine a value, which is that of the combination with them.
    package func companions(giving kind: Limits.Kind) -> [ToldBeacon] {
        let value = self[.vehicle]?.vehicle[kind]
        return self[.companions].filter { companion in
            let own = (try? JSONValue(parsing: companion.metadata ?? "{}"))?[kind.vehicleKey]?
                .double
            return own != nil && own == value
        }
    }

    /// The object of `geofencectl --json status`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        for row in StatusRow.all { row.json(self, &json) }
        json.key("last_event")
        if let lastEvent { EventJSON.write(lastEvent, to: &json) } else { json.null() }
        json.endObject()
    }

    /// The metrics of the rows. Nothing of where the vehicle is, was or is going to be.
    package func write(to text: inout MetricsText) {
        for row in StatusRow.all { row.metric(self, &text) }
    }
}
