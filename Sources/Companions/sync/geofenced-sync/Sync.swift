import FenceSync
import Files
import Glibc
import Program
import Service
import Settings
import Systemd
import Time

// Unsafe: system calls take paths and buffers of ours.

/// The wiring: file, credentials, server, daemon, and the log.
@MainActor
final class Sync {
    private let arguments: SyncArguments
    let log: Log
    let stop = Stop()

    init(_ arguments: SyncArguments, _ log: Log) { (self.arguments, self.log) = (arguments, log) }

    private var config: String {
        arguments.config ?? "/etc/geofenced/sources.d/\(arguments.name).conf"
    }

    /// - Returns: the exit status: 0 also where nothing was due.
    func run() throws -> ExitStatus {
        let (settings, problems) = SourceFile.load(path: config, name: arguments.name)
        for problem in problems { log.complain("\(problem)") }
        guard problems.isEmpty else { return arguments.checksOnly ? .failed : .unusable }
        guard !arguments.checksOnly else {
            return UnitCredentials.check(of: arguments.name, log, settings.check)
        }
        guard let directory = arguments.stateDirectory ?? environment("STATE_DIRECTORY") else {
            throw Failure.usage("no --state-dir and no STATE_DIRECTORY")
        }
        let status = arguments.statusDirectory ?? environment("RUNTIME_DIRECTORY")
        let paths = SyncRun.Paths(
            directory: directory, status: status.map { "\($0)/\(arguments.name).json" },
            file: config)
        let lock = try open(directory)
        defer { withExtendedLifetime(lock) {} }
        if arguments.prints { return try printSet(settings, paths) }
        try paths.keptSet.upgrade(isNeeded: settings.needsFormerSet)
        var state = SourceState.load(paths.state)
        if paths.status.map(SourceState.isFetching) == true { noteDeath(&state, paths) }
        let request = takeRequest(status, state)
        if request.isPause || state.state == .paused && !request.isNow && arguments.onlyIfDue {
            return try pause(&state, paths)
        }
        let service = try Service(log)
        service.onStop = { [stop] in stop.isRequested = true }
        let vehicle =
            settings.mode == .nearby ? Vehicle(settings, paths, bus, service.loop, stop) : nil
        if arguments.onlyIfDue, !request.isNow {
            let isDue =
                vehicle.map { $0.isDue(state, settings, now) }
                ?? SyncSchedule.isDue(state, every: settings.everySeconds, now: now)
            guard isDue else {
                publishAgain(state, paths)
                return .good
            }
        }
        let result = try look(settings, state, paths, request, vehicle, service)
        guard result.state.isGood || result.state == .held else { return .failed }
        if result.state.isGood, !request.isDryRun { vehicle?.confirm(paths) }
        return .good
    }

    /// The last look has not ended, and this one has the lock.
    private func noteDeath(_ state: inout SourceState, _ paths: SyncRun.Paths) {
        state.noteDeath(now: now, chance: Double.random(in: 0...1))
        // That it cannot be remembered is told by the look.
        try? state.save(paths.state)
        if let status = paths.status {
            try? state.publish(status, source: arguments.name, file: paths.file)
        }
        log.write(
            .warning, "\(arguments.name): \(state.state.rawValue): \(state.detail)",
            messageID: SyncMessageID.failed.rawValue,
            fields: [("GEOFENCE_SOURCE", arguments.name)])
    }

    /// No look is due, and who asks sees why. What is published does not survive a boot.
    private func pause(_ state: inout SourceState, _ paths: SyncRun.Paths) throws -> ExitStatus {
        if state.state != .paused {
            let name = arguments.name
            log.write(.notice, "\(name): paused; geofencectl sync \(name) ends it")
        }
        state.state = .paused
        state.detail = ""
        state.nextAt = 0
        try state.save(paths.state)
        if let status = paths.status {
            try state.publish(status, source: arguments.name, file: paths.file)
        }
        return .good
    }

    /// What is published does not survive a boot, after which a look may not be due for days.
    private func publishAgain(_ state: SourceState, _ paths: SyncRun.Paths) {
        // One that was never asked would be taken for killed.
        guard let status = paths.status, !SourceState.isPublished(status), state.state != .fetching
        else { return }
        try? state.publish(status, source: arguments.name, file: paths.file)
    }

    private var bus: BusAddress { arguments.bus }

