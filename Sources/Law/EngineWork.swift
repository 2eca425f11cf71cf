import Geodesy
import Model
import Time

// How the engine works through its queue: each item may need one answer of the store.
extension Engine {
    /// Does what can be done without the store, and asks where it cannot go on.
    mutating func advance(at now: Uptime, _ directives: inout [Directive]) {
        while question == nil, let work = works.first {
            switch next(work) {
            case .nothing:
                works.removeFirst()
            case .judge(let fix, let point, let link):
                works.removeFirst()
                judge(fix, at: point, link: link, meeting: [], now: now, &directives)
            case .ask(let query):
                guard !backOff.holds(at: now) else { return }
                question = query
            }
        }
    }

    /// An accepted fix: judged at once where the queue is empty and the store is not needed.
    mutating func accept(
        _ fix: Fix, at point: SurfacePoint, newPath: EventReason?, now: Uptime,
        _ directives: inout [Directive]
    ) {
        if works.isEmpty, question == nil {
            let link = link(to: fix, at: point, newPath: newPath)
            if !needsStore(fix, at: point, link: link) {
                judge(fix, at: point, link: link, meeting: [], now: now, &directives)
                return
            }
        }
        works.append(.judge(fix, point, newPath: newPath))
    }

    private enum Step {
        case nothing
        case judge(Fix, SurfacePoint, Passage.Link)
        case ask(StoreQuery)
    }

    private func next(_ work: Work) -> Step {
        switch work {
        case .judge(let fix, let point, let newPath):
            let link = link(to: fix, at: point, newPath: newPath)
            return needsStore(fix, at: point, link: link)
                ? .ask(.meeting(Reach(link, to: point), limit: settings.window.mostOpen))
                : .judge(fix, point, link)
        case .recenter:
            guard let last = motion.last else { return .nothing }
            let demand = WindowComposer(settings: settings.window)
                .demand(mustHave: mustHave().count)
            return .ask(.nearest(last.point, limit: demand))
        case .reconcile:
            let ids = (window?.regions ?? []).map(\.entry.id) + orphans.map(\.fence)
            return window == nil && orphans.isEmpty ? .nothing : .ask(.entries(ids))
        }
    }

    mutating func proceed(
        with answer: StoreAnswer, at now: Uptime, _ directives: inout [Directive]
    ) {
        guard question != nil, let work = works.first else { return }
        question = nil
        backOff.succeed()
        works.removeFirst()
        switch answer {
        case .entries(let entries): takeBack(entries)
        case .ranked(let nearest): takeBack(nearest.map(\.entry))
        }
        switch (work, answer) {
        case (.judge(let fix, let point, let newPath), .entries(let entries)):
            let link = link(to: fix, at: point, newPath: newPath)
            judge(fix, at: point, link: link, meeting: entries, now: now, &directives)
        case (.recenter(let reason), .ranked(let nearest)):
            recenter(nearest, reason: reason, at: now, &directives)
        case (.reconcile(let reason), .entries(let entries)):
            reconcile(entries, &directives)
            if window != nil { works.insert(.recenter(reason), at: 0) }
        default:
            preconditionFailure("the answer does not fit the question: \(work)")
        }
    }

    /// A fix that needs the store waits for it, and so does an edit. A window that cannot be
    /// composed is not waited for: without a metafence every fix asks for what it touches.
    mutating func fail(at now: Uptime) {
        guard question != nil else { return }
        question = nil
        wheels = nil
        backOff.fail(at: now)
        guard case .recenter(let reason)? = works.first else { return }
        works.removeFirst()
        if reason == .heartbeat {
            heartbeat.isOverdue = true
        } else {
            window?.metafenceRadius = 0
            idle.end()
        }
    }
}

// MARK: - Judging a fix

extension Engine {
    // Inlined, like every method that reads the engine at every fix: a call of a method that does
    // not change the engine would copy all of it, a kilobyte, first.
    @inline(__always)
    private func link(to fix: Fix, at point: SurfacePoint, newPath: EventReason?) -> Passage.Link {
        if let newPath { return .newPath(newPath) }
        guard let last = motion.last else { return .newPath(.initial) }
        guard fix.time - last.fix.time <= settings.crossing.pathGap else { return .gap }
        return .path(PathSegment(from: last.point, to: point))
    }

