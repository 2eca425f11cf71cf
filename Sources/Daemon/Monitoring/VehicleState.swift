import Law
package import Model
import Storage
package import Time

// The vehicle, for front ends.
extension MonitoringService {
    /// The values in force, including the companions that may be with it; without a height if it
    /// was never set.
    package var vehicle: Vehicle {
        keeper.vehicle.with(
            keeper.companions, assumedHeight: tracker.engine.settings.approach.assumedHeight)
    }

    /// The vehicle, and what is known of it now.
    package func vehicleState(at now: Uptime) -> VehicleState {
        var state = VehicleState()
        state.vehicle = vehicle
        state.certainty = certainty(at: now)
        state.assumedHeight = tracker.engine.settings.approach.assumedHeight
        state.statedHeight = keeper.statedHeight
        state.profiles = keeper.profileNames
        state.hasHazards = keeper.hasHazards
        return state
    }

    /// Of its own height, without companions.
    private func certainty(at now: Uptime) -> Vehicle.Certainty {
        guard keeper.vehicle.height != nil else { return .assumed }
        guard keeper.needsConfirmation else { return .confirmed }
        guard let age = confirmationAge(at: now), age <= confirmationLifetime else {
            return .unconfirmed
        }
        return .confirmed
    }

    private var confirmationLifetime: TimeSpan {
        tracker.engine.settings.approach.confirmationLifetime
    }

    /// How long ago the height was confirmed, by the receiver's clock, or by the machine's where that
    /// one is behind: a recorded drive is played. Nil where nobody has confirmed it, or both clocks
    /// are behind: the one that it was confirmed by was wrong.
    private func confirmationAge(at now: Uptime) -> TimeSpan? {
        guard let confirmedAt = keeper.vehicle.confirmedAt else { return nil }
        let age = present(at: now) - confirmedAt
        if age >= Self.leastAge { return age }
        let byMachine = wallClock() - confirmedAt
        return byMachine >= Self.leastAge ? byMachine : nil
    }

    /// Less than zero by what a clock that nobody set may be ahead of another.
    private static var leastAge: TimeSpan { .seconds(-3600) }

    /// Sets the vehicle, judges with it at once, and makes it durable.
    /// - Throws: ``VehicleRefusal``, and nothing is changed; ``VehicleNotKept``, and it is in
    ///   force.
    package func setVehicle(_ change: VehicleChange, at now: Uptime) throws {
        defer { vehicleChanged(at: now) }
        do { try keeper.set(change, at: present(at: now)) } catch let error as VehicleNotKept {
            troubles.begin(.vehicleFile, "\(error)")
            throw error
        }
        troubles.end(.vehicleFile)
    }

    /// UTC: the receiver's, as far as it is known; otherwise the machine's, which may begin in 1970
    /// on one without a battery, but not before the last drive.
    func present(at now: Uptime) -> UTCTime {
        if let fix = lastFix { return fix.time + max(.zero, now - fix.arrival) }
        let last = (try? store.log.lastPosition())??.time
        return max(wallClock(), last ?? UTCTime(nanoseconds: 0))
    }

    /// After each start of the engine, each change of the vehicle, and when the time becomes known.
    func vehicleChanged(at now: Uptime) {
        var judged = vehicle
        if certainty(at: now) != .confirmed { judged.confirmedAt = nil }
        handle(.vehicle(judged), at: now)
        checkVehicle(at: now)
        notify(.stateChanged)
    }

    /// Says what is missing: loudly, for without a height the warnings may be wrong. Where there is
    /// no hazard nobody needs to set one.
    func checkVehicle(at now: Uptime) {
        let vehicle = keeper.vehicle
        let certainty = self.certainty(at: now)
        // Once it was seen that there are hazards, leaving them behind makes nothing better.
        keeper.hasHazards =
            hasRoads || tracker.engine.hasHazardInWindow || keeper.hasHazards && store.count > 0
        say(.vehicleUnset, certainty == .assumed && keeper.hasHazards) {
            let height = tracker.engine.settings.approach.assumedHeight
            return "nobody has set the height of the vehicle, \(height) m is assumed: "
                + "geofencectl vehicle set --height HEIGHT"
        }
        say(.heightNotConfirmed, certainty == .unconfirmed) {
            "the driver has not confirmed the height of the vehicle, "
                + "\(vehicle.height ?? 0) m: geofencectl vehicle confirm"
        }
        keeper.due = nil
        defer { noteWake() }
        guard certainty == .confirmed, let age = confirmationAge(at: now) else { return }
        // Not to the moment: one more minute of trust does no harm.
        keeper.due = now + max(confirmationLifetime - age, .zero) + .seconds(60)
    }

    /// There are sets of hazards, or were, and they are lost.
    var hasRoads: Bool {
        // Hazards that were lost are none that one has left behind.
        ((try? store.catalogue.origins()) ?? []).contains {
            $0.origin.name.hasPrefix("roads/") || $0.lost?.haveHazards == true
        }
    }

    /// A hazard has come into the window, where none was known of.
    func windowMayHaveHazards(at now: Uptime) {
        guard !keeper.hasHazards, tracker.engine.hasHazardInWindow else { return }
        checkVehicle(at: now)
        notify(.stateChanged)
    }

    private func say(_ trouble: Trouble, _ isThere: Bool, _ why: () -> String) {
        if isThere { troubles.begin(trouble, why()) } else { troubles.end(trouble) }
    }
}
