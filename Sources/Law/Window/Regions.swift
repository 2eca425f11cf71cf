import Geodesy
import Model
import Time

/// The regions that are monitored, and how far the vehicle may drive before any of them has to be
/// looked at: section 4 of the law.
struct Regions: Sendable {
    /// What was composed last; nil before the first judged fix.
    var window: Window?
    var heartbeat = Heartbeat()
    /// When the first that has something pending decides, if no fix comes.
    private(set) var due: Uptime?
    /// The last step left fences out, or the next one may.
    private(set) var isFull = false
    private var hasGrown = false
    /// Length of all paths so far, m.
    var driven = 0.0
    /// Until that length, m, nothing is pending, no boundary can be reached and the window is enough.
    private var quietUntil = -Double.infinity
    /// Fixes were taken without being judged: no distance is known to the last of them.
    private var wasQuiet = false

    // MARK: Quiet fixes

    /// The path can have touched nothing, and nothing waits for its end.
    @inline(__always)
    func isQuiet(_ link: Passage.Link, _ fix: Fix) -> Bool {
        guard case .path(let path) = link else { return false }
        return driven + path.length + RegionMonitor.wider(fix) < quietUntil
    }

    /// Takes such a step.
    @inline(__always)
    mutating func passQuietly(_ link: Passage.Link) {
        if case .path(let path) = link { driven += path.length }
        guard !wasQuiet else { return }
        wasQuiet = true
        passBy()
    }

    private mutating func passBy() {
        guard var window = self.window.take() else { return }
        for index in window.regions.indices { window.regions[index].passBy() }
        self.window = window
    }

    /// Something has changed that the quiet relied on.
    mutating func endQuiet() { quietUntil = -.infinity }

    /// How far the vehicle may go from `point`, the last judged fix.
    private mutating func noteQuiet(at point: SurfacePoint, _ settings: WindowSettings) {
        endQuiet()
        guard let window else { return }
        var clearUntil = Double.infinity
        for index in window.regions.indices {
            clearUntil = min(clearUntil, window.regions[index].clearUntil)
        }
        noteQuiet(reserve: window.reserve(at: point), clearUntil: clearUntil, settings)
    }

    private mutating func noteQuiet(
        reserve: Double, clearUntil: Double, _ settings: WindowSettings
    ) {
        let reserve = min(reserve, settings.metafenceLimit)
        quietUntil = min(driven + reserve - PathProfile.slack(reserve), clearUntil)
    }

    /// Whatever the store would answer, there is no room for it.
    @inline(__always)
    func hasNoRoom(_ settings: WindowSettings) -> Bool {
        guard let window, window.regions.count >= settings.mostOpen else { return false }
        return RegionLimit.isFull(window.regions, limit: settings.mostOpen)
    }

    // MARK: Judging

    /// Judges the step to the next fix, at the regions and at the fences that the store found on it.
    mutating func note(
        _ passage: Passage, meeting: [CatalogueEntry], _ law: LawNumbers, _ announcer: Announcer,
        _ catalogue: inout KnownCatalogue, _ settings: WindowSettings
    ) -> Findings {
        if case .none = window {
            window = Window(anchor: passage.point, metafenceRadius: 0, regions: [])
        }
        // Moved out of the window, so that the regions are judged in place and not copied.
        var regions = window?.takeRegions() ?? []
        let windowCount = regions.count
        let over = catalogue.endDoubted(&regions, passage)
        if !meeting.isEmpty {
            let present = RegionIndex(regions)
            regions += meeting.filter { !present.contains($0) }.map {
                RegionMonitor($0, isUnknown: $0.added > catalogue.known || catalogue.doubtsStays)
            }
        }
        catalogue.doubtsStays = false
        let limit = settings.mostOpen
        let leftOut =
            regions.count > limit
            ? RegionLimit.leftOut(regions, at: passage.reach, limit: limit) : []
        var (order, clearUntil) = judge(
            &regions, passage, law, announcer, &catalogue, without: leftOut)
        order.changes.closed += over
        if regions.count > windowCount {
            let isKept = regions[windowCount...].filter { $0.isTouched || $0.entry.isFollowed }
            regions.replaceSubrange(windowCount..., with: isKept)
        }
        window?.regions = regions
        isFull = !leftOut.isEmpty || hasNoRoom(settings)
        noteQuiet(
            reserve: window?.reserve(at: passage.point) ?? 0, clearUntil: clearUntil, settings)
        return order.findings(
            passage.to, driven: passage.driven.after, byWheels: passage.wheels != nil)
    }

