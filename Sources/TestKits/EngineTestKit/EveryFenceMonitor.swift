package import Engine
import Geodesy
package import Time

/// The monitor that the exactness law compares with: it looks at *every* fence on *every* fix. No
/// window, no metafence, no store and nothing skipped, so that its events follow from the gates and
/// the crossing law alone.
package struct EveryFenceMonitor {
    private let settings: EngineSettings
    private var gates: Gates
    private var motion = Motion()
    private var monitors: [String: FenceMonitor]
    private var isLost = false
    private var additions: Generation = 1
    private var approaches: ApproachRules
    private var announcer = Announcer()

    package init(settings: EngineSettings, fences: [Fence]) {
        self.settings = settings
        gates = Gates(settings: settings.gates)
        approaches = ApproachRules(settings: settings.approach, vehicle: settings.vehicle)
        monitors = Dictionary(
            uniqueKeysWithValues: fences.map {
                let entry = CatalogueEntry(fence: $0, added: 1)
                return ($0.id, FenceMonitor(entry: entry, state: .unknown))
            })
    }

    /// Presence of every fence, by id.
    package var presences: [String: Presence] { monitors.mapValues(\.presence) }

    package mutating func handle(_ report: PositionReport, at now: Uptime) -> [Event] {
        var events = fire { $0 < now }
        let before = gates.last?.fix
        switch gates.judge(report, at: now) {
        case .refused, .repeated, .held:
            break
        case .accepted:
            guard let standing = gates.last else { break }
            events += judge(
                standing.fix, standing.point, newPath: motion.last == nil ? .initial : nil)
        case .newPath(let path, let rebased):
            if rebased, let before {
                let first = path[0].fix
                let shift = (first.time - before.time) - (first.arrival - before.arrival)
                for id in monitors.keys { monitors[id]?.shift(by: shift) }
                announcer.shift(by: shift)
            }
            for (index, standing) in path.enumerated() {
                events += fire(losing: false) { $0 < standing.fix.arrival }
                events += judge(standing.fix, standing.point, newPath: index == 0 ? .jump : nil)
            }
        }
        return events + fire { $0 <= now }
    }

    package mutating func timer(at now: Uptime) -> [Event] { fire { $0 <= now } }

    /// Edits, additions and removals, as one batch.
    package mutating func apply(
        upserts: [Fence], removing ids: [String], at now: Uptime
    ) -> [Event] {
        var events = fire { $0 <= now }
        var order = EventOrder()
        additions += 1
        let last = motion.last.map { (fix: $0.fix, point: $0.point) }
        for id in ids {
            guard let monitor = monitors.removeValue(forKey: id) else { continue }
            let time = last?.fix.time ?? ReceiverTime(nanoseconds: 0)
            order.add(monitor.remove(at: time, approaches: approaches), of: monitor)
        }
        for fence in upserts {
            guard var monitor = monitors[fence.id] else {
                let entry = CatalogueEntry(fence: fence, added: additions)
                monitors[fence.id] = FenceMonitor(entry: entry, state: .unknown)
                continue
            }
            let entry = CatalogueEntry(fence: fence, added: monitor.entry.added)
            order.add(monitor.edit(entry, last: last, approaches: approaches), of: monitor)
            monitors[fence.id] = monitor
        }
        events += settled(order.events(last?.fix))
        return events + fire { $0 <= now }
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
            events += settled(order.events(last))
        }
        return events + fire { $0 <= now }
    }

    private mutating func settled(_ events: [Event]) -> [Event] {
        var events = events
        announcer.settle(&events)
        return events
    }

    private mutating func judge(
        _ fix: Fix, _ point: SurfacePoint, newPath: EventReason?
    ) -> [Event] {
        let last = motion.last
        var link = Passage.Link.newPath(newPath ?? .initial)
        if newPath == nil, let last {
            let isJoined = fix.time - last.fix.time <= settings.crossing.pathGap
            link = isJoined ? .path(PathSegment(from: last.point, to: point)) : .gap
        }
        motion.append(
            fix, at: point, newPath: newPath != nil, window: settings.crossing.movingWindow)
        let passage = Passage(
            link: link, from: newPath != nil ? nil : last?.fix, to: fix, point: point,
            isMoving: motion.isMovingAtEitherEnd(settings.crossing),
            step: motion.step(settings.crossing))
        var order = EventOrder()
        for id in monitors.keys {
            guard var monitor = monitors[id] else { continue }
            order.add(
                monitor.judge(
                    passage, settings: settings.crossing, approaches: approaches,
                    announcer: announcer),
                of: monitor)
            monitors[id] = monitor
        }
        let regained: [Event] =
            isLost ? [.position(.positionRegained, time: fix.time, fix: fix)] : []
        isLost = false
        return regained + settled(order.events(fix))
    }

    /// `losing`: false between fixes that were held, where the loss has been recorded already; what
    /// falls due between them is decided all the same.
    private mutating func fire(losing: Bool = true, where isDue: (Uptime) -> Bool) -> [Event] {
        var events: [Event] = []
        while let last = motion.last?.fix {
            let lost = last.arrival + settings.gates.lostAfter + TimeSpan(nanoseconds: 1)
            let pending = monitors.values.compactMap { monitor in
                monitor.due(
                    after: last, settings: settings.crossing, approaches: approaches
                ).map { (id: monitor.entry.id, at: $0.at, what: $0.what) }
            }
            let next = (pending.map(\.at) + (isLost || !losing ? [] : [lost])).min()
            guard let next, isDue(next) else { break }
            var order = EventOrder()
            for due in pending where due.at == next {
                guard var monitor = monitors[due.id] else { continue }
                order.add(
                    monitor.decide(
                        due.what, last: last, settings: settings.crossing, approaches: approaches),
                    of: monitor)
                monitors[due.id] = monitor
            }
            events += settled(order.events(last))
            if losing, !isLost, lost == next {
                isLost = true
                let time = last.time + settings.gates.lostAfter
                events.append(.position(.positionLost, time: time, fix: last))
            }
        }
        return events
    }
}
