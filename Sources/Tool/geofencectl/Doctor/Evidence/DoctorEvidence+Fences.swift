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
    /// There are some, and the term of each is over.
    var haveAllExpired = false
    /// Files, or their directory, that the daemon's user may not read, and why.
    var unreadableFiles: [String] = []
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
    /// Of it, or of a file in it, what keeps the daemon's user from writing there:
    /// `PATH belongs to root`, `PATH is -r--r----- geofenced:geofenced`.
    var closedFile: String?
    /// Whether there is a journal to write to.
    var hasJournal = true
    /// Whether the journal has files; nil where that may not be seen.
    var keepsJournal: Bool?
}
