import JSON
import Law
import Model
import Time

/// A companion that may be with the vehicle, with the values of the combination.
struct VehicleCompanion: Hashable {
    /// Id of the fence.
    let id: String
    /// m or t, by kind: the properties of the fence that are named like those of a vehicle.
    let values: [Limits.Kind: Double]
    /// What they were read from.
    private let text: String

    /// A value out of range is ignored.
    init(_ found: BeaconPresence) {
        id = found.region.id
        text = found.region.metadata
        let metadata = try? JSONValue(parsing: found.region.metadata)
        values = Dictionary(
            uniqueKeysWithValues: Limits.Kind.allCases.compactMap { kind in
                guard let value = metadata?[kind.vehicleKey]?.double,
                    Vehicle.flaw(value, of: kind) == nil
                else { return nil }
                return (kind, value)
            })
    }

    /// Whether it is the same still, so that its text, which may be long, is not read again.
    func isOf(_ found: BeaconPresence) -> Bool {
        found.region.id == id && found.region.metadata == text
    }
}

extension Vehicle {
    /// The values with companions: the greatest of each kind. A height that was never set stays
    /// unset unless a companion is higher than the assumed height.
    func with(_ companions: [VehicleCompanion], assumedHeight: Double) -> Vehicle {
        guard !companions.isEmpty else { return self }
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
    /// How often companions are checked between events: an ambiguous one of a group can leave
    /// without an event.
    private static let companionInterval = TimeSpan.seconds(1)

    /// Checks them, if it is time.
    func lookForCompanions(at now: Uptime) {
        guard now - keeper.companionsLooked >= Self.companionInterval else { return }
        companionsMayHaveChanged(at: now)
    }

    /// The companions have changed: the vehicle is judged with them at once.
    func companionsMayHaveChanged(at now: Uptime) {
        keeper.companionsLooked = now
        guard !(tracker.engine.beacons.isEmpty && keeper.companions.isEmpty) else { return }
        let known = Dictionary(keeper.companions.map { ($0.id, $0) }) { first, _ in first }
        let present = companions(at: now).map { found in
            known[found.region.id].flatMap { $0.isOf(found) ? $0 : nil } ?? VehicleCompanion(found)
        }
        guard present != keeper.companions else { return }
        keeper.companions = present
        vehicleChanged(at: now)
    }
}
