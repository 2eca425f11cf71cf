import Bytes
import Law
import Model
package import Time

/// A failure during which monitoring continues.
package enum Trouble: String, CaseIterable, Sendable {
    /// No position can come: gpsd or the receiver is unavailable, or silent.
    case source = "source"
    /// Events cannot be committed: they wait in memory.
    case storeUnwritable = "store-unwritable"
    /// The catalogue cannot be read: the window cannot be composed.
    case storeUnreadable = "store-unreadable"
    /// A file of the store may be damaged: it is used as far as it can be read, and is being checked.
    case storeSuspect = "store-suspect"
    /// Sets of fences that were accepted are not here, since their file was lost.
    case fencesLost = "fences-lost"
    /// The event log has lost its end, or all of it, and somebody may not know.
    case logLost = "log-lost"
    /// A set of fences that was accepted is in the catalogue alone: no copy of it can be written.
    case copiesMissing = "copies-missing"
    /// Stored fences or events cannot be read: they are left out.
    case unreadableRecords = "unreadable-records"
    /// The time zone of fences is not on this system: they are held.
    case timezoneUnknown = "timezone-unknown"
    /// More events waited than the queue holds: the oldest were dropped.
    case eventsLost = "events-lost"
    /// Events were deleted, or will be soon, that a durable consumer has not acknowledged.
    case consumerBehind = "consumer-behind"
    /// Files of fences are missing whose directory is gone, replaced or unreadable: their fences
    /// stay.
    case fenceFiles = "fence-files"
    /// A file of fences cannot be read, or is refused: the fences that it had stay.
    case fenceFileRefused = "fence-file-refused"
    /// No fix has been accepted since the start, for minutes.
    case noFix = "no-fix"
    /// The source of the ignition has gone: nobody knows whether it is on.
    case ignition = "ignition"
    /// The position has jumped while the vehicle had no reason to move: nothing is concluded from it.
    case positionDoubtful = "position-doubtful"
    /// The receiver says that it is jammed.
    case jammed = "jammed"
    /// The receiver says that its antenna is not connected, or short-circuited.
    case antenna = "antenna"
    /// The receiver gives no time: that of arrival stands for it.
    case noReceiverTime = "no-receiver-time"
    /// More fences had to be monitored than the window has slots.
    case windowGrew = "window-grew"
    /// The vehicle is in as many fences as can be monitored: others at the place are left out.
    case windowFull = "window-full"
    /// Journal entries wait.
    case journal = "journal"
    /// Signals wait.
    case bus = "bus"
    /// Lines wait for a console that does not read.
    case console = "console"
    /// The checkpoint does not fit its file.
    case checkpoint = "memory"
    /// It crashed repeatedly, and runs without something that it had.
    case crashLoop = "crash-loop"
    /// What was set of the vehicle could not be read, or will not survive this process.
    case vehicleFile = "vehicle-file"
    /// There are hazards, and nobody has set the height of the vehicle: one is assumed.
    case vehicleUnset = "vehicle-unset"
    /// The driver has not confirmed the height of the vehicle, or too long ago.
    case heightNotConfirmed = "height-not-confirmed"
    /// There are beacon fences, but the radio does not listen for them, or only now and then.
    case beacons = "beacons"
}

extension Trouble {
    /// A sink that cannot announce: identified by its name.
    @MainActor init(of sink: any EventSink) { self = Trouble(rawValue: sink.name) ?? .journal }
}

/// A change of a ``Trouble``.
package enum TroubleChange: Hashable, Sendable {
    /// With the system's message.
    case began(String)
    case ended
    /// A single occurrence, not a state.
    case noted(String)
}

/// The present troubles; reports each beginning and each end once.
@MainActor
final class Troubles {
    private(set) var present: [Trouble] = []
    /// What ``update(_:_:)`` reported last of those that are present.
    private var told: [Trouble: String] = [:]
    private let report: (Trouble, TroubleChange) -> Void

    init(report: @escaping (Trouble, TroubleChange) -> Void) { self.report = report }

    func begin(_ trouble: Trouble, _ why: String) {
        guard !present.contains(trouble) else { return }
        present.append(trouble)
        report(trouble, .began(why))
    }

    func end(_ trouble: Trouble) {
        guard let index = present.firstIndex(of: trouble) else { return }
        present.remove(at: index)
        told[trouble] = nil
        report(trouble, .ended)
    }

    /// Begins, or tells what is new of one that is present.
    func update(_ trouble: Trouble, _ what: String) {
        guard told.updateValue(what, forKey: trouble) != what else { return }
        if present.contains(trouble) { note(trouble, what) } else { begin(trouble, what) }
    }

    func note(_ trouble: Trouble, _ what: String) { report(trouble, .noted(what)) }
}

/// The files of fences.d, as far as the service has been told of them.
struct FenceFileStates {
    /// Those that are not in use as they are.
    var refused: Set<ExactText> = []
    /// They have been read since the store was last replaced.
    var haveLoaded = false
}

// Troubles of the program itself.
extension MonitoringService {
    /// Why no report can come from the source; nil if one can.
    package func sourceChanged(fails why: String?) {
        if let why { troubles.begin(.source, why) } else { troubles.end(.source) }
    }

    /// A doubt begins and ends with a record.
    func noteDoubt() {
        guard let doubt = tracker.engine.trust.doubt else { return troubles.end(.positionDoubtful) }
        troubles.begin(
            .positionDoubtful,
            "it has jumped without a reason; the last fix that is believed was at "
                + doubt.old.time.iso8601)
    }

    /// The files that are missing, but were not removed: their fences stay.
    package func keepsFences(ofFiles names: [String], since why: String) {
        guard !names.isEmpty else { return troubles.end(.fenceFiles) }
        let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " …" : "")
        troubles.update(.fenceFiles, "the fences of \(shown) stay: \(why)")
    }

    /// A file of fences was read, or was not; its name may be that of all of them.
    package func fenceFile(_ name: String, isRefused: Bool, at now: Uptime) {
        let name = ExactText(name)
        guard files.refused.contains(name) != isRefused else { return }
        if isRefused { files.refused.insert(name) } else { files.refused.remove(name) }
        tellRefusedFiles()
        noteZones(at: now)
    }

    /// The files that are there: of others there is nothing to read any more.
    package func fenceFilesAreThere(_ names: [String]) {
        guard !files.refused.isEmpty else { return }
        let present = Set(exactly: names)
        files.refused.formIntersection(present)
        tellRefusedFiles()
    }

    private func tellRefusedFiles() {
        let names = files.refused.map(\.text).sorted()
        guard !names.isEmpty else { return troubles.end(.fenceFileRefused) }
        // The log has the reason of each.
        let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " …" : "")
        troubles.update(.fenceFileRefused, "the fences that they had stay: of \(shown)")
    }

    /// Why something is left out since a crash loop; nil when everything is in use.
    package func crashLoop(_ why: String?) {
        if let why { troubles.begin(.crashLoop, why) } else { troubles.end(.crashLoop) }
    }
}
