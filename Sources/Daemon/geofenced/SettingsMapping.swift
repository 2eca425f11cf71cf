import BusService
import Configuration
import Engine
import FixSources
import Monitoring
import Program
import Settings
import Storage
import Time

// Maps the administrator's settings to those of the components.

extension LoadedSettings {
    /// The settings of the files, converted for the components.
    init(_ arguments: Arguments) {
        self = Settings.load(config: arguments.config)
        do throws(FixSourceURIError) {
            _ = try FixSourceURI(settings.source.uri)
        } catch {
            refuse("URI", of: "Source", reason: error.reason)
        }
        if !settings.parking.ignitionSignal.isEmpty, !settings.parking.ignitionGPIO.isEmpty {
            refuse("IgnitionGPIO", of: "Parking", reason: "IgnitionSignal= is set too")
        }
    }
}

extension MonitoringSettings {
    init(_ settings: Settings, arrivalIsDerived: Bool) {
        self.init()
        engine = EngineSettings(settings, arrivalIsDerived: arrivalIsDerived)
        vehicle = VehicleSettings(settings.vehicle)
        queueLimit = settings.events.queueMax
        fenceLimit = settings.bus.maxFences
        originLimit = settings.origins.fenceLimit(of: fenceLimit)
        positionInterval = .seconds(settings.store.positionIntervalSeconds)
    }
}

extension VehicleSettings {
    init(_ vehicle: Settings.Vehicle) {
        self.init()
        standard = Vehicle(vehicle)
        profiles = vehicle.profileList.map { profile in
            var vehicle = Vehicle(profile.dimensions)
            vehicle.profile = profile.name
            return vehicle
        }
        needsConfirmation = vehicle.confirmSeconds > 0
    }
}

extension Retention {
    init(_ events: Settings.Events) {
        self.init(
            count: events.maxEvents, age: .seconds(events.maxAgeSeconds), size: events.maxSize)
    }
}

extension BusServiceSettings {
    /// `spoolDirectory` is the daemon's own: nobody else may see what is imported.
    init(_ bus: Settings.Bus, spoolDirectory: String) {
        self.init(version: Version.current)
        batchLimit = bus.maxBatch
        importLimit = bus.maxImportSize
        subscriptionLimit = bus.maxSubscriptions
        consumerLimit = bus.maxConsumers
        self.spoolDirectory = spoolDirectory
    }
}
