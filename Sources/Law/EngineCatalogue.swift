import Geodesy
import Model
package import Time

// What the engine does when the window or the catalogue changes.
extension Engine {
    /// Goes on with the stays that were open when the power was cut: presence is exact, but not how
    /// far outside the boundary the vehicle was.
    mutating func resume(_ stays: [OpenStay], _ entries: [CatalogueEntry]) {
        add(resumed(stays, entries.byKey))
    }

    /// Goes on with arrivals that were told when the power was cut, and since when.
    package mutating func resume(arriving: [(entry: CatalogueEntry, told: UTCTime)]) {
        add(
            arriving.map { entry, told in
                var monitor = RegionMonitor(entry, .crossing(.outside(nil)))
                monitor.arrival = Arrival(toldAt: told)
                return monitor
            })
    }

    /// The fences of held stays may be among those that the store has found: they are not new.
    mutating func takeBack(_ entries: [CatalogueEntry]) {
        guard !orphans.isEmpty else { return }
        let held = orphans
        orphans = []
        add(resumed(held, entries.byKey))
    }

    private mutating func add(_ regions: [RegionMonitor]) {
        guard !regions.isEmpty else { return }
        let nowhere = SurfacePoint(Coordinate(latitude: 0, longitude: 0))
        if window == nil { window = Window(anchor: nowhere, metafenceRadius: 0, regions: []) }
        window?.regions += regions
    }

    /// One of the fences in which a stay is open, and which are not in the catalogue.
    package var missing: String? { orphans.first?.fence }

    /// The monitors of open stays; those whose fence is gone become orphans.
    mutating func resumed(
        _ stays: [OpenStay], _ present: [FenceKey: CatalogueEntry]
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
                began: open.began, proofBound: settings.crossing.unknownProofBound,
                hasFixInside: true, dwellTold: open.dwellTold)
            var monitor = RegionMonitor(entry, .crossing(.inside(stay)))
            monitor.way = open.way
            monitor.watch = open.watch
            monitor.watch?.isUnseen = true
            regions.append(monitor)
        }
        return regions
    }

    /// A fence was removed and its exit was not recorded before the process ended, or it was lost
    /// and will not come back.
    mutating func closeOrphans(_ directives: inout [Directive]) {
        guard !orphans.isEmpty, !lacksFences else { return }
        let events = orphans.flatMap { stay -> [Event] in
            let time = max(lastFix?.time ?? stay.began, stay.began)
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
        record(events, StayChanges(closed: orphans.map(\.fence)), &directives)
        orphans.removeAll()
    }

    /// Regions that keep their slot whatever the anchor: those we are inside of or pending on, those that
    /// the path to the last fix touched, and those whose way is followed.
    func mustHave() -> [RegionMonitor] {
        (window?.regions ?? []).filter {
            (!$0.isIdle || $0.isTouched || $0.entry.isFollowed) && $0.presence != .unknown
        }
    }

    mutating func recenter(
        _ nearest: [RankedEntry], reason: WindowReason, at now: Uptime,
        _ directives: inout [Directive]
    ) {
        guard let last = motion.last else { return }
        let old = window?.regions ?? []
        var (window, grew) = WindowComposer(settings: settings.window).compose(
            anchor: last.point, nearest: nearest, mustHave: mustHave(), known: known)
        // The anchor is the last judged fix.
        for index in window.regions.indices {
            window.regions[index].noteClearance(from: idle.odometer)
        }
        self.window = window
        idle.wasUsed = false
        noteQuiet(at: last.point)
        if reason == .heartbeat { heartbeat.lastRecenter = now }
        heartbeat.isOverdue = false
        let change = WindowChange(
            from: old, to: window.regions, generation: generation, reason: reason)
        if !change.isEmpty || reason == .start { directives.append(.windowChanged(change)) }
        if grew, !hasGrown { directives.append(.windowGrew(window.regions.count)) }
        hasGrown = grew
    }

    /// The catalogue changed: regions are replaced by what they are now. An edited area is judged
    /// at once at the last accepted fix; so is a removal. A stay whose fence was lost is held, and
    /// goes on when that is back.
    mutating func reconcile(_ entries: [CatalogueEntry], _ directives: inout [Directive]) {
        closeOrphans(&directives)
        guard var window else { return }
        let present = entries.byKey
        let last = JudgedFix(motion.last, driven: odometer.reading)
        var order = EventOrder()
        var kept: [RegionMonitor] = []
        let law = law
        for region in window.regions {
            var monitor = region
            if let last, monitor.presence == .inside { monitor.measure(at: last.point) }
            if let entry = present[region.key], entry.isOne(added: region.entry.added) {
                order.add(
                    monitor.edit(entry, last: last, law: law), of: monitor)
                kept.append(monitor)
            } else if lacksFences {
                if let open = monitor.openStay { orphans.append(open) }
                let time = timeOfRemoval(monitor, last?.fix)
                order.add(monitor.endingArrival(at: time, reason: .fenceRemoved), of: monitor)
            } else {
                let time = timeOfRemoval(monitor, last?.fix)
                order.add(monitor.remove(at: time, law: law), of: monitor)
            }
        }
        window.regions = kept
        self.window = window
        idle.end()
        if hasRoute { noteHazards() }
        noteRegionsDue()
        let events = order.events(last?.fix, driven: odometer.reading)
        if !events.isEmpty { record(events, order.changes, &directives) }
    }

    /// Without a fix since the power was cut, the beginning of the stay is the last that is known.
    private func timeOfRemoval(_ monitor: RegionMonitor, _ last: Fix?) -> UTCTime {
        last?.time ?? monitor.openedAt ?? UTCTime(nanoseconds: 0)
    }
}

extension CatalogueEntry {
    /// Whether it is the fence that was added in that generation: one that was removed and added again
    /// is another one, and has a later generation. An earlier one has only an older catalogue that was
    /// put back.
    func isOne(added generation: Generation) -> Bool { added <= generation }
}

extension RegionMonitor {
    /// The stay that must outlive a power cut, if one is open.
    var openStay: OpenStay? {
        switch machine {
        case .crossing(.inside(let stay)):
            var open = OpenStay(
                fence: entry.id, added: entry.added, began: stay.began,
                dwellTold: stay.dwellTold)
            open.watch = watch
            open.way = way
            return open
        case .approach(.near(let progress)):
            guard let stage = progress.stage, let began = progress.began else { return nil }
            return OpenStay(
                fence: entry.id, added: entry.added, began: began, dwellTold: false,
                stage: stage)
        case .crossing, .approach: return nil
        }
    }
}
