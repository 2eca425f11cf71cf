import BusService
import Engine
import FixSources
import Geofence1
import Monitoring
import Settings
import Storage
import Time

// The administrator's words in the words of the parts.

extension LoadedSettings {
    /// What the files say, as far as the parts can do with it.
    init(_ arguments: Arguments) {
        self = Settings.load(config: arguments.config)
        do throws(FixSourceURIError) {
            _ = try FixSourceURI(settings.source.uri)
        } catch {
            refuse("URI", of: "Source", reason: error.reason)
        }
    }
}

extension EngineSettings {
    init(_ settings: Settings, arrivalIsDerived: Bool) {
        self.init()
        gates = GateSettings(settings.fix, arrivalIsDerived: arrivalIsDerived)
        crossing = CrossingSettings(settings.crossing)
        // The largest that a proof can leave is the error of the worst fix that counts.
        crossing.unknownProofBound = max(
            settings.crossing.powerCutProofMetres, settings.fix.maxErrorMetres)
        window.size = settings.window.size
        window.metafenceLimit = settings.window.metafenceMaxMetres
        window.heartbeat = settings.window.heartbeatMetres
        window.heartbeatThrottle = .seconds(settings.window.heartbeatMinSeconds)
    }
}

extension GateSettings {
    fileprivate init(_ fix: Settings.Fix, arrivalIsDerived: Bool) {
        self.init()
        defaultError = fix.defaultErrorMetres
        errorFloor = fix.minErrorMetres
        errorLimit = fix.maxErrorMetres
        staleWindow = .seconds(fix.staleWindowSeconds)
        staleLimit = .seconds(fix.staleSeconds)
        speedLimit = fix.maxSpeed
        speedMargin = fix.maxSpeedMargin
        acceleration = fix.maxAcceleration
        rebaseLimit = .seconds(fix.rebaseSeconds)
        witnesses = fix.rebaseFixes
        frozenAfter = .seconds(fix.frozenSeconds)
        frozenSpeed = fix.frozenSpeed
        lostAfter = .seconds(fix.lostSeconds)
        self.arrivalIsDerived = arrivalIsDerived
    }
}

extension CrossingSettings {
    fileprivate init(_ crossing: Settings.Crossing) {
        self.init()
        bufferFloor = crossing.bufferMinMetres
        bufferLimit = crossing.bufferMaxMetres
        settle = .seconds(crossing.settleSeconds)
        settleGrace = .seconds(crossing.settleSlackSeconds)
        movingSpeed = crossing.movingSpeed
        movingWindow = .seconds(crossing.movingSeconds)
        pathGap = .seconds(crossing.pathGapSeconds)
    }
}

extension MonitoringSettings {
    init(_ settings: Settings, arrivalIsDerived: Bool) {
        self.init()
        engine = EngineSettings(settings, arrivalIsDerived: arrivalIsDerived)
        queueLimit = settings.events.queueMax
        fenceLimit = settings.bus.maxFences
        originLimit = settings.origins.fenceLimit(of: fenceLimit)
        positionInterval = .seconds(settings.store.positionIntervalSeconds)
    }
}

extension Retention {
    init(_ events: Settings.Events) {
        self.init(
            count: events.maxEvents, age: .seconds(events.maxAgeSeconds), size: events.maxSize)
    }
}

extension NmeaSettings {
    init(_ fix: Settings.Fix) {
        self.init()
        errorPerDilution = fix.hdopErrorMetres
        errorPerDilutionCorrected = fix.hdopDifferentialErrorMetres
    }
}

extension BusServiceSettings {
    /// `spoolDirectory` is the daemon's own: nobody else may look into what is imported.
    init(_ bus: Settings.Bus, spoolDirectory: String) {
        self.init(version: Version.current)
        batchLimit = bus.maxBatch
        importLimit = bus.maxImportSize
        subscriptionLimit = bus.maxSubscriptions
        consumerLimit = bus.maxConsumers
        self.spoolDirectory = spoolDirectory
    }
}
