import Geodesy
package import Model
package import Time

/// The engine: position reports in, events out. A value without I/O and without a clock; the law it
/// keeps is docs/HANDBOOK.md.
///
/// A hub: it says which part takes a step, and in which order; what is kept, and by which rules it
/// changes, is the part's. Where it needs the catalogue it has a ``question`` and goes on with the
/// answer; what arrives meanwhile waits in `queue`. ``Tracker`` is the shell that answers from a store.
package struct Engine: Sendable {
    /// Fixed for the life of the engine.
    package let settings: EngineSettings
    /// Inputs taken.
    var age: UInt64 = 0
    /// What reports have to pass; it has the last accepted fix.
    package internal(set) var gates: Gates
    /// Whether the position is believed.
    package internal(set) var trust = Trust()
    /// Whether fixes come.
    var reception: Reception
    /// How the vehicle has come here.
    var way = Way()
    /// The catalogue, as far as it was given.
    var catalogue: KnownCatalogue
    /// The fences that are judged.
    var regions = Regions()
    /// The vehicle, and what was announced of hazards.
    var approaches: Approaches
    /// What somebody means to drive.
    var routing = RouteLaw()
    /// Beacon regions and their sightings.
    package internal(set) var beacons: BeaconLaw
    /// The ignition, and where the vehicle is parked.
    package internal(set) var parking = Parking()
    /// The trip that is not over.
    var trips = TripLaw()
    /// What waits for the store.
    var queue = StoreQueue()
    /// What was last asked for with ``Directive/wake(at:)``.
    package internal(set) var wake: Uptime?

    /// A fresh engine. `stays` are those that were open when the power was cut, `entries` their
    /// fences as far as they exist, `beacons` the regions of the catalogue; `known` and
    /// `isPositionLost` are what was recorded with them, `driven` what the odometer showed then.
    package init(
        settings: EngineSettings, generation: Generation, known: Generation = 0,
        stays: [OpenStay] = [], entries: [CatalogueEntry] = [], isPositionLost: Bool = false,
        driven: OdometerReading = .init(), beacons regions: [BeaconRegion] = []
    ) {
        self.settings = settings
        gates = Gates(settings: settings.gates)
        reception = Reception(isLost: isPositionLost)
        catalogue = KnownCatalogue(known: known, generation: generation)
        approaches = Approaches(vehicle: settings.vehicle)
        beacons = BeaconLaw(settings: settings.beacons)
        way.odometer = Odometer(driven)
        way.isRestarted = known > 0
        let left = beacons.resume(stays, regions)
        self.regions.add(catalogue.resumed(left, entries.byKey, settings.crossing))
    }

    /// Takes one input and returns what is to be done. `now` never falls.
    package mutating func handle(_ input: Input, at now: Uptime) -> [Directive] {
        var directives: [Directive] = []
        age += 1
        if routing.isSet { expireRoute(at: now, &directives) }
        switch input {
        case .start:
            beacons.start(at: now)
            record(catalogue.closeOrphans(after: lastFix), &directives)
            if regions.window != nil { queue.works.append(.reconcile(.start)) }
        case .report(let report):
            fireTimers(before: now, &directives)
            way.wheels = report.wheels
            admit(report, at: now, &directives)
        case .timer:
            break
        case .catalogueChanged(let generation):
            fireTimers(upTo: now, &directives)
            catalogue.generation = generation
            queue.works.append(.reconcile(.catalogue))
        case .lacksFences(let lacks):
            fireTimers(upTo: now, &directives)
            catalogue.lacksFences = lacks
            if !lacks, !catalogue.orphans.isEmpty { queue.works.append(.reconcile(.catalogue)) }
        case .fencesLost(let areLost, let clock):
            fireTimers(upTo: now, &directives)
            let kind: EventKind = areLost ? .fencesLost : .fencesBack
            tell(kind, fencesLost: areLost, at: now, clock, &directives)
        case .logLost(let clock):
            fireTimers(upTo: now, &directives)
            tell(.logLost, at: now, clock, &directives)
        case .recenter:
            queue.works.append(.recenter(.request))
        case .ignition(let isOn):
            fireTimers(upTo: now, &directives)
            setIgnition(isOn, at: now, &directives)
        case .resting(let isOn):
            fireTimers(upTo: now, &directives)
            reception.rest(isOn, at: now)
        case .retired(let fences):
            catalogue.spent.subtract(fences)
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
        if queue.question == nil {
            fireTimers(upTo: now, &directives)
            decideBeacons(at: now, &directives)
            noteWake(at: now, &directives)
        }
        return directives
    }

    /// The recording is over: counts what the gates still hold.
    package mutating func finish() { gates.finish() }

    // MARK: Which fixes count

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
            var newPath: EventReason? = way.isRestarted ? .restart : nil
            guard
                believes(
                    last.fix, at: last.point, newPath: &newPath, isJump: false,
                    isJammed: isJammed, &directives)
            else { return }
            accept(last.fix, at: last.point, newPath: newPath, now: now, &directives)
            way.isRestarted = false
        case .released(let path, let isNewPath, let isRebased):
            // What they say counts from the last accepted fix, and not from the one before.
            way.wheels = nil
            if isRebased, let before, let first = path.first?.fix {
                shift(
                    by: (first.time - before.time) - (first.arrival - before.arrival), &directives)
            }
            // A recording with another time base does not say how long the vehicle was away.
            let isJump = isNewPath && !(isRebased && settings.gates.arrivalIsDerived)
            for (index, standing) in path.enumerated() {
                // A doubt is recorded at once: what fell due before this fix is recorded first.
                if queue.isJudged { fireTimers(beforeJudging: standing.fix, &directives) }
                let isFirst = index == 0
                var newPath: EventReason? = isFirst && isNewPath ? .jump : nil
                guard
                    believes(
                        standing.fix, at: standing.point, newPath: &newPath,
                        isJump: isFirst && isJump, isJammed: isJammed, &directives)
                else { continue }
                queue.works.append(.judge(standing.fix, standing.point, newPath: newPath))
                way.isRestarted = false
            }
        }
        queue.giveUpOldest()
    }

    /// Whether an accepted fix is to be judged: those of a doubtful position are not, as if none had
    /// come. `newPath` is why no path leads to it, and is changed where the position was doubtful.
    private mutating func believes(
        _ fix: Fix, at point: SurfacePoint, newPath: inout EventReason?, isJump: Bool,
        isJammed: Bool, _ directives: inout [Directive]
    ) -> Bool {
        let verdict = trust.judge(
            fix, at: point, isJump: isJump, isOff: parking.ignition == false,
            isJammed: isJammed, rules: TrustRules(settings))
        guard verdict != .believed else { return true }
        var events: [Event] = []
        if reception.regain() {
            events.append(.position(.positionRegained, time: fix.time, fix: fix))
        }
        if let event = trust.event(verdict, fix, at: point) { events.append(event) }
        parking.note(verdict)
        record(Findings(events: events, ofVehicle: verdict != .doubtful), &directives)
        guard !trust.isDoubtful else { return false }
        newPath = way.isRestarted ? .restart : verdict == .elsewhere ? .jump : nil
        return true
    }

    // MARK: What is to be recorded

    /// Makes what was found durable, if it is anything or a record is needed anyway.
    mutating func record(
        _ findings: Findings, isNeeded: Bool = false, fencesLost: Bool? = nil,
        _ directives: inout [Directive]
    ) {
        guard isNeeded || !findings.isEmpty else { return }
        var events = findings.events
        if !events.isEmpty { approaches.announcer.group(&events) }
        var record = EventRecord(
            events: events, opened: findings.opened, closed: findings.closed,
            known: catalogue.known, positionLost: reception.isLost)
        record.spent = findings.spent
        // With a trip, so that what was counted of it is as durable as the events.
        if findings.ofVehicle || trips.isOpen { record.vehicle = vehicleRecord }
        record.fencesLost = fencesLost
        record.driven = way.odometer.reading
        directives.append(.record(record))
    }

    /// `fences-lost`, `fences-back` or `log-lost`, at the time that the receiver has by now.
    private mutating func tell(
        _ kind: EventKind, fencesLost: Bool? = nil, at now: Uptime, _ clock: UTCTime,
        _ directives: inout [Directive]
    ) {
        let fix = lastFix
        let time = fix.map { $0.time + max(now - $0.arrival, .zero) } ?? clock
        let believed = isPositionUncertain ? nil : fix
        let event = Event(
            kind: kind, fence: nil, time: time,
            fixTime: fix?.time ?? time, presence: nil, error: believed?.error,
            speed: believed?.speed, course: believed?.course, coordinate: believed?.coordinate)
        record(Findings(events: [event]), fencesLost: fencesLost, &directives)
    }
}