    /// Coverage law: before crossings are judged, every fence that the path touches is in the
    /// window. Inside the metafence this holds; elsewhere the store has to be asked.
    @inline(__always)
    private func needsStore(_ fix: Fix, at point: SurfacePoint, link: Passage.Link) -> Bool {
        guard let window else { return true }
        if hasNoRoom { return false }
        guard generation <= known else { return true }
        if isQuiet(link, fix) { return false }
        guard window.covers(point) else { return true }
        if case .path(let path) = link { return !window.covers(path.start) }
        return false
    }

    /// The path can have touched nothing, and nothing waits for its end.
    @inline(__always)
    private func isQuiet(_ link: Passage.Link, _ fix: Fix) -> Bool {
        guard case .path(let path) = link else { return false }
        return idle.odometer + path.length + RegionMonitor.wider(fix) < idle.until
    }

    /// Whatever the store would answer, there is no room for it.
    @inline(__always)
    private var hasNoRoom: Bool {
        guard let window, window.regions.count >= settings.window.mostOpen else { return false }
        return RegionLimit.isFull(window.regions, limit: settings.window.mostOpen)
    }

    private mutating func judge(
        _ fix: Fix, at point: SurfacePoint, link: Passage.Link, meeting: [CatalogueEntry],
        now: Uptime, _ directives: inout [Directive]
    ) {
        fireTimers(beforeJudging: fix, &directives)
        let before = motion.last?.fix
        var isNewPath = false
        if case .newPath = link { isNewPath = true }
        if parking.hasTrip { endTrip(before: fix, &directives) }
        motion.append(
            fix, at: point, newPath: isNewPath, window: settings.crossing.movingWindow)
        driveBeacons(link)
        let wheels = gates.last?.fix == fix ? self.wheels : nil
        standing.note(
            fix, at: point, wheels: wheels, isCarried: motion.isCarried(wheels, settings.crossing))
        let driven = drive(link, to: fix, at: point, wheels)
        if settings.trips.areRecorded {
            followTrip(driven, link, from: before, to: fix, &directives)
        }
        if hasRoute { follow(fix, at: point, from: isNewPath ? nil : before, &directives) }
        let wasLost = isPositionLost
        isPositionLost = false
        var isFirst = false
        if case .none = window { isFirst = true }
        if isQuiet(link, fix), !wasLost, generation <= known {
            passQuietly(link)
            approaches.route = nil
        } else {
            if hasRoute { noteBearing() }
            let passage = Passage(
                link: link, from: isNewPath ? nil : before, to: fix, point: point,
                isMoving: motion.isMovingAtEitherEnd(settings.crossing),
                step: motion.step(settings.crossing), before: before.map { .init($0) },
                pathSpeed: motion.pathSpeed(settings.crossing), standingSince: standing.since,
                driven: driven, wheels: wheels)
            judge(passage, meeting: meeting, wasLost: wasLost, &directives)
        }
        if parking.hasTrip {
            markTrip(at: fix, &directives)
            endTripStanding(at: fix, &directives)
        }
        if parking.isWatching {
            park(fix, at: point, link: link, &directives)
        }
        let isDue = beat(fix, at: point, now: now, &directives)
        if isFirst || before == nil {
            works.insert(.recenter(.start), at: 0)
        } else if let window, !window.covers(point), !isFull {
            works.insert(.recenter(.metafence), at: 0)
        } else if isDue {
            works.insert(.recenter(.heartbeat), at: 0)
        }
    }

    @inline(__always)
    private mutating func drive(
        _ link: Passage.Link, to fix: Fix, at point: SurfacePoint, _ wheels: WheelReading?
    ) -> DrivenStep {
        let before = odometer.reading
        odometer.drive(
            link, to: fix, at: point, standing: standing, motion: &motion, wheels: wheels,
            settings.crossing)
        return DrivenStep(before: before, after: odometer.reading)
    }

    private mutating func passQuietly(_ link: Passage.Link) {
        if case .path(let path) = link { idle.odometer += path.length }
        guard !idle.wasUsed else { return }
        idle.wasUsed = true
        guard var window = self.window.take() else { return }
        for index in window.regions.indices { window.regions[index].passBy() }
        self.window = window
    }

