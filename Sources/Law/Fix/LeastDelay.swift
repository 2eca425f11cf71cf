import Model
import Time

/// The least delay between receiver time and arrival over a sliding window.
///
/// A monotone queue: only samples that can still become the least are kept. Samples less than half
/// a second after the last kept one, and no better, are left out, which bounds the queue at two
/// entries per second of the window.
struct LeastDelay: Hashable, Sendable {
    struct Sample: Hashable, Sendable {
        var arrival: Uptime
        var delay: TimeSpan
    }

    private(set) var samples: [Sample] = []
    private static let resolution = TimeSpan.milliseconds(500)

    init(samples: [Sample] = []) { self.samples = samples }

    /// The least delay of the window that ends at `arrival`; nil where it has no sample.
    @inline(__always)
    func least(at arrival: Uptime, window: TimeSpan) -> TimeSpan? {
        // Oldest first, and the least.
        samples.first { arrival - $0.arrival <= window }?.delay
    }

    /// Takes a sample and returns the least delay of the window that ends with it.
    mutating func note(_ delay: TimeSpan, at arrival: Uptime, window: TimeSpan) -> TimeSpan {
        // Oldest first.
        while let first = samples.first, arrival - first.arrival > window { samples.removeFirst() }
        while let last = samples.last, last.delay >= delay { samples.removeLast() }
        if let last = samples.last, arrival - last.arrival < Self.resolution {
            return samples[0].delay
        }
        samples.append(Sample(arrival: arrival, delay: delay))
        return samples[0].delay
    }
}

extension Fix {
    /// How long the fix was on its way, plus a constant: the two clocks share no zero.
    var delay: TimeSpan {
        TimeSpan(nanoseconds: arrival.nanoseconds) - TimeSpan(nanoseconds: time.nanoseconds)
    }
}
