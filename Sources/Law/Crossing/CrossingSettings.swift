package import Time

/// Section 3 of the law: enter and exit.
package struct CrossingSettings: Hashable, Sendable {
    /// Least and largest buffer between enter and exit, m; between them a tenth of the inradius.
    package var bufferFloor = 30.0
    /// The largest buffer, m.
    package var bufferLimit = 100.0
    /// How long every fix must agree where none is certain.
    package var settle = TimeSpan.seconds(10)
    /// How much longer the timer waits when it decides a settle because fixes have stopped.
    package var settleSlack = TimeSpan.seconds(2)
    /// How long after the last fix a timer decides in its place.
    package var timedDecision: TimeSpan { settle + settleSlack }
    /// The largest proof bound U that a stay can have: what is assumed after a power cut, m.
    package var unknownProofBound = 100.0

    /// The settings for terms of fences.
    package var terms = TermsSettings()

    package init() {}
}
