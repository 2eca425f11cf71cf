package import Engine
import Storage
package import Time

/// There is no fence of beacons with that id.
package struct NoBeaconFence: Error, Hashable, CustomStringConvertible {
    /// The id that was asked for.
    package let id: String

    package var description: String { "no fence of beacons \"\(id)\"" }
}

/// A presence by hand that would be over already.
package struct PresenceOver: Error, Hashable, CustomStringConvertible {
    package var description: String { "until is not in the future" }
}

// Beacons: fences from the catalogue to the engine, sightings and the radio, and what is said by
// hand.
extension MonitoringService {
    /// Whose beacons are to be listened for; none where there is no fence of beacons.
    package var beaconPatterns: Set<BeaconPattern> {
        Set(tracker.engine.beacons.regions.map(\.rule.pattern))
    }

    /// How near a beacon is, or whether it comes along, is to be decided now.
    package func wantsActiveScan(at now: Uptime) -> Bool {
        tracker.engine.beacons.wantsActiveScan(at: now)
    }

    /// Of every fence of beacons, by id as UTF-8 bytes.
    package func beaconStates(at now: Uptime) -> [BeaconPresence] {
        tracker.engine.beacons.states(at: now)
    }

    /// The companions that may be with the vehicle: inside, uncertain or ambiguous.
    package func companions(at now: Uptime) -> [BeaconPresence] {
        tracker.engine.beacons.companions(at: now)
    }

    /// Sightings that arrived together, in order; at least one.
    package func hear(_ sightings: [BeaconSighting], at now: Uptime) {
        let wasActive = wantsActiveScan(at: now)
        var record: EventRecord?
        for sighting in sightings { take(.sighting(sighting), at: now, &record) }
        let isEventful = record != nil
        settle(record, at: now)
        lookForCompanions(at: now)
        if isEventful { onTaken() }
        if wantsActiveScan(at: now) != wasActive { onBeaconsWanted() }
        onSightings(sightings)
    }

    /// The radio does something else from now on.
    package func radioChanged(to status: BeaconRadioStatus, at now: Uptime) {
        guard status != beaconRadio else { return }
        beaconRadio = status
        tellRadio(at: now)
        sayWhetherItListens()
        onStateChanged()
    }

    /// Somebody says where the vehicle is with respect to a fence of beacons.
    /// - Parameters:
    ///   - presence: ``Presence/unknown`` takes back what was said.
    ///   - until: UTC; nil for as long as is usual.
    /// - Throws: ``NoBeaconFence``, ``PresenceOver``, and nothing is changed.
    package func statePresence(
        _ presence: Presence, until: ReceiverTime? = nil, of id: String, at now: Uptime
    ) throws {
        guard tracker.engine.beacons.regions.contains(where: { $0.id.utf8.elementsEqual(id.utf8) })
        else { throw NoBeaconFence(id: id) }
        let duration = until.map { $0 - present(at: now) }
        if let duration, duration <= .zero { throw PresenceOver() }
        let said = ManualPresence(presence, for: duration)
        // The machine's clock may have been set since.
        tellRadio(at: now)
        handle(.presence(said, of: id), at: now)
        onStateChanged()
    }

    /// The fences of beacons of the catalogue, if it has changed since they were read.
    func readBeacons(at now: Uptime) {
        let generation = store.generation
        guard generation != beaconGeneration else { return }
        let regions: [BeaconRegion]
        do { regions = try store.beaconRegions() } catch {
            // The next wake-up tries again.
            return troubles.note(.storeUnreadable, "\(error)")
        }
        beaconGeneration = generation
        let before = tracker.engine.beacons.regions
        guard Set(regions) != Set(before) else { return }
        tellRadio(at: now)
        handle(.beacons(regions), at: now)
        if before.isEmpty != regions.isEmpty { tellRadio(at: now) }
        sayWhetherItListens()
        onBeaconsWanted()
    }

    /// What the radio does, and the time: a presence by hand needs one before the first fix.
    func tellRadio(at now: Uptime) {
        // An engine without fences of beacons has no use for it.
        guard !tracker.engine.beacons.isEmpty else { return }
        handle(.radio(beaconRadio.radio, clock: present(at: now)), at: now)
    }

    private func sayWhetherItListens() {
        // Nobody asks, or it has not been asked yet; or somebody has decided it.
        if tracker.engine.beacons.isEmpty
            || [.noRegions, .disabled].contains(beaconRadio.reason)
        {
            return troubles.end(.beacons)
        }
        switch beaconRadio.state {
        case .passive, .ranging: troubles.end(.beacons)
        case .limited:
            troubles.begin(
                .beacons,
                "BlueZ has no monitor of advertisements, and beacons are listened for 10 s of every "
                    + "60: set Experimental = true in /etc/bluetooth/main.conf")
        case .off where beaconRadio.reason == .none: break
        case .off:
            troubles.begin(.beacons, "beacons are not heard: \(beaconRadio.reason.rawValue)")
        }
    }
}
