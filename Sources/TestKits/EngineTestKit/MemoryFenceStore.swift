package import Geodesy
package import Law
package import Model
package import Time

/// The store of areas as plain arrays, with every query answered by a linear search: tests compare
/// the SQLite store and the window with it.
package final class MemoryFenceStore: FenceStore {
    package private(set) var generation: Generation = 0
    /// In no order.
    package private(set) var all: [CatalogueEntry] = []
    /// Everything committed, oldest first.
    package private(set) var log: [LoggedEvent] = []
    /// The presences that survive a power cut.
    package private(set) var openStays: [OpenStay] = []
    package private(set) var known: Generation = 0
    package private(set) var positionLost = false
    /// What of the vehicle survives a power cut; nil before the first record that has it.
    package private(set) var vehicle: VehicleRecord?
    /// What the odometer showed at the last record.
    package private(set) var driven = OdometerReading()
    /// Given to every event that is committed.
    package var bootID: String?
    /// While set, ``commit(_:)`` throws it and stores nothing: the full disk.
    package var commitFailure: (any Error)?
    /// How often the catalogue was queried (the three queries together).
    package private(set) var questions = 0

    /// By the bytes of the id: canonically equivalent texts are different ids.
    private var places: [[UInt8]: Int] = [:]

    /// - Parameter fences: the catalogue's first generation; of a duplicate id the last counts.
    package init(_ fences: [Fence] = []) {
        guard !fences.isEmpty else { return }
        generation = 1
        for fence in fences { put(fence) }
    }

    package var count: Int { all.count }

    package func entries(
        meeting box: GeoBox, limit: Int = .max,
        where isWanted: (CatalogueEntry) -> Bool = { _ in true }
    ) -> [CatalogueEntry] {
        questions += 1
        let met = all.filter { Self.meet($0.area.boundingBox, box) }
        guard met.count > limit else { return met }
        let ordered = met.filter(isWanted).sorted {
            $0.id.utf8.lexicographicallyPrecedes($1.id.utf8)
        }
        return Array(ordered.prefix(limit))
    }

    package func entries(ids: [String]) -> [CatalogueEntry] {
        questions += 1
        return ids.compactMap { places[Array($0.utf8)].map { all[$0] } }
    }

    package func nearest(to anchor: SurfacePoint, limit: Int) -> [RankedEntry] {
        questions += 1
        let ranked = all.map {
            RankedEntry(
                entry: $0, signedDistance: $0.area.signedDistance(to: anchor))
        }
        return Array(ranked.sorted(by: Self.precedes).prefix(max(limit, 0)))
    }

    /// Of the fences whose way is followed those of which `arriving` is the last that was told.
    package var arriving: [(entry: CatalogueEntry, told: UTCTime)] {
        let kinds: Set<EventKind> = [.arriving, .arrivingOver, .enter, .initial, .exit]
        return followed().compactMap { entry in
            let last = log.last { $0.event.fence == entry.id && kinds.contains($0.event.kind) }
            guard entry.added <= known, let last, last.event.kind == .arriving else { return nil }
            return (entry, last.event.time)
        }
    }

    package func followed() -> [CatalogueEntry] { all.filter(\.isFollowed) }

    package func commit(_ record: EventRecord) throws -> [LoggedEvent] {
        if let commitFailure { throw commitFailure }
        let first = (log.last?.seq ?? 0) + 1
        let logged = record.events.enumerated().map { offset, event in
            LoggedEvent(seq: first + UInt64(offset), event: event, bootID: bootID)
        }
        log += logged
        let changed = Set(record.opened.map(\.fence)).union(record.closed)
        openStays.removeAll { changed.contains($0.fence) }
        openStays += record.opened
        known = max(known, record.known)
        positionLost = record.positionLost
        // What is stored is what the log stores.
        driven = record.driven ?? driven
        if let vehicle = record.vehicle { self.vehicle = VehicleRecord(bytes: vehicle.bytes) }
        return logged
    }

    /// One atomic batch, idempotent by id: removals first, then upserts. A batch that changes
    /// nothing leaves the generation as it is.
    /// - Throws: ``CatalogueRefusal`` for an id that occurs twice; then nothing is stored.
    package func apply(
        upserts: [Fence], removing ids: [String] = []
    ) throws(CatalogueRefusal) -> CatalogueChange {
        var seen: Set<[UInt8]> = []
        for id in upserts.map(\.id) + ids where !seen.insert(Array(id.utf8)).inserted {
            throw CatalogueRefusal(fence: id, reason: "comes twice in one batch")
        }
        let gone = ids.filter { places[Array($0.utf8)] != nil }
        let changed = upserts.filter { fence in
            places[Array(fence.id.utf8)].map { all[$0].fence != fence } ?? true
        }
        if !gone.isEmpty || !changed.isEmpty { generation += 1 }
        for id in gone { remove(id) }
        for fence in changed { put(fence) }
        return CatalogueChange(
            generation: generation, changed: changed.count, removed: gone.count)
    }

    private func put(_ fence: Fence) {
        if let place = places[Array(fence.id.utf8)] {
            all[place] = CatalogueEntry(fence, added: all[place].added)
        } else {
            places[Array(fence.id.utf8)] = all.count
            all.append(CatalogueEntry(fence, added: generation))
        }
    }

    private func remove(_ id: String) {
        guard let place = places.removeValue(forKey: Array(id.utf8)) else { return }
        let last = all.removeLast()
        guard place < all.count else { return }
        all[place] = last
        places[Array(last.fence.id.utf8)] = place
    }

    /// Nearer first, ties by id as UTF-8 bytes.
    private static func precedes(_ a: RankedEntry, _ b: RankedEntry) -> Bool {
        if a.signedDistance != b.signedDistance { return a.signedDistance < b.signedDistance }
        return a.entry.id.utf8.lexicographicallyPrecedes(b.entry.id.utf8)
    }

    /// Boxes reach beyond 180°, so that the same place has longitudes 360° apart.
    private static func meet(_ a: GeoBox, _ b: GeoBox) -> Bool {
        guard a.south <= b.north, b.south <= a.north else { return false }
        return [-360, 0, 360].contains { a.west + $0 <= b.east && b.west <= a.east + $0 }
    }
}

extension CatalogueEntry {
    /// For a fence with an area; a test that passes another one is wrong.
    package init(ofArea fence: Fence, added: Generation) {
        guard let entry = CatalogueEntry(fence: fence, added: added) else {
            preconditionFailure("no fence of an area: \(fence.id)")
        }
        self = entry
    }
}
