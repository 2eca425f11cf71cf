import Bytes

/// How far the vehicle was driven during a stay or a trip, m; nil where that is not known.
package struct StayMetres: Hashable, Sendable {
    /// The way.
    package var way: Double?
    /// ``way`` lies within this.
    package var bound: Double?
    /// How far at least where nobody saw the way.
    package var gap: Double?

    package init(way: Double?, bound: Double?, gap: Double?) {
        (self.way, self.bound, self.gap) = (way, bound, gap)
    }

    /// The names of ``members``.
    package static let keys = ["way_m", "way_error_m", "gap_m"]

    /// As every report has them.
    package var members: [Sheet.Member] {
        zip(Self.keys, [way, bound, gap]).map { Sheet.Member($0, metres: $1) }
    }

    /// For people; a dash where nothing was counted.
    package var wayText: String { way.map(LengthText.of) ?? "–" }

    /// For people; empty where there is none.
    package var gapText: String { gap.map { $0 > 0 ? LengthText.of(metres: $0) : "" } ?? "" }

    /// What is not known adds nothing.
    package static func += (sum: inout StayMetres, more: StayMetres) {
        sum.way = (sum.way ?? 0) + (more.way ?? 0)
        sum.bound = (sum.bound ?? 0) + (more.bound ?? 0)
        sum.gap = (sum.gap ?? 0) + (more.gap ?? 0)
    }
}
