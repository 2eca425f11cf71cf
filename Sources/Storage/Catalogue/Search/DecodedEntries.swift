import Bytes
import Law
import Model
import Synchronization

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
    }

    /// Stored bytes of everything in use.
    fileprivate final class Room: Sendable {
        let taken = Atomic(0)
    }

    /// The room of one entry, until no copy of it is left.
    final class Lease: Sendable {
        private let room: Room
        private let size: Int

        fileprivate init(_ room: Room, _ size: Int) {
            (self.room, self.size) = (room, size)
            room.taken.add(size, ordering: .relaxed)
        }

        deinit { room.taken.subtract(size, ordering: .relaxed) }
    }

    private var kept: [Int64: Kept] = [:]
    private var known: [Int64: Known] = [:]
    /// ``mostKnown``, as of the last time.
    private var knownLimit = Self.mostKnown
    private let room = Room()
    /// Of what is kept.
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

    /// Room for what this record is decoded to, beside all in use.
    func room(for record: FenceRecord) throws(NoRoom) -> Lease {
        let (bytes, taken) = (record.bytes.count, room.taken.load(ordering: .relaxed))
        // A single one always has room.
        guard taken == 0 || taken + bytes <= Self.mostInUse else { throw NoRoom() }
        return Lease(room, bytes)
    }

    /// - Parameter changed: the generation of its last change.
    mutating func keep(
        _ entry: CatalogueEntry, _ number: Int64, changed: Generation, size bytes: Int
    ) {
        if known.count >= knownLimit {
            known = known.filter { $0.value.entry.entry != nil }
            knownLimit = max(Self.mostKnown, 2 * known.count)
        }
        known[number] = Known(entry: WeakCatalogueEntry(entry), changed: changed)
        clock += 1
        size += bytes - (kept[number]?.size ?? 0)
        kept[number] = Kept(entry: entry, size: bytes, used: clock)
        if size > Self.budget { evict() }
    }

    /// Until there is some space again: to look for the oldest one each time would cost as much as decoding.
    private mutating func evict() {
        for (number, one) in kept.sorted(by: { $0.value.used < $1.value.used }) {
            // A single entry above the budget is kept: it is the one we drive in.
            guard size > Self.budget / 4 * 3, kept.count > 1 else { return }
            size -= one.size
            kept[number] = nil
        }
    }
}
