import Law
import Model
import Storage
import Time

// Where the engine continues after a start.
extension MonitoringService {
    /// From the later of the two checkpoints of this boot; after a power cut neither exists, and
    /// the store has the open stays.
    static func restore(
        settings: EngineSettings, store: Store, bootID: String?, delivery: Delivery,
        route: FollowedRoute?
    ) throws -> Engine {
        var checkpoints = [delivery.restored].compactMap { $0 }
        if let bootID, let stored = try store.log.checkpoint(), stored.bootID == bootID,
            let checkpoint = EngineCheckpoint(bytes: stored.bytes)
        {
            checkpoints.append(checkpoint)
        }
        var engine = try engine(
            settings, store, delivery, checkpoint: checkpoints.max(by: { $0.age < $1.age }),
            route: route)
        // Nobody has removed a fence since then: the change was interrupted that removed it, or what
        // leads to it is damaged. A check of the file says which.
        if let fence = engine.missing, !engine.lacksFences {
            store.catalogue.suspect("fence \"\(fence)\", in which a stay is open, is not there")
            engine.lacksFences = store.mayLackFences
        }
        return engine
    }

    /// An engine that continues from `checkpoint`; without one, from what the store has, or will
    /// have.
    static func engine(
        _ settings: EngineSettings, _ store: Store, _ delivery: Delivery,
        checkpoint: EngineCheckpoint?, route: FollowedRoute?
    ) throws -> Engine {
        // Those of fences that are left out stay as they are.
        var stays = try delivery.openStays().filter { !store.catalogue.leavesOut($0.fence) }
        if let checkpoint, store.log.hasLostStanding {
            // The log knows less: those of fences that are there are as the checkpoint has them.
            let known = Set(checkpoint.fenceIDs.map(FenceKey.init))
            stays = try stays.filter { stay in
                try known.contains(FenceKey(stay.fence))
                    || store.catalogue.readableEntries(ids: [stay.fence]).isEmpty
            }
        }
        guard let checkpoint else {
            var engine = Engine(
                settings: settings, generation: store.generation, known: delivery.known,
                stays: stays, entries: try store.catalogue.readableEntries(ids: stays.map(\.fence)),
                isPositionLost: delivery.isPositionLost, driven: try store.log.driven(),
                beacons: try store.catalogue.readableBeaconRegions())
            engine.resume(spent: try store.log.spentFences())
            engine.resume(arriving: try arriving(store, delivery))
            if let vehicle = try store.log.vehicle() {
                engine.resume(vehicle: vehicle, seen: try store.log.lastPosition()?.time)
            }
            engine.resume(route: route)
            engine.lacksFences = store.mayLackFences
            engine.heldFences = store.heldFences
            if store.log.loss?.areStaysDoubted == true { engine.doubtStays() }
            return engine
        }
        var engine = Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: try store.catalogue.readableEntries(
                ids: Set(checkpoint.fenceIDs).union(stays.map(\.fence)).sorted()), stays: stays,
            beacons: try store.catalogue.readableBeaconRegions(), route: route)
        engine.lacksFences = store.mayLackFences
        engine.heldFences = store.heldFences
        return engine
    }

    /// Of the fences whose way is followed those of which `arriving` is the last that was told.
    private static func arriving(
        _ store: Store, _ delivery: Delivery
    ) throws -> [(entry: CatalogueEntry, told: UTCTime)] {
        let known = delivery.known
        return try store.followed().compactMap { entry in
            guard entry.added <= known, let last = try delivery.lastArrival(at: entry.id),
                last.kind == .arriving
            else { return nil }
            return (entry, last.time)
        }
    }

    /// Fences that were left out are used again once they have changed: their stays go on.
    func takeChangedBack(at now: Uptime) {
        guard let back = try? store.catalogue.takeChangedBack(), !back.isEmpty else { return }
        do { try restart(tracker.engine.settings, at: now) } catch {
            troubles.note(.storeUnreadable, "\(error)")
        }
        notify(.readAgain(back))
    }
}
