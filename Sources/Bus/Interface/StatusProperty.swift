import JSON
import Metrics
package import Systemd

/// A property of the daemon's status: its only definition. The value on the bus, how changes of it are
/// announced, who may read it, the status in JSON, the metrics, the interface that is installed and the
/// manual page follow from the rows; the daemon gives each a value.
package struct StatusProperty<Value>: Sendable {
    /// What there is of it whatever its values are.
    package let row: StatusRow
    /// Of its values.
    package let form: ToldForm<Value>

    /// - Parameters:
    ///   - change: how one is announced.
    ///   - isRestricted: callers that may not read events are told what stands for no value.
    ///   - summary: a phrase, for the pages.
    ///   - key: its member of the status in JSON.
    ///   - write: what of it is in JSON, where that is not its value alone; without `key` the members.
    init(
        _ name: String, _ form: ToldForm<Value>, _ summary: String,
        change: BusPropertyChange = .emitsValue, isRestricted: Bool = false,
        json key: String? = nil,
        metric: StatusMetric<Value>? = nil,
        write: (@Sendable (Value, DaemonStatus, inout JSONWriter) -> Void)? = nil
    ) {
        self.form = form
        let value = { @Sendable (status: DaemonStatus) in form.value(status.properties[name]) }
        row = StatusRow(
            name: name, nothing: form.nothing, change: change, isRestricted: isRestricted,
            summary: summary,
            json: { status, json in
                if let key { json.key(key) }
                if let write {
                    write(value(status), status, &json)
                } else if key != nil {
                    form.json(value(status), &json)
                }
            },
            metric: { status, text in metric?.add(value(status), status, &text) })
    }

    /// On the bus.
    package func bus(_ value: Value) -> BusValue { form.bus(value) ?? form.nothing }
}

/// What there is of a property whatever its values are. All are in ``StatusRow/all``.
package struct StatusRow: Sendable {
    /// On the bus.
    package let name: String
    /// What callers that may not read it are told; it is of the type of every value.
    package let nothing: BusValue
    /// How changes are announced.
    package let change: BusPropertyChange
    /// Only callers that may read events are told the value.
    package let isRestricted: Bool
    /// A phrase, for the pages.
    package let summary: String
    let json: @Sendable (DaemonStatus, inout JSONWriter) -> Void
    let metric: @Sendable (DaemonStatus, inout MetricsText) -> Void

    /// Whether changes are signalled, with the value or without.
    package var isSignalled: Bool {
        switch change {
        case .emitsValue, .emitsInvalidation: true
        case .constant, .silent: false
        }
    }

    /// The D-Bus signature of its values.
    package var signature: String { nothing.signature }
}

/// What of a property is a metric.
package struct StatusMetric<Value>: Sendable {
    let add: @Sendable (Value, DaemonStatus, inout MetricsText) -> Void

    /// - Parameter number: nil: it is not known, and left out.
    static func number(
        _ name: String, _ help: String, kind: MetricsText.Kind = .gauge,
        _ number: @escaping @Sendable (Value) -> Double?
    ) -> Self {
        StatusMetric { value, _, text in text.add(name, kind, help, number(value)) }
    }
}

extension StatusMetric<String> {
    /// One of these; where it is empty it is left out.
    static func state(_ name: String, _ help: String, of states: [String]) -> Self {
        StatusMetric { value, _, text in text.add(name, help, state: value, of: states) }
    }
}

extension StatusMetric<[ToldCount]> {
    static func counts(_ name: String, _ help: String) -> Self {
        StatusMetric { counts, _, text in
            text.add(
                name, .counter, help,
                counts.map { .init([("result", $0.name)], Double($0.count)) })
        }
    }
}
