import Formats
import Geofence1
import JSON
package import Model
package import Sentences
package import Systemd
import Time

/// The vehicle, as the daemon judges with it.
package struct KnownVehicle {
    /// What is in force; a height that is missing is assumed.
    package var vehicle: Vehicle
    /// m: what is assumed while no height is set.
    package var assumedHeight: Double
    /// m: what was stated last, where a greater height is in force until it is confirmed.
    package var statedHeight: Double?
    /// Of the height.
    package var certainty: Vehicle.Certainty
    /// Names of the profiles.
    package var profiles: [String]
    /// Whether the daemon knows hazards that it judges the vehicle for.
    package var hasHazards: Bool
    /// The companions that may be with it; empty for callers that may not read events.
    package var companions: [KnownBeacon] = []

    /// From the property `Vehicle`; nil for a daemon that has none.
    package init?(bus value: BusValue?) {
        guard let entries = value?.asDictionary,
            let certainty = entries["certainty"]?.asString,
            let known = Vehicle.Certainty.allCases.first(where: { $0.name == certainty })
        else { return nil }
        self.certainty = known
        vehicle = Vehicle(
            profile: entries["profile"]?.asString ?? "", setBy: entries["set_by"]?.asString ?? "")
        for kind in Limits.Kind.allCases { vehicle[kind] = entries[kind.vehicleKey]?.asDouble }
        vehicle.setAt = entries["set_at"]?.asUInt64.map(UTCTime.init(microseconds:))
        vehicle.confirmedAt = entries["confirmed_at"]?.asUInt64.map(
            UTCTime.init(microseconds:))
        assumedHeight = entries["assumed_height_m"]?.asDouble ?? 0
        statedHeight = entries["stated_height_m"]?.asDouble
        profiles = entries["profiles"]?.asStrings ?? []
        hasHazards = entries["hazards"]?.asBool ?? false
    }
}

extension KnownVehicle {
    /// The companions that determine a value, which is that of the combination with them.
    package func companions(giving kind: Limits.Kind) -> [KnownBeacon] {
        companions.filter { companion in
            let own = (try? JSONValue(parsing: companion.metadata))?[kind.vehicleKey]?.double
            return own != nil && own == vehicle[kind]
        }
    }

    /// The height in force, for people, rounded up: `4.20 m`, `13'10"`.
    package func heightText(_ units: Units, _ wording: Wording = .log) -> String {
        wording.length(vehicle.height ?? assumedHeight, units, .up)
    }
}

extension KnownVehicle {
    /// How the vehicle compares with the limits of that fence, as the daemon does; nil for a fence
    /// that has none.
    package func fit(_ fence: Fence) -> VehicleFit? {
        fence.approach.map { vehicle.fit($0.limits, assumedHeight: assumedHeight) }
    }

    /// A text of the numbers that limits are compared with; it changes if one of them does.
    package var numbers: String {
        Limits.Kind.allCases.map { kind in vehicle[kind].map { "\($0)" } ?? "" }
            .joined(separator: "/") + "/\(assumedHeight)"
    }
}

extension Ahead {
    /// One element of the property `Ahead`; nil for anything else.
    package init?(bus value: BusValue) {
        guard let entries = value.asDictionary, let hazard = entries["hazard"]?.asString,
            let details = JSONValue(value).flatMap(ApproachDetails.init(json:))
        else { return nil }
        let stage = entries["stage"]?.asString
        self.init(
            hazard: hazard, title: entries["title"]?.asString ?? "",
            stage: ApproachStage.allCases.first { $0.kind.name == stage }, details: details,
            isOnRoute: entries["on_route"]?.asBool ?? false)
    }
}

extension DaemonStatus {
    /// Nil for a daemon that has none.
    package var vehicle: KnownVehicle? {
        var vehicle = KnownVehicle(bus: properties["Vehicle"])
        vehicle?.companions = companions
        return vehicle
    }

    /// In order of id; empty for callers that may not read events.
    package var companions: [KnownBeacon] {
        (properties["Companions"]?.asDictionary ?? [:]).sorted { $0.key < $1.key }
            .compactMap { id, details in
                var companion = details.asDictionary.flatMap { KnownBeacon(id: id, $0) }
                companion?.isCompanion = true
                return companion
            }
    }

    /// Nearest first; empty for callers that may not read events.
    package var ahead: [Ahead] {
        (properties["Ahead"]?.asArray ?? []).compactMap(Ahead.init(bus:))
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
        _ = try call("SetVehicle", [.dictionary(entries)], interactive: true)
    }
}
