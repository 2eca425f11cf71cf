/// An edge of the tree that leads to a hazard.
struct Branch {
    let edge: RoadEdge
    /// The branch that follows, an earlier one; -1: the hazard.
    let next: Int
    /// Metres to go at its end.
    let end: Double
    /// That a vehicle at its end goes on to the hazard.
    let chance: Double
    let escape: Escape?
    /// Usual time from its end to the escape, s.
    let timeToEscape: Double
    let turn: SharpTurn?
    /// What follows the hazard on it, m; 0 unless the hazard lies on it.
    let tail: Double
    /// How much of the rest, up to its end, belongs to the approach, m.
    let kept: Double
}

/// A candidate, ordered by metres to go, then by number.
struct Candidate: Comparable {
    let end: Double
    let edge: RoadEdge
    let next: Int
    /// As of a ``Branch``.
    var tail = 0.0

    static func < (a: Candidate, b: Candidate) -> Bool {
        (a.end, a.edge.number, a.next) < (b.end, b.edge.number, b.next)
    }
}
