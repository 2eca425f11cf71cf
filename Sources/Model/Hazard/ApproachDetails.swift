/// What `advisory`, `urgent` and `clear` say beside the fields of every event. No position.
///
/// Lengths are rounded to what is reported, so that every text form gives them back unchanged.
package struct ApproachDetails: Hashable, Sendable {
    /// How the engine tells that the vehicle is coming.
    package enum Way: UInt8, CaseIterable, Sendable {
        /// Along a tree of legs.
        case corridor
        /// By bearing and distance alone.
        case cone

        /// The name in JSON.
        package var name: String {
            switch self {
            case .corridor: "corridor"
            case .cone: "cone"
            }
        }
    }

    /// Which limit the vehicle breaks; the one it breaks by most.
    package var kind: Limits.Kind
    /// m or t; nil where the clearance is unknown.
    package var limit: Double?
    /// The text of the sign; empty where there is none.
    package var sign: String
    /// Where the limit comes from.
    package var basis: Limits.Basis
    /// As in ``Limits``.
    package var date: String
    /// As in ``Limits``.
    package var source: String
    /// As in ``Limits``.
    package var condition: String
    /// As in ``Limits``.
    package var isDoubtful: Bool
    /// The vehicle's value, m or t.
    package var vehicle: Double
    /// Of the vehicle's height; `unconfirmed` for other kinds.
    package var certainty: Vehicle.Certainty
    /// What was added to the vehicle and held back from the limit, m or t.
    package var margin: Double
    /// How much is missing with the margin, m or t, above 0; nil where the clearance is unknown.
    package var shortBy: Double?
    /// Metres to go to the hazard, not below 0.
    package var toGo: Double
    /// At the present speed, s; nil when standing.
    package var toGoTime: Double?
    /// Metres to go to the last escape, negative behind it; nil where there is none.
    package var toEscape: Double?
    /// Where the last escape leads; nil where it is not known.
    package var escape: Approach.Escape?
    /// Name of the road; empty where it has none.
    package var road: String
    /// 0…1, that a vehicle here goes on to the hazard; nil for a cone.
    package var chance: Double?
    /// How it was told.
    package var way: Way
    /// Of several that are due together, within 3 s: the first says how many follow it at this
    /// fix, each of the others 0; nil for one alone.
    package var group: UInt32?

    package init(
        kind: Limits.Kind, limit: Double?, sign: String = "", basis: Limits.Basis = .signed,
        date: String = "", source: String = "", condition: String = "", isDoubtful: Bool = false,
        vehicle: Double, certainty: Vehicle.Certainty = .unconfirmed, margin: Double = 0,
        shortBy: Double? = nil, toGo: Double, toGoTime: Double? = nil, toEscape: Double? = nil,
        escape: Approach.Escape? = nil, road: String = "", chance: Double? = nil,
        way: Way = .corridor, group: UInt32? = nil
    ) {
        self.kind = kind
        self.limit = limit
        self.sign = sign
        self.basis = basis
        self.date = date
        self.source = source
        self.condition = condition
        self.isDoubtful = isDoubtful
        self.vehicle = vehicle
        self.certainty = certainty
        self.margin = margin
        self.shortBy = shortBy
        self.toGo = toGo
        self.toGoTime = toGoTime
        self.toEscape = toEscape
        self.escape = escape
        self.road = road
        self.chance = chance
        self.way = way
        self.group = group
    }
}
