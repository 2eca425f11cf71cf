package import JSON
package import Systemd

/// A fence at a place: a region of the window, or one that a dry run finds.
package struct ToldRegion: Equatable {
    /// Id of the fence.
    package var id: String
    /// The vehicle's presence in this fence.
    package var presence: ToldPresence
    /// Signed, m; nil if the caller may not read the position.
    package var distance: Double?

    package init(id: String, presence: ToldPresence, distance: Double?) {
        self.id = id
        self.presence = presence
        self.distance = distance
    }

    /// On the bus: id, presence, distance.
    package static let signature = "(sud)"

    /// Nil for anything else.
    init?(bus region: BusValue) {
        guard let members = region.asStructure, members.count == 3, let id = members[0].asString,
            let presence = ToldPresence(bus: members[1])
        else { return nil }
        self.init(id: id, presence: presence, distance: members[2].asDouble)
    }

    fileprivate var bus: BusValue {
        .structure([.string(id), presence.bus, .double(distance ?? .nan)])
    }

    /// `{"rank":…,"id":…,"distance_m":…,"presence":…}`
    package func write(rank: Int, to json: inout JSONWriter) {
        json.beginObject()
        json.key("rank")
        json.integer(rank)
        json.key("id")
        json.string(id)
        json.key("distance_m")
        json.optional(distance, decimals: 1)
        presence.writeMembers(to: &json)
        json.endObject()
    }
}

extension [ToldRegion] {
    /// From the answer of `GetWindow` or `EvaluateAt`.
    package init(bus answer: [BusValue]) {
        self = (answer.first?.asArray ?? []).compactMap(ToldRegion.init(bus:))
    }

    /// `a(sud)`.
    package var bus: BusValue { .array(of: ToldRegion.signature, map(\.bus)) }
}
