package import Model
package import Systemd

extension VehicleMotion {
    /// What one signal `VehicleMotion` says, `a{sv}`, as it stands there: nothing of it is checked.
    /// - Returns: nil without a speed, or without the word whether the wheels stand.
    package init?(_ value: BusValue) {
        guard let fields = value.asDictionary, let speed = fields["speed_mps"]?.asDouble,
            let isStanding = fields["standing"]?.asBool
        else { return nil }
        self.init(
            speed: speed, isStanding: isStanding, odometer: fields["odometer_m"]?.asDouble,
            odometerSource: fields["odometer_source"]?.asString ?? "")
    }
}
