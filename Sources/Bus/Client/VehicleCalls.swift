import Geofence1
package import Model
package import Sentences
import Systemd

extension VehicleState {
    /// How the vehicle compares with the limits of that fence, as the law does; nil for a fence
    /// that has none.
    package func fit(_ fence: Fence) -> VehicleFit? {
        fence.approach.map { vehicle.fit($0.limits, assumedHeight: assumedHeight) }
    }

    /// The height in force, for people, rounded up: `4.20 m`, `13'10"`.
    package func heightText(_ units: Units, _ wording: Wording = .log) -> String {
        wording.length(vehicle.height ?? assumedHeight, units, .up)
    }
}

extension DaemonClient {
    /// Sets the vehicle; polkit may ask the user.
    /// - Parameters:
    ///   - profile: begin with this profile, "" the standard values; nil: with what is in force.
    ///   - values: m or t, by kind.
    ///   - confirms: the driver says that the height is right.
    package func setVehicle(
        profile: String?, _ values: [Limits.Kind: Double], confirms: Bool
    ) throws(ClientError) {
        var entries: [(String, BusValue)] = []
        if let profile { entries.append(("profile", .string(profile))) }
        for kind in Limits.Kind.allCases {
            if let value = values[kind] { entries.append((kind.vehicleKey, .double(value))) }
        }
        if confirms { entries.append(("confirm", .bool(true))) }
        _ = try call(.setVehicle, [.dictionary(entries)], interactive: true)
    }
}
