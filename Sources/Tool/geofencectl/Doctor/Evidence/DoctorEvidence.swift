/// What was seen on this machine; the steps judge it. Plain values, so that a test can make any
/// case.
struct DoctorEvidence: Sendable {
    /// Root has looked.
    var isRoot = true
    /// The configuration files.
    var settings = SettingsEvidence()
    /// Where positions come from.
    var source = SourceEvidence()
    /// Nil unless the source is gpsd.
    var gpsd: GpsdEvidence?
    /// A measurement on a parked vehicle was asked for.
    var asksForCoverage = false
    /// What it came to; nil without a fix of gpsd.
    var coverage: CoverageEvidence?
    /// Nil unless the source is a receiver without gpsd.
    var line: LineEvidence?
    /// The unit of the daemon; nil where no service manager answers.
    var unit: UnitEvidence?
    /// The bus, and who is on it.
    var bus = BusEvidence()
    /// What the daemon says; nil if it does not answer.
    var daemon: DaemonEvidence?
    /// Fences, and those near the vehicle.
    var fences = FenceEvidence()
    /// Disk and journal.
    var host = HostEvidence()
    /// Programs beside the daemon.
    var others = OtherEvidence()

    /// The words of `Degraded`; none without a daemon.
    var degraded: [String] { daemon?.degraded ?? [] }

    /// What no step is about, or cannot be seen from here.
    var blindSpots: [String] {
        var spots: [String] = []
        if !asksForCoverage { spots.append("the error of a parked vehicle (--measure 1h)") }
        if unit == nil { spots.append("units") }
        if !isRoot { spots.append("what only root may see") }
        return spots + [
            "programs in sessions of users", "other machines",
            "what was before (journalctl -u geofenced.service)",
        ]
    }

    /// Why steps about the daemon cannot be judged.
    static let noDaemon = "geofenced does not answer"
}

/// The configuration as the daemon would read it.
struct SettingsEvidence: Sendable {
    /// The files that were read.
    var files: [String] = []
    /// What is wrong in them, `FILE:LINE: KEY: REASON`.
    var problems: [String] = []
    /// Those that the daemon's user may not read, and why.
    var unreadable: [String] = []
    /// `MaxErrorM`, m.
    var maxError = 100.0
    /// `DefaultErrorM`, m.
    var defaultError = 15.0
    /// `MinErrorM`, m.
    var leastError = 3.0
    /// `ErrorScale`, by gpsd's name of the driver.
    var errorScale = ["u-blox": 2.45]
    /// `[Window] Size`.
    var windowSize = 20
    /// `[Bus] Bus`.
    var bus = "system"

    /// What geofenced makes of the error that gpsd states, m.
    func used(_ error: Double?, of driver: String) -> Double {
        max(leastError, error.map { $0 * (errorScale[driver] ?? 1) } ?? defaultError)
    }
}

/// Where positions come from.
struct SourceEvidence: Sendable {
    /// What is at the other end.
    enum Kind: Sendable {
        case gpsd, line, recording
    }

    /// As the daemon has it or, if it does not answer, the configuration.
    var uri = "gpsd://localhost:2947"
    /// Of the configuration.
    var configured = "gpsd://localhost:2947"
    /// Nil if the URI is invalid.
    var kind: Kind? = .gpsd
    /// What is wrong with the URI.
    var flaw = ""
}

/// The bus, and who is on it.
struct BusEvidence: Sendable {
    /// For messages: `the system bus`.
    var name = "the system bus"
    /// Whether it is the system's bus, with its policies.
    var isSystem = true
    /// Why it cannot be reached; nil if it can.
    var failure: String?
    /// Whether somebody has the daemon's name.
    var isOwned = false
    /// Process that has it; 0 if that is not known.
    var pid: UInt64 = 0
    /// Why the daemon did not answer, though it has its name; nil if it did.
    var silence: String?
    /// The bus itself refused to ask it.
    var isDenied = false
    /// Whether the bus has read a policy for the daemon's name; nil where that is not known.
    var hasPolicy: Bool?
    /// Whether polkit is there, or would be started.
    var hasPolkit = false
    /// Whether polkit knows the daemon's actions; nil where that is not known.
    var hasActions: Bool?
}

/// What the daemon says of itself.
struct DaemonEvidence: Sendable {
    /// `Version`.
    var version = ""
    /// `Degraded`.
    var degraded: [String] = []
    /// `PositionState`: unknown, known, lost, doubtful.
    var positionState = "unknown"
    /// Seconds since the last fix arrived; nil without one.
    var fixAge: Double?
    /// Receiver time of the last fix minus the wall clock when it arrived, s.
    var clockDifference: Double?
    /// Error of the last fix, m; nil if it may not be read.
    var error: Double?
    /// Fixes accepted in all.
    var accepted: UInt64 = 0
    /// Fixes refused in all, by reason.
    var refused: [String: UInt64] = [:]
    /// Accepted while we looked.
    var newlyAccepted: UInt64 = 0
    /// Refused while we looked, by reason.
    var newlyRefused: [String: UInt64] = [:]
    /// Both.
    var newlyJudged: UInt64 { newlyRefused.values.reduce(newlyAccepted, &+) }
    /// Of fewer fixes nothing can be said.
    static let enough: UInt64 = 3
    /// The height that was stated last, m; nil if nobody has stated one.
    var statedHeight: Double?
    /// The height in force, m; nil if none is set.
    var height: Double?
    /// `Receiver`: which of gpsd's receivers counts; empty if that is not known.
    var receiver = ""
    /// `Resting`: parked, and the receiver may sleep.
    var isResting = false
    /// How often the source gives a fix, s; nil where that is not known.
    var interval: Double?
    /// `FenceCount`.
    var fenceCount: UInt64 = 0
    /// How many regions are in the window.
    var regions = 0
    /// The vehicle in a phrase; nil for a daemon that knows none.
    var vehicle: String?
    /// `BeaconReason`.
    var beaconReason = ""
    /// The actions that this caller was refused: `read-events`, `read-location`.
    var denied: [String] = []
}
