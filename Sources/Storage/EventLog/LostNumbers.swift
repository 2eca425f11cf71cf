/// Numbers of a log that no event has any more, since its end was lost, or that none ever had, since a
/// power cut came within its commit. For a reader there is a gap.
package struct LostNumbers: Hashable, Sendable {
    /// In ascending order, with numbers between them.
    package private(set) var spans: [ClosedRange<UInt64>] = []

    /// More become one with what is between them: the first two, for these are gone from the log first.
    private static let most = 64

    init(_ spans: [ClosedRange<UInt64>] = []) {
        for span in spans { add(span) }
    }

    mutating func add(_ span: ClosedRange<UInt64>) {
        var (first, last) = (span.lowerBound, span.upperBound)
        let touching = spans.filter { $0.lowerBound <= last + 1 && first <= $0.upperBound + 1 }
        for other in touching {
            (first, last) = (min(first, other.lowerBound), max(last, other.upperBound))
        }
        spans.removeAll { touching.contains($0) }
        let index = spans.firstIndex { $0.lowerBound > last } ?? spans.endIndex
        spans.insert(first...last, at: index)
        while spans.count > Self.most {
            let merged = spans[0].lowerBound...spans[1].upperBound
            spans.replaceSubrange(0...1, with: [merged])
        }
    }

    /// Whether there are any between two numbers, these excluded.
    package func isGap(after seq: UInt64, before next: UInt64) -> Bool {
        spans.contains { $0.upperBound > seq && $0.lowerBound < next }
    }

    /// The first of those that begin after a number.
    package func next(after seq: UInt64) -> UInt64? {
        spans.first { $0.lowerBound > seq }?.lowerBound
    }

    /// How many there are after a number.
    package func count(after seq: UInt64) -> UInt64 {
        spans.reduce(0) { count, span in
            span.upperBound <= seq ? count : count + span.upperBound - max(span.lowerBound - 1, seq)
        }
    }
}
