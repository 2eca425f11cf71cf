import Bytes
package import Geodesy
package import Law
package import Model
import Storage
package import Time

/// Presence in one fence, for clients.
package struct FenceState: Hashable, Sendable {
    /// As last judged.
    package var presence: Presence
    /// The position has been lost or doubtful since it was judged, or leaves it open.
    package var isUncertain: Bool
    /// When it last changed, receiver UTC; nil if that is unknown.
    package var changed: UTCTime?
    /// The same on the monotonic clock of this boot.
    package var changedUptime: Uptime?
}

/// One fence in relation to a point.
package struct Evaluation: Hashable, Sendable {
    /// Id of the fence.
    package var id: String
    /// What the first fix at that point would find.
    package var presence: Presence
    /// Nearer to the boundary than the error.
    package var isUncertain: Bool
    /// Signed, m.
    package var distance: Double
}

extension MonitoringService {
    /// The engine, to read from: a copy.
    package var engine: Engine { tracker.engine }

    /// That of the engine, without a copy of all of it.
    package var window: Window? { tracker.engine.window }

    /// That of the engine, without a copy of all of it.
    package var lastFix: Fix? { tracker.engine.gates.last?.fix }

    /// What the odometer shows at the last fix that was judged, m, to the decimetre: section 13.
    package var odometer: Double {
        WayDetails.rounded(tracker.engine.odometer.reading.metres)
    }

    /// The position is lost or doubtful.
    package var isPositionUncertain: Bool { tracker.engine.isPositionUncertain }

    /// Whether the position is known, in a word.
    package var position: String {
        if tracker.engine.isPositionLost { return "lost" }
        if tracker.engine.isPositionDoubtful { return "doubtful" }
        return lastFix == nil ? "unknown" : "known"
    }

    /// What does not work at present; normally empty.
    package var degradations: [Trouble] { troubles.present }

    /// The states of those of `ids` that exist, beacon fences after the others.
    package func states(
        of ids: [String], at now: Uptime
    ) throws -> [(id: String, state: FenceState)] {
        try areaStates(of: ids) + beaconStates(of: ids, at: now)
    }

    private func beaconStates(
        of ids: [String], at now: Uptime
    ) throws -> [(id: String, state: FenceState)] {
        let ids = Set(exactly: ids)
        return try tracker.engine.beacons.states(at: now).compactMap { found in
            let id = found.region.id
            guard ids.contains(id) else { return nil }
            var state = FenceState(presence: found.presence, isUncertain: found.isUncertain)
            state.changed = found.began
            if found.presence == .outside {
                state.changed = try store.log.lastChange(of: id)?.event.time
            }
            if let changed = state.changed { state.changedUptime = engine.uptime(at: changed) }
            return (id, state)
        }
    }

    private func areaStates(of ids: [String]) throws -> [(id: String, state: FenceState)] {
        // One after the other: together they may not fit into memory.
        try ids.compactMap { id in
            guard let entry = try store.catalogue.passingEntry(id: id) else { return nil }
            let presence = engine.presence(of: entry)
            var state = FenceState(
                presence: presence,
                isUncertain: engine.isPositionUncertain && presence != .unknown)
            if let began = engine.stayBegan(in: entry) {
                state.changed = began
                state.changedUptime = engine.uptime(at: began)
            } else if presence == .outside,
                let exit = try store.log.lastChange(of: entry.id)?.event.time
            {
                state.changed = exit
                // The log has the receiver's clock of that time; the engine has shifted to the new
                // one.
                if engine.rebases == 0 { state.changedUptime = engine.uptime(at: exit) }
            }
            return (entry.id, state)
        }
    }

    /// The regions of the window in order, as of the last accepted fix.
    package var regions: [Evaluation] {
        let point = engine.lastFix.map { SurfacePoint($0.coordinate) }
        return (engine.window?.regions ?? []).map { region in
            Evaluation(
                id: region.entry.id, presence: region.presence,
                isUncertain: engine.isPositionUncertain && region.presence != .unknown,
                distance: point.map { region.entry.area.signedDistance(to: $0) } ?? .nan)
        }
    }

    /// What a first fix at that place would find: `inside` where d ≤ 0. Changes nothing. Every
    /// fence within the error, up to 256, and at least as many of the nearest as the window has
    /// slots; nearest first. The result is a function to be called, each time with a time limit,
    /// until it returns the evaluations.
    package func evaluate(
        at coordinate: Coordinate, error: Double
    ) -> (_ isTimeUp: () -> Bool) throws -> [Evaluation]? {
        let size = engine.settings.window.size
        let ranking = store.catalogue.ranking(to: SurfacePoint(coordinate), limit: max(256, size))
        return { isTimeUp in
            guard let ranked = try ranking.step(until: isTimeUp) else { return nil }
            return ranked.enumerated()
                .filter { rank, fence in rank < size || fence.signedDistance <= error }
                .map { _, fence in
                    Evaluation(
                        id: fence.id,
                        presence: fence.signedDistance <= 0 ? .inside : .outside,
                        isUncertain: fence.signedDistance.magnitude < error,
                        distance: fence.signedDistance)
                }
        }
    }
}
