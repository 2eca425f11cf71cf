import Formats
package import JSON
package import Model
import Systemd

// The vehicle, and what it is coming to.

extension VehicleState {
    /// Its members, of the property `Vehicle`. Without `height_m` nobody has set one, and
    /// `assumed_height_m` is used.
    package static let told: [ToldMember<Self>] = limits + height + profile + origin

    private static let limits: [ToldMember<Self>] = Limits.Kind.allCases.map { kind in
        ToldMember(
            kind.vehicleKey, json: kind.vehicleKey, .maybe(decimals: 3),
            get: { $0.vehicle[kind] }, set: { $0.vehicle[kind] = $1 })
    }

    private static let height: [ToldMember<Self>] = [
        ToldMember(
            "assumed_height_m", json: "assumed_height_m", .maybe(decimals: 3),
            get: { $0.vehicle.height == nil ? $0.assumedHeight : nil },
            set: { $0.assumedHeight = $1 ?? 0 }),
        ToldMember("stated_height_m", .maybe(decimals: 3), \.statedHeight),
        ToldMember("certainty", .certainty, \.certainty),
    ]

    private static let profile: [ToldMember<Self>] = [
        ToldMember("profile", .text, \.vehicle.profile),
        ToldMember("profiles", .texts, \.profiles),
        ToldMember(onBus: "hazards", .flag, \.hasHazards),
        ToldMember(inJSON: { vehicle, json in
            json.key("companions")
            ToldForm<[String]>.texts.json(vehicle.companions, &json)
        }),
    ]

    private static let origin: [ToldMember<Self>] = [
        ToldMember("set_by", .text, \.vehicle.setBy),
        ToldMember("set_at", .time, \.vehicle.setAt),
        ToldMember("confirmed_at", .time, \.vehicle.confirmedAt),
    ]
}

extension ToldForm<Vehicle.Certainty> {
    static let certainty = ToldForm(
        nothing: .string(""), bus: { .string($0.name) },
        value: { value in
            Vehicle.Certainty.allCases.first { $0.name == value?.asString } ?? .assumed
        },
        json: { $1.string($0.name) })
}

extension ToldForm<VehicleState?> {
    static let vehicle = ToldForm(
        nothing: .options([]), bus: { $0.map { VehicleState.told.options(of: $0) } },
        value: { value in
            guard let entries = value?.asDictionary,
                Vehicle.Certainty.allCases.contains(where: {
                    $0.name == entries["certainty"]?.asString
                })
            else { return nil }
            var vehicle = VehicleState()
            VehicleState.told.read(entries, into: &vehicle)
            return vehicle
        },
        json: { vehicle, json in
            guard let vehicle else { return json.null() }
            VehicleState.told.writeObject(vehicle, to: &json)
        })
}

extension ToldForm<[Ahead]> {
    /// Of each `hazard`, `title`, `stage` (what has been announced, "" for nothing yet), and what an
    /// event would say of its approach now: in JSON as a member of its own.
    static let ahead = ToldForm(
        nothing: .array(of: "a{sv}", []),
        bus: { .array(of: "a{sv}", $0.map(BusValue.ahead)) },
        value: { ($0?.asArray ?? []).compactMap(Ahead.init(bus:)) },
        json: { hazards, json in
            json.beginArray()
            for ahead in hazards { ahead.write(to: &json) }
            json.endArray()
        })
}

extension BusValue {
    fileprivate static func ahead(_ ahead: Ahead) -> BusValue {
        .approach(
            ahead.details, of: ahead.stage?.kind ?? .advisory,
            [
                BusOption("hazard", .string(ahead.hazard)),
                BusOption("title", .string(ahead.title)),
                BusOption("stage", .string(ahead.stage?.kind.name ?? "")),
                BusOption("on_route", .bool(ahead.isOnRoute)),
            ])
    }

    /// What an event would say of an approach, behind these.
    static func approach(
        _ details: ApproachDetails?, of kind: EventKind, _ first: [BusOption]
    ) -> BusValue {
        guard let details, case .options(let rest) = BusValue(metadata: details.json(of: kind).text)
        else { return .options(first) }
        return .options(first + rest)
    }
}

extension Ahead {
    /// `{"hazard":…,"title":…,"stage":…,"on_route":…,"approach":{…}}`
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("hazard")
        json.string(hazard)
        json.key("title")
        json.string(title)
        json.key("stage")
        json.optional(stage?.kind.name)
        json.key("on_route")
        json.bool(isOnRoute)
        json.key("approach")
        json.value(details.json(of: stage?.kind ?? .advisory))
        json.endObject()
    }

    /// One element of the property `Ahead`; nil for anything else.
    fileprivate init?(bus value: BusValue) {
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
