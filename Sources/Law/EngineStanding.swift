import Model

// How things stand, for a log that has lost some of it.
extension Engine {
    /// Every open stay, as a log has them.
    private var openStays: [OpenStay] {
        (window?.regions ?? []).compactMap(\.openStay) + beacons.openStays(beaconClock) + orphans
    }

    /// What a log is to be given that may lack it: how things stand now, in place of `stays`.
    package func standing(insteadOf stays: [OpenStay]) -> EventRecord {
        let open = openStays
        let present = Set(open.map { FenceKey($0.fence) })
        var record = EventRecord(
            events: [], opened: open,
            closed: stays.map(\.fence).filter { !present.contains(FenceKey($0)) }, known: known,
            positionLost: isPositionLost)
        record.parking = parking
        record.spent = spent.sorted { $0.added < $1.added }
        record.driven = odometer.reading
        return record
    }

    /// The stays that this engine has been made with may be over, and others may have begun, and that has
    /// been told: those of fences that the vehicle is certainly outside of at the first judged fix end
    /// there without an event, and so does what was said of hazards; others that it is inside of are
    /// found like new ones, with no crossing seen.
    package mutating func doubtStays() { doubtsStays = true }

    /// The ids of those that are over.
    mutating func endDoubted(_ regions: inout [RegionMonitor], _ passage: Passage) -> [String] {
        guard doubtsStays else { return [] }
        var over: [String] = []
        for index in regions.indices where regions[index].openStay != nil {
            let entry = regions[index].entry
            let isOutside = entry.signedDistance(to: passage.point) > passage.to.error
            guard entry.approach != nil || isOutside else { continue }
            over.append(entry.id)
            regions[index] = RegionMonitor(entry, isUnknown: false)
        }
        return over
    }
}