    private mutating func judge(
        _ passage: Passage, meeting: [CatalogueEntry], wasLost: Bool,
        _ directives: inout [Directive]
    ) {
        if case .none = window {
            window = Window(anchor: passage.point, metafenceRadius: 0, regions: [])
        }
        // Moved out of the engine, so that the regions are judged in place and not copied.
        var regions = window?.takeRegions() ?? []
        let windowCount = regions.count
        let over = endDoubted(&regions, passage)
        if !meeting.isEmpty { regions += monitors(of: meeting, besides: regions) }
        doubtsStays = false
        let limit = settings.window.mostOpen
        let leftOut =
            regions.count > limit
            ? RegionLimit.leftOut(regions, at: passage.reach, limit: limit) : []
        var (order, clearUntil) = judge(&regions, passage, without: leftOut)
        order.changes.closed += over
        if regions.count > windowCount {
            let isKept = regions[windowCount...].filter { $0.isTouched || $0.entry.isFollowed }
            regions.replaceSubrange(windowCount..., with: isKept)
        }
        window?.regions = regions
        noteFull(!leftOut.isEmpty || hasNoRoom, &directives)
        noteQuiet(reserve: window?.reserve(at: passage.point) ?? 0, clearUntil: clearUntil)
        let newlyKnown = generation > known
        known = max(known, generation)
        var events = order.events(
            passage.to, driven: odometer.reading, byWheels: passage.wheels != nil)
        if wasLost {
            events.insert(
                .position(.positionRegained, time: passage.to.time, fix: passage.to), at: 0)
        }
        if newlyKnown || !events.isEmpty || !order.changes.spent.isEmpty || !over.isEmpty {
            record(events, order.changes, &directives)
        }
    }

    private mutating func noteFull(_ isFull: Bool, _ directives: inout [Directive]) {
        guard isFull != self.isFull else { return }
        self.isFull = isFull
        directives.append(.windowFull(isFull))
    }

    private func monitors(
        of meeting: [CatalogueEntry], besides regions: [RegionMonitor]
    ) -> [RegionMonitor] {
        let present = RegionIndex(regions)
        return meeting.filter { !present.contains($0) }.map {
            RegionMonitor($0, isUnknown: $0.added > known || doubtsStays)
        }
    }

    /// Judges every region that the passage may have touched. Gives what the odometer shows before
    /// any of them has to be looked at again, and notes when the first decides without a fix.
    private mutating func judge(
        _ regions: inout [RegionMonitor], _ passage: Passage, without leftOut: [Int]
    ) -> (order: EventOrder, clearUntil: Double) {
        let without = Set(leftOut)
        var order = EventOrder()
        var clearUntil = Double.infinity
        regionsDue = nil
        var mayEnd = false
        var isPath = false
        if case .path(let path) = passage.link {
            isPath = true
            idle.odometer += path.length
        }
        // Read once, not for every region; likewise the array is made unique once.
        let (law, announcer) = (law, announcer)
        let reach = idle.odometer + RegionMonitor.wider(passage.to)
        var monitors = regions.mutableSpan
        for index in monitors.indices {
            if monitors[index].entry.mayEnd {
                mayEnd = true
                if monitors[index].entry.isOnce, spent.contains(SpentFence(monitors[index].entry)) {
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
            monitors[index].noteClearance(from: idle.odometer)
            clearUntil = min(clearUntil, monitors[index].clearUntil)
            if !monitors[index].isIdle {
                let due = monitors[index].due(after: passage.to, law: law)
                regionsDue = Uptime.earlier(regionsDue, due?.at)
            }
            if !found.isEmpty { order.add(found, of: monitors[index]) }
        }
        idle.wasUsed = false
        if mayEnd { order.changes.spent = noteSpent(regions, at: passage.to.time) }
        return (order, clearUntil)
    }

    /// How far the vehicle may go from `point`, the last judged fix, before any region has to be
    /// looked at again.
    mutating func noteQuiet(at point: SurfacePoint) {
        idle.end()
        guard let window else { return }
        var clearUntil = Double.infinity
        for index in window.regions.indices {
            clearUntil = min(clearUntil, window.regions[index].clearUntil)
        }
        noteQuiet(reserve: window.reserve(at: point), clearUntil: clearUntil)
    }

    private mutating func noteQuiet(reserve: Double, clearUntil: Double) {
        let reserve = min(reserve, settings.window.metafenceLimit)
        idle.until = min(idle.odometer + reserve - PathProfile.slack(reserve), clearUntil)
    }

    /// The heartbeat; true when it is to re-centre the window.
    private mutating func beat(
        _ fix: Fix, at point: SurfacePoint, now: Uptime, _ directives: inout [Directive]
    ) -> Bool {
        if let last = heartbeat.point, last.distance(to: point) < settings.window.heartbeat {
            return heartbeat.isOverdue && !backOff.holds(at: now)
        }
        heartbeat.point = point
        directives.append(.heartbeat(fix.time))
        guard window?.metafenceRadius != nil else { return false }
        guard let last = heartbeat.lastRecenter else { return true }
        return now - last >= settings.window.heartbeatThrottle
    }
}
