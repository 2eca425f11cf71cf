/// How far an approach reaches.
package struct TreeSettings: Sendable {
    /// The last escape is looked for so far up the road, m.
    package var farthest = 50_000.0
    /// The approach goes so far beyond it, m, …
    package var beyondEscape = 1609.0
    /// … where the chance is not less.
    package var leastChance = 0.2
    /// Whatever the chance, it goes on for so long, s: the 12 s of the law, and three fixes at 1 Hz
    /// that confirm.
    package var timeBeyondEscape = 15.0
    /// But for no less than this, m: the 60 m of the law, and the 25 m travelled that confirm.
    package var leastBeyondEscape = 85.0
    /// An escape turns no sharper, degrees.
    package var sharpestEscape = 140.0
    /// Turns up to this are none, degrees.
    package var sharpTurn = 40.0
    /// Edges of a tree.
    package var mostBranches = 50_000
    /// Legs of an approach.
    package var mostLegs = 5_000

    package init() {}
}
