package import Engine
package import FixSources
package import Settings
import Time

// Maps the administrator's settings to those of the engine and of the sources, for the daemon and
// for every program that runs the engine over a recording.

extension EngineSettings {
    /// - Parameter arrivalIsDerived: from the times of the fixes, as in a replay.
    package init(_ settings: Settings, arrivalIsDerived: Bool) {
        self.init()
        gates = GateSettings(settings.fix, arrivalIsDerived: arrivalIsDerived)
        crossing = CrossingSettings(settings.crossing)
        // The largest bound that a proof can leave is the error of the worst accepted fix.
        crossing.unknownProofBound = max(
            settings.crossing.powerCutProofMetres, settings.fix.maxErrorMetres)
        crossing.terms.overspeedHold = .seconds(settings.terms.overspeedSeconds)
        crossing.terms.speedError = settings.terms.speedError
        parking.radius = settings.parking.towedMetres
        parking.hold = .seconds(settings.parking.towedHoldSeconds)
        window.size = settings.window.size
        window.metafenceLimit = settings.window.metafenceMaxMetres
        window.heartbeat = settings.window.heartbeatMetres
        window.heartbeatThrottle = .seconds(settings.window.heartbeatMinSeconds)
        approach.assumedHeight = settings.vehicle.assumedHeightMetres
        let confirmed = settings.vehicle.confirmSeconds
        approach.confirmationLifetime =
            confirmed > 0 ? .seconds(confirmed) : TimeSpan(nanoseconds: .max)
        vehicle = Vehicle(settings.vehicle)
    }
}

extension Vehicle {
    /// What the keys of `[Vehicle]` say, without profiles.
    package init(_ vehicle: Settings.Vehicle) {
        self.init(vehicle.dimensions)
        if height != nil { setBy = "settings" }
    }

    /// Of the settings, or of a profile.
    package init(_ dimensions: VehicleDimensions) {
        self.init(
            height: dimensions.height, width: dimensions.width, length: dimensions.length,
            weight: dimensions.weight, axleLoad: dimensions.axleLoad)
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
        jamLimit = UInt8(clamping: fix.maxJam)
        doubtfulFor = .seconds(fix.doubtfulSeconds)
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

extension ReceiverSettings {
    /// How a receiver's data is to be interpreted.
    package init(_ fix: Settings.Fix) {
        self.init()
        errorPerDilution = fix.hdopErrorMetres
        errorPerDilutionCorrected = fix.hdopDifferentialErrorMetres
        lostAfter = .seconds(fix.lostSeconds)
        errorScale = ErrorScale.read(fix.errorScale) ?? [:]
    }
}
