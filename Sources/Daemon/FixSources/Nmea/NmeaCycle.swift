/// Learns with which sentence a receiver's cycle ends, so that a live epoch need not wait for the
/// first sentence of the next. gpsd does the same ("cycle ender").
///
/// Only sentences with content are counted, and the end is the kind together with its count: with
/// three constellations the third GSA is the last, not the first.
struct NmeaCycle {
    private struct End: Hashable {
        var kind: NmeaSentence.Kind
        var occurrence: Int
    }

    /// Cycles in a row that must have ended in the same way.
    private static let needed = 3
    /// Wrong guesses after which it stops guessing.
    private static let tolerated = 3

    private var seen: [NmeaSentence.Kind: Int] = [:]
    private var first: NmeaSentence.Kind?
    private var last: End?
    private var learned: End?
    private var firstLearned: NmeaSentence.Kind?
    private var agreeing = 0
    private var wrong = 0

    /// The open epoch has reached the sentence that has always been the last.
    var isComplete: Bool {
        wrong < Self.tolerated && agreeing >= Self.needed && last != nil && last == learned
    }

    /// Whether the receiver's cycle is known to begin with this kind.
    func mayBegin(with kind: NmeaSentence.Kind) -> Bool { firstLearned == kind }

    /// A new epoch begins: the previous one has ended with its last sentence.
    mutating func begin() {
        if let last {
            if last == learned {
                agreeing = min(agreeing + 1, Self.needed)
            } else {
                learned = last
                agreeing = 1
            }
            firstLearned = first
        }
        seen.removeAll(keepingCapacity: true)
        first = nil
        last = nil
    }

    mutating func saw(_ kind: NmeaSentence.Kind) {
        if first == nil { first = kind }
        let occurrence = (seen[kind] ?? 0) + 1
        seen[kind] = occurrence
        last = End(kind: kind, occurrence: occurrence)
    }

    /// A sentence came after the assumed end.
    mutating func wasWrong() {
        wrong += 1
        agreeing = 0
        learned = nil
    }

    /// The stream was cut: the open epoch shows nothing about the cycle.
    mutating func restart() {
        seen.removeAll(keepingCapacity: true)
        first = nil
        last = nil
    }
}