    /// Judges every region that the passage may have touched. Gives what the odometer shows before
    /// any of them has to be looked at again, and notes when the first decides without a fix.
    private mutating func judge(
        _ regions: inout [RegionMonitor], _ passage: Passage, _ law: LawNumbers,
        _ announcer: Announcer, _ catalogue: inout KnownCatalogue, without leftOut: [Int]
    ) -> (order: EventOrder, clearUntil: Double) {
        let without = Set(leftOut)
        var order = EventOrder()
        var clearUntil = Double.infinity
        due = nil
        var mayEnd = false
        var isPath = false
        if case .path(let path) = passage.link {
            isPath = true
            driven += path.length
        }
        let reach = driven + RegionMonitor.wider(passage.to)
        // The array is made unique once, not for every region.
        var monitors = regions.mutableSpan
        for index in monitors.indices {
            if monitors[index].entry.mayEnd {
                mayEnd = true
                if monitors[index].entry.isOnce,
                    catalogue.spent.contains(SpentFence(monitors[index].entry))
                {
                    monitors[index].isSpent = true
                }
            }
            if !without.isEmpty, without.contains(index) {
                monitors[index].leaveOut()
                clearUntil = -.infinity
                continue
            }
            let isClearUntil = monitors[index].clearUntil
            if isPath, reach < isClearUntil {
                clearUntil = min(clearUntil, isClearUntil)
                monitors[index].passBy()
                continue
            }
            let found = monitors[index].judge(passage, law: law, announcer: announcer)
            monitors[index].noteClearance(from: driven)
            clearUntil = min(clearUntil, monitors[index].clearUntil)
            if !monitors[index].isIdle {
                let due = monitors[index].due(after: passage.to, law: law)
                self.due = Uptime.earlier(self.due, due?.at)
            }
            if !found.isEmpty { order.add(found, of: monitors[index]) }
        }
        wasQuiet = false
        if mayEnd { order.changes.spent = catalogue.noteSpent(regions, at: passage.to.time) }
        return (order, clearUntil)
    }

    // MARK: Without fixes

    /// To be called whenever the state of a region, or what it is measured by, has changed; `last` is
    /// the last judged fix.
    mutating func noteDue(after last: Fix?, _ law: LawNumbers) {
        due = nil
        guard let window, let last else { return }
        for index in window.regions.indices where !window.regions[index].isIdle {
            due = Uptime.earlier(due, window.regions[index].due(after: last, law: law)?.at)
        }
    }

    /// Makes the decisions that have fallen due.
    mutating func fire(
        at due: Uptime, after last: JudgedFix?, _ law: LawNumbers,
        _ catalogue: inout KnownCatalogue
    ) -> Findings {
        guard let last, var window = self.window.take() else { return Findings() }
        var order = EventOrder()
        for index in window.regions.indices {
            let next = window.regions[index].due(after: last.fix, law: law)
            guard let next, next.at == due else { continue }
            let found = window.regions[index].decide(next.decision, last: last.fix, law: law)
            order.add(found, of: window.regions[index])
        }
        order.changes.spent = catalogue.noteSpent(window.regions, at: nil)
        self.window = window
        noteDue(after: last.fix, law)
        return order.findings(last.fix, driven: last.driven)
    }

    /// A re-base: translates the stored receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        guard var window = self.window.take() else { return }
        for index in window.regions.indices { window.regions[index].shift(by: span) }
        self.window = window
    }
}

// MARK: - Composing

extension Regions {
    /// Adds monitors whose state is known.
    mutating func add(_ regions: [RegionMonitor]) {
        guard !regions.isEmpty else { return }
        let nowhere = SurfacePoint(Coordinate(latitude: 0, longitude: 0))
        if window == nil { window = Window(anchor: nowhere, metafenceRadius: 0, regions: []) }
        window?.regions += regions
    }