    private func look(
        _ settings: SourceSettings, _ state: SourceState, _ paths: SyncRun.Paths,
        _ request: SyncRequest, _ vehicle: Vehicle?, _ service: Service
    ) throws -> SourceState {
        let loop = service.loop
        service.manager.status("fetching")
        let (log, stop, bus) = (log, stop, bus)
        var side: DaemonSide?
        func daemon() throws(SyncFailure) -> DaemonSide {
            if let vehicle { return try vehicle.daemon.get() }
            if let side { return side }
            let new = try DaemonSide(bus: bus, name: settings.busName, loop: loop, stop: stop)
            side = new
            return new
        }
        var run = SyncRun(
            settings, configuration: configuration(of: settings), state: state, paths, request,
            .init(
                fetch: { state, spool throws(SyncFailure) in
                    let place = try vehicle?.place()
                    let web = try WebFetcher(
                        settings, Credentials(directory: environment("CREDENTIALS_DIRECTORY")),
                        loop: loop, directory: paths.directory, stop: stop)
                    if let place {
                        let fetch = NearbyFetch(settings, web, directory: paths.directory) {
                            Double(EventLoop.uptime.nanoseconds) / 1e9
                        }
                        // Of another configuration nothing is known to be there still.
                        let former = state.sum.isEmpty ? nil : paths.keptSet.openWhole()
                        return try fetch.run(state, at: place, former: former, into: spool)
                    }
                    let mayAsk = SyncSchedule.mayAskForChanges(
                        state, fullEvery: settings.fullEverySeconds, now: state.triedAt)
                    if settings.tracksChanges, mayAsk,
                        let former = paths.keptSet.openWhole()
                    {
                        var delta = try DeltaFetch(
                            settings, web, into: spool, directory: paths.directory)
                        if let set = try delta.run(state, former: former) { return set }
                    }
                    var fetch = SourceFetch(settings, web, into: spool)
                    return try fetch.run(state)
                },
                present: { () throws(SyncFailure) in
                    try daemon().digest(of: settings.origin)
                },
                keep: { refusals, file throws(SyncFailure) in
                    try daemon().keep(refusals, of: settings.origin, in: file)
                },
                store: { change, file throws(SyncFailure) in
                    try daemon().perform(change, file)
                },
                tell: { id, text in
                    log.write(
                        id == .imported ? .notice : .warning, text, messageID: id.rawValue,
                        fields: [("GEOFENCE_SOURCE", settings.name)])
                },
                now: { Int64(EventLoop.wallClock.nanoseconds / 1_000_000_000) }))
        let result = run.run()
        let line = "\(result.state.rawValue)" + (result.detail.isEmpty ? "" : ": \(result.detail)")
        service.manager.status("\(line) (\(result.count) fences)")
        // The others are told already.
        if result.state == .unchanged || request.isDryRun {
            log.write(.info, "\(settings.name): \(line)")
        }
        return result
    }

    private var now: Int64 { EventLoop.wallClock.nanoseconds / 1_000_000_000 }

    /// What the fetched set depends on: the file as it is, and our own version. What came from other
    /// places than the present one stays with a new version, too.
    private func configuration(of settings: SourceSettings) -> String {
        let bytes = (try? OpenFile.contents(of: config, limit: 1 << 20, followsLinks: false)) ?? []
        var sum = SetSum()
        sum.add(bytes + (settings.mode == .nearby ? [] : Array(Version.current.utf8)))
        return sum.description
    }

    /// The directory, locked: two looks at once would write the same files.
    private func open(_ directory: String) throws(Failure) -> OpenFile {
        let lock = try Failure.at(directory) { () throws(Errno) in
            try OpenFile(directory, O_RDONLY | O_DIRECTORY)
        }
        guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure("another look at \(arguments.name) is going on")
        }
        return lock
    }

    /// What a person asks for, on the command line or by geofencectl. It counts once.
    private func takeRequest(_ status: String?, _ state: SourceState) -> SyncRequest {
        var request = SyncRequest()
        if let status {
            let path = "\(status)/\(arguments.name).request"
            if let bytes = try? OpenFile.contents(of: path, limit: 4096, followsLinks: false) {
                request = SyncRequest(bytes)
                unsafe unlink(path)
            }
        }
        if arguments.isDryRun { request.isDryRun = true }
        if arguments.accepts, !state.held.isEmpty { request.accepted = state.held }
        return request
    }
}
