import Formats
package import Geodesy
import Geofence1
package import JSON
package import Model
import Systemd
package import Time

/// The route, and what it leads to.
package struct KnownRoute {
    /// `none`, `set`, or how the last one has ended.
    package var state: String
    /// As somebody calls it.
    package var name: String
    /// UTC; nil where no route counts, as the next one.
    package var setAt: UTCTime?
    /// When it ends at the latest, UTC.
    package var until: UTCTime?
    /// It outlives a start of the machine.
    package var isKept: Bool
    /// The vehicle was not off it when it last moved; nil where that is not told.
    package var isOn: Bool?
    /// How many it has.
    package var positions: UInt64
    /// m
    package var length: Double
    /// There are hazards in the catalogue: if not, that none is on the route says nothing.
    package var hazardsAreKnown: Bool
    /// All that there are were looked at, and told.
    package var isComplete: Bool
    /// Hazards on it that the vehicle fits.
    package var fitting: UInt64
    /// The others, in the order of the route.
    package var hazards: [RouteHazard]

    init?(bus answer: [BusValue]) {
        guard let entries = answer.first?.asDictionary, let state = entries["state"]?.asString
        else { return nil }
        self.state = state
        name = entries["name"]?.asString ?? ""
        setAt = entries["set_at"]?.asUInt64.map(UTCTime.init(microseconds:))
        until = entries["until"]?.asUInt64.map(UTCTime.init(microseconds:))
        isKept = entries["keep"]?.asBool ?? false
        isOn = entries["on"]?.asBool
        positions = entries["positions"]?.asUInt64 ?? 0
        length = entries["length_m"]?.asDouble ?? 0
        hazardsAreKnown = entries["hazards_known"]?.asBool ?? false
        isComplete = entries["complete"]?.asBool ?? false
        fitting = entries["fitting"]?.asUInt64 ?? 0
        hazards = (entries["hazards"]?.asArray ?? []).compactMap(RouteHazard.init(bus:))
    }
}

extension RouteHazard {
    fileprivate init?(bus value: BusValue) {
        guard let entries = value.asDictionary, let hazard = entries["hazard"]?.asString,
            let along = entries["along_m"]?.asDouble
        else { return nil }
        self.init(
            hazard: hazard, title: entries["title"]?.asString ?? "", along: along,
            fit: entries["fit"]?.asString == VehicleFit.breaks.name ? .breaks : .unknown,
            details: JSONValue(value).flatMap(ApproachDetails.init(json:)))
    }
}

extension KnownRoute {
    /// The object of `geofencectl --json route show`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("state")
        json.string(state)
        if let setAt, let until {
            json.key("name")
            json.string(name)
            json.key("set_at")
            json.string(setAt.iso8601)
            json.key("until")
            json.string(until.iso8601)
            for (key, flag) in [
                ("keep", isKept), ("on", isOn), ("hazards_known", hazardsAreKnown),
                ("complete", isComplete),
            ] {
                guard let flag else { continue }
                json.key(key)
                json.bool(flag)
            }
            json.key("positions")
            json.integer(positions)
            json.key("length_m")
            json.number(length, decimals: 1)
            json.key("fitting")
            json.integer(fitting)
            json.key("hazards")
            json.beginArray()
            for hazard in hazards { hazard.write(to: &json) }
            json.endArray()
        }
        json.endObject()
    }
}

extension RouteHazard {
    fileprivate func write(to json: inout JSONWriter) {
        var members: [JSONMember] = [
            JSONMember("hazard", .string(hazard)), JSONMember("title", .string(title)),
            JSONMember("along_m", JSONValue((along * 10).rounded() / 10)),
            JSONMember("fit", .string(fit.name)),
        ]
        members += details?.json(of: .advisory).object ?? []
        json.value(.object(members))
    }
}

extension DaemonClient {
    /// Sets the route, in portions; polkit may ask the user.
    /// - Parameter positions: valid.
    /// - Returns: the route and the hazards on it.
    package func setRoute(
        _ positions: [Coordinate], name: String, keep: Bool
    ) throws(ClientError) -> KnownRoute? {
        var first = 0
        while true {
            let end = min(first + Geofence1.mostPositionsOfPortion, positions.count)
            let hasMore = end < positions.count
            let answer = try call(
                "SetRoute",
                [
                    .array(
                        of: "(dd)",
                        positions[first..<end].map {
                            .structure([.double($0.latitude), .double($0.longitude)])
                        }),
                    .dictionary([
                        ("name", .string(name)), ("keep", .bool(keep)),
                        ("first", .uint32(UInt32(clamping: first))), ("more", .bool(hasMore)),
                    ]),
                ], interactive: true)
            guard hasMore else { return KnownRoute(bus: answer) }
            first = end
        }
    }

    /// The route and the hazards on it; polkit may ask the user.
    package func route() throws(ClientError) -> KnownRoute? {
        KnownRoute(bus: try call("GetRoute", interactive: asksUser))
    }

    /// From now on there is no route; polkit may ask the user.
    package func clearRoute() throws(ClientError) {
        _ = try call("ClearRoute", interactive: true)
    }
}
