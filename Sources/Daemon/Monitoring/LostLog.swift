import Law
import Model
import Storage
import Time

// A log that has lost its end, or all of it.
extension MonitoringService {
    private static let unmissed = TimeSpan.seconds(7 * 86_400)
    private static let lookInterval = TimeSpan.seconds(3_600)

    /// Nobody misses what the log has lost any more.
    /// - Throws: ``NoLogLost``, `StoreError`; then it is still missed.
    package func acceptLogLoss() throws {
        guard store.log.loss != nil else { throw NoLogLost() }
        try store.log.endLoss()
        troubles.end(.logLost)
        notify(.stateChanged)
    }

    /// What this process knows of how things stand is what the log has, which may have lost it.
    func keepStanding(at now: Uptime) {
        guard store.log.hasLostStanding, store.absence == nil else { return }
        store.log.hasLostStanding = false
        let stays = (try? store.log.openStays()) ?? []
        delivery.commit(
            tracker.engine.standing(insteadOf: stays), engine: tracker.engine, at: now)
    }

    /// After the start, when a consumer may have heard of it, and each hour: whether it is over.
    func checkLogLoss(at now: Uptime) {
        mending.lossDue = nil
        guard let loss = store.log.loss else { return troubles.end(.logLost) }
        if let isTold = try? delivery.isLogLossTold, !isTold {
            handle(.logLost(clock: wallClock()), at: now)
        }
        guard let consumers = try? store.log.consumers() else { return }
        if loss.found == nil, lastFix != nil {
            let present = present(at: now)
            try? store.log.noteLoss { $0.found = present }
        }
        let isOver =
            consumers.isEmpty
            ? lastFix != nil && loss.found.map { present(at: now) - $0 >= Self.unmissed } ?? false
            : consumers.allSatisfy { $0.acknowledged > loss.last }
        if isOver, (try? acceptLogLoss()) != nil { return }
        mending.lossDue = now + Self.lookInterval
        let what =
            loss.last > 0
            ? "the event log has lost its end, and goes on after number \(loss.last)"
            : "the directory of the state was emptied, or is another one: no event, no setting of before "
                + "is there"
        troubles.begin(
            .logLost,
            what
                + "; it ends when every consumer has heard of it, or by: geofencectl accept-loss --log"
        )
        noteWake()
    }

    /// To be called where something may have been committed.
    func followLogLoss(at now: Uptime) {
        guard let loss = store.log.loss else { return }
        if store.log.hasLostStanding {
            keepStanding(at: now)
            checkLogLoss(at: now)
        }
        // The first judged fix has decided which stays are over.
        if loss.areStaysDoubted, !tracker.engine.doubtsStays {
            try? store.log.noteLoss { $0.areStaysDoubted = false }
        }
    }
}

/// The log is whole, or nobody misses what it has lost.
package struct NoLogLost: Error, Hashable, CustomStringConvertible {
    package let description = "no events are missed"
}
