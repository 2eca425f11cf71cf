import Geodesy
import Model
import Time

// How the engine works through its queue: each item may need one answer of the store.
extension Engine {
    /// Does what can be done without the store, and asks where it cannot go on.
    mutating func advance(at now: Uptime, _ directives: inout [Directive]) {
        while queue.question == nil, let work = queue.works.first {
            // Nil where there is nothing to be done.
            let query: StoreQuery?
            switch work {
            case .judge(let fix, let point, let newPath):
                let link = way.link(to: fix, at: point, newPath: newPath, settings.way)
                guard needsStore(fix, at: point, link: link) else {
                    queue.works.removeFirst()
                    judge(fix, at: point, link: link, meeting: [], now: now, &directives)
                    continue
                }
                query = .meeting(Reach(link, to: point), limit: settings.window.mostOpen)
            case .recenter:
                let limit = regions.demand(settings.window)
                query = way.last.map { .nearest($0.point, limit: limit) }
            case .reconcile:
                let ids =
                    (regions.window?.regions ?? []).map(\.entry.id)
                    + catalogue.orphans.map(\.fence)
                query = regions.window == nil && ids.isEmpty ? nil : .entries(ids)
            }
            guard let query else {
                queue.works.removeFirst()
                continue
            }
            guard !queue.backOff.holds(at: now) else { return }
            queue.question = query
        }
    }

    /// An accepted fix: judged at once where the queue is empty and the store is not needed.
    mutating func accept(
        _ fix: Fix, at point: SurfacePoint, newPath: EventReason?, now: Uptime,
        _ directives: inout [Directive]
    ) {
        if queue.works.isEmpty, queue.question == nil {
            let link = way.link(to: fix, at: point, newPath: newPath, settings.way)
            if !needsStore(fix, at: point, link: link) {
                judge(fix, at: point, link: link, meeting: [], now: now, &directives)
                return
            }
        }
        queue.works.append(.judge(fix, point, newPath: newPath))
    }

    mutating func proceed(
        with answer: StoreAnswer, at now: Uptime, _ directives: inout [Directive]
    ) {
        guard let work = queue.answered() else { return }
        let found =
            switch answer {
            case .entries(let entries): entries
            case .ranked(let nearest): nearest.map(\.entry)
            }
        regions.add(catalogue.takeBack(found, settings.crossing))
        switch (work, answer) {
        case (.judge(let fix, let point, let newPath), .entries(let entries)):
            let link = way.link(to: fix, at: point, newPath: newPath, settings.way)
            judge(fix, at: point, link: link, meeting: entries, now: now, &directives)
        case (.recenter(let reason), .ranked(let nearest)):
            recenter(nearest, reason: reason, at: now, &directives)
        case (.reconcile(let reason), .entries(let entries)):
            reconcile(entries, &directives)
            if regions.window != nil { queue.works.insert(.recenter(reason), at: 0) }
        default:
            preconditionFailure("the answer does not fit the question: \(work)")
        }
    }

    /// A window that cannot be composed is not waited for.
    mutating func fail(at now: Uptime) {
        guard queue.question != nil else { return }
        way.wheels = nil
        if let reason = queue.failed(at: now) { regions.failToRecenter(for: reason) }
    }

    /// Coverage law: before crossings are judged, every fence that the path touches is in the
    /// window. Inside the metafence this holds; elsewhere the store has to be asked.
    @inline(__always)
    private func needsStore(_ fix: Fix, at point: SurfacePoint, link: Passage.Link) -> Bool {
        guard let window = regions.window else { return true }
        if regions.hasNoRoom(settings.window) { return false }
        guard catalogue.isKnown else { return true }
        if regions.isQuiet(link, fix) { return false }
        guard window.covers(point) else { return true }
        if case .path(let path) = link { return !window.covers(path.start) }
        return false
    }

    // MARK: Judging a fix

    /// Each part takes the step to it, in the order of the handbook.
    private mutating func judge(
        _ fix: Fix, at point: SurfacePoint, link: Passage.Link, meeting: [CatalogueEntry],
        now: Uptime, _ directives: inout [Directive]
    ) {
        fireTimers(beforeJudging: fix, &directives)
        if trips.isOpen {
            let ended = trips.end(
                before: fix, way, ignition: parking.ignition, settings.trips,
                wait: settings.crossing.timedDecision
            ) { [regions] in regions.place }
            record(ended, &directives)
        }
        let wheels = gates.last?.fix == fix ? way.wheels : nil
        let step = way.note(
            fix, at: point, link, wheels: wheels,
            leastHole: min(settings.way.pathGap, settings.gates.lostAfter), settings.way)
        beacons.note(step, &way, settings.way)
        if settings.trips.areRecorded {
            let begun = trips.note(step, ignition: parking.ignition, settings.trips) {
                [regions] in regions.place
            }
            record(begun, &directives)
        }
        if routing.isSet {
            let changes = routing.note(step, way.movement(settings.way), settings.route)
            directives += changes.map { .route($0) }
        }
        let wasLost = reception.regain()
        var isFirst = false
        if case .none = regions.window { isFirst = true }
        if regions.isQuiet(link, fix), !wasLost, catalogue.isKnown {
            regions.passQuietly(link)
            routing.passQuietly()
        } else {
            judgeRegions(step, meeting: meeting, wasLost: wasLost, &directives)
        }
        if trips.isOpen {
            record(trips.mark(step, every: settings.trips.every), &directives)
            let ended = trips.endStanding(step, way, settings.trips) { [regions] in regions.place }
            record(ended, &directives)
        }
        if parking.isWatching {
            record(
                parking.note(step, settings.parking, settle: settings.crossing.settle), &directives)
        }
        let isDue = beat(step, now: now, &directives)
        if isFirst || step.before == nil {
            queue.works.insert(.recenter(.start), at: 0)
        } else if let window = regions.window, !window.covers(point), !regions.isFull {
            queue.works.insert(.recenter(.metafence), at: 0)
        } else if isDue {
            queue.works.insert(.recenter(.heartbeat), at: 0)
        }
    }

    private mutating func judgeRegions(
        _ step: WayStep, meeting: [CatalogueEntry], wasLost: Bool,
        _ directives: inout [Directive]
    ) {
        if routing.isSet { noteBearing() }
        let passage = way.passage(step, settings.way)
        let wasFull = regions.isFull
        var findings = regions.note(
            passage, meeting: meeting, law, approaches.announcer, &catalogue, settings.window)
        if regions.isFull != wasFull { directives.append(.windowFull(regions.isFull)) }
        let hadUnknown = catalogue.becomeKnown()
        if wasLost {
            findings.events.insert(
                .position(.positionRegained, time: step.to.time, fix: step.to), at: 0)
        }
        record(findings, isNeeded: hadUnknown, &directives)
    }

    /// The heartbeat; true when it is to re-centre the window.
    private mutating func beat(
        _ step: WayStep, now: Uptime, _ directives: inout [Directive]
    ) -> Bool {
        guard regions.heartbeat.note(step.point, every: settings.window.heartbeat) else {
            return regions.heartbeat.isOverdue && !queue.backOff.holds(at: now)
        }
        directives.append(.heartbeat(step.to.time))
        guard regions.window?.metafenceRadius != nil else { return false }
        guard let last = regions.heartbeat.lastRecenter else { return true }
        return now - last >= settings.window.heartbeatThrottle
    }
}
