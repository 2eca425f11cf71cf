/// The fences, and those near the vehicle.
struct FenceEvidence: Sendable {
    /// By origin.
    var origins: [Origin] = []
    /// The nearest one with an area; nil if there is none, or the position is not known.
    var nearest: Near?
    /// Whether it was looked for.
    var isSearched = false
    /// Where nothing is near: the distance to the nearest fence if latitude and longitude change
    /// places, m.
    var swapped: Double?
    /// What is wrong with the administrator's files, `FILE:LINE: REASON`.
    var fileProblems: [String] = []
    /// Files beside them that are not read because of their names.
    var ignoredFiles: [String] = []
    /// How many of the administrator's files are read.
    var files = 0
    /// Why the files cannot be looked at; nil if they can.
    var directoryFailure: String?
    /// Where they are.
    var directory = "/etc/geofenced/fences.d"

    /// The set of one origin.
    struct Origin: Sendable {
        /// `bus`, `file:NAME`, `source/NAME`.
        var name: String
        /// How many fences are there.
        var fences: UInt64
        /// How many were accepted, where the daemon says that.
        var accepted: UInt64?
    }

    /// One that is near.
    struct Near: Sendable {
        /// Id and title.
        var name = ""
        /// Signed, m.
        var distance = 0.0
        /// Its hours as they are written; empty for always.
        var hours = ""
        /// Whether it is inside them, and has not expired.
        var isOpen = true
        /// `notify_on_entry`.
        var tellsEntry = true
        /// `notify_on_exit`.
        var tellsExit = true
        /// Of a hazard, whether the vehicle fits: `fits`, `breaks`, `unknown`; nil for others.
        var fit: String?
    }
}

/// Disk and journal.
struct HostEvidence: Sendable {
    /// The daemon's state directory.
    var statePath = "/var/lib/geofenced"
    /// Why it cannot be looked at; nil if it can.
    var stateFailure: String?
    /// Its file system is read-only.
    var isReadOnly = false
    /// Bytes that the daemon may still write.
    var freeBytes: UInt64 = 1 << 30
    /// Files that may still be made; nil where the file system has no such limit.
    var freeFiles: UInt64?
    /// Its owner is not the daemon's user, but this one.
    var strangeOwner: String?
    /// Whether there is a journal to write to.
    var hasJournal = true
}

/// Programs beside the daemon.
struct OtherEvidence: Sendable {
    /// Durable consumers, uplinks among them.
    var consumers: [Consumer] = []
    /// Sources of geofenced-sync.
    var sources: [Source] = []
    /// Configured sources that have never been looked at.
    var unseenSources: [String] = []
    /// Configured destinations of geofenced-uplink that are no consumer yet.
    var unseenUplinks: [String] = []
    /// What the units of destinations say, by name.
    var uplinkTexts: [String: String] = [:]
    /// What the unit of geofenced-alert says, or that it cannot be seen; nil if it is no consumer.
    var alertText: String?

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
}
