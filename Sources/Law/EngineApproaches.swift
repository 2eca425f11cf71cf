import Geodesy
package import Model

// What the engine does with approaches beside judging fixes.
extension Engine {
    /// The hazards that the vehicle is confirmed to be coming to and does not fit, those on its route
    /// first, the nearest of them first; ties by id as UTF-8 bytes. As of the last judged fix.
    package var ahead: [Ahead] {
        guard let last = motion.last?.fix else { return [] }
        let hazards = (window?.regions ?? []).compactMap { region -> Ahead? in
            guard case .approach(.near(let progress)) = region.machine,
                progress.isConfirmed || progress.stage != nil, let place = progress.place,
                let approach = region.entry.approach,
                let shortfall = approaches.shortfall(approach.limits)
            else { return nil }
            var now = place
            now.toGo -= progress.offWay
            return Ahead(
                hazard: region.entry.id, title: region.entry.fence.title,
                stage: progress.stage,
                details: approaches.details(
                    approach, shortfall, at: now, on: last.time, onRoute: true),
                isOnRoute: approaches.outlook(approach, toGo: now.toGo) == .ahead)
        }
        return hazards.sorted {
            if $0.isOnRoute != $1.isOnRoute { return $0.isOnRoute }
            return $0.details.toGo != $1.details.toGo
                ? $0.details.toGo < $1.details.toGo
                : $0.hazard.utf8.lexicographicallyPrecedes($1.hazard.utf8)
        }
    }

    /// The vehicle as it travels now.
    package var vehicle: Vehicle { approaches.vehicle }

    /// Judges every approach again at the last judged fix.
    mutating func change(to vehicle: Vehicle, _ directives: inout [Directive]) {
        guard vehicle != approaches.vehicle else { return }
        let before = approaches
        approaches.vehicle = vehicle
        guard var window, let last = motion.last?.fix else { return }
        self.window = nil
        var order = EventOrder()
        for index in window.regions.indices {
            let found = window.regions[index].judgeVehicle(
                approaches, before: before, at: last)
            order.add(found, of: window.regions[index])
        }
        self.window = window
        idle.end()
        noteRegionsDue()
        let events = order.events(last, driven: odometer.reading)
        if !events.isEmpty { record(events, order.changes, &directives) }
    }
}
