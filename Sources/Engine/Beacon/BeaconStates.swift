package import Time

/// Where the vehicle is with respect to one beacon region, for those who show it.
package struct BeaconPresence: Hashable, Sendable {
    /// The region it is about.
    package var region: BeaconRegion
    /// `unknown` until the radio has listened for a while.
    package var presence: Presence
    /// When the open stay began, in the present time base; nil where none is open.
    package var began: ReceiverTime?
    /// Inside as far as is known: it has been silent for longer than its patience, or the radio is
    /// deaf.
    package var isUncertain: Bool
    /// Said by hand.
    package var isManual: Bool
    /// A companion that came along, but so did another of its group that is as near.
    package var isAmbiguous: Bool
    /// When it was last heard; nil where nobody knows.
    package var lastHeard: Uptime?
    /// Smoothed RSSI, dBm; nil where no sighting had one.
    package var level: Double?
}

extension BeaconLaw {
    /// Of all regions, by id as UTF-8 bytes.
    package func states(at now: Uptime) -> [BeaconPresence] {
        memory.monitors.indices.map { state(of: $0, at: now) }
    }

    /// Those companions that may be with the vehicle: inside, uncertain or ambiguous. How high it is
    /// follows from the highest of them.
    package func companions(at now: Uptime) -> [BeaconPresence] {
        states(at: now).filter {
            $0.region.rule.isCompanion && ($0.presence == .inside || $0.isAmbiguous)
        }
    }

    /// How near it is, or whether it comes along, is to be decided: the background's rhythm and its
    /// steps of 8 dB are not enough.
    package func wantsActiveScan(at now: Uptime) -> Bool {
        memory.monitors.contains { monitor in
            let region = monitor.region
            guard region.rule.leastRSSI != nil || (region.rule.isCompanion && monitor.stay == nil)
            else {
                return false
            }
            if monitor.stay != nil, monitor.manual == nil { return true }
            // In the background a device that BlueZ knows has no strength: to have one is what is
            // asked for.
            return monitor.sighted.map { now - $0 <= settings.enterGap } ?? false
        }
    }

    private func state(of place: Int, at now: Uptime) -> BeaconPresence {
        let monitor = memory.monitors[place]
        let isAudible = monitor.isAudible(at: now, ear, settings)
        let isResting = memory.radio == .resting
        return BeaconPresence(
            region: monitor.region,
            presence: monitor.stay != nil ? .inside : monitor.isKnown ? .outside : .unknown,
            began: monitor.stay?.began,
            isUncertain: monitor.stay != nil && monitor.manual == nil && !isAudible && !isResting,
            isManual: monitor.manual != nil,
            isAmbiguous: monitor.region.rule.isCompanion && isAudible
                && monitor.isReady(way: memory.way, settings),
            lastHeard: monitor.hearing?.last, level: monitor.level?.level)
    }
}
