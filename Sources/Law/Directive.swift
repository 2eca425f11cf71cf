package import Geodesy
package import Model
package import Time

/// What the daemon, a replay or a test gives to the engine.
package enum Input: Sendable {
    /// The first input of all.
    case start
    case report(PositionReport)
    /// The time asked for by ``Directive/wake(at:)`` has come; harmless at any other time.
    case timer
    /// The catalogue has a new generation.
    case catalogueChanged(Generation)
    /// Whether fences that were accepted are not in the catalogue, and may come back.
    case lacksFences(Bool)
    /// Fences that were accepted are lost, or nobody misses them any more: an event, and nothing else.
    /// With the wall clock's time, which is used before the first fix.
    case fencesLost(Bool, clock: UTCTime)
    /// The event log has lost its end: an event, and nothing else. With the wall clock's time, likewise.
    case logLost(clock: UTCTime)
    /// Somebody wants the window composed again.
    case recenter
    /// The vehicle as it is from now on: judged at once where it is on an approach. Given after
    /// every start, too: a checkpoint resumes with the vehicle it was written with.
    case vehicle(Vehicle)
    /// Replaces the beacon regions of the catalogue. Also given after every start: a checkpoint
    /// resumes with the regions with which it was written.
    case beacons([BeaconRegion])
    /// Another route, or none. Given after every start that has one, too: a checkpoint has none.
    case route(FollowedRoute?)
    /// A beacon was heard.
    case sighting(BeaconSighting)
    /// The new state of the radio, and the wall clock's time, which is used before the first fix.
    case radio(RadioState, clock: UTCTime)
    /// A presence that was set by hand for the beacon region of this id.
    case presence(ManualPresence, of: String)
    /// The state of the ignition; may be given repeatedly.
    case ignition(Bool)
    /// The rest of the receiver begins or ends.
    case resting(Bool)
    /// Fences that had ended were removed from the catalogue.
    case retired([SpentFence])
    /// The answer to ``Engine/question``.
    case answer(StoreAnswer)
    /// The store could not answer.
    case storeFailed
}

/// What the engine needs to know of the catalogue.
package enum StoreQuery: Hashable, Sendable {
    /// ``FenceStore/entries(meeting:limit:where:)``, for what the step touches. Elsewhere, because the
    /// engine has a question that is nil at most fixes.
    indirect case meeting(Reach, limit: Int)
    /// ``FenceStore/entries(ids:)``
    case entries([String])
    /// ``FenceStore/nearest(to:limit:)``
    case nearest(SurfacePoint, limit: Int)
}

/// What the store answers to a ``StoreQuery``.
package enum StoreAnswer: Sendable {
    case entries([CatalogueEntry])
    case ranked([RankedEntry])
}

/// What the engine wants done, in this order.
package enum Directive: Sendable {
    /// Make it durable, then announce it. Elsewhere, because most fixes want nothing but to be woken.
    indirect case record(EventRecord)
    case windowChanged(WindowChange)
    /// More fences must be watched than the window has slots: now this many.
    case windowGrew(Int)
    /// No more regions can be monitored, so that some may be left out; or they can again.
    case windowFull(Bool)
    /// Make durable what is kept of the route: it has changed, or it has ended.
    indirect case route(RouteProgress)
    /// The significant change, at the time of the fix.
    case heartbeat(UTCTime)
    /// Come back with `timer` at this time, when something may be due; nil where nothing is.
    case wake(at: Uptime?)
}
