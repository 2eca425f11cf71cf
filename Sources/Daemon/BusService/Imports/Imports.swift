import Engine
import Geofence1
import Glibc
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

/// Files of fences that are being imported. They are read one after the other, in portions of some
/// milliseconds, so that fixes are processed in between.
@MainActor
final class Imports {
    private let tracking: MonitoringService
    private let loop: EventLoop
    private let directory: String
    private let limit: Int
    private let now: () -> Uptime
    private var jobs: [Job] = []
    /// Changes that wait until the current file is imported.
    private var waiting: [() -> Void] = []
    private var work: TimerSource?

    /// Concurrent imports.
    private static let jobLimit = 4
    /// Changes that may wait at a time.
    private let held = HeldCalls("the end of an import", calls: 64, bytes: 5 << 20)
    /// The time limit of one portion.
    private static let portion = TimeSpan.milliseconds(10)

    private final class Job {
        let call: BusCall
        let client: Client
        let request: ImportRequest
        let key: String
        var spool: Spool?
        /// Complete, and ready to be read.
        var file: Int32?
        var running: FenceImport?

        init(_ call: BusCall, _ client: Client, _ request: ImportRequest, key: String) {
            self.call = call
            self.client = client
            self.request = request
            self.key = key
        }

        deinit { if let file { close(file) } }
    }

    init(
        _ tracking: MonitoringService, loop: EventLoop, directory: String, limit: Int,
        now: @escaping () -> Uptime
    ) throws(SystemError) {
        self.tracking = tracking
        self.loop = loop
        self.directory = directory
        self.limit = limit
        self.now = now
        work = try TimerSource(loop, accuracy: .microseconds(1)) { [weak self] in self?.goOn() }
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
        goOnSoon()
    }

    /// Calls `body` when no file of fences is being read, from the bus or from the administrator:
    /// the catalogue has one writer at a time.
    func whenFree(_ call: BusCall, _ body: @escaping () -> Void) {
        guard tracking.isImporting else { return body() }
        do throws(BusError) {
            let place = try held.keep(call)
            waiting.append {
                withExtendedLifetime(place) {}
                body()
            }
        } catch { return call.fail(error) }
        goOnSoon()
    }

    private func open(_ job: Job, _ descriptor: Int32) throws(BusError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw .invalid("the descriptor cannot be looked at")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            job.file = descriptor
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
                    goOnSoon()
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

    /// The time between portions for everything else: work deferred to the next turn of the loop
    /// would leave it one source per portion.
    private static let pause = TimeSpan.milliseconds(2)

    private func goOnSoon() {
        guard !waiting.isEmpty || jobs.contains(where: { $0.file != nil }) else { return }
        work?.arm(at: now() + Self.pause)
    }

    /// Runs changes that wait for the catalogue, then one portion of the first complete file.
    private func goOn() {
        if !jobs.contains(where: { $0.running != nil }) {
            guard !tracking.isImporting else { return goOnSoon() }
            let bodies = waiting
            waiting = []
            for body in bodies { body() }
        }
        guard let job = jobs.first(where: { $0.file != nil }), let file = job.file else { return }
        do {
            let start = now()
            let running =
                try job.running
                ?? tracking.beginImport(
                    descriptor: file, name: "fences", origin: job.request.origin,
                    replacing: job.request.isReplacing, job.request.conditions)
            job.running = running
            let change = try running.step(at: start) { now() - start >= Self.portion }
            if running.bytesRead > limit {
                throw BusError(
                    name: BusError.limitsExceeded, message: "more than \(limit) bytes")
            }
            if let change {
                job.call.reply(.outcome(change))
                remove(job)
            }
        } catch {
            job.call.fail(BusError(error as any Error))
            remove(job)
        }
        goOnSoon()
    }

    private func remove(_ job: Job) {
        job.client.whenGone[job.key] = nil
        job.running = nil
        job.spool = nil
        jobs.removeAll { $0 === job }
        goOnSoon()
    }
}
