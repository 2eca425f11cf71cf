import BusService
import FixSources
import Model
import Service

// What the daemon wires, by what it is for. Each is nil until it is there.

/// The receiver, and what is known of it.
struct Receiver {
    var uri: FixSourceURI
    var source: (any FixSource)?
    var news: SourceNews?
    var rest: ReceiverRest?
    /// The last fix before the loop ran; nil once a later one was judged, and noted.
    var lastBefore: Fix??

    init(uri: FixSourceURI) { self.uri = uri }
}

/// The files of fences.d.
struct FenceFolder {
    let directory = FenceDirectory()
    var watches: FenceWatches?
    var reload: FenceReload?
}

/// Inputs beside the receiver.
struct Inputs {
    var beacons: BeaconLink?
    var vehicle: VehicleLink?
    var driver: DriverLink?
}

/// Work on the store in turns, or in processes of its own.
struct BackgroundWork {
    var changes: ChangeTurns?
    var shrinking: Shrinking?
    var checks: StoreChecks?
    var copying: SetCopying?
}
