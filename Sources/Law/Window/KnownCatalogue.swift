import Model
import Time

/// The catalogue as far as the engine has been given it, and what of its fences must not be forgotten.
struct KnownCatalogue: Sendable {
    /// Fences that were there at the last judged fix or before it: no longer `unknown`.
    var known: Generation
    /// The latest generation that was given.
    var generation: Generation
    /// Fences that were accepted are not in it, and may come back: until then ``orphans`` are held,
    /// without an event.
    var lacksFences = false
    /// Those of which this is so for each, see ``FenceStore/heldFences``.
    var heldFences: Set<FenceKey> = []
    /// Fences that have ended, as long as they may be in it.
    var spent: Set<SpentFence> = []
    /// Open stays whose fence is not in it.
    var orphans: [OpenStay] = []
    /// See ``Engine/doubtStays()``: until the first judged fix.
    var doubtsStays = false

    init(known: Generation, generation: Generation) {
        self.known = known
        self.generation = generation
    }

    /// No fence is `unknown` for having been added since the last judged fix.
    @inline(__always)
    var isKnown: Bool { generation <= known }

    /// A fix has been judged; whether fences were new until then.
    mutating func becomeKnown() -> Bool {
        defer { known = max(known, generation) }
        return !isKnown
    }

    // MARK: Stays

    /// The monitors of open stays after a power cut, when presence is exact, but not how far outside the
    /// boundary the vehicle was; those whose fence is gone become orphans.
    mutating func resumed(
        _ stays: [OpenStay], _ present: [FenceKey: CatalogueEntry], _ settings: CrossingSettings
    ) -> [RegionMonitor] {
        var regions: [RegionMonitor] = []
        for open in stays {
            guard let entry = present[FenceKey(open.fence)], entry.isOne(added: open.added),
                (entry.approach != nil) == (open.stage != nil)
            else {
                orphans.append(open)
                continue
            }
            if open.stage != nil {
                let progress = ApproachProgress(resuming: open.stage, since: open.began)
                regions.append(RegionMonitor(entry, .approach(.near(progress))))
                continue
            }
            let stay = Stay(
                began: open.began, proofBound: settings.unknownProofBound,
                hasFixInside: true, dwellTold: open.dwellTold)
            var monitor = RegionMonitor(entry, .crossing(.inside(stay)))
            monitor.way = open.way
            monitor.watch = open.watch
            monitor.watch?.isUnseen = true
            regions.append(monitor)
        }
        return regions
    }

    /// The fences of held stays may be among those that the store has found: they are not new. Gives
    /// the monitors of those that are.
    mutating func takeBack(
        _ entries: [CatalogueEntry], _ settings: CrossingSettings
    ) -> [RegionMonitor] {
        guard !orphans.isEmpty else { return [] }
        let held = orphans
        orphans = []
        return resumed(held, entries.byKey, settings)
    }

    /// One of the fences in which a stay is open, and which are not in it, but for those that are held.
    var missing: String? { orphans.first { !isHeld($0) }?.fence }

    /// Whether the fence of a stay may come back.
    func isHeld(_ fence: FenceKey) -> Bool { lacksFences || heldFences.contains(fence) }

    private func isHeld(_ stay: OpenStay) -> Bool { isHeld(FenceKey(stay.fence)) }

    /// Fences were removed and their exits were not recorded before the process ended, or they were lost
    /// and will not come back.
    mutating func closeOrphans(after last: Fix?) -> Findings {
        let (held, gone) = (orphans.filter(isHeld), orphans.filter { !isHeld($0) })
        guard !gone.isEmpty else { return Findings() }
        let events = gone.flatMap { stay -> [Event] in
            let time = max(last?.time ?? stay.began, stay.began)
            if stay.stage != nil {
                return [
                    Event(
                        kind: .clear, fence: stay.fence, time: time, fixTime: time, presence: nil,
                        reason: .fenceRemoved)
                ]
            }
            let exit = Event(
                kind: .exit, fence: stay.fence, time: time, fixTime: time, presence: .outside,
                reason: .fenceRemoved, stay: time - stay.began)
            return stay.overspeedEnd.map { [$0, exit] } ?? [exit]
        }
        orphans = held
        return Findings(events: events, closed: gone.map(\.fence))
    }

    /// Ends the stays that are doubted and certainly over; gives the ids of their fences.
    func endDoubted(_ regions: inout [RegionMonitor], _ passage: Passage) -> [String] {
        guard doubtsStays else { return [] }
        var over: [String] = []
        for index in regions.indices where regions[index].openStay != nil {
            let entry = regions[index].entry
            let isOutside = entry.signedDistance(to: passage.point) > passage.to.error
            guard entry.approach != nil || isOutside else { continue }
            over.append(entry.id)
            regions[index] = RegionMonitor(entry, isUnknown: false)
        }
        return over
    }

    // MARK: Ends

    /// The fences that have newly ended: their regions rest from now on. `fix` is the time of a fix
    /// that was judged just now; nil after a timer, when only an exit ends a fence: the clock may go
    /// back before a region is judged that was added or edited since.
    mutating func noteSpent(_ regions: [RegionMonitor], at fix: UTCTime?) -> [SpentFence] {
        var found: [SpentFence] = []
        for index in regions.indices where regions[index].entry.mayEnd {
            guard regions[index].isSpent || fix.map(regions[index].hasExpired) ?? false else {
                continue
            }
            let fence = SpentFence(regions[index].entry)
            if spent.insert(fence).inserted { found.append(fence) }
        }
        return found
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        for index in orphans.indices { orphans[index].began = orphans[index].began + span }
    }
}
