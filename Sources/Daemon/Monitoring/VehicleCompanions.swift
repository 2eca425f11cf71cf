import Engine
import JSON
import Time

/// A companion that may be with the vehicle, and what the combination is with it.
struct VehicleCompanion: Hashable {
    /// Id of the fence.
    let id: String
    /// m or t, by kind: the properties of the fence that have the names of a vehicle's.
    let values: [Limits.Kind: Double]

    /// A value out of range is none.
    init(_ found: BeaconPresence) {
        id = found.region.id
        let metadata = try? JSONValue(parsing: found.region.metadata)
        values = Dictionary(
            uniqueKeysWithValues: Limits.Kind.allCases.compactMap { kind in
                guard let value = metadata?[kind.vehicleKey]?.double,
                    Vehicle.flaw(value, of: kind) == nil
                else { return nil }
                return (kind, value)
            })
    }
}

extension Vehicle {
    /// With what comes along: of each kind the greatest value. A height that nobody has set stays
    /// unset unless a companion is higher than what is assumed.
    func with(_ companions: [VehicleCompanion], assumedHeight: Double) -> Vehicle {
        var vehicle = self
        for kind in Limits.Kind.allCases {
            guard let most = companions.compactMap({ $0.values[kind] }).max() else { continue }
            let own = self[kind] ?? (kind == .height ? assumedHeight : nil)
            if own.map({ most > $0 }) ?? true { vehicle[kind] = most }
        }
        return vehicle
    }
}

extension MonitoringService {
    /// While nothing is said of companions, they are looked at this often: one of a group that was
    /// as near as another goes without an event.
    private static let companionInterval = TimeSpan.seconds(1)

    /// Looks at them, if it is time.
    func lookForCompanions(at now: Uptime) {
        guard now - companionsLooked >= Self.companionInterval else { return }
        companionsMayHaveChanged(at: now)
    }

    /// Another trailer: the vehicle is judged with it at once.
    func companionsMayHaveChanged(at now: Uptime) {
        companionsLooked = now
        guard !(tracker.engine.beacons.isEmpty && withCompanions.isEmpty) else { return }
        let present = companions(at: now).map(VehicleCompanion.init)
        guard present != withCompanions else { return }
        withCompanions = present
        vehicleChanged(at: now)
    }
}
