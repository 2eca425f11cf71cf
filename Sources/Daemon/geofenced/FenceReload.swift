import Engine
import Monitoring
import Storage
import Systemd
import Time

/// Reads the administrator's fences again while the vehicle drives: one file after the other, each
/// in portions of some milliseconds, so that fixes are judged in between. Other changes of the
/// catalogue are waited for.
@MainActor
final class FenceReload {
    private let files: FenceFiles
    private let tracking: MonitoringService
    private let now: () -> Uptime
    private let report: (String, FenceFiles.Outcome) -> Void
    private var timer: TimerSource?
    /// The files of this round, and those still to be read.
    private var names: [String] = []
    private var rest: ArraySlice<String> = []
    private var running: (name: String, file: FenceImport)?
    private var isUnderWay = false
    /// Requested since this round began: what was read may be outdated.
    private var isAskedAgain = false
    /// Callbacks for the end of this round, and of the next.
    private var ended: [() -> Void] = []
    private var endedNext: [() -> Void] = []

    /// The time limit of one portion, and the time for the rest of the loop in between.
    private static let portion = TimeSpan.milliseconds(10)
    private static let pause = TimeSpan.milliseconds(2)

    init(
        _ files: FenceFiles, _ tracking: MonitoringService, loop: EventLoop,
        now: @escaping () -> Uptime, report: @escaping (String, FenceFiles.Outcome) -> Void
    ) throws(SystemError) {
        self.files = files
        self.tracking = tracking
        self.now = now
        self.report = report
        timer = try TimerSource(loop, accuracy: .microseconds(1)) { [weak self] in self?.goOn() }
    }

    /// Reads every file as it is from now on; `then` is called when that is done.
    func start(then: @escaping () -> Void = {}) {
        guard !isUnderWay else {
            isAskedAgain = true
            endedNext.append(then)
            return
        }
        ended.append(then)
        begin()
        goOn()
    }

    private func begin() {
        isUnderWay = true
        isAskedAgain = false
        do throws(UnreadableDirectory) {
            names = try files.names()
        } catch {
            report(files.directory, .refused(error))
            // None was removed, as far as is known.
            names = tracking.fenceFiles
            rest = []
            return
        }
        rest = names[...]
    }

    private func goOn() {
        let start = EventLoop.uptime
        let isTimeUp = { EventLoop.uptime - start >= Self.portion }
        while !isTimeUp() {
            // Another import is under way.
            if running == nil, tracking.isImporting { break }
            if let (name, file) = running {
                step(name, file, until: isTimeUp)
            } else if let name = rest.popFirst() {
                open(name)
            } else {
                end()
                guard isUnderWay else { return }
                break
            }
        }
        timer?.arm(at: EventLoop.uptime + Self.pause)
    }

    private func open(_ name: String) {
        do {
            let file = try tracking.beginLoading(
                path: files.path(of: name), limit: files.limit, origin: .file(name))
            running = (name, file)
        } catch { report(name, .refused(error)) }
    }

    private func step(_ name: String, _ file: FenceImport, until isTimeUp: () -> Bool) {
        do {
            guard let change = try file.step(at: now(), until: isTimeUp) else { return }
            running = nil
            report(name, .loaded(change))
        } catch {
            running = nil
            report(name, .refused(error))
        }
    }

    private func end() {
        for (name, outcome) in files.removeGone(from: tracking, but: names, at: now()) {
            report(name, outcome)
        }
        isUnderWay = false
        let told = ended
        (ended, endedNext) = (endedNext, [])
        if isAskedAgain { begin() }
        for tell in told { tell() }
    }
}
