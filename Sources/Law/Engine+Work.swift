import Geodesy
import Model
import Time

// How the engine works through its queue: each item may need one answer of the store.
extension Engine {
    /// Does what can be done without the store, and asks where it cannot go on.
    mutating func advance(at now: Uptime, _ directives: inout [Directive]) {
        while queue.question == nil, let work = queue.works.first {
            let query: StoreQuery
            switch work {
            case .judge(let fix, let point, let newPath):
                let link = way.link(to: fix, at: point, newPath: newPath, settings.way)
                guard needsStore(fix, at: point, link: link) else {
                    queue.removeFirst()
                    judge(fix, at: point, link: link, meeting: [], now: now, &directives)
                    continue
                }
                query = .meeting(Reach(link, to: point), limit: settings.window.mostOpen)
            case .recenter:
                guard let last = way.last else {
                    queue.removeFirst()
                    continue
                }
                query = .nearest(last.point, limit: regions.demand(settings.window))
            case .reconcile:
                guard regions.window != nil || !catalogue.orphans.isEmpty else {
                    queue.removeFirst()
                    continue
                }
                query = .entries(
                    (regions.window?.regions ?? []).map(\.entry.id)
                        + catalogue.orphans.map(\.fence))
            }
            guard queue.ask(query, at: now) else { return }
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
        queue.append(.judge(fix, point, newPath: newPath))
    }

    mutating func proceed(
        with answer: StoreAnswer, at now: Uptime, _ directives: inout [Directive]
    ) {
        guard let work = queue.answered() else { return }
        switch answer {
        case .entries(let entries): takeBack(entries)
        case .ranked(let nearest): takeBack(nearest.map(\.entry))
        }
        switch (work, answer) {
        case (.judge(let fix, let point, let newPath), .entries(let entries)):
            let link = way.link(to: fix, at: point, newPath: newPath, settings.way)
            judge(fix, at: point, link: link, meeting: entries, now: now, &directives)
        case (.recenter(let reason), .ranked(let nearest)):
            recenter(nearest, reason: reason, at: now, &directives)
        case (.reconcile(let reason), .entries(let entries)):
            reconcile(entries, &directives)
            if regions.window != nil { queue.insert(.recenter(reason)) }
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
        if trips.isOpen { endTrip(before: fix, &directives) }
        let wheels = gates.last?.fix == fix ? way.wheels : nil
        let step = way.note(fix, at: point, link, wheels: wheels, settings.way)
        beacons.note(step, &way, settings.way)
        if settings.trips.areRecorded {
            let hasBegun = trips.note(step, ignition: parking.ignition, settings.trips) {
                [regions] in regions.place
            }
            if hasBegun { record([], ofVehicle: true, &directives) }
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
        if trips.isOpen { noteTrip(step, &directives) }
        if parking.isWatching,
            let events = parking.note(step, settings.parking, settle: settings.crossing.settle)
        {
            record(events, ofVehicle: true, &directives)
        }
        let isDue = beat(step, now: now, &directives)
        if isFirst || step.before == nil {
            queue.insert(.recenter(.start))
        } else if let window = regions.window, !window.covers(point), !regions.isFull {
            queue.insert(.recenter(.metafence))
        } else if isDue {
            queue.insert(.recenter(.heartbeat))
        }
    }

    private mutating func judgeRegions(
        _ step: WayStep, meeting: [CatalogueEntry], wasLost: Bool,
        _ directives: inout [Directive]
    ) {
        if routing.isSet { noteBearing() }
        let passage = way.passage(step, settings.way)
        let wasFull = regions.isFull
        let order = regions.note(
            passage, meeting: meeting, law, approaches.announcer, &catalogue, settings.window)
        if regions.isFull != wasFull { directives.append(.windowFull(regions.isFull)) }
        let hadUnknown = catalogue.becomeKnown()
        var events = order.events(
            step.to, driven: step.driven.after, byWheels: step.wheels != nil)
        if wasLost {
            events.insert(
                .position(.positionRegained, time: step.to.time, fix: step.to), at: 0)
        }
        if hadUnknown || !events.isEmpty || !order.changes.isEmpty {
            record(events, order.changes, &directives)
        }
    }

    /// The heartbeat; true when it is to re-centre the window.
    private mutating func beat(
        _ step: WayStep, now: Uptime, _ directives: inout [Directive]
    ) -> Bool {
        guard regions.heartbeat.note(step.point, every: settings.window.heartbeat) else {
            return regions.heartbeat.isOverdue && !queue.holds(at: now)
        }
        directives.append(.heartbeat(step.to.time))
        guard regions.window?.metafenceRadius != nil else { return false }
        guard let last = regions.heartbeat.lastRecenter else { return true }
        return now - last >= settings.window.heartbeatThrottle
    }

    // MARK: Trips

    private mutating func endTrip(before fix: Fix, _ directives: inout [Directive]) {
        let events = trips.end(
            before: fix, way, ignition: parking.ignition, settings.trips,
            wait: settings.crossing.timedDecision
        ) { [regions] in regions.place }
        if let events { record(events, ofVehicle: true, &directives) }
    }

    /// After the fences have taken the step.
    private mutating func noteTrip(_ step: WayStep, _ directives: inout [Directive]) {
        if let event = trips.mark(step, every: settings.trips.every) {
            record([event], ofVehicle: true, &directives)
        }
        let ended = trips.endStanding(step, way, settings.trips) { [regions] in regions.place }
        if let ended { record(ended, ofVehicle: true, &directives) }
    }
}
