/// How far an approach reaches.
package struct TreeSettings: Sendable {
    /// The last escape is looked for so far up the road, m.
    package var farthest = 50_000.0
    /// The approach goes so far beyond it, m, …
    package var beyondEscape = 1609.0
    /// … where the chance is not less.
    package var leastChance = 0.2
    /// Whatever the chance, it goes on for so long, s: the 14 s of the law, and three fixes at 1 Hz
    /// that confirm.
    package var timeBeyondEscape = 17.0
    /// But for no less than this, m: the 60 m of the law, and the 25 m travelled that confirm.
    package var leastBeyondEscape = 85.0
    /// Where a fork leads to the hazard by two ways, the longer one counts if it is so much longer at
    /// most, m.
    package var longestDetour = 300.0
    /// And its last escape counts if a vehicle at the fork takes it with this chance at least.
    package var likelyFork = 0.02
    /// An escape turns no sharper, degrees.
    package var sharpestEscape = 140.0
    /// Turns up to this are none, degrees.
    package var sharpTurn = 40.0
    /// Edges of a tree.
    package var mostBranches = 50_000
    /// Legs of an approach.
    package var mostLegs = 5_000
    /// Legs that end at the hazard and lines of its section, together: the daemon takes no more.
    package var mostEnds = 256

    package init() {}
}
