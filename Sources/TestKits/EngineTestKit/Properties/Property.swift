/// Something that must be true of every seeded scenario.
package struct Property: Sendable, CustomStringConvertible {
    /// A sentence.
    package let description: String
    /// What is wrong in the scenario of this seed; nil if nothing is.
    package let flaw: @Sendable (_ seed: UInt64) -> String?

    package init(_ description: String, flaw: @escaping @Sendable (_ seed: UInt64) -> String?) {
        self.description = description
        self.flaw = flaw
    }

    /// The first flaw among these seeds, or a ``Sample`` of them, and how to reproduce it.
    package func firstFlaw(in seeds: Range<UInt64>) -> String? {
        for seed in stride(from: seeds.lowerBound, to: seeds.upperBound, by: Sample.step) {
            if let flaw = flaw(seed) { return "\(description), seed \(seed): \(flaw)" }
        }
        return nil
    }

    /// All properties that hold for any seed: those of a soak run.
    package static let all: [Property] = [
        Exactness.windowed, Exactness.edited, Exactness.restored, Exactness.killed,
        Exactness.powerCut, ParkedVehicle.week, CrossingVehicle.pass, OddReceivers.jump,
        OddReceivers.jitter, Approaching.windowed, Approaching.edited, Approaching.restored,
        Approaching.powerCut, HeardBeacons.law, SaidByHand.law,
        Doubting.windowed, Doubting.restored, Doubting.killed, Doubting.powerCut,
        OnTerms.windowed, OnTerms.restored, OnTerms.powerCut, Metres.inside, Arriving.told,
        Trips.told, Trips.powerCut,
        OnWheels.carried, OnWheels.forwards,
        Routed.followed,
    ]
}
