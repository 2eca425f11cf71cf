package import Engine
import Geodesy
package import Storage
package import Time

/// The application without its outside: an engine, the store that answers it, and the delivery of
/// what it says. Everything a front end (the bus, the tool, a test) may ask or order goes through
/// here; time is an argument.
@MainActor
package final class MonitoringService {
    private var tracker: Tracker
    let store: SQLiteFenceStore
    private let delivery: Delivery
    let settings: MonitoringSettings
    private let troubles: Troubles
    private var engineWake: Uptime?
    private var lastSaved: (coordinate: SurfacePoint, at: Uptime)?
    /// Of the last report: the next has not come before it.
    private var lastArrival = Uptime(nanoseconds: .min)

    /// Called when ``nextWake`` has changed.
    package var onWake: () -> Void = {}
    /// Called for every change of the window.
    package var onWindowChanged: (WindowChange) -> Void = { _ in }
    /// Called for every significant change, with the receiver time of the fix.
    package var onHeartbeat: (ReceiverTime) -> Void = { _ in }
    /// Called when the log has grown: there may be something for who reads on in it.
    package var onCommitted: () -> Void {
        get { delivery.onCommitted }
        set { delivery.onCommitted = newValue }
    }
    /// Called after anything that a reader of the state may see has changed.
    package var onStateChanged: () -> Void {
        get { stateChanged.tell }
        set { stateChanged.tell = newValue }
    }

    /// Called when a file of the store has taken the place of another, or of none, with those that
    /// were set aside: the administrator's fences may not be in it.
    package var onStoreReplaced: ([QuarantinedFile]) -> Void = { _ in }

    private let stateChanged: StateChanged
    private var isStoreAbsent = false
    private var mendBackOff = BackOff()
    /// Files that were set aside and have been told, by their paths.
    private var knownAside: [String: Int]
    /// Records that cannot be read and have been told.
    private var knownUnreadable = 0

    /// - Parameters:
    ///   - bootID: of this boot; nil in a replay, which goes on from nothing but the store.
    ///   - checkpoint: the file in the runtime directory, where there is one.
    ///   - goesOn: from what an earlier process of this boot has left; else as after a power cut.
    ///   - onTrouble: told once when something begins to fail and once when it works again.
    /// - Throws: ``StoreError`` where the store cannot say what it was left with.
    package init(
        settings: MonitoringSettings, store: SQLiteFenceStore, bootID: String?,
        checkpoint: CheckpointFile?, goesOn: Bool = true,
        onTrouble: @escaping (Trouble, TroubleChange) -> Void
    ) throws {
        self.settings = settings
        self.store = store
        knownAside = store.setAside.reduce(into: [:]) { $0[$1.path, default: 0] += 1 }
        let changed = StateChanged()
        troubles = Troubles { trouble, change in
            onTrouble(trouble, change)
            changed.tell()
        }
        stateChanged = changed
        delivery = Delivery(
            store: store, checkpoint: checkpoint, bootID: bootID, queueLimit: settings.queueLimit,
            troubles: troubles)
        let restore = { [delivery] in
            try Self.restore(
                settings: settings.engine, store: store, bootID: goesOn ? bootID : nil,
                delivery: delivery)
        }
        // Damage may show only now: the store sets the file aside before the next question.
        let engine: Engine
        do { engine = try restore() } catch { engine = try restore() }
        let troubles = troubles
        tracker = Tracker(engine: engine, store: store) {
            if let error = $0 {
                troubles.begin(.storeUnreadable, "\(error)")
            } else {
                troubles.end(.storeUnreadable)
            }
        }
        if let absence = store.absence {
            isStoreAbsent = true
            troubles.begin(.storeUnwritable, "\(absence)")
        }
    }

    // MARK: Inputs

    /// Where events are announced, in this order.
    package func add(_ sink: any EventSink) { delivery.add(sink) }

    /// The first of all calls.
    package func start(at now: Uptime) {
        if isStoreAbsent { mendBackOff.fail(at: now) }
        delivery.retry(at: now, engine: tracker.engine)
        handle(.start, at: now)
        noteReplacedStore(at: now)
        delivery.sinkIsReady(at: now, engine: tracker.engine)
        noteWake()
    }

    /// A report from the source that arrives now.
    package func receive(_ report: PositionReport, at now: Uptime) {
        receive(CollectionOfOne(ArrivedReport(report, at: now)), at: now)
    }

    /// Reports that have arrived together, in order: what they make known is committed and announced
    /// in one transaction, and the checkpoint is written once.
    package func receive(_ reports: some Sequence<ArrivedReport>, at now: Uptime) {
        var record: EventRecord?
        for arrived in reports {
            lastArrival = arrival(of: arrived)
            take(.report(arrived.report), at: lastArrival, &record)
        }
        settle(record, at: now)
        savePosition(at: now)
        noteReplacedStore(at: now)
    }

    private func arrival(of arrived: ArrivedReport) -> Uptime {
        let (first, last) = (arrived.arrival.lowerBound, arrived.arrival.upperBound)
        guard first < last else { return last }
        return tracker.engine.likelyArrival(
            of: arrived.report, in: min(max(first, lastArrival), last)...last)
    }

    /// How the source fares: why no report can come from it, nil while one can.
    package func sourceChanged(fails why: String?) {
        if let why { troubles.begin(.source, why) } else { troubles.end(.source) }
    }

    /// Why something that there was is left out; nil when all of it is in use.
    package func crashLoop(_ why: String?) {
        if let why { troubles.begin(.crashLoop, why) } else { troubles.end(.crashLoop) }
    }

    /// ``nextWake`` has come; harmless at any other time.
    package func wake(at now: Uptime) {
        handle(.timer, at: now)
        delivery.retry(at: now, engine: tracker.engine)
        mendStore(at: now)
        noteReplacedStore(at: now)
        noteWake()
    }

    /// Composes the window again.
    package func recenter(at now: Uptime) { handle(.recenter, at: now) }

    /// A sink that could not announce can again.
    package func sinkIsReady(at now: Uptime) {
        delivery.sinkIsReady(at: now, engine: tracker.engine)
        noteWake()
    }

    /// Before an orderly end: writes what was not worth a write so far.
    package func stop(at now: Uptime) {
        delivery.retry(at: .init(nanoseconds: .max), engine: tracker.engine)
        savePosition(at: now, always: true)
        delivery.flush(tracker.engine)
    }

    /// When ``wake(at:)`` wants to be called next.
    package private(set) var nextWake: Uptime?

    /// Goes on with other settings of the engine.
    /// - Throws: ``StoreError``; then the old ones stay.
    package func reconfigure(_ settings: EngineSettings, at now: Uptime) throws {
        guard settings != tracker.engine.settings else { return }
        let engine = try Self.engine(
            settings, store, delivery, checkpoint: tracker.engine.checkpoint)
        tracker = tracker.continuing(with: engine)
        handle(.start, at: now)
    }

    // MARK: Catalogue

    /// Tells the engine of a change that was made in the store.
    package func catalogueMayHaveChanged(at now: Uptime) {
        guard store.generation != tracker.engine.generation else { return }
        handle(.catalogueChanged(store.generation), at: now)
        onStateChanged()
    }

    // MARK: State

    /// The engine, to read from.
    package var engine: Engine { tracker.engine }

    /// What does not work at present; empty on a good day.
    package var degradations: [Trouble] { troubles.present }

    private func handle(_ input: Input, at now: Uptime) {
        var record: EventRecord?
        take(input, at: now, &record)
        settle(record, at: now)
    }

    /// What it makes known goes behind `record`, for ``settle(_:at:)``.
    private func take(_ input: Input, at now: Uptime, _ record: inout EventRecord?) {
        let directives = tracker.handle(input, at: now)
        delivery.tookInput(input, uneventful: tracker.wasUneventful, at: now)
        for directive in directives {
            switch directive {
            case .record(let next):
                record = record?.followed(by: next) ?? next
            case .wake(let at):
                engineWake = at
            case .windowChanged(let change):
                onWindowChanged(change)
            case .windowGrew(let size):
                troubles.note(.windowGrew, "\(counted(size, "region")) must be watched at once")
            case .heartbeat(let time):
                onHeartbeat(time)
            }
        }
    }

    private func settle(_ record: EventRecord?, at now: Uptime) {
        if let record {
            delivery.commit(record, engine: tracker.engine, at: now)
            onStateChanged()
        } else {
            delivery.keep(tracker.engine)
        }
        noteWake()
    }

    private func noteWake() {
        var next = delivery.nextRetry
        if let engineWake { next = next.map { min($0, engineWake) } ?? engineWake }
        if let again = mendBackOff.until { next = next.map { min($0, again) } ?? again }
        guard next != nextWake else { return }
        nextWake = next
        onWake()
    }

    /// Whether files that could not be used at the start can be used now.
    private func mendStore(at now: Uptime) {
        guard isStoreAbsent, !mendBackOff.holds(at: now) else { return }
        store.mend()
        if store.absence != nil { mendBackOff.fail(at: now) }
    }

    /// A file may have been set aside, or come back, in any question or commit.
    private func noteReplacedStore(at now: Uptime) {
        let isBack = isStoreAbsent && store.absence == nil
        noteUnreadable()
        let known = knownAside.values.reduce(0, +)
        guard isBack || store.setAsideCount > known else { return }
        var told = knownAside
        let fresh = store.setAside.filter { file in
            guard let count = told[file.path], count > 0 else { return true }
            told[file.path] = count - 1
            return false
        }
        for file in fresh { knownAside[file.path, default: 0] += 1 }
        if isBack {
            isStoreAbsent = false
            mendBackOff.succeed()
            delivery.retry(at: .init(nanoseconds: .max), engine: tracker.engine)
            delivery.endTrouble()
        }
        catalogueMayHaveChanged(at: now)
        onStoreReplaced(fresh)
    }

    /// Names what cannot be read, and is left out: each once.
    private func noteUnreadable() {
        let count = store.unreadableCount
        guard count != knownUnreadable else { return }
        knownUnreadable = count
        guard count > 0 else { return troubles.end(.unreadableRecords) }
        let names = store.unreadable
        let shown = names.prefix(10).joined(separator: ", ") + (count > 10 ? " …" : "")
        let what = "\(counted(count, "record")) cannot be read, left out: \(shown)"
        if troubles.present.contains(.unreadableRecords) {
            troubles.note(.unreadableRecords, what)
        } else {
            troubles.begin(.unreadableRecords, what)
        }
    }

    /// The last position outlives a power cut: at most once a minute, and only when the vehicle has
    /// gone somewhere.
    private func savePosition(at now: Uptime, always: Bool = false) {
        if let lastSaved, !always, now - lastSaved.at < settings.positionInterval { return }
        guard let fix = tracker.engine.lastFix else { return }
        if let lastSaved, !always {
            let moved = SurfacePoint(fix.coordinate).distance(to: lastSaved.coordinate)
            guard moved >= settings.positionStep else { return }
        }
        lastSaved = (SurfacePoint(fix.coordinate), now)
        do {
            try store.save(LastPosition(coordinate: fix.coordinate, time: fix.time))
        } catch {
            // Nothing is lost with it: the next minute tries again.
            troubles.note(.storeUnwritable, "\(error)")
        }
    }

    /// From the later of the two checkpoints of this boot; after a power cut there is none, and the store
    /// has the open stays.
    private static func restore(
        settings: EngineSettings, store: SQLiteFenceStore, bootID: String?, delivery: Delivery
    ) throws -> Engine {
        var checkpoints = [delivery.restored].compactMap { $0 }
        if let bootID, let stored = try store.checkpoint(), stored.bootID == bootID,
            let checkpoint = EngineCheckpoint(bytes: stored.bytes)
        {
            checkpoints.append(checkpoint)
        }
        return try engine(
            settings, store, delivery, checkpoint: checkpoints.max(by: { $0.age < $1.age }))
    }

    /// An engine that goes on from `checkpoint`; without one, from what the store has, or will have.
    private static func engine(
        _ settings: EngineSettings, _ store: SQLiteFenceStore, _ delivery: Delivery,
        checkpoint: EngineCheckpoint?
    ) throws -> Engine {
        let stays = try delivery.openStays()
        guard let checkpoint else {
            return Engine(
                settings: settings, generation: store.generation, known: delivery.known,
                stays: stays, entries: try store.entries(ids: stays.map(\.fence)),
                isPositionLost: delivery.isPositionLost)
        }
        return Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: try store.entries(ids: checkpoint.fenceIDs), stays: stays)
    }
}

/// Who is told of changes; made before the service is whole, for its troubles are told too.
@MainActor
private final class StateChanged {
    var tell: () -> Void = {}
}
