import Fencing
import Geodesy

/// The polygons used last, so that a refill does not decode the border of a country each time.
struct DecodedAreas {
    /// Stored bytes of all that is kept. An area in memory takes a few times that.
    private static let budget = 512 * 1_024
    /// Below this, decoding costs less than looking up.
    private static let smallest = 256

    private struct Kept {
        var area: Area
        var changed: Generation
        var size: Int
        var used: UInt64
    }

    private var kept: [Int64: Kept] = [:]
    private var size = 0
    private var clock: UInt64 = 0

    /// The area of a row in its present state.
    mutating func area(_ number: Int64, changed: Generation) -> Area? {
        guard let found = kept[number], found.changed == changed else { return nil }
        clock += 1
        kept[number]?.used = clock
        return found.area
    }

    mutating func keep(_ area: Area, _ number: Int64, changed: Generation, size bytes: Int) {
        guard bytes >= Self.smallest else { return }
        clock += 1
        size += bytes - (kept[number]?.size ?? 0)
        kept[number] = Kept(area: area, changed: changed, size: bytes, used: clock)
        // One area above the budget is kept alone: it is the one we drive in.
        while size > Self.budget, kept.count > 1,
            let oldest = kept.min(by: { $0.value.used < $1.value.used })
        {
            size -= oldest.value.size
            kept[oldest.key] = nil
        }
    }
}
