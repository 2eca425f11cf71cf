import Geodesy
package import Model
package import Time

/// The engine: position reports in, events out. A value without I/O and without a clock; the law it
/// keeps is docs/HANDBOOK.md.
///
/// Where it needs the catalogue it has a ``question`` and goes on with the answer;
/// what arrives meanwhile waits in `works`. ``Tracker`` is the shell that answers from a store.
package struct Engine: Sendable {
    /// Something to be done in order, each of which may have to ask the store first.
    enum Work: Hashable, Sendable {
        /// An accepted fix to be judged.
        case judge(Fix, SurfacePoint, newPath: EventReason?)
        case recenter(WindowReason)
        case reconcile(WindowReason)

        /// A re-base: translates the receiver time of a fix that waits.
        mutating func shift(by span: TimeSpan) {
            guard case .judge(var fix, let point, let newPath) = self else { return }
            fix.time = fix.time + span
            self = .judge(fix, point, newPath: newPath)
        }
    }

    /// Fixed for the life of the engine.
    package let settings: EngineSettings
    /// Inputs taken.
    var age: UInt64 = 0
    /// What reports have to pass; it has the last accepted fix.
    package internal(set) var gates: Gates
    var motion = Motion()
    /// What the engine has composed; nil before the first accepted fix.
    package internal(set) var window: Window?
    /// Fences that were there at the last judged fix or before it: no longer `unknown`.
    var known: Generation
    /// The latest generation of the catalogue that the engine has been given.
    package internal(set) var generation: Generation
    /// No accepted fix for too long.
    package internal(set) var isPositionLost: Bool
    /// The next accepted fix is the first after a power cut: its events have the reason `restart`.
    var isRestarted: Bool
    var heartbeat: Heartbeat
    var idle = IdleDistance()
    /// When the first region that has something pending decides, if no fix comes.
    var regionsDue: Uptime?
    /// The vehicle, and how approaches are judged.
    package internal(set) var approaches: ApproachRules
    var announcer = Announcer()
    /// Beacon regions and their sightings.
    package internal(set) var beacons: BeaconLaw
    /// The wall clock at a monotonic time, for beacons before the first fix.
    var wallClock: (at: Uptime, time: UTCTime)?
    /// Fences that have ended, as long as they may be in the catalogue.
    package internal(set) var spent: Set<SpentFence> = []
    /// Whether the receiver sleeps.
    var rest = Rest()
    /// Whether the position is believed.
    package internal(set) var trust = Trust()
    /// The ignition, and where the vehicle is parked.
    package internal(set) var parking = Parking()
    /// Whether the vehicle stands.
    var standing = Standstill()
    /// How far it has been driven.
    package internal(set) var odometer: Odometer
    /// What the wheels say at the report that is being taken: it counts for its fix alone, if that is
    /// judged at once.
    var wheels: WheelReading?
    /// Open stays whose fence is not in the catalogue.
    var orphans: [OpenStay] = []
    /// See ``doubtStays()``: until the first judged fix.
    package internal(set) var doubtsStays = false
    /// What somebody means to drive.
    @Boxed var following: FollowedRoute?
    /// Fences that were accepted are not in the catalogue, and may come back: until then ``orphans``
    /// are held, without an event. To be given to each engine that is made.
    package var lacksFences = false
    var works: [Work] = []
    /// To be answered with `answer` or `storeFailed` before anything else is done.
    package internal(set) var question: StoreQuery?
    var backOff = BackOff()
    var hasGrown = false
    /// The last step left fences out, or the next one may.
    var isFull = false
    var wake: Uptime?

    /// How many accepted fixes may wait for the store; then the oldest are given up.
    static let workLimit = 4096

    /// A fresh engine. `stays` are those that were open when the power was cut, `entries` their
    /// fences as far as they exist, `beacons` the regions of the catalogue; `known` and
    /// `isPositionLost` are what was recorded with them, `driven` what the odometer showed then.
    package init(
        settings: EngineSettings, generation: Generation, known: Generation = 0,
        stays: [OpenStay] = [], entries: [CatalogueEntry] = [], isPositionLost: Bool = false,
        driven: OdometerReading = .init(), beacons regions: [BeaconRegion] = []
    ) {
        self.settings = settings
        self.generation = generation
        self.known = known
        self.isPositionLost = isPositionLost
        odometer = Odometer(driven)
        gates = Gates(settings: settings.gates)
        heartbeat = Heartbeat()
        isRestarted = known > 0
        following = nil
        approaches = ApproachRules(settings: settings.approach, vehicle: settings.vehicle)
        beacons = BeaconLaw(settings: settings.beacons)
        resume(beacons.resume(stays, regions), entries)
    }

    /// By which the regions are judged.
    var law: LawNumbers { LawNumbers(crossing: settings.crossing, approaches: approaches) }

    /// Whether a route counts.
    @inline(__always)
    var hasRoute: Bool { if case .present = _following { true } else { false } }

    /// The last accepted fix.
    package var lastFix: Fix? { gates.last?.fix }

    /// Whether a fence of the window is a hazard that can be approached.
    package var hasHazardInWindow: Bool {
        guard let window else { return false }
        for index in window.regions.indices where window.regions[index].entry.approach != nil {
            return true
        }
        return false
    }

    /// Number of re-bases so far.
    package var rebases: Int { gates.rebases }

    /// Accepted and refused fixes.
    package var counters: GateCounters { gates.counters }

    /// Takes one input and returns what is to be done. `now` never falls.
    package mutating func handle(_ input: Input, at now: Uptime) -> [Directive] {
        var directives: [Directive] = []
        age += 1
        if hasRoute { expireRoute(at: now, &directives) }
        switch input {
        case .start:
            beacons.start(at: now)
            closeOrphans(&directives)
            if window != nil { works.append(.reconcile(.start)) }
        case .report(let report):
            fireTimers(before: now, &directives)
            wheels = report.wheels
            admit(report, at: now, &directives)
        case .timer:
            break
        case .catalogueChanged(let generation):
            fireTimers(upTo: now, &directives)
            self.generation = generation
            works.append(.reconcile(.catalogue))
        case .lacksFences(let lacks):
            fireTimers(upTo: now, &directives)
            lacksFences = lacks
            if !lacks, !orphans.isEmpty { works.append(.reconcile(.catalogue)) }
        case .fencesLost(let areLost, let clock):
            fireTimers(upTo: now, &directives)
            let kind: EventKind = areLost ? .fencesLost : .fencesBack
            tell(kind, fencesLost: areLost, at: now, clock, &directives)
        case .logLost(let clock):
            fireTimers(upTo: now, &directives)
            tell(.logLost, at: now, clock, &directives)
        case .recenter:
            works.append(.recenter(.request))
        case .ignition(let isOn):
            fireTimers(upTo: now, &directives)
            setIgnition(isOn, at: now, &directives)
        case .resting(let isOn):
            fireTimers(upTo: now, &directives)
            setResting(isOn, at: now)
        case .retired(let fences):
            forget(fences)
        case .vehicle(let vehicle):
            fireTimers(upTo: now, &directives)
            change(to: vehicle, &directives)
        case .route(let route):
            fireTimers(upTo: now, &directives)
            set(route)
        case .beacons, .sighting, .radio, .presence:
            fireTimers(upTo: now, &directives)
            takeBeacon(input, at: now, &directives)
        case .answer(let answer):
            proceed(with: answer, at: now, &directives)
        case .storeFailed:
            fail(at: now)
        }
        advance(at: now, &directives)
        // An answer is still to come: timers are due after it.
        if question == nil {
            fireTimers(upTo: now, &directives)
            decideBeacons(at: now, &directives)
            noteWake(at: now, &directives)
        }
        return directives
    }

    /// The input that was answered with this has changed nothing but the engine, and without the
    /// store: an engine from the checkpoint of before comes to the same by taking it again. A
    /// heartbeat that does not re-centre is only told.
    @inline(__always)
    func isUneventful(_ directives: [Directive]) -> Bool {
        guard works.isEmpty else { return false }
        return directives.allSatisfy {
            switch $0 {
            case .wake, .heartbeat: true
            case .record, .windowChanged, .windowGrew, .windowFull, .route: false
            }
        }
    }

    /// The recording is over: counts what the gates still hold.
    package mutating func finish() { gates.finish() }

    /// Would this report be accepted now, at once? For ``ReplayClock``.
    package func accepts(_ report: PositionReport, at now: Uptime) -> Bool {
        var trial = gates
        switch trial.judge(report, at: now) {
        case .accepted, .released: return true
        case .refused, .repeated, .held: return false
        }
    }

    private mutating func admit(
        _ report: PositionReport, at now: Uptime, _ directives: inout [Directive]
    ) {
        let before = gates.last?.fix
        let isJammed = report.jam > settings.gates.jamLimit
        switch gates.judge(report, at: now) {
        case .refused, .repeated, .held:
            return
        case .accepted:
            guard let last = gates.last else { return }
            var newPath: EventReason? = isRestarted ? .restart : nil
            guard
                believes(
                    last.fix, at: last.point, newPath: &newPath, isJump: false,
                    isJammed: isJammed, &directives)
            else { return }
            accept(last.fix, at: last.point, newPath: newPath, now: now, &directives)
            isRestarted = false
        case .released(let path, let isNewPath, let isRebased):
            // What they say counts from the last accepted fix, and not from the one before.
            wheels = nil
            if isRebased, let before, let first = path.first?.fix {
                rebase(from: before, to: first, &directives)
            }
            // A recording with another time base does not say how long the vehicle was away.
            let isJump = isNewPath && !(isRebased && settings.gates.arrivalIsDerived)
            for (index, standing) in path.enumerated() {
                // A doubt is recorded at once: what fell due before this fix is recorded first.
                if isJudged { fireTimers(beforeJudging: standing.fix, &directives) }
                let isFirst = index == 0
                var newPath: EventReason? = isFirst && isNewPath ? .jump : nil
                guard
                    believes(
                        standing.fix, at: standing.point, newPath: &newPath,
                        isJump: isFirst && isJump, isJammed: isJammed, &directives)
                else { continue }
                works.append(.judge(standing.fix, standing.point, newPath: newPath))
                isRestarted = false
            }
        }
        giveUpOldest()
    }

    /// Translates every stored receiver time to the new time base, so that durations agree with
    /// monotonic time.
    private mutating func rebase(
        from before: Fix, to first: Fix, _ directives: inout [Directive]
    ) {
        let shift = (first.time - before.time) - (first.arrival - before.arrival)
        standing.shift(by: shift)
        odometer.shift(by: shift)
        trust.shift(by: shift)
        parking.shift(by: shift)
        motion.shift(by: shift)
        for index in works.indices { works[index].shift(by: shift) }
        for index in orphans.indices { orphans[index].began = orphans[index].began + shift }
        guard var window else { return }
        for index in window.regions.indices { window.regions[index].shift(by: shift) }
        self.window = window
        announcer.shift(by: shift)
        beacons.shift(by: shift)
        noteRegionsDue()
        let stays = window.regions.compactMap(\.openStay) + beacons.openStays(beaconClock)
        if !stays.isEmpty || parking.hasTrip {
            record([], StayChanges(opened: stays), &directives)
        }
    }

    /// The store has not answered for so long that the oldest fixes are dropped; the rest begins a
    /// new path.
    private mutating func giveUpOldest() {
        guard works.count > Self.workLimit else { return }
        works.removeFirst(works.count - Self.workLimit)
        if case .judge(let fix, let point, _) = works[0] {
            works[0] = .judge(fix, point, newPath: .jump)
        }
    }
}

/// How far the vehicle may drive before any region has to be judged again.
struct IdleDistance: Hashable, Sendable {
    /// Length of all paths so far, m.
    var odometer = 0.0
    /// Until the odometer reads this, nothing is pending, no boundary can be reached and the window
    /// is enough, m.
    var until = -Double.infinity
    /// Fixes were accepted without being judged: no distance is known to the last of them.
    var wasUsed = false

    /// Something has changed that ``until`` relied on.
    mutating func end() { until = -.infinity }
}

/// The significant change.
struct Heartbeat: Hashable, Sendable {
    /// Where the last one was.
    var point: SurfacePoint?
    /// When it last re-centred the window.
    var lastRecenter: Uptime?
    /// It should have, and the store failed.
    var isOverdue = false
}
