package import Model
package import Time

/// Where the vehicle is with respect to one beacon region, for display.
package struct BeaconPresence: Hashable, Sendable {
    /// The region.
    package var region: BeaconRegion
    /// `unknown` until the radio has listened for a while.
    package var presence: Presence
    /// When the open stay began, in the present time base; nil if none is open.
    package var began: UTCTime?
    /// Inside as last known: it has been silent for longer than its patience, or the radio does not
    /// listen.
    package var isUncertain: Bool
    /// Set by hand.
    package var isManual: Bool
    /// A companion that was heard all the way, as was another of its group that is as near.
    package var isAmbiguous: Bool
    /// When it was last heard; nil if not known.
    package var lastHeard: Uptime?
    /// Smoothed RSSI, dBm; nil if no sighting had one.
    package var level: Double?
}

extension BeaconLaw {
    /// The states of all regions, by id as UTF-8 bytes.
    package func states(at now: Uptime) -> [BeaconPresence] {
        memory.monitors.indices.map { state(of: $0, at: now) }
    }

    /// The companions that may be with the vehicle: inside, uncertain or ambiguous. The greatest of
    /// their values count for the vehicle.
    package func companions(at now: Uptime) -> [BeaconPresence] {
        states(at: now).filter {
            $0.region.rule.isCompanion && ($0.presence == .inside || $0.isAmbiguous)
        }
    }

    /// Whether active scanning is needed to decide on the strength of a beacon or on a coupling:
    /// the rhythm of the background and its steps of 8 dB are not enough.
    package func wantsActiveScan(at now: Uptime) -> Bool {
        choosy.contains { place in
            let monitor = memory.monitors[place]
            let rule = monitor.region.rule
            guard rule.leastRSSI != nil || (rule.isCompanion && monitor.stay == nil) else {
                return false
            }
            if monitor.stay != nil, monitor.manual == nil { return true }
            // In the background BlueZ reports no strength for a device that it knows: active
            // scanning is needed to get one.
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
