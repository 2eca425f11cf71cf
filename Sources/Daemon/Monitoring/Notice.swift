package import Law
package import Model
package import Storage
package import Time

/// What the monitoring service has for the program around it, which carries it out at once, in one
/// place.
package enum Notice {
    /// ``MonitoringService/nextWake`` has changed.
    case wake
    /// Of the window.
    case windowChanged(WindowChange)
    /// A significant change, with the receiver time of its fix.
    case heartbeat(UTCTime)
    /// The patterns to listen for have changed, or active scanning is needed or no longer is: see
    /// ``MonitoringService/beaconPatterns``.
    case beaconsWanted
    /// Sightings that arrived together, after the engine.
    case sightings([BeaconSighting])
    /// The log has grown: consumers may have something to read.
    case committed
    /// Something has changed that is visible to readers of the state.
    case stateChanged
    /// The stay at a fence of beacons has begun.
    case beaconStay(String)
    /// Reports that have arrived together have been handled, and changed anything.
    case handled
    /// The route is over.
    case routeEnded(RouteEnd)
    /// A caller wants the position of a vehicle whose receiver may be asleep.
    case positionWanted
    /// A file of the store has replaced another one, or was created, with the quarantined files: the
    /// administrator's fences may not be in it.
    case storeReplaced([QuarantinedFile])
    /// A file of the store may be damaged, see ``MonitoringService/suspects``.
    case storeSuspect
    /// A time zone that was asked for is there by now: a file that was refused for want of it can be read.
    case zonesFound
    /// A copy has to be written, see ``MonitoringService/copiesBehind``; perhaps again and again.
    case copiesBehind
    /// ``CatalogueQueue/turn(until:)`` of ``MonitoringService/changes`` is to be called from the loop,
    /// soon.
    case changesWaiting
    /// Fences that were left out, and are used again because they have changed.
    case readAgain([String])
    /// A route that was left out is no longer the one that was set last.
    case routeForgotten(String)
}
