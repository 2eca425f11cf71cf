import Bytes
import Engine

/// There is no room for what a record is decoded to, beside all that is in use. The record is intact.
struct NoRoom: Error {}

/// The most recently used fences with large records, so that a refill does not decode the border of
/// a country, or a tree of roads, each time; and those that the engine has in its window, as long as
/// it has them.
struct DecodedEntries {
    /// Stored bytes of everything kept here. An entry in memory takes a few times as much.
    private static let budget = 640 * 1_024
    /// Stored bytes of everything in use, here or in the window: some 25 MB in memory. The daemon
    /// has 64 MB in all, and a daemon killed for lack of memory monitors nothing.
    private static let mostInUse = 4 << 20
    /// Below this, decoding costs less than looking up.
    private static let smallest = 256
    /// Number of remembered entries at which those no longer in use are forgotten; twice as many as
    /// are in use, if that is more.
    private static let mostKnown = 256

    private struct Kept {
        var entry: CatalogueEntry
        var size: Int
        var used: UInt64
    }

    /// The entry of a row after its last change.
    private struct Known {
        var entry: WeakCatalogueEntry
        var changed: Generation
        var size: Int
    }

    private var kept: [Int64: Kept] = [:]
    private var known: [Int64: Known] = [:]
    /// ``mostKnown``, as of the last time.
    private var knownLimit = Self.mostKnown
    /// Bytes of all remembered entries; some of them may be gone.
    private var knownSize = 0
    private var size = 0
    private var clock: UInt64 = 0

    /// Whether it is worth to keep what a record is decoded to.
    static func keeps(_ record: FenceRecord) -> Bool { record.bytes.count >= smallest }

    /// What was made of a record before; nil where it has to be decoded.
    mutating func entry(
        _ number: Int64, _ record: FenceRecord
    ) throws(DamagedRecord) -> CatalogueEntry? {
        guard let found = known[number], let entry = found.entry.entry,
            found.changed == (try record.history().changed)
        else { return nil }
        clock += 1
        kept[number]?.used = clock
        return entry
    }

    /// Whether what the fence with that number was decoded to is still somewhere.
    func isInUse(_ number: Int64) -> Bool { known[number]?.entry.entry != nil }

    /// Whether there is room for what this record is decoded to, beside all in use.
    mutating func hasRoom(for record: FenceRecord) -> Bool {
        let bytes = record.bytes.count
        guard knownSize + bytes > Self.mostInUse else { return true }
        forgetUnused()
        // A single one always has room.
        return knownSize + bytes <= Self.mostInUse || known.isEmpty
    }

    private mutating func forgetUnused() {
        known = known.filter { $0.value.entry.entry != nil }
        knownLimit = max(Self.mostKnown, 2 * known.count)
        knownSize = known.values.reduce(0) { $0 + $1.size }
    }

    /// - Parameter changed: the generation of its last change.
    mutating func keep(
        _ entry: CatalogueEntry, _ number: Int64, changed: Generation, size bytes: Int
    ) {
        if known.count >= knownLimit { forgetUnused() }
        knownSize += bytes - (known[number]?.size ?? 0)
        known[number] = Known(
            entry: WeakCatalogueEntry(entry), changed: changed, size: bytes)
        clock += 1
        size += bytes - (kept[number]?.size ?? 0)
        kept[number] = Kept(entry: entry, size: bytes, used: clock)
        // A single entry above the budget is kept: it is the one we drive in.
        while size > Self.budget, kept.count > 1,
            let oldest = kept.min(by: { $0.value.used < $1.value.used })
        {
            size -= oldest.value.size
            kept[oldest.key] = nil
        }
    }
}
