package import Systemd

/// A call of the daemon's manager: its only definition. Introspection, who may make it, how much of it
/// is read, the interface that is installed and the bus policy follow from the rows; the manual page is
/// compared with them. The bus service gives each its body.
package struct DaemonCall: Sendable {
    /// Who may make it.
    package enum Right: Equatable, Sendable {
        /// Whoever polkit gives this.
        case action(Geofence1.Action)
        /// The same, and for an origin `source/NAME` the owner of the bus name that belongs to it: the
        /// origin is that argument, or the member `origin` of it.
        case writer(Geofence1.Action, originAt: Int)
        /// Those to whom the consumer belongs, which the body finds out.
        case consumer

        /// What polkit must give a caller that owns nothing.
        package var action: Geofence1.Action {
            switch self {
            case .action(let action), .writer(let action, _): action
            case .consumer: .manageFences
            }
        }
    }

    /// On the bus.
    package let name: String
    /// Who may make it.
    package let right: Right
    /// Its arguments.
    package let inputs: [BusParameter]
    /// What it is answered with.
    package let outputs: [BusParameter]
    /// How much of the arguments is read; nil: nothing before its body, which reads them in portions.
    package let limits: BusLimits?

    init(
        _ name: String, _ right: Right, in inputs: KeyValuePairs<String, String> = [:],
        out outputs: KeyValuePairs<String, String> = [:], limits: BusLimits? = .call
    ) {
        self.name = name
        self.right = right
        self.inputs = inputs.map { BusParameter($0, $1) }
        self.outputs = outputs.map { BusParameter($0, $1) }
        self.limits = limits
    }
}
