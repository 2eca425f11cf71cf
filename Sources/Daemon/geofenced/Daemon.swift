import BusService
import Bytes
import Configuration
import EventSinks
import FixSources
import Formats
import Glibc
import Law
import Model
import Monitoring
import Program
import Schedules
import Service
import Settings
import Storage
import Systemd
import Time

/// The wiring: a source, the monitoring service, the journal, the bus, signals and files, on one
/// loop. It contains no rules.
@MainActor
final class Daemon {
    let arguments: Arguments
    let reporting: Reporting
    private let service: Service
    private let descriptors: DescriptorStore
    let crashes: CrashLoop?
    private let stateLock: StateLock
    private var absences: AbsenceWatch?
    let monitoring: MonitoringService
    var settings: Settings
    /// Files that ``settings`` are without.
    var unreadableFiles: [SettingsProblem]
    var receiver: Receiver
    private var bus: BusLink?
    private var wakeTimer: TimerSource?
    private var work = BackgroundWork()
    var fences = FenceFolder()
    /// In a replay time comes from the recording.
    let drive: RecordedDrive?
    private var inputs = Inputs()

    /// - Throws: errors that prevent running: a wrong source, no state directory, no loop.
    init(
        _ arguments: Arguments, _ loaded: LoadedSettings<Settings>, _ service: Service,
        _ reporting: Reporting
    ) throws {
        self.arguments = arguments
        self.service = service
        self.reporting = reporting
        settings = loaded.settings
        unreadableFiles = loaded.problems.filter { $0.line == nil }
        let uri = try FixSourceURI(arguments.source ?? settings.source)
        receiver = Receiver(uri: uri)
        let isReplay = uri.isReplay
        drive = try RecordedDrive(uri)
        let bootID = isReplay ? nil : try ServiceManager.bootID()
        let directory = arguments.statePath
        if let wrong = StateDirectoryError(of: directory) { throw wrong }
        stateLock = try StateLock(directory)
        let checkpoint = "\(environment("RUNTIME_DIRECTORY") ?? directory)/memory"
        crashes =
            isReplay ? nil : environment("RUNTIME_DIRECTORY").map { CrashLoop(directory: $0) }
        let files = FenceFiles(
            directory: arguments.fenceDirectory, limit: settings.importLimit,
            crashes: crashes)
        reporting.crashLoop(crashes?.apply(files, checkpoint: checkpoint) ?? [])
        // The service manager retries at once, for ever.
        if crashes?.isHopeless == true { sleep(5) }
        let store = try Store(
            directory: directory, cache: isReplay ? nil : environment("CACHE_DIRECTORY"),
            bootID: bootID,
            retention: settings.retention)
        InHand.leaveOut(crashes?.refused ?? [])
        try store.catalogue.leaveOut(crashes?.leftOut(.fence) ?? [])
        store.catalogue.keepHours(by: settings.hourBook)
        reporting.setAside(store.setAside)
        // For so long a kept connection holds what waits.
        let isTimeUp = { [late = EventLoop.uptime + .seconds(10)] in EventLoop.uptime > late }
        monitoring = try MonitoringService(
            settings: settings.forMonitoring(arrivalIsDerived: isReplay), store: store,
            bootID: bootID, checkpoint: isReplay ? nil : .opened(checkpoint, reporting),
            resumes: crashes?.setsCheckpointAside != true,
            loadFiles: { [limit = settings.monitoring.fenceLimit] in
                files.load(into: store, most: limit, until: isTimeUp)
            }, isTimeUp: isTimeUp
        ) { reporting.trouble($0, $1) }
        reporting.foreign(monitoring.takeForeign())
        descriptors = DescriptorStore(service.manager)
        if crashes?.setsCheckpointAside == true { descriptors.dropRest() }
        monitoring.crashLoop(crashes?.reason)
        crashes?.onReadAgain = { [weak monitoring, weak crashes] in
            monitoring?.crashLoop(crashes?.reason)
        }
    }

