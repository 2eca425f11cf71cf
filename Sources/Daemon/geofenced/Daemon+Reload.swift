import Configuration
import EventSinks
import FixSources
import Formats
import Law
import Model
import Monitoring
import Schedules
import Settings
import Systemd
import Time

// Settings and fences that change while the daemon runs.
extension Daemon {
    /// SIGHUP and `Reload`: settings and fences are read again. What is wrong is reported, and stays as
    /// it was: its default would be another receiver, or another height.
    func reload() {
        manager.reloading()
        let loaded = Settings.load(config: arguments.config)
        reporting.problems(loaded.problems)
        let unreadable = loaded.problems.filter { $0.line == nil }
        if unreadable.allSatisfy({ unreadableFiles.contains($0) }) {
            unreadableFiles = unreadable
            apply(loaded.settings(keeping: settings))
        } else {
            reporting.error(
                "a file cannot be read any more; the settings stay as they were",
                .configurationProblem)
        }
        fences.watches?.renew()
        fences.reload?.start { [weak self] in
            guard let self else { return }
            reporting.info("reloaded; watching \(counted(monitoring.fenceCount, "fence"))")
            manager.ready(status: "watching \(counted(monitoring.fenceCount, "fence"))")
        }
    }

    /// Keys that name the inputs of the vehicle.
    private static let inputKeys: Set<String> = [
        "Parking.IgnitionSignal", "Parking.IgnitionGPIO", "Parking.MotionSignal", "Vehicle.Wheels",
    ]

    /// Sections that are read at the start alone.
    private static func isForStart(_ key: String) -> Bool {
        ["Beacons.", "Bus.", "Events.", "Journal."].contains { key.hasPrefix($0) }
    }

    private func apply(_ new: Settings) {
        let changed = Settings.table.differences(settings, new)
        let isReadOtherwise = settings.forSource != new.forSource
        settings = new
        do {
            try monitoring.reconfigure(
                new.forMonitoring(arrivalIsDerived: drive != nil), at: now)
        } catch {
            reporting.error("the settings of the engine stay: \(error)")
        }
        receiver.rest?.after = new.parking.restAfter
        receiver.rest?.every = new.parking.lookEvery
        if !changed.isDisjoint(with: Self.inputKeys) {
            do {
                try listenToVehicle()
            } catch {
                reporting.error("\(error); the inputs of the vehicle are not watched")
            }
        }
        if !changed.isDisjoint(with: ["Driver.Signal", "Driver.File", "Driver.Beacons"]) {
            do { try listenForDriver() } catch {
                reporting.error("\(error); nobody is asked who drives")
            }
        }
        if changed.contains(where: { $0.hasPrefix("Hours.") }) {
            monitoring.keepHours(by: new.hourBook, at: now)
        }
        if changed.contains(where: Self.isForStart) {
            reporting.notice(
                "[Beacons], [Bus], [Events] and [Journal] take effect at the next start")
        }
        let isElsewhere = arguments.source == nil && changed.contains("Source.URI")
        guard isElsewhere || isReadOtherwise else { return }
        do {
            let next = isElsewhere ? try FixSourceURI(new.source) : receiver.uri
            // A recording has its own clock, and the engine's times must be of one clock.
            guard !next.isReplay, drive == nil else {
                reporting.notice(
                    "[Source] URI=, and how a receiver is read, take effect at the next start")
                return
            }
            receiver.rest?.wakeUp()
            receiver.rest = nil
            receiver.uri = next
            receiver.source?.stop()
            try startSource()
            try letRest()
        } catch {
            reporting.error("\(error); the old source stays", .configurationProblem)
        }
    }
}
