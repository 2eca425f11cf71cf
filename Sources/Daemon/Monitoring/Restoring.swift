import Engine
import Storage

// Where the engine continues after a start.
extension MonitoringService {
    /// From the later of the two checkpoints of this boot; after a power cut neither exists, and
    /// the store has the open stays.
    static func restore(
        settings: EngineSettings, store: SQLiteFenceStore, bootID: String?, delivery: Delivery
    ) throws -> Engine {
        var checkpoints = [delivery.restored].compactMap { $0 }
        if let bootID, let stored = try store.checkpoint(), stored.bootID == bootID,
            let checkpoint = EngineCheckpoint(bytes: stored.bytes)
        {
            checkpoints.append(checkpoint)
        }
        return try engine(
            settings, store, delivery, checkpoint: checkpoints.max(by: { $0.age < $1.age }))
    }

    /// An engine that continues from `checkpoint`; without one, from what the store has, or will
    /// have.
    static func engine(
        _ settings: EngineSettings, _ store: SQLiteFenceStore, _ delivery: Delivery,
        checkpoint: EngineCheckpoint?
    ) throws -> Engine {
        let stays = try delivery.openStays()
        guard let checkpoint else {
            var engine = Engine(
                settings: settings, generation: store.generation, known: delivery.known,
                stays: stays, entries: try store.entries(ids: stays.map(\.fence)),
                isPositionLost: delivery.isPositionLost, beacons: try store.beaconRegions())
            engine.resume(spent: try store.spentFences())
            if let parking = try store.parking() { engine.resume(parking: parking) }
            return engine
        }
        return Engine(
            settings: settings, generation: store.generation, checkpoint: checkpoint,
            entries: try store.entries(ids: checkpoint.fenceIDs), stays: stays,
            beacons: try store.beaconRegions())
    }
}
