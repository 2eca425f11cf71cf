package import Time

/// The signed distance to one fence at the last fixes, as a line of bars: how it has come nearer.
package struct Sparkline {
    /// Whose distances these are.
    package private(set) var fence = ""
    /// m, oldest first.
    package private(set) var values: [Double] = []
    private var last: UTCTime?

    /// Fixes that are shown.
    package static let length = 60
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Takes the distance at a fix; another fence begins anew, the same fix counts once.
    package mutating func add(_ distance: Double, to fence: String, at time: UTCTime) {
        if fence != self.fence { self = Sparkline(fence: fence) }
        guard time != last, distance.isFinite else { return }
        last = time
        values = values.suffix(Self.length - 1) + [distance]
    }

    package init() {}

    private init(fence: String) { self.fence = fence }

    /// One bar a fix, the lowest for the nearest of them; empty where there is no change to see.
    package var text: String {
        guard let low = values.min(), let high = values.max(), high > low else { return "" }
        return String(
            values.map { value in
                let share = (value - low) / (high - low)
                return Self.bars[min(Self.bars.count - 1, Int(share * Double(Self.bars.count)))]
            })
    }
}
