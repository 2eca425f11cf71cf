import Files
import Geofence1
import Glibc
import Model
import Monitoring
import Systemd
import Time

// Unsafe: fstat(2) fills a struct of ours.

/// The origin of a file's fences, and how they are imported.
struct ImportRequest {
    var origin = FenceOrigin.bus
    /// Fences of the origin that are not in the file are removed.
    var isReplacing: Bool
    var conditions = ChangeConditions()
}

/// Changes of the catalogue that callers want: clients of the ``CatalogueQueue``.
@MainActor
final class Imports {
    private let monitoring: MonitoringService
    private let loop: EventLoop
    private let directory: String
    private let limit: Int
    private let now: () -> Uptime
    private var jobs: [Job] = []

    /// Concurrent imports.
    private static let jobLimit = 4
    /// Changes that are under way or wait at a time.
    private let held = HeldCalls("the end of an import", calls: 64, bytes: 9 << 20)

    private final class Job {
        let call: BusCall
        let client: Client
        let request: ImportRequest
        let key: String
        var spool: Spool?
        /// Complete, and ready to be read.
        var file: OpenFile?
        /// It waits, or is under way.
        var queued: CatalogueQueue.Job?
        var running: FenceImport?

        init(_ call: BusCall, _ client: Client, _ request: ImportRequest, key: String) {
            self.call = call
            self.client = client
            self.request = request
            self.key = key
        }

    }

    init(
        _ monitoring: MonitoringService, loop: EventLoop, directory: String, limit: Int,
        now: @escaping () -> Uptime
    ) {
        self.monitoring = monitoring
        self.loop = loop
        self.directory = directory
        self.limit = limit
        self.now = now
    }

    /// Takes ownership of `descriptor`; the call is answered at the end.
    func add(_ call: BusCall, _ client: Client, _ descriptor: Int32, _ request: ImportRequest) {
        let key = "import-\(descriptor)-\(UInt(bitPattern: ObjectIdentifier(call)))"
        let job = Job(call, client, request, key: key)
        do throws(BusError) {
            guard jobs.count < Self.jobLimit else {
                close(descriptor)
                throw BusError(
                    name: BusError.limitsExceeded,
                    message: "more than \(Self.jobLimit) imports at once")
            }
            try open(job, descriptor)
        } catch { return call.fail(error) }
        jobs.append(job)
        client.whenGone[key] = { [weak self, weak job] in
            if let job { self?.remove(job) }
        }
        enqueue(job)
    }

    /// Answers the call with the final result of `step`, which changes the catalogue and returns nil
    /// if the time was up before the end: at once if nothing else changes it.
    func run(
        _ call: BusCall, _ step: @escaping (_ isTimeUp: () -> Bool) throws -> [BusValue]?
    ) {
        let place: HeldCalls.Place
        do throws(BusError) { place = try held.keep(call) } catch { return call.fail(error) }
        let work = { (isTimeUp: () -> Bool) -> CatalogueQueue.Progress in
            withExtendedLifetime(place) {}
            do {
                guard let values = try step(isTimeUp) else { return .unfinished }
                call.reply(values)
            } catch { call.fail(BusError(error as any Error)) }
            return .done
        }
        if monitoring.changes.isFree {
            let start = EventLoop.uptime
            if work({ EventLoop.uptime - start >= ChangeTurns.portion }) == .done { return }
        }
        monitoring.changes.add(work)
    }

    private func open(_ job: Job, _ descriptor: Int32) throws(BusError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw .invalid("the descriptor cannot be looked at")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            job.file = OpenFile(owning: descriptor)
            guard status.st_size <= limit else {
                throw BusError(
                    name: BusError.limitsExceeded, message: "more than \(limit) bytes")
            }
        case S_IFIFO, S_IFSOCK:
            job.spool = try Spool(descriptor, directory: directory, limit: limit, loop: loop) {
                [weak self, weak job] result in
                guard let self, let job else { return }
                job.spool = nil
                switch result {
                case .success(let file):
                    job.file = file
                    enqueue(job)
                case .failure(let error):
                    job.call.fail(error)
                    remove(job)
                }
            }
        default:
            close(descriptor)
            throw .invalid("the descriptor is neither a file nor a pipe nor a socket")
        }
    }

    private func enqueue(_ job: Job) {
        guard let file = job.file, job.queued == nil else { return }
        job.queued = monitoring.changes.add { [weak self, weak job] isTimeUp in
            guard let self, let job else { return .done }
            do {
                guard let change = try step(job, file, until: isTimeUp) else { return .unfinished }
                job.call.reply(.outcome(change))
            } catch { job.call.fail(BusError(error as any Error)) }
            remove(job)
            return .done
        }
    }

    private func step(
        _ job: Job, _ file: OpenFile, until isTimeUp: () -> Bool
    ) throws -> CatalogueChange? {
        let running =
            try job.running
            ?? monitoring.beginImport(
                descriptor: file.descriptor, name: "fences", limit: limit,
                origin: job.request.origin, replacing: job.request.isReplacing,
                job.request.conditions,
                call: job.call.message.member ?? "ImportFences")
        job.running = running
        let change = try running.step(at: now(), until: isTimeUp)
        if running.bytesRead > limit {
            throw BusError(name: BusError.limitsExceeded, message: "more than \(limit) bytes")
        }
        return change
    }

    private func remove(_ job: Job) {
        job.client.whenGone[job.key] = nil
        job.running = nil
        job.spool = nil
        if let queued = job.queued { monitoring.changes.remove(queued) }
        jobs.removeAll { $0 === job }
    }
}
