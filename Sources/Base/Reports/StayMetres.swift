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

    /// Nothing is known: the sum of nothing.
    package static let unknown = StayMetres(way: nil, bound: nil, gap: nil)

    /// What is not known adds nothing. A known way without a gap has none.
    package static func += (sum: inout StayMetres, more: StayMetres) {
        func added(_ value: Double?, to sum: Double?) -> Double? {
            value.map { (sum ?? 0) + $0 } ?? sum
        }
        sum.way = added(more.way, to: sum.way)
        sum.bound = added(more.bound, to: sum.bound)
        sum.gap = added(more.gap ?? (more.way == nil ? nil : 0), to: sum.gap)
    }
}
