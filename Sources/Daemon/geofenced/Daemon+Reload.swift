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
        let loaded = LoadedSettings(arguments)
        reporting.problems(loaded.problems)
        apply(loaded.settings)
        fenceWatches?.renew()
        fenceReload?.start { [weak self] in
            guard let self else { return }
            reporting.info("reloaded; watching \(counted(monitoring.fenceCount, "fence"))")
            manager.ready(status: "watching \(counted(monitoring.fenceCount, "fence"))")
        }
    }

    private func apply(_ new: Settings) {
        let old = settings
        settings = new
        do {
            let engine = EngineSettings(new, arrivalIsDerived: drive != nil)
            try monitoring.reconfigure(engine, VehicleSettings(new.vehicle), at: now)
        } catch {
            reporting.error("the settings of the engine stay: \(error)")
        }
        rest?.after = .seconds(new.parking.restAfterSeconds)
        rest?.every = .seconds(new.parking.lookSeconds)
        if new.parking.listensElsewhere(than: old.parking) {
            do {
                try listenToVehicle()
            } catch {
                reporting.error("\(error); the inputs of the vehicle are not watched")
            }
        }
        if new.hours != old.hours { monitoring.keepHours(by: HourBook(new.hours), at: now) }
        if new.bus != old.bus || new.events != old.events || new.journal != old.journal {
            reporting.notice("[Bus], [Events] and [Journal] take effect at the next start")
        }
        guard arguments.source == nil, new.source != old.source else { return }
        do {
            let next = try FixSourceURI(new.source.uri)
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
