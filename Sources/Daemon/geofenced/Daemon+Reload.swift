import Configuration
import Engine
import EventSinks
import FixSources
import Formats
import Monitoring
import Schedules
import Settings
import Systemd
import Time

// Settings and fences that change while the daemon runs.
extension Daemon {
    /// SIGHUP and `Reload`: settings and fences are read again. Invalid ones are reported, and the
    /// old ones stay.
    func reload() {
        manager.reloading()
        let loaded = Settings.load(config: arguments.config)
        reporting.problems(loaded.problems)
        apply(loaded.settings)
        fenceWatches?.renew()
        fenceReload?.start { [weak self] in
            guard let self else { return }
            reporting.info("reloaded; watching \(counted(monitoring.fenceCount, "fence"))")
            manager.ready(status: "watching \(counted(monitoring.fenceCount, "fence"))")
        }
    }

    /// Keys that name the inputs of the vehicle.
    private static let inputKeys: Set<String> = [
        "Parking.IgnitionSignal", "Parking.IgnitionGPIO", "Parking.MotionSignal", "Vehicle.Wheels",
    ]

    private static func isForStart(_ key: String) -> Bool {
        ["Bus.", "Events.", "Journal."].contains { key.hasPrefix($0) }
    }

    private func apply(_ new: Settings) {
        let changed = Settings.table.differences(settings, new)
        settings = new
        do {
            let parts = new.forMonitoring(arrivalIsDerived: drive != nil)
            try monitoring.reconfigure(parts.engine, parts.vehicle, at: now)
        } catch {
            reporting.error("the settings of the engine stay: \(error)")
        }
        rest?.after = new.parking.restAfter
        rest?.every = new.parking.lookEvery
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
            reporting.notice("[Bus], [Events] and [Journal] take effect at the next start")
        }
        guard arguments.source == nil, changed.contains("Source.URI") else { return }
        do {
            let next = try FixSourceURI(new.source)
            // A recording has its own clock, and the engine's times must be of one clock.
            guard !next.isReplay, drive == nil else {
                reporting.notice("[Source] URI= takes effect at the next start")
                return
            }
            rest?.wakeUp()
            rest = nil
            uri = next
            source?.stop()
            try startSource()
            try letRest()
        } catch {
            reporting.error("\(error); the old source stays", .configurationProblem)
        }
    }
}
