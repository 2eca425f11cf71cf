import Engine
import Geodesy

/// The most recently used polygons, so that a refill does not decode the border of a country each
/// time; and those that the engine has in its window, as long as it has them.
struct DecodedAreas {
    /// Stored bytes of everything kept here. An area in memory takes a few times as much.
    private static let budget = 512 * 1_024
    /// Stored bytes of everything in use, here or in the window: some 25 MB in memory. The daemon
    /// has 64 MB in all, and a daemon killed for lack of memory monitors nothing.
    private static let mostInUse = 4 << 20
    /// Below this, decoding costs less than looking up.
    private static let smallest = 256
    /// Number of remembered areas at which those no longer in use are forgotten.
    private static let mostKnown = 256

    private struct Kept {
        var area: Area
        var size: Int
        var used: UInt64
    }

    /// The area of a row after its last change.
    private struct Known {
        var area: WeakArea
        var changed: Generation
        var size: Int
    }

    private var kept: [Int64: Kept] = [:]
    private var known: [Int64: Known] = [:]
    /// Bytes of all remembered areas; some of them may be gone.
    private var knownSize = 0
    /// The last fence for which there was no room.
    private(set) var refused: Int64?
    private var size = 0
    private var clock: UInt64 = 0

    /// The area of a row after its last change.
    mutating func area(_ number: Int64, changed: Generation) -> Area? {
        guard let found = known[number], found.changed == changed, let area = found.area.area
        else { return nil }
        clock += 1
        kept[number]?.used = clock
        return area
    }

    /// Whether there is room for another area of `bytes` stored bytes, beside those in use.
    mutating func hasRoom(for number: Int64, size bytes: Int) -> Bool {
        guard knownSize + bytes > Self.mostInUse else { return true }
        forgetUnused()
        // A single one always has room.
        if knownSize + bytes <= Self.mostInUse || known.isEmpty { return true }
        refused = number
        return false
    }

    private mutating func forgetUnused() {
        known = known.filter { $0.value.area.area != nil }
        knownSize = known.values.reduce(0) { $0 + $1.size }
    }

    mutating func keep(_ area: Area, _ number: Int64, changed: Generation, size bytes: Int) {
        guard bytes >= Self.smallest else { return }
        if known.count >= Self.mostKnown { forgetUnused() }
        knownSize += bytes - (known[number]?.size ?? 0)
        known[number] = Known(area: WeakArea(area), changed: changed, size: bytes)
        clock += 1
        size += bytes - (kept[number]?.size ?? 0)
        kept[number] = Kept(area: area, size: bytes, used: clock)
        // A single area above the budget is kept: it is the one we drive in.
        while size > Self.budget, kept.count > 1,
            let oldest = kept.min(by: { $0.value.used < $1.value.used })
        {
            size -= oldest.value.size
            kept[oldest.key] = nil
        }
    }
}
