import Geodesy

// How the engine works through what waits: each work may need one answer of the store.
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
                directives.append(.ask(query))
            }
        }
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
            return needsStore(at: point, link: link)
                ? .ask(.meeting(box(of: link, at: point))) : .judge(fix, point, link)
        case .recenter:
            guard let last = motion.last else { return .nothing }
            let demand = WindowComposer(settings: settings.window)
                .demand(mustHave: mustHave().count)
            return .ask(.nearest(last.point, limit: demand))
        case .reconcile:
            guard let window else { return .nothing }
            return .ask(.entries(window.regions.map(\.entry.fence.id)))
        }
    }

    mutating func proceed(
        with answer: StoreAnswer, at now: Uptime, _ directives: inout [Directive]
    ) {
        guard question != nil, let work = works.first else { return }
        question = nil
        backOff.succeed()
        works.removeFirst()
        switch (work, answer) {
        case (.judge(let fix, let point, let newPath), .entries(let entries)):
            let link = link(to: fix, at: point, newPath: newPath)
            judge(fix, at: point, link: link, meeting: entries, now: now, &directives)
        case (.recenter(let reason), .ranked(let nearest)):
            recenter(nearest, reason: reason, at: now, &directives)
        case (.reconcile(let reason), .entries(let entries)):
            reconcile(entries, &directives)
            works.insert(.recenter(reason), at: 0)
        default:
            preconditionFailure("the answer does not fit the question: \(work)")
        }
    }

    /// A fix that needs the store waits for it, and so does an edit. A window that cannot be
    /// composed is not waited for: without a metafence every fix asks for what it touches.
    mutating func fail(at now: Uptime) {
        guard question != nil else { return }
        question = nil
        backOff.fail(at: now)
        guard case .recenter(let reason)? = works.first else { return }
        works.removeFirst()
        if reason == .heartbeat {
            heartbeat.isOverdue = true
        } else {
            window?.metafenceRadius = 0
            quiet = nil
        }
    }
}

// MARK: - Judging a fix

extension Engine {
    func link(to fix: Fix, at point: SurfacePoint, newPath: EventReason?) -> Passage.Link {
        if let newPath { return .newPath(newPath) }
        guard let last = motion.last else { return .newPath(.initial) }
        guard fix.time - last.fix.time <= settings.crossing.pathGap else { return .gap }
        return .path(PathSegment(from: last.point, to: point))
    }

    /// Coverage law: before crossings are judged, every fence that the path touches is in the
    /// window. Inside the metafence it is; what was never looked at has to be asked for.
    private func needsStore(at point: SurfacePoint, link: Passage.Link) -> Bool {
        guard let window, generation <= known else { return true }
        guard window.covers(point) else { return true }
        if case .path(let path) = link { return !window.covers(path.start) }
        return false
    }

    private func box(of link: Passage.Link, at point: SurfacePoint) -> GeoBox {
        if case .path(let path) = link { return path.boundingBox }
        return GeoBox(around: point.coordinate, radius: 1)
    }

    private mutating func judge(
        _ fix: Fix, at point: SurfacePoint, link: Passage.Link, meeting: [CatalogueEntry],
        now: Uptime, _ directives: inout [Directive]
    ) {
        fireTimers(beforeJudging: fix, &directives)
        let before = motion.last?.fix
        var isNewPath = false
        if case .newPath = link { isNewPath = true }
        motion.append(
            fix, at: point, newPath: isNewPath, window: settings.crossing.movingWindow)
        let wasLost = isPositionLost
        isPositionLost = false
        let isFirst = window == nil
        if isQuiet(at: point, link: link), !wasLost, generation <= known {
            quiet?.wasUsed = true
            touched.removeAll(keepingCapacity: true)
        } else {
            let passage = Passage(
                link: link, from: isNewPath ? nil : before, to: fix, point: point,
                isMoving: motion.isMovingAtEitherEnd(settings.crossing))
            judge(passage, meeting: meeting, wasLost: wasLost, &directives)
        }
        let isDue = beat(fix, at: point, now: now, &directives)
        if isFirst || before == nil {
            works.insert(.recenter(.start), at: 0)
        } else if window?.covers(point) == false {
            works.insert(.recenter(.metafence), at: 0)
        } else if isDue {
            works.insert(.recenter(.heartbeat), at: 0)
        }
    }

    private func isQuiet(at point: SurfacePoint, link: Passage.Link) -> Bool {
        guard let quiet, case .path = link else { return false }
        return quiet.center.distance(to: point) < quiet.radius
    }

    private mutating func judge(
        _ passage: Passage, meeting: [CatalogueEntry], wasLost: Bool,
        _ directives: inout [Directive]
    ) {
        var regions = window?.regions ?? []
        let staleDistances = quiet?.wasUsed ?? false
        let present = Set(meeting.isEmpty ? [] : regions.map(\.key))
        regions += meeting.filter { !present.contains(FenceKey($0.fence.id)) }.map {
            FenceMonitor(entry: $0, state: $0.added > known ? .unknown : .outside(nil))
        }
        let windowCount = window?.regions.count ?? 0
        var told = EventOrder()
        var kept: [FenceMonitor] = []
        kept.reserveCapacity(regions.count)
        touched.removeAll(keepingCapacity: true)
        for (index, region) in regions.enumerated() {
            var monitor = region
            if staleDistances, monitor.isIdle { monitor.lastDistance = nil }
            let found = monitor.judge(passage, settings: settings.crossing)
            told.add(found, of: monitor)
            let isTouched = !monitor.isIdle || !found.isEmpty || monitor.touches(passage)
            if isTouched { touched.insert(monitor.key) }
            if index < windowCount || isTouched { kept.append(monitor) }
        }
        var window =
            window ?? Window(anchor: passage.point, metafenceRadius: 0, regions: [])
        window.regions = kept
        self.window = window
        settle(quietAt: passage.point)
        let newlyKnown = generation > known
        known = max(known, generation)
        var events = told.events(passage.to)
        if wasLost {
            events.insert(
                .position(.positionRegained, time: passage.to.time, fix: passage.to), at: 0)
        }
        if newlyKnown || !events.isEmpty { record(events, told.changes, &directives) }
    }

    /// How far the vehicle may go before any region has to be looked at again.
    mutating func settle(quietAt point: SurfacePoint) {
        quiet = nil
        guard let window else { return }
        var radius = window.reserve(at: point)
        for region in window.regions {
            guard region.isIdle, let distance = region.lastDistance else { return }
            radius = min(radius, distance)
        }
        radius -= FenceMonitor.slack(radius.isFinite ? radius : 0)
        if radius > 0 { quiet = Quiet(center: point, radius: radius) }
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
