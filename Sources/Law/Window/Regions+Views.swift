import Geodesy
import Model
import Time

// What others have to know of the regions.
extension Regions {
    /// The monitor of a fence, if it is in the window.
    func monitor(of entry: CatalogueEntry) -> RegionMonitor? {
        window?.regions.first { $0.key == entry.key && $0.entry.added == entry.added }
    }

    /// Those that are open, except for beacons.
    var openStays: [OpenStay] { (window?.regions ?? []).compactMap(\.openStay) }

    /// Whether nothing is missed at any of them while the receiver sleeps.
    var mayRest: Bool { window?.regions.allSatisfy(\.mayRest) ?? true }

    /// Whether one of them is a hazard that can be approached.
    var hasHazard: Bool {
        guard let window else { return false }
        for index in window.regions.indices where window.regions[index].entry.approach != nil {
            return true
        }
        return false
    }

    /// The hazards that the vehicle is coming to.
    var hazards: [HazardPlaces.Hazard] {
        (window?.regions ?? []).compactMap { region -> HazardPlaces.Hazard? in
            guard case .approach(.near) = region.machine else { return nil }
            return HazardPlaces.Hazard(region.entry)
        }
    }

    /// The smallest fence that the vehicle is in, of those with an area.
    var place: TripPlace? {
        let inside = (window?.regions ?? []).filter { $0.presence == .inside }
        let smallest = inside.min { one, other in
            let (area, another) = (one.entry.area.size, other.entry.area.size)
            guard area == another else { return area < another }
            return one.entry.id.utf8.lexicographicallyPrecedes(other.entry.id.utf8)
        }
        return smallest.map {
            let fence = $0.entry.fence
            return TripPlace(fence: fence.id, title: fence.title, metadata: fence.metadata)
        }
    }

    /// The hazards that the vehicle is confirmed to be coming to and does not fit, those on its route
    /// first, the nearest of them first; ties by id as UTF-8 bytes. As of the last judged fix.
    func ahead(_ rules: ApproachRules, at time: UTCTime) -> [Ahead] {
        let hazards = (window?.regions ?? []).compactMap { region -> Ahead? in
            guard case .approach(.near(let progress)) = region.machine,
                progress.isConfirmed || progress.stage != nil, let place = progress.place,
                let approach = region.entry.approach,
                let shortfall = rules.shortfall(approach.limits)
            else { return nil }
            var now = place
            now.toGo -= progress.offWay
            return Ahead(
                hazard: region.entry.id, title: region.entry.fence.title,
                stage: progress.stage,
                details: rules.details(approach, shortfall, at: now, on: time, onRoute: true),
                isOnRoute: rules.outlook(approach, toGo: now.toGo) == .ahead)
        }
        return hazards.sorted {
            if $0.isOnRoute != $1.isOnRoute { return $0.isOnRoute }
            return $0.details.toGo != $1.details.toGo
                ? $0.details.toGo < $1.details.toGo
                : $0.hazard.utf8.lexicographicallyPrecedes($1.hazard.utf8)
        }
    }
}
