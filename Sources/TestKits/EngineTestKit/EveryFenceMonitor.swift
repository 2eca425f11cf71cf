import Geodesy
package import Law
package import Model
package import Time

/// The monitor that the exactness law compares with: it looks at *every* fence on *every* fix. No
/// window, no metafence, no store and nothing skipped, so that its events follow from the gates and
/// the crossing law alone.
package struct EveryFenceMonitor {
    private let settings: EngineSettings
    private var gates: Gates
    private var motion = Motion()
    private var monitors: [String: RegionMonitor]
    private var isLost = false
    private var additions: Generation = 1
    private var approaches: ApproachRules
    private var announcer = Announcer()
    private var standing = Standstill()
    private var odometer = Odometer()
    private var trust = Trust()
    private var isOff = false
    private var paces = PaceModel()
    /// Of the report that is being judged.
    private var wheels: WheelReading?
    /// The last that was set.
    package private(set) var route: RouteModel?

    package init(settings: EngineSettings, fences: [Fence]) {
        self.settings = settings
        gates = Gates(settings: settings.gates)
        approaches = ApproachRules(settings: settings.approach, vehicle: settings.vehicle)
        monitors = Dictionary(
            uniqueKeysWithValues: fences.map {
                let entry = CatalogueEntry($0, added: 1)
                return ($0.id, RegionMonitor(entry, isUnknown: true))
            })
    }

    private var law: LawNumbers { LawNumbers(crossing: settings.crossing, approaches: approaches) }

    /// Presence of every fence, by id.
    package var presences: [String: Presence] { monitors.mapValues(\.presence) }

    package mutating func handle(_ report: PositionReport, at now: Uptime) -> [Event] {
        route?.pass(now)
        if route?.end != nil { approaches.route = nil }
        var events = fire { $0 < now }
        let before = gates.last?.fix
        let isJammed = report.jam > settings.gates.jamLimit
        wheels = report.wheels
        switch gates.judge(report, at: now) {
        case .refused, .repeated, .held:
            break
        case .accepted:
            guard let standing = gates.last else { break }
            events += believe(
                standing.fix, standing.point, newPath: nil, isJump: false, isJammed: isJammed)
        case .released(let path, let isNewPath, let isRebased):
            wheels = nil
            if isRebased, let before {
                let first = path[0].fix
                let shift = (first.time - before.time) - (first.arrival - before.arrival)
                for id in monitors.keys { monitors[id]?.shift(by: shift) }
                announcer.shift(by: shift)
                standing.shift(by: shift)
                odometer.shift(by: shift)
                trust.shift(by: shift)
                motion.shift(by: shift)
            }
            for (index, standing) in path.enumerated() {
                events += fire(losing: false) { $0 < standing.fix.arrival }
                let isFirst = index == 0 && isNewPath
                events += believe(
                    standing.fix, standing.point, newPath: isFirst ? .jump : nil,
                    isJump: isFirst && !(isRebased && settings.gates.arrivalIsDerived),
                    isJammed: isJammed)
            }
        }
        return events + fire { $0 <= now }
    }

    /// The ignition, for the position that is doubted: towing is not judged here.
    package mutating func ignition(_ isOn: Bool, at now: Uptime) -> [Event] {
        let events = fire { $0 <= now }
        isOff = !isOn
        return events
    }

    /// The fixes of a doubtful position are not judged.
    private mutating func believe(
        _ fix: Fix, _ point: SurfacePoint, newPath: EventReason?, isJump: Bool,
        isJammed: Bool
    ) -> [Event] {
        let verdict = trust.judge(
            fix, at: point, isJump: isJump, isOff: isOff, isJammed: isJammed,
            rules: TrustRules(settings))
        if verdict == .believed { return judge(fix, point, newPath: newPath) }
        var events: [Event] =
            isLost ? [.position(.positionRegained, time: fix.time, fix: fix)] : []
        isLost = false
        switch verdict {
        case .doubted:
            var event = Event.position(.positionDoubtful, time: fix.time, fix: fix)
            event.distance = motion.last?.point.distance(to: point)
            return events + [event]
        case .back, .elsewhere:
            var event = Event.position(.positionTrusted, time: fix.time, fix: fix)
            if verdict == .elsewhere { event.reason = .jump }
            events.append(event)
            let newPath: EventReason? = verdict == .elsewhere ? .jump : nil
            return events + judge(fix, point, newPath: newPath)
        case .doubtful, .believed:
            return events
        }
    }

    package mutating func timer(at now: Uptime) -> [Event] { fire { $0 <= now } }

    /// Edits, additions and removals, as one batch.
    package mutating func apply(
        upserts: [Fence], removing ids: [String], at now: Uptime
    ) -> [Event] {
        var events = fire { $0 <= now }
        var order = EventOrder()
        additions += 1
        let last = JudgedFix(motion.last, driven: odometer.reading)
        for id in ids {
            guard let monitor = monitors.removeValue(forKey: id) else { continue }
            let time = motion.last?.fix.time ?? UTCTime(nanoseconds: 0)
            order.add(monitor.remove(at: time, law: law), of: monitor)
        }
        for fence in upserts {
            guard var monitor = monitors[fence.id] else {
                let entry = CatalogueEntry(fence, added: additions)
                monitors[fence.id] = RegionMonitor(entry, isUnknown: true)
                continue
            }
            let entry = CatalogueEntry(fence, added: monitor.entry.added)
            order.add(monitor.edit(entry, last: last, law: law), of: monitor)
            monitors[fence.id] = monitor
        }
        findHazards()
        events += settled(order.events(motion.last?.fix, driven: odometer.reading))
        return events + fire { $0 <= now }
    }

    /// All of them, each time anew.
    private mutating func findHazards() {
        guard let route = approaches.route?.route else { return }
        var hazards = HazardPlaces()
        hazards.find(monitors.values.compactMap { HazardPlaces.Hazard($0.entry) }, on: route)
        approaches.route?.hazards = hazards
    }

    /// The vehicle is another.
    package mutating func change(to vehicle: Vehicle, at now: Uptime) -> [Event] {
        var events = fire { $0 <= now }
        let before = approaches
        approaches.vehicle = vehicle
        if let last = motion.last?.fix {
            var order = EventOrder()
            for id in monitors.keys {
                guard var monitor = monitors[id] else { continue }
                order.add(
                    monitor.judgeVehicle(approaches, before: before, at: last), of: monitor)
                monitors[id] = monitor
            }
            events += settled(order.events(last, driven: odometer.reading))
        }
        return events + fire { $0 <= now }
    }

    /// The route is another, or there is none.
    package mutating func set(_ route: RouteModel?, at now: Uptime) -> [Event] {
        self.route?.pass(now)
        if self.route?.end != nil { approaches.route = nil }
        let events = fire { $0 <= now }
        self.route = route
        // Where the vehicle is on it counts from the last fix on.
        var place = route
        approaches.route = motion.last.flatMap {
            place?.judge($0.fix, after: nil, course: course(at: $0.fix), driven: 0)
        }
        findHazards()
        return events + fire { $0 <= now }
    }

    private func course(at fix: Fix) -> Double? {
        let step = motion.step(settings.way)
        guard let speed = fix.speed ?? step?.speed, speed >= 1.2 else { return nil }
        return fix.course ?? step?.course
    }

    private mutating func settled(_ events: [Event]) -> [Event] {
        var events = events
        announcer.group(&events)
        return events
    }

    private mutating func judge(
        _ fix: Fix, _ point: SurfacePoint, newPath: EventReason?
    ) -> [Event] {
        let last = motion.last
        let newPath = last == nil ? .initial : newPath
        var link = Passage.Link.newPath(newPath ?? .initial)
        if newPath == nil, let last {
            let apart = fix.time - last.fix.time
            let isJoined = apart <= paces.hole(atLeast: settings.way.pathGap)
            link = isJoined ? .path(PathSegment(from: last.point, to: point)) : .gap
        }
        motion.append(
            fix, at: point, newPath: newPath != nil, window: settings.way.movingWindow)
        standing.note(
            fix, at: point, wheels: wheels, isCarried: motion.isCarried(wheels, settings.way))
        if let last,
            max(last.fix.speed ?? 0, fix.speed ?? 0) >= 1.2
                || last.point.distance(to: point) > max(10, last.fix.error + fix.error)
        {
            paces.intervals.append(fix.time - last.fix.time)
        }
        let before = odometer.reading
        var seen = link
        if case .path = link, let last, fix.time - last.fix.time > settings.way.pathGap {
            seen = .gap
        }
        odometer.drive(
            seen, to: fix, at: point, standing: standing, motion: &motion, wheels: wheels,
            settings.way)
        let after = odometer.reading.metres
        let passage = Passage(
            link: link, from: newPath != nil ? nil : last?.fix, to: fix, point: point,
            isMoving: motion.isMovingAtEitherEnd(settings.way),
            step: motion.step(settings.way), before: last.map { .init($0.fix) },
            pathSpeed: motion.pathSpeed(settings.way), standingSince: standing.since,
            driven: DrivenStep(before: before, after: odometer.reading), wheels: wheels)
        let course = course(at: fix)
        approaches.route = route?.judge(
            fix, after: newPath != nil ? nil : last?.fix, course: course, driven: after)
        findHazards()
        var order = EventOrder()
        let all = Array(monitors.values)
        let leftOut = RegionLimit.leftOut(
            all, at: passage.reach, limit: settings.window.mostOpen)
        let without = Set(leftOut.map { all[$0].entry.id })
        for id in monitors.keys {
            guard var monitor = monitors[id] else { continue }
            guard !without.contains(id) else {
                monitor.leaveOut()
                monitors[id] = monitor
                continue
            }
            order.add(monitor.judge(passage, law: law, announcer: announcer), of: monitor)
            monitors[id] = monitor
        }
        let regained: [Event] =
            isLost ? [.position(.positionRegained, time: fix.time, fix: fix)] : []
        isLost = false
        return regained
            + settled(
                order.events(fix, driven: odometer.reading, byWheels: wheels != nil))
    }

    /// `losing`: false between fixes that were held, where the loss has been recorded already; what
    /// falls due between them is decided all the same.
    private mutating func fire(losing: Bool = true, where isDue: (Uptime) -> Bool) -> [Event] {
        var events: [Event] = []
        while let last = motion.last?.fix {
            let accepted = gates.last?.fix ?? last
            let hole = paces.hole(atLeast: settings.gates.lostAfter)
            let lost = accepted.arrival + hole + TimeSpan(nanoseconds: 1)
            let pending = monitors.values.compactMap { monitor in
                monitor.due(after: last, law: law).map { (id: monitor.entry.id, due: $0) }
            }
            let next = (pending.map(\.due.at) + (isLost || !losing ? [] : [lost])).min()
            guard let next, isDue(next) else { break }
            var order = EventOrder()
            for (id, due) in pending where due.at == next {
                guard var monitor = monitors[id] else { continue }
                order.add(monitor.decide(due.decision, last: last, law: law), of: monitor)
                monitors[id] = monitor
            }
            events += settled(order.events(last, driven: odometer.reading))
            if losing, !isLost, lost == next {
                isLost = true
                let time = accepted.time + hole
                events.append(.position(.positionLost, time: time, fix: accepted))
            }
        }
        return events
    }
}

/// What a hole is, from all intervals since the start.
private struct PaceModel {
    var intervals: [TimeSpan] = []

    func hole(atLeast floor: TimeSpan) -> TimeSpan {
        let own = intervals.filter { $0 > .zero && $0.seconds <= 120 }.suffix(10).sorted()
        guard own.count >= 5 else { return floor }
        return max(floor, min(.seconds(own[(own.count - 1) / 2].seconds * 2.5), .seconds(120)))
    }
}
