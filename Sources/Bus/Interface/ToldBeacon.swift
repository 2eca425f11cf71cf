import Formats
package import JSON
package import Model
package import Systemd
package import Time

/// Presence, and whether it is certain.
package struct ToldPresence: Equatable {
    /// As last judged.
    package var presence: Presence
    /// The position has been lost since it was judged, or leaves it open.
    package var isUncertain: Bool

    package init(_ presence: Presence, isUncertain: Bool) {
        self.presence = presence
        self.isUncertain = isUncertain
    }

    package init?(bus value: BusValue?) {
        guard let number = value?.asUInt32,
            let presence = Presence(rawValue: number & ~Geofence1.uncertain)
        else { return nil }
        self.init(presence, isUncertain: number & Geofence1.uncertain != 0)
    }

    /// `u`.
    package var bus: BusValue {
        .uint32(presence.rawValue | (isUncertain ? Geofence1.uncertain : 0))
    }

    /// `"presence":…`, and `"uncertain":true` where it is, as members of an object.
    package func writeMembers(to json: inout JSONWriter) {
        json.key("presence")
        json.string(presence.name)
        guard isUncertain else { return }
        json.key("uncertain")
        json.bool(true)
    }
}

/// A beacon fence, and where the vehicle is with respect to it.
package struct ToldBeacon {
    /// Id of the fence.
    package var id: String
    /// Its title; empty if it has none.
    package var title = ""
    /// Which beacons it holds; nil for a pattern that this version does not know.
    package var pattern: BeaconPattern?
    /// As last judged.
    package var presence: ToldPresence
    /// The presence was set by hand.
    package var isManual = false
    /// A companion: it, or another of its group, has come along.
    package var isAmbiguous = false
    /// It travels with the vehicle.
    package var isCompanion = false
    /// Its group; nil if it has none.
    package var group: String?
    /// When the open stay began; nil outside.
    package var since: UTCTime?
    /// When it was last heard; nil if that is not known.
    package var lastHeard: Uptime?
    /// The smoothed RSSI, dBm.
    package var level: Double?
    /// The metadata, the text of a JSON object; nil: left out.
    package var metadata: String?

    package init(id: String, presence: ToldPresence) {
        self.id = id
        self.presence = presence
    }

    /// Reads an id and its details; nil for details that this version does not understand.
    package init?(id: String, _ details: [String: BusValue]) {
        guard let presence = ToldPresence(bus: details["presence"]) else { return nil }
        self.init(id: id, presence: presence)
        Self.told.read(details, into: &self)
    }

    /// The text on the sign: the property `code`, a text or a number.
    package var code: String? {
        let value = (try? JSONValue(parsing: metadata ?? "{}"))?["code"]
        return value?.string ?? value?.integer.map(String.init)
    }

    /// Whether the vehicle is inside, as last judged.
    package var isInside: Bool { presence.presence == .inside }
}

// What the daemon tells of it.
extension ToldBeacon {
    /// Of a companion, in the property `Companions`.
    package static let ofCompanion: [ToldMember<Self>] = [
        ToldMember(
            "presence", json: nil, .presence, get: { $0.presence },
            set: { (whole: inout Self, presence) in whole.presence = presence ?? whole.presence }),
        ToldMember(onBus: "manual", .flag, \.isManual),
        ToldMember(onBus: "ambiguous", .flag, \.isAmbiguous),
        ToldMember(onBus: "title", .text, \.title),
        ToldMember(onBus: "metadata", .metadata, \.metadata),
        ToldMember(onBus: "since", .instant, \.since),
    ]

    /// In the answer of `ListBeacons`.
    package static let told: [ToldMember<Self>] =
        ofCompanion + [
            ToldMember(onBus: "beacon", .pattern, \.pattern),
            ToldMember(onBus: "companion", .flag, \.isCompanion),
            ToldMember(onBus: "group", .word, \.group),
            ToldMember(onBus: "last_heard", .monotonic, \.lastHeard),
            ToldMember(onBus: "rssi_mean", .maybe(decimals: 1), \.level),
        ]
}

extension ToldForm<ToldPresence?> {
    static let presence = ToldForm(
        nothing: .uint32(0), bus: { $0?.bus }, value: { ToldPresence(bus: $0) },
        json: { $1.optional($0?.presence.name) })
}

extension ToldForm<BeaconPattern?> {
    static let pattern = ToldForm(
        nothing: .options([]), bus: { $0.map { BeaconMessage.value(of: $0) } },
        value: { $0.flatMap { try? BeaconMessage.pattern($0) } },
        json: { $1.optional($0?.text) })
}

extension ToldForm<[ToldBeacon]> {
    /// `a{sa{sv}}`, by id; a JSON list of ids.
    static let companions = ToldForm(
        nothing: .array(of: "{sa{sv}}", []),
        bus: { companions in
            .array(
                of: "{sa{sv}}",
                companions.map {
                    .entry(.string($0.id), ToldBeacon.ofCompanion.options(of: $0))
                })
        },
        value: { value in
            (value?.asDictionary ?? [:]).sorted { $0.key < $1.key }.compactMap { id, details in
                var companion = details.asDictionary.flatMap { ToldBeacon(id: id, $0) }
                companion?.isCompanion = true
                return companion
            }
        },
        json: { companions, json in
            json.beginArray()
            for companion in companions { json.string(companion.id) }
            json.endArray()
        })
}
