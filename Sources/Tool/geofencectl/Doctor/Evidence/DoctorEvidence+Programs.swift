/// Programs beside the daemon.
struct OtherEvidence: Sendable {
    /// Durable consumers, uplinks among them.
    var consumers: [Consumer] = []
    /// Sources of geofenced-sync.
    var sources: [Source] = []
    /// Sources that have a configuration; nil where that may not be seen.
    var configuredSources: [String]?
    /// Destinations of geofenced-uplink that have one; nil likewise.
    var configuredUplinks: [String]?
    /// The units that ought to run for what is configured, by name; none where no service manager
    /// answers.
    var units: [String: UnitState] = [:]
    /// Inputs of the vehicle that nothing comes from any more.
    var silentInputs: [Input] = []
    /// Names that the bus starts a program for: a destination of those may rest.
    var startedByBus: Set<String> = []
    /// What the units of destinations say, by name.
    var uplinkTexts: [String: String] = [:]
    /// What the unit of geofenced-alert says, or that it cannot be seen; nil if it is no consumer.
    var alertText: String?
    /// Whether somebody has its name.
    var isAlertOwned = true

    /// A durable consumer.
    struct Consumer: Sendable {
        /// Its bus name.
        var name: String
        /// Events that wait for it.
        var pending: UInt64
        /// Since when, s ago; nil if nothing waits.
        var waiting: Double?
        /// The D-Bus error of the last call to it.
        var lastError: String?
    }

    /// A source of fences on the network.
    struct Source: Sendable {
        /// Its name.
        var name: String
        /// In one word: `unchanged`, `imported`, `held`, `fetching`, or why it failed.
        var state: String
        /// How it is doing, in a line.
        var line: String
        /// When the last look began, s ago; nil where that is not known.
        var tried: Double?
    }

    /// Where ignition, motion, driver or wheels would come from.
    struct Input: Sendable {
        /// What is at the other end.
        enum Kind: Sendable {
            case sender, wheels, line
        }

        /// Which one that is.
        var kind: Kind
        /// `IgnitionSignal= names org.example.Can, and nobody has that name`
        var text: String
    }
}

/// A unit beside the daemon's, as the service manager has it.
struct UnitState: Sendable {
    /// `bluetooth.service`
    var name: String
    /// `loaded`, `not-found`, `masked`.
    var loadState = "loaded"
    /// `active`, `inactive`, `failed`, `activating`.
    var activeState = "active"
    /// `running`, `dead`, `auto-restart`.
    var subState = "running"
    /// Why it ended last: `success`, `exit-code`.
    var result = "success"
    /// `enabled`, `disabled`; empty where there is no file.
    var fileState = "enabled"

    /// It runs, or is about to.
    var isRunning: Bool {
        ["active", "reloading", "activating"].contains(activeState) && !isRestarting
    }

    /// It has ended, and waits for its next try; a later systemd says `auto-restart-queued`, too.
    var isRestarting: Bool { subState.hasPrefix("auto-restart") }

    /// It ended as it ought to.
    var hasStopped: Bool { activeState == "inactive" && result == "success" }

    /// `bluetooth.service is inactive, disabled`
    var text: String {
        guard loadState == "loaded" else { return "\(name) is \(loadState)" }
        let reason = result == "success" ? "" : ", result \(result)"
        return "\(name) is \(activeState) (\(subState))\(reason)"
            + (fileState.isEmpty ? "" : ", \(fileState)")
    }

    /// Of BlueZ.
    static let bluetooth = "bluetooth.service"
    /// Of gpsd: the service manager listens, and starts it for the first that connects.
    static let gpsd = ["gpsd.socket", "gpsd.service"]
    /// Of geofenced-can.
    static let can = "geofenced-can.service"

    /// Looks at a source of fences, again and again.
    static func timer(of source: String) -> String { "geofenced-sync@\(source).timer" }
    /// One look.
    static func look(at source: String) -> String { "geofenced-sync@\(source).service" }
    /// Sends events to a destination.
    static func uplink(_ destination: String) -> String {
        "geofenced-uplink@\(destination).service"
    }
}