    /// Regions that keep their slot whatever the anchor: those we are inside of or pending on, those
    /// that the path to the last fix touched, and those whose way is followed.
    private var mustHave: [RegionMonitor] {
        (window?.regions ?? []).filter {
            (!$0.isIdle || $0.isTouched || $0.entry.isFollowed) && $0.presence != .unknown
        }
    }

    /// How many of the nearest fences must be known to compose the window.
    func demand(_ settings: WindowSettings) -> Int {
        WindowComposer(settings: settings).demand(mustHave: mustHave.count)
    }

    /// Composes the window around the last judged fix. Gives the change, and how many regions there are
    /// where they are newly more than there are slots.
    mutating func recenter(
        _ nearest: [RankedEntry], around point: SurfacePoint, reason: WindowReason, at now: Uptime,
        _ catalogue: KnownCatalogue, _ settings: WindowSettings
    ) -> (change: WindowChange?, grown: Int?) {
        let old = window?.regions ?? []
        var (window, grew) = WindowComposer(settings: settings).compose(
            anchor: point, nearest: nearest, mustHave: mustHave, known: catalogue.known)
        // The anchor is the last judged fix.
        for index in window.regions.indices { window.regions[index].noteClearance(from: driven) }
        self.window = window
        wasQuiet = false
        noteQuiet(at: point, settings)
        heartbeat.recentered(for: reason, at: now)
        let change = WindowChange(
            from: old, to: window.regions, generation: catalogue.generation, reason: reason)
        defer { hasGrown = grew }
        return (
            change.isEmpty && reason != .start ? nil : change,
            grew && !hasGrown ? window.regions.count : nil
        )
    }

    /// The store has failed to give what the window is composed of: without a metafence every fix asks
    /// for what it touches.
    mutating func failToRecenter(for reason: WindowReason) {
        if reason == .heartbeat {
            heartbeat.isOverdue = true
        } else {
            window?.metafenceRadius = 0
            endQuiet()
        }
    }

    /// The catalogue changed: regions are replaced by what they are now. An edited area is judged
    /// at once at the last accepted fix; so is a removal. A stay whose fence was lost is held, and
    /// goes on when that is back.
    mutating func reconcile(
        _ entries: [CatalogueEntry], last: JudgedFix?, _ law: LawNumbers,
        _ catalogue: inout KnownCatalogue, driven: OdometerReading
    ) -> Findings {
        let present = entries.byKey
        var order = EventOrder()
        var kept: [RegionMonitor] = []
        for region in window?.regions ?? [] {
            var monitor = region
            if let last, monitor.presence == .inside { monitor.measure(at: last.point) }
            // Without a fix since the power cut, the beginning of the stay is the last that is known.
            let time = last?.fix.time ?? monitor.openedAt ?? UTCTime(nanoseconds: 0)
            if let entry = present[region.key], entry.isOne(added: region.entry.added) {
                order.add(monitor.edit(entry, last: last, law: law), of: monitor)
                kept.append(monitor)
            } else if catalogue.isHeld(region.key) {
                if let open = monitor.openStay { catalogue.orphans.append(open) }
                order.add(monitor.endingArrival(at: time, reason: .fenceRemoved), of: monitor)
            } else {
                order.add(monitor.remove(at: time, law: law), of: monitor)
            }
        }
        window?.regions = kept
        endQuiet()
        return order.findings(last?.fix, driven: driven)
    }

    /// The vehicle is another: judges every approach again at the last judged fix.
    mutating func judgeVehicle(
        _ rules: ApproachRules, before: ApproachRules, at last: JudgedFix
    ) -> Findings {
        guard var window = self.window.take() else { return Findings() }
        var order = EventOrder()
        for index in window.regions.indices {
            let found = window.regions[index].judgeVehicle(rules, before: before, at: last.fix)
            order.add(found, of: window.regions[index])
        }
        self.window = window
        endQuiet()
        return order.findings(last.fix, driven: last.driven)
    }
}
