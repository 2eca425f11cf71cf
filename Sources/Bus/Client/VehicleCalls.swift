package import Engine
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
        vehicle.setAt = entries["set_at"]?.asUInt64.map(ReceiverTime.init(microseconds:))
        vehicle.confirmedAt = entries["confirmed_at"]?.asUInt64.map(
            ReceiverTime.init(microseconds:))
        assumedHeight = entries["assumed_height_m"]?.asDouble ?? 0
        statedHeight = entries["stated_height_m"]?.asDouble
        profiles = entries["profiles"]?.asStrings ?? []
    }
}

extension KnownVehicle {
    /// The height in force, for people, rounded up: `4.20 m`, `13'10"`.
    package func heightText(isImperial: Bool) -> String {
        ApproachDetails.value(
            vehicle.height ?? assumedHeight, .height, isImperial ? .imperial : .metric, up: true)
    }
}

/// A hazard that the vehicle is coming to.
package struct KnownHazard {
    /// Id of the fence.
    package var hazard: String
    /// Empty if it has none.
    package var title: String
    /// `advisory` or `urgent`; empty while nothing has been said.
    package var stage: String
    /// `height`, `width`, …
    package var kind: Limits.Kind
    /// m or t; nil if it is not known.
    package var limit: Double?
    /// As on the sign; empty if there is none.
    package var sign: String
    /// m or t.
    package var vehicle: Double
    /// m.
    package var toGo: Double
    /// s; nil if the vehicle stands.
    package var toGoTime: Double?
    /// m, negative behind it; nil if there is none.
    package var toEscape: Double?
    /// Where the last way out leads: the road and the side, each empty if it is not known.
    package var escape: (road: String, side: String)?

    package init?(bus value: BusValue) {
        guard let entries = value.asDictionary, let hazard = entries["hazard"]?.asString,
            let kind = entries["kind"]?.asString,
            let known = Limits.Kind.allCases.first(where: { $0.name == kind }),
            let vehicle = entries["vehicle"]?.asDouble, let toGo = entries["to_go_m"]?.asDouble
        else { return nil }
        self.hazard = hazard
        self.kind = known
        self.vehicle = vehicle
        self.toGo = toGo
        title = entries["title"]?.asString ?? ""
        stage = entries["stage"]?.asString ?? ""
        sign = entries["sign"]?.asString ?? ""
        limit = entries["limit"]?.asDouble
        toGoTime = entries["to_go_s"]?.asDouble
        toEscape = entries["to_escape_m"]?.asDouble
        if let road = entries["escape_road"]?.asString {
            escape = (road, entries["escape_side"]?.asString ?? "")
        }
    }
}

extension DaemonStatus {
    /// Nil for a daemon that has none.
    package var vehicle: KnownVehicle? { KnownVehicle(bus: properties["Vehicle"]) }

    /// Nearest first; empty for callers that may not read events.
    package var ahead: [KnownHazard] {
        (properties["Ahead"]?.asArray ?? []).compactMap(KnownHazard.init(bus:))
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
