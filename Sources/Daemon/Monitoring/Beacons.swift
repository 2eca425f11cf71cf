import Bytes
package import Law
package import Model
import Storage
package import Time

/// There is no beacon fence with that id.
package struct NoBeaconFence: Error, Hashable, CustomStringConvertible {
    /// The requested id.
    package let id: String

    package var description: String { "no fence of beacons \"\(id)\"" }
}

/// A presence by hand whose end is already past.
package struct PresenceOver: Error, Hashable, CustomStringConvertible {
    package var description: String { "until is not in the future" }
}

/// What is known of the beacon fences and the radio beside the engine.
struct BeaconKeeper {
    /// The generation of the catalogue from which the engine has its beacon fences.
    var generation: Generation
    /// The state of the radio that receives beacons.
    var radio = BeaconRadioStatus(.off, .noRegions)
}

// Beacons: fences from the catalogue to the engine, sightings, the radio, and presence by hand.
extension MonitoringService {
    /// The state of the radio that receives beacons.
    package var beaconRadio: BeaconRadioStatus { beacons.radio }

    /// The patterns to listen for; none if there is no beacon fence.
    package var beaconPatterns: Set<BeaconPattern> {
        Set(tracker.engine.beacons.regions.map(\.rule.pattern))
    }

    /// Whether active scanning is needed: the strength of a beacon, or a coupling, is to be
    /// decided.
    package func wantsActiveScan(at now: Uptime) -> Bool {
        tracker.engine.beacons.wantsActiveScan(at: now)
    }

    /// The states of all beacon fences, by id as UTF-8 bytes.
    package func beaconStates(at now: Uptime) -> [BeaconPresence] {
        tracker.engine.beacons.states(at: now)
    }

    /// The companions that may be with the vehicle: inside, uncertain or ambiguous.
    package func companions(at now: Uptime) -> [BeaconPresence] {
        tracker.engine.beacons.companions(at: now)
    }

    /// Takes sightings that arrived together, in order; at least one.
    package func hear(_ sightings: [BeaconSighting], at now: Uptime) {
        let wasActive = wantsActiveScan(at: now)
        var record: EventRecord?
        for sighting in sightings { handle(.sighting(sighting), at: now, &record) }
        let isEventful = record != nil
        complete(record, at: now)
        lookForCompanions(at: now)
        if isEventful { notify(.handled) }
        if wantsActiveScan(at: now) != wasActive { notify(.beaconsWanted) }
        notify(.sightings(sightings))
    }

    /// The state of the radio has changed.
    package func radioChanged(to status: BeaconRadioStatus, at now: Uptime) {
        guard status != beacons.radio else { return }
        beacons.radio = status
        tellRadio(at: now)
        sayWhetherItListens()
        notify(.stateChanged)
    }

    /// Sets by hand whether the vehicle is inside a beacon fence.
    /// - Parameters:
    ///   - presence: ``Presence/unknown`` withdraws the statement.
    ///   - until: UTC; nil for the default time.
    /// - Throws: ``NoBeaconFence``, ``PresenceOver``; then nothing is changed.
    package func statePresence(
        _ presence: Presence, until: UTCTime? = nil, of id: String, at now: Uptime
    ) throws {
        guard tracker.engine.beacons.regions.contains(where: { $0.id.isExactly(id) }) else {
            throw NoBeaconFence(id: id)
        }
        let duration = until.map { $0 - present(at: now) }
        if let duration, duration <= .zero { throw PresenceOver() }
        let said = ManualPresence(presence, for: duration)
        // The machine's clock may have been set since.
        tellRadio(at: now)
        handle(.presence(said, of: id), at: now)
        notify(.stateChanged)
    }

    /// Reads the beacon fences of the catalogue, if it has changed since they were last read.
    func readBeacons(at now: Uptime) {
        let generation = store.generation
        guard generation != beacons.generation else { return }
        let regions: [BeaconRegion]
        do { regions = try store.catalogue.beaconRegions() } catch {
            // The next wake-up tries again.
            return troubles.note(.storeUnreadable, "\(error)")
        }
        beacons.generation = generation
        let before = tracker.engine.beacons.regions
        guard Set(regions) != Set(before) else { return }
        tellRadio(at: now)
        // Found while they were read, perhaps.
        holdMissing(at: now)
        handle(.beacons(regions), at: now)
        if before.isEmpty != regions.isEmpty { tellRadio(at: now) }
        sayWhetherItListens()
        notify(.beaconsWanted)
    }

    /// Informs the engine of the radio and of the time, which a presence by hand needs before the
    /// first fix.
    func tellRadio(at now: Uptime) {
        // An engine without beacon fences does not need it.
        guard !tracker.engine.beacons.isEmpty else { return }
        handle(.radio(beacons.radio.radio, clock: present(at: now)), at: now)
    }

    private func sayWhetherItListens() {
        // Nothing is requested, or the radio is being started; or the settings forbid it.
        if tracker.engine.beacons.isEmpty
            || [.noRegions, .disabled].contains(beacons.radio.reason)
        {
            return troubles.end(.beacons)
        }
        switch beacons.radio.state {
        case .passive, .ranging: troubles.end(.beacons)
        case .limited:
            troubles.update(
                .beacons,
                "BlueZ has no advertisement monitors, so the radio listens for 10 s of every 60: "
                    + "set Experimental = true in /etc/bluetooth/main.conf")
        case .off where beacons.radio.reason == .none: break
        case .off:
            troubles.update(.beacons, "the radio does not listen: \(beacons.radio.reason.rawValue)")
        }
    }
}
