package import Systemd

/// What one signal `VehicleMotion` says, as it stands there: nothing of it is checked.
package struct WheelWord: Hashable, Sendable {
    /// m/s; nil where it is missing, or no number.
    package var speed: Double?
    /// Nil where it is missing, or no boolean.
    package var isStanding: Bool?
    /// m; nil where it is not known.
    package var odometer: Double?
    /// Who counts it; empty where nobody says so.
    package var odometerSource = ""

    /// The argument of the signal, `a{sv}`.
    package init(_ value: BusValue) {
        guard let fields = value.asDictionary else { return }
        speed = fields["speed_mps"]?.asDouble
        isStanding = fields["standing"]?.asBool
        odometer = fields["odometer_m"]?.asDouble
        odometerSource = fields["odometer_source"]?.asString ?? ""
    }
}
