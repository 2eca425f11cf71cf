import Configuration
import Monitoring
import Storage
import Systemd
import Time

// Fences of files, and those that are put back.
extension Daemon {
    func storeWasReplaced(_ files: [QuarantinedFile]) {
        reporting.setAside(files)
        reporting.foreign(monitoring.takeForeign())
        heal()
        fences.reload?.start { [weak self] in
            guard let self else { return }
            monitoring.filesWereLoaded(at: now)
        }
    }

    private func heal() { monitoring.heal { [weak self] in self?.now ?? .boot } }

    private var fenceFiles: FenceFiles {
        FenceFiles(
            directory: arguments.fenceDirectory, limit: settings.importLimit,
            crashes: crashes)
    }

    /// All of them, before the first fix.
    func loadFences() {
        var lastSign = EventLoop.uptime
        let outcomes = fenceFiles.load(into: monitoring, as: fences.directory, at: now) {
            // Some hundred thousand take longer than the service manager's start timeout.
            guard EventLoop.uptime - lastSign > .seconds(5) else { return }
            lastSign = EventLoop.uptime
            manager.starting(for: .seconds(60))
        }
        for (file, outcome) in outcomes { tell(file, outcome) }
        heal()
        monitoring.filesWereLoaded(at: now)
        fences.reload = FenceReload(
            fenceFiles, as: fences.directory, monitoring, now: { [weak self] in self?.now ?? .boot }
        ) { [weak self] in self?.tell($0, $1) }
    }

    private func tell(_ file: String, _ outcome: FenceFiles.Outcome) {
        reporting.fenceFile(file, outcome)
        let isRefused = if case .refused = outcome { true } else { false }
        monitoring.fenceFile(file, isRefused: isRefused, at: now)
    }
}
