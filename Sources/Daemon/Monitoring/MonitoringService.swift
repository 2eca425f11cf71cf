import Bytes
import Formats
import Geodesy
import Law
package import Model
package import Storage
package import Time

/// The application without its interfaces: an engine, the store that it queries, and the delivery
/// of its events. Everything that a front end (the bus, the tool, a test) may query or command goes
/// through here; time is an argument.
@MainActor
package final class MonitoringService {
    private(set) var tracker: Tracker
    let store: Store
    let delivery: Delivery
    private(set) var settings: MonitoringSettings
    /// The changes of the catalogue; drive it from the loop.
    package let changes = CatalogueQueue()
    let troubles: Troubles
    /// The vehicle that the engine judges with.
    let keeper: VehicleKeeper
    /// The route, as it is on the disk.
    let routes: RouteKeeper
    /// What ought to come.
    var awaited = Awaited()
    /// What the vehicle says of its motion.
    var wheels = Wheels()
    /// The beacon fences, and the radio.
    var beacons: BeaconKeeper
    /// Fences that have ended.
    var retiring = Retiring()
    /// What the receiver has brought.
    var receiver = ReceiverKeeper()
    /// What the store has lost, and gets back.
    var mending: StoreMending
    /// The files of fences.d.
    var files = FenceFileStates()

    /// UTC by the machine's clock, which may be wrong before the first fix.
    package var wallClock: () -> UTCTime = { UTCTime(nanoseconds: 0) }
    /// Carries out what the service has for the program around it.
    package var notify: (Notice) -> Void = { _ in }

    /// - Parameters:
    ///   - bootID: of this boot; nil in a replay, which continues only from the store.
    ///   - checkpoint: the file in the runtime directory, if there is one.
    ///   - resumes: continue from what an earlier process of this boot has left; otherwise as after
    ///     a power cut.
    ///   - loadFiles: called where fences of files are missing, before the engine looks for its fences, and
    ///     after what waits for the disk is known, which fences that come back are compared with.
    ///   - isTimeUp: no more of the other sets that are missing is put back before that: it is done later,
    ///     by ``heal(now:)``, and until then their fences are held.
    ///   - trouble: called once when something begins to fail and once when it works again.
    /// - Throws: ``StoreError`` if the store cannot read its state.
    package init(
        settings: MonitoringSettings, store: Store, bootID: String?,
        checkpoint: CheckpointFile?, resumes: Bool = true, loadFiles: () -> Void = {},
        isTimeUp: () -> Bool = { true }, trouble: @escaping (Trouble, TroubleChange) -> Void
    ) throws {
        self.settings = settings
        self.store = store
        routes = RouteKeeper(store)
        keeper = VehicleKeeper(VehicleFile(directory: store.directory), settings.vehicle)
        mending = StoreMending(aside: store.setAside.map(\.path))
        let change = TroubleObserver()
        troubles = Troubles {
            trouble($0, $1)
            change.noted()
        }
        let delivery = Delivery(
            store: store, checkpoint: checkpoint, bootID: bootID, queueLimit: settings.queueLimit,
            troubles: troubles)
        let followed = routes.followed
        self.delivery = delivery
        let troubles = troubles
        func restore() throws -> Engine {
            if store.wantsFiles { loadFiles() }
            Self.putBack(in: store, troubles, until: isTimeUp)
            return try Self.restore(
                settings: settings.engine, store: store, bootID: resumes ? bootID : nil,
                delivery: delivery, route: followed)
        }
        // Damage may show only now, and without this nothing can start.
        let engine: Engine
        do { engine = try restore() } catch {
            store.giveUp(after: error)
            engine = try restore()
        }
        beacons = BeaconKeeper(generation: store.generation)
        tracker = Tracker(engine: engine, store: store) {
            if let error = $0 {
                troubles.begin(.storeUnreadable, "\(error)")
            } else {
                troubles.end(.storeUnreadable)
            }
        }
        if let absence = store.absence {
            mending.isAbsent = true
            troubles.begin(.storeUnwritable, "\(absence)")
        }
        if let problem = keeper.problem { troubles.begin(.vehicleFile, "\(problem)") }
        change.noted = { [weak self] in self?.notify(.stateChanged) }
        changes.waiting = { [weak self] in self?.notify(.changesWaiting) }
        delivery.committed = { [weak self] in self?.notify(.committed) }
        store.onSuspect { [weak self] in self?.noteSuspects() }
        noteSuspects()
    }

    // MARK: Inputs

    /// Adds a sink; events are announced in the order of the sinks.
    package func add(_ sink: any EventSink) { delivery.add(sink) }

    /// Must be called first.
    package func start(at now: Uptime) {
        if mending.isAbsent { mending.backOff.fail(at: now) }
        delivery.retry(at: now, engine: tracker.engine)
        handle(.start, at: now)
        keepStanding(at: now)
        checkLogLoss(at: now)
        tellRadio(at: now)
        keeper.companions = companions(at: now).map(VehicleCompanion.init)
        retireSpent(at: now)
        vehicleChanged(at: now)
        resumeRoute(at: now)
        noteDoubt()
        noteReplacedStore(at: now)
        delivery.sinkIsReady(at: now, engine: tracker.engine)
        noteWake()
    }

    /// A report from the source that arrives now.
    package func receive(_ report: PositionReport, at now: Uptime) {
        receive([ArrivedReport(report, at: now)], at: now)
    }

    /// Reports that have arrived together, in order: their results are committed and announced in
    /// one transaction, and the checkpoint is written once.
    package func receive(_ reports: [ArrivedReport], at now: Uptime) {
        var record: EventRecord?
        var usedStore = false
        let knewTime = lastFix != nil
        for arrived in reports {
            receiver.lastArrival = arrival(of: arrived)
            let report = arrived.report
            if report.jam > 0 || report.antenna != nil || report.isTimedByArrival
                || !receiver.complaints.isEmpty
            {
                noteComplaints(of: report, at: receiver.lastArrival)
            }
            let isUneventful = handleWithWheels(report, at: receiver.lastArrival, &record)
            usedStore = usedStore || !isUneventful
        }
        complete(record, at: now)
        if awaited.fix != nil { noteFirstFix() }
        if !knewTime, lastFix != nil { vehicleChanged(at: now) }
        if !keeper.companions.isEmpty { lookForCompanions(at: now) }
        retireSpent(at: now)
        usedStore = savePosition(at: now) || usedStore
        followLogLoss(at: now)
        if usedStore { noteReplacedStore(at: now) }
        if record != nil || usedStore { notify(.handled) }
    }

    private func arrival(of arrived: ArrivedReport) -> Uptime {
        let (first, last) = (arrived.arrival.lowerBound, arrived.arrival.upperBound)
        guard first < last else { return last }
        return tracker.engine.likelyArrival(
            of: arrived.report, in: min(max(first, receiver.lastArrival), last)...last)
    }

    /// ``nextWake`` has come; harmless at any other time.
    package func wake(at now: Uptime) {
        handle(.timer, at: now)
        tellAwaited(at: now)
        retireSpent(at: now)
        delivery.retry(at: now, engine: tracker.engine)
        delivery.writeLasting(at: now)
        delivery.writeSecond(at: now)
        followLogLoss(at: now)
        if let due = mending.lossDue, now >= due { checkLogLoss(at: now) }
        mendStore(at: now)
        routes.retry(at: now)
        readBeacons(at: now)
        noteReplacedStore(at: now)
        tryHealingAgain(at: now)
        if let due = keeper.due, now >= due { vehicleChanged(at: now) }
        noteWake()
    }

    /// Composes the window again.
    package func recenter(at now: Uptime) {
        notify(.positionWanted)
        handle(.recenter, at: now)
    }

    /// A sink that could not announce can do so again.
    package func sinkIsReady(at now: Uptime) {
        delivery.sinkIsReady(at: now, engine: tracker.engine)
        noteWake()
    }

    /// Before an orderly stop: writes what has been held back.
    package func stop(at now: Uptime) {
        delivery.retry(at: .init(nanoseconds: .max), engine: tracker.engine)
        savePosition(at: now, always: true)
        delivery.flush(tracker.engine)
    }

    /// When ``wake(at:)`` is to be called next.
    package private(set) var nextWake: Uptime?

    /// Continues with other settings of the engine.
    /// - Throws: ``StoreError``; then the old ones stay.
    package func reconfigure(_ settings: MonitoringSettings, at now: Uptime) throws {
        defer { vehicleChanged(at: now) }
        keeper.apply(settings.vehicle)
        self.settings.originShare = settings.originShare
        self.settings.positionInterval = settings.positionInterval
        guard settings.engine != tracker.engine.settings else { return }
        try restart(settings.engine, at: now)
    }

    /// Continues with an engine that is made anew from what it has and what the store has.
    func restart(_ settings: EngineSettings, at now: Uptime) throws {
        let engine = try Self.engine(
            settings, store, delivery, checkpoint: tracker.engine.checkpoint,
            route: tracker.engine.route)
        tracker = tracker.continuing(with: engine)
        // It says so again if it is.
        troubles.end(.windowFull)
        handle(.start, at: now)
        tellRadio(at: now)
    }

    // MARK: Catalogue

    /// Notifies the engine of a change that was made in the store.
    package func catalogueMayHaveChanged(at now: Uptime) {
        guard store.generation != tracker.engine.generation else { return }
        takeChangedBack(at: now)
        // Before the engine looks for fences that are lost, and after it has found those that are
        // back.
        holdMissing(at: now)
        handle(.catalogueChanged(store.generation), at: now)
        readBeacons(at: now)
        releaseHeld(at: now)
        checkLoss(at: now)
        noteCopies()
        checkVehicle(at: now)
        notify(.stateChanged)
    }

    func handle(_ input: Input, at now: Uptime) {
        var record: EventRecord?
        handle(input, at: now, &record)
        complete(record, at: now)
    }

    /// Adds its results to `record`, for ``complete(_:at:)``; true if it changed only the engine.
    @discardableResult
    func handle(_ input: Input, at now: Uptime, _ record: inout EventRecord?) -> Bool {
        let outcome = tracker.handle(input, at: now)
        delivery.tookInput(input, uneventful: outcome.isUneventful, at: now)
        for directive in outcome.directives {
            switch directive {
            case .record(let next):
                retiring.hasSpent = retiring.hasSpent || !next.spent.isEmpty
                record = record?.followed(by: next) ?? next
            case .wake: noteWake()
            case .route(let progress): noteRoute(progress, at: now)
            case .windowChanged(let change):
                windowMayHaveHazards(at: now)
                notify(.windowChanged(change))
            case .windowGrew(let size):
                troubles.note(.windowGrew, "\(counted(size, "region")) must be watched at once")
            case .windowFull(true):
                troubles.begin(
                    .windowFull,
                    "inside \(engine.settings.window.mostOpen) fences; others here are left out")
            case .windowFull(false):
                troubles.end(.windowFull)
            case .heartbeat(let time):
                notify(.heartbeat(time))
            }
        }
        return outcome.isUneventful
    }

    func complete(_ record: EventRecord?, at now: Uptime) {
        if let record {
            delivery.commit(record, engine: tracker.engine, at: now)
            companionsMayHaveChanged(at: now)
            noteDoubt()
            noteWake()
            notify(.stateChanged)
            for event in record.events where [.enter, .initial].contains(event.kind) {
                guard event.beacon != nil || event.reason == .manual, let fence = event.fence else {
                    continue
                }
                notify(.beaconStay(fence))
            }
        } else if delivery.hasOldCheckpoint {
            delivery.writeCheckpoint(tracker.engine)
        }
    }

    func noteWake() {
        let next = earliest([
            tracker.engine.wake, mending.due, retiring.due, keeper.due, awaited.due,
            delivery.nextRetry, routes.due,
        ])
        guard next != nextWake else { return }
        nextWake = next
        notify(.wake)
    }

    /// The last position survives a power cut: written at most once a minute, and only when the
    /// vehicle has moved. False if there was nothing to write.
    @discardableResult
    private func savePosition(at now: Uptime, always: Bool = false) -> Bool {
        if let saved = receiver.saved, !always, now - saved.at < settings.positionInterval {
            return false
        }
        guard let fix = lastFix else { return false }
        if let saved = receiver.saved, !always {
            let moved = SurfacePoint(fix.coordinate).distance(to: saved.coordinate)
            guard moved >= settings.positionStep else { return false }
        }
        receiver.saved = (SurfacePoint(fix.coordinate), now)
        delivery.markLasting(at: now)
        defer { noteWake() }
        do {
            try store.log.save(
                LastPosition(
                    coordinate: fix.coordinate, time: fix.time,
                    driven: tracker.engine.odometer.reading))
        } catch {
            // Nothing is lost: the next minute tries again.
            troubles.note(.storeUnwritable, "\(error)")
            delivery.retryLasting(at: now)
        }
        delivery.writeSecond(at: now)
        return true
    }
}

/// The first of these times; nil if there is none.
func earliest(_ times: [Uptime?]) -> Uptime? {
    var first: Uptime?
    for case let time? in times where first.map({ time < $0 }) ?? true { first = time }
    return first
}

/// Who hears of troubles; made before the service is complete, which has them from the start.
@MainActor
private final class TroubleObserver {
    var noted: () -> Void = {}
}
