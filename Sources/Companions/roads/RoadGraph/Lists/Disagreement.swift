/// Two sources that say different things of one place: the lower counts.
package struct Disagreement: Sendable {
    /// m; what is less is how a sign was rounded, or the road's new surface.
    private static let least = 0.15

    /// The one that counts.
    package let lower: Hazard
    /// The other one.
    package let higher: Hazard

    /// Nil if they agree, or are not of one kind that is measured in metres.
    init?(_ one: Hazard, _ other: Hazard) {
        let kind = one.limit.kind
        guard kind == other.limit.kind, !kind.isMass,
            let first = one.limit.value, let second = other.limit.value,
            // Both are read from texts with at most three decimals.
            ((first - second).magnitude * 1000).rounded() > Self.least * 1000
        else { return nil }
        (lower, higher) = first < second ? (one, other) : (other, one)
    }

    /// Those between places on roads and limits of whole roads.
    /// - Parameters:
    ///   - places: from a list.
    ///   - roads: of the extract.
    package static func between(_ places: [Hazard], _ roads: [Hazard]) -> [Disagreement] {
        var limits: [RoadEdge: [Int]] = [:]
        for (index, road) in roads.enumerated() {
            guard case .edges(let edges) = road.section else { continue }
            for edge in edges { limits[edge, default: []].append(index) }
        }
        return places.flatMap { place -> [Disagreement] in
            guard case .positions(let positions) = place.section else { return [] }
            let there = Set(positions.flatMap { limits[$0.edge] ?? [] })
            return there.sorted().compactMap { Disagreement(place, roads[$0]) }
        }
    }
}
