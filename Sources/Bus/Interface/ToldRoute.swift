import Formats
package import JSON
package import Model
package import Systemd
package import Time

/// The route, and what it leads to, in the answers of `SetRoute` and `GetRoute`.
package struct ToldRoute {
    /// `none`, `set`, or how the last one has ended.
    package var state: String
    /// As somebody calls it.
    package var name = ""
    /// UTC; nil where no route counts, and then there is none of the rest.
    package var setAt: UTCTime?
    /// When it ends at the latest, UTC.
    package var until: UTCTime?
    /// It outlives a start of the machine.
    package var isKept = false
    /// The vehicle was not off it when it last moved; nil where that is not told.
    package var isOn: Bool?
    /// How many it has.
    package var positions: UInt32 = 0
    /// m
    package var length = 0.0
    /// There are hazards in the catalogue: if not, that none is on the route says nothing.
    package var hazardsAreKnown = false
    /// All that there are were looked at, and told.
    package var isComplete = false
    /// Hazards on it that the vehicle fits.
    package var fitting: UInt32 = 0
    /// The others, in the order of the route.
    package var hazards: [RouteHazard] = []

    package init(state: String) { self.state = state }

    /// Nil for anything else.
    package init?(bus answer: [BusValue]) {
        guard let entries = answer.first?.asDictionary, let state = entries["state"]?.asString
        else { return nil }
        self.init(state: state)
        Self.told.read(entries, into: &self)
    }

    /// `a{sv}`.
    package var bus: BusValue { members.options(of: self) }

    /// The object of `geofencectl --json route show`.
    package func write(to json: inout JSONWriter) { members.writeObject(self, to: &json) }

    private var members: [ToldMember<Self>] { setAt == nil ? Self.always : Self.told }

    private static let told = always + ofRoute + ofHazards
    private static let always = [ToldMember("state", .text, \Self.state)]
    private static let ofRoute = [
        ToldMember("name", .text, \Self.name), ToldMember("set_at", .instant, \Self.setAt),
        ToldMember("until", .instant, \Self.until), ToldMember("keep", .flag, \Self.isKept),
        ToldMember(onBus: "on", .optionalFlag, \Self.isOn),
        ToldMember(inJSON: { route, json in
            guard let isOn = route.isOn else { return }
            json.key("on")
            json.bool(isOn)
        }),
    ]
    private static let ofHazards = [
        ToldMember("hazards_known", .flag, \Self.hazardsAreKnown),
        ToldMember("complete", .flag, \Self.isComplete),
        ToldMember("positions", .count, \Self.positions),
        ToldMember("length_m", .real(decimals: 1), \Self.length),
        ToldMember("fitting", .count, \Self.fitting),
        ToldMember("hazards", .routeHazards, \Self.hazards),
    ]
}

extension ToldForm<[RouteHazard]> {
    /// Of each `hazard`, `title`, `along_m` (from the start of the route), `fit` (`breaks`, or
    /// `unknown`), and what an event would say of it.
    fileprivate static let routeHazards = ToldForm(
        nothing: .array(of: "a{sv}", []),
        bus: { .array(of: "a{sv}", $0.map(BusValue.routeHazard)) },
        value: { ($0?.asArray ?? []).compactMap(RouteHazard.init(bus:)) },
        json: { hazards, json in
            json.beginArray()
            for hazard in hazards { hazard.write(to: &json) }
            json.endArray()
        })
}

extension BusValue {
    fileprivate static func routeHazard(_ found: RouteHazard) -> BusValue {
        .approach(
            found.details, of: .advisory,
            [
                BusOption("hazard", .string(found.hazard)),
                BusOption("title", .string(found.title)),
                BusOption("along_m", .double(found.along)),
                BusOption("fit", .string(found.fit.name)),
            ])
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