    /// Runs until a signal ends it; returns the exit status.
    func run() throws -> ExitStatus {
        let began = EventLoop.uptime
        monitoring.wallClock = { UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds) }
        service.onStop = { [weak self] in self?.stop() }
        // Not before: until here a signal ends a start that hangs at once.
        try service.end(on: [SIGTERM, SIGINT])
        try service.on(SIGHUP) { [weak self] in self?.reload() }
        try handleWakes()
        monitoring.notify = { [weak self] in self?.carryOut($0) }
        work.changes = try ChangeTurns(monitoring.changes, on: loop)
        if environment("JOURNAL_STREAM") == nil { monitoring.add(ConsoleSink()) }
        // The bus first: its clients wait for events, readers of the journal do not.
        try openBus()
        try addJournal()
        work.checks = try StoreChecks(loop, monitoring)
        work.copying = try SetCopying(loop, monitoring)
        // Input in a kept connection arrived before now, and is judged first: a timer that became
        // due meanwhile would decide without it.
        let waits = drive == nil && !descriptors.isEmpty
        monitoring.start(at: waits ? monitoring.lastFix?.arrival ?? now : now)
        drive?.begin(monitoring)
        absences = try AbsenceWatch(loop) { [watchdog] now in
            watchdog?.feedIfDue(at: now)
        } handler: { [weak self] since, isBusy in
            if isBusy { self?.watchdog?.wasBusy() }
            self?.receiver.source?.catchUp(since: since)
        }
        try startSource()
        try letRest()
        if drive == nil { monitoring.expectFix(at: now) }
        try listenToVehicle()
        try listenForDriver()
        descriptors.dropRest()
        let looked = now
        // Watched first: files that change while they are read are read again.
        fences.watches = FenceWatches(loop, path: arguments.fenceDirectory) { [weak self] in
            self?.fences.reload?.start()
        }
        loadFences()
        inputs.beacons?.ask()
        if drive == nil, inputs.beacons == nil {
            monitoring.radioChanged(to: BeaconRadioStatus(.off, .disabled), at: now)
        }
        reporting.info("watching \(counted(monitoring.fenceCount, "fence"))", .started)
        manager.ready(status: "watching \(counted(monitoring.fenceCount, "fence"))")
        try shrink()
        if EventLoop.uptime - began > .seconds(2) {
            watchdog?.wasBusy()
            receiver.source?.catchUp(since: looked)
        }
        receiver.lastBefore = .some(monitoring.lastFix)
        return try service.run()
    }

    /// The start uses code and constants that no fix needs: pages that are never written are released.
    /// Now, and after the first fixes, for connecting and the first window are needed only once too.
    private func shrink() throws {
        work.shrinking = try Shrinking(loop) { [weak self] in
            self?.work.shrinking = nil
            // Without a fix it may run for long.
            self?.confirmStart()
        }
        work.shrinking?.now()
        work.shrinking?.later()
    }

    /// A fix was judged, or time has passed: the start has not led to a crash.
    private func confirmStart() {
        guard let crashes else { return }
        let before = crashes.reason
        crashes.confirmStart()
        if crashes.reason != before { monitoring.crashLoop(crashes.reason) }
    }

    /// In a replay by the clock of the recording.
    var now: Uptime { drive?.now ?? EventLoop.uptime }

    private var loop: EventLoop { service.loop }
    var manager: ServiceManager { service.manager }
    private var watchdog: Watchdog? { service.watchdog }

    // MARK: Parts

    /// Starts the source that ``uri`` names; an earlier one has been stopped.
    func startSource() throws {
        receiver.news = try SourceNews(loop) { [weak self] in self?.sourceChanged($0) }
        // Held, not referenced weakly: the daemon lives as long as its process.
        let handlers = FixSourceHandlers(
            reports: { self.receive($0) },
            state: { [weak self] in self?.hear($0) },
            unreadable: { count in
                let report = ArrivedReport(.unreadable, at: self.now)
                self.receive([ArrivedReport](repeating: report, count: count))
            },
            beforeReading: { [absences] in absences?.look() })
        let source = receiver.uri.source(
            on: loop, handlers, settings.forSource, store: descriptors)
        receiver.source = source
        source.start()
    }

    /// Only gpsd closes the receiver when no client watches it.
    func letRest() throws {
        switch receiver.uri {
        case .gpsd, .gpsdSocket: break
        case .nmea, .replay: return
        }
        receiver.rest = try ReceiverRest(
            loop, monitoring, after: settings.parking.restAfter,
            every: settings.parking.lookEvery
        ) { [weak self] in
            self?.receiver.source
        } changed: { [watchdog] in
            watchdog?.isResting = $0
        } gaveUp: { [weak self] in
            self?.receiver.news?.gaveUp()
        }
    }

    /// The inputs of the vehicle that the settings name; a recording has none.
    func listenToVehicle() throws {
        guard drive == nil else { return }
        inputs.vehicle = try VehicleLink(
            settings.parking, on: systemBus, loop: loop, monitoring: monitoring,
            reporting: reporting
        ) { [weak self] in self?.receiver.rest?.look() }
    }

    /// What says who drives, likewise.
    func listenForDriver() throws {
        guard drive == nil else { return }
        inputs.driver = try DriverLink(
            settings.driverSources, on: systemBus, loop: loop, monitoring: monitoring,
            reporting: reporting)
    }

    private func hear(_ state: FixSourceState) {
        if let rest = receiver.rest, !rest.matters(state) { return }
        receiver.news?.hear(state)
    }

    private func sourceChanged(_ state: FixSourceState) {
        monitoring.sourceChanged(fails: reporting.source(state))
    }

    private func receive(_ reports: [ArrivedReport]) {
        if let drive { return drive.receive(reports, monitoring) }
        monitoring.receive(reports, at: now)
        receiver.rest?.reportsHandled()
        if let last = receiver.lastBefore, monitoring.lastFix != last {
            receiver.lastBefore = nil
            confirmStart()
            work.checks?.checkSets()
        }
    }

    private func addJournal() throws {
        let sender = try JournalSender(path: "/run/systemd/journal/socket")
        monitoring.add(
            JournalSink(
                sender, withLocation: settings.journalHasLocation,
                withDriver: settings.journalHasDriver, syncTime: settings.journalSyncTime))
    }

    /// `none` too is an address.
    private var servedBus: BusAddress {
        let name = arguments.bus ?? settings.servedBus
        return BusAddress(named: name) ?? .address(name)
    }

    /// BlueZ and the inputs of the vehicle are on the system bus, whatever bus the daemon serves; in
    /// tests all share one bus.
    private var systemBus: BusAddress {
        let isPrivate = ![.system, .session, .address("none")].contains(servedBus)
        return isPrivate ? servedBus : .system
    }

    private func openBus() throws {
        let address = servedBus
        // A recording brings its own beacons.
        if drive == nil, settings.beacons.enabled {
            inputs.beacons = try BeaconLink(
                systemBus,
                adapter: settings.beacons.adapter.isEmpty ? nil : settings.beacons.adapter,
                loop: loop, monitoring: monitoring)
        }
        guard address != .address("none") else { return }
        var hooks = BusServiceHooks { [weak self] in self?.now ?? .boot }
        hooks.source = { [weak self] in
            self.map { $0.arguments.source ?? $0.settings.source } ?? ""
        }
        hooks.receiver = { [weak self] in self?.receiver.source?.receiver ?? "" }
        hooks.notify = { [weak self] in self?.carryOut($0) }
        // The daemon's own directory: nobody else may see what is imported.
        var busSettings = settings.bus
        busSettings.spoolDirectory = arguments.statePath
        bus = try BusLink(
            address, loop: loop, monitoring: monitoring,
            settings: busSettings, hooks: hooks, reporting: reporting
        ) { [weak self] in self?.now ?? .boot }
    }

    /// A recording is its own clock: its reports drive the timers.
    private func handleWakes() throws {
        guard drive == nil else { return }
        wakeTimer = try TimerSource(loop) { [weak self] in
            guard let self else { return }
            monitoring.wake(at: now)
        }
    }

    private func carryOut(_ notice: Notice) {
        switch notice {
        case .wake: armWakeTimer()
        case .beaconsWanted: inputs.beacons?.ask()
        case .positionWanted: receiver.rest?.wakeUp()
        case .storeReplaced(let files):
            storeWasReplaced(files)
            bus?.manager?.carryOut(notice)
        case .storeSuspect: work.checks?.look()
        case .zonesFound: fences.reload?.start()
        case .copiesBehind: work.copying?.arm()
        case .changesWaiting: work.changes?.arm()
        case .readAgain(let fences): crashes?.readAgain(fences.map { InHand.Item(.fence, $0) })
        case .routeForgotten(let mark): crashes?.readAgain([InHand.Item(.route, mark)])
        case .beaconStay(let fence): inputs.driver?.opened(fence)
        case .routeEnded(let end): reporting.notice("the route has ended: \(end.name)")
        case .windowChanged, .heartbeat, .sightings, .committed, .stateChanged, .handled:
            bus?.manager?.carryOut(notice)
        }
    }

    private func carryOut(_ notice: BusNotice) {
        switch notice {
        case .reload: reload()
        case .ranging(let patterns): inputs.beacons?.range(patterns)
        case .log(let line): reporting.notice(line)
        case .nameChanged, .nameRefused, .stalled: break
        }
    }

    private func armWakeTimer() {
        if let next = monitoring.nextWake {
            wakeTimer?.arm(at: next)
        } else {
            wakeTimer?.disarm()
        }
    }

    private func stop() {
        crashes?.stop()
        receiver.source?.handOver()
        receiver.source = nil
        fences.reload = nil
        inputs.beacons?.stop()
        monitoring.stop(at: now)
        bus?.stop()
        reporting.info("stopped", .stopped)
        loop.exit()
    }
}
