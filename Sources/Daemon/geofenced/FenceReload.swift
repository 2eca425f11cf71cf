import Model
import Monitoring
import Storage
import Time

/// Reads the administrator's fences again while the vehicle drives: one file after the other, each
/// in portions, as a client of the ``CatalogueQueue``.
@MainActor
final class FenceReload {
    private let files: FenceFiles
    private let seen: FenceDirectory
    private let monitoring: MonitoringService
    private let now: () -> Uptime
    private let report: (String, FenceFiles.Outcome) -> Void
    private var work: CatalogueQueue.Job?
    /// What this round has still to do.
    private var rest: ArraySlice<Task> = []
    private var running: (task: Task, file: FenceImport)?
    /// Requested since this round began: what was read may be outdated.
    private var isAskedAgain = false
    /// Callbacks for the end of this round, and of the next.
    private var ended: [() -> Void] = []
    private var endedNext: [() -> Void] = []

    private enum Task {
        case read(String)
        /// The file was removed.
        case remove(String)

        var name: String {
            switch self {
            case .read(let name), .remove(let name): name
            }
        }
    }

    init(
        _ files: FenceFiles, as seen: FenceDirectory, _ monitoring: MonitoringService,
        now: @escaping () -> Uptime, report: @escaping (String, FenceFiles.Outcome) -> Void
    ) {
        self.files = files
        self.seen = seen
        self.monitoring = monitoring
        self.now = now
        self.report = report
    }

    /// Reads every file as it is from now on; `then` is called when that is done.
    func start(then: @escaping () -> Void = {}) {
        guard work == nil else {
            isAskedAgain = true
            endedNext.append(then)
            return
        }
        ended.append(then)
        begin()
        work = monitoring.changes.add { [weak self] in self?.advance(until: $0) ?? .done }
    }

    private func begin() {
        isAskedAgain = false
        do throws(UnreadableDirectory) {
            let look = try files.look(seen, monitoring)
            rest = (look.names.map(Task.read) + look.gone.map(Task.remove))[...]
        } catch {
            // None was removed, as far as is known.
            report(files.directory, .refused(error))
            rest = []
        }
    }

    private func advance(until isTimeUp: () -> Bool) -> CatalogueQueue.Progress {
        if running == nil {
            guard let task = rest.popFirst() else { return end() }
            do { running = (task, try open(task)) } catch { report(task.name, .refused(error)) }
        }
        guard let (task, file) = running else { return .between }
        do {
            guard let change = try file.step(at: now(), until: isTimeUp) else { return .unfinished }
            running = nil
            switch task {
            case .read: report(task.name, .loaded(change))
            case .remove: report(task.name, .gone(change))
            }
        } catch {
            running = nil
            report(task.name, .refused(error))
        }
        return .between
    }

    private func open(_ task: Task) throws -> FenceImport {
        switch task {
        case .read(let name):
            try monitoring.beginLoading(
                path: files.path(of: name), limit: files.limit, origin: .file(name))
        case .remove(let name): try monitoring.beginRemoving(origin: .file(name))
        }
    }

    private func end() -> CatalogueQueue.Progress {
        let told = ended
        (ended, endedNext) = (endedNext, [])
        let beginsAgain = isAskedAgain
        if beginsAgain { begin() } else { work = nil }
        for tell in told { tell() }
        return beginsAgain ? .between : .done
    }
}
