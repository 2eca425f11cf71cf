// The vehicle, the disk and the journal.

extension DoctorStep {
    static let vehicle = DoctorStep(
        "vehicle", "is its height known?", [.vehicleUnset, .heightNotConfirmed]
    ) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        let text = daemon.vehicle ?? "not known to this geofenced"
        if evidence.degraded.contains("vehicle-unset") { return .found(.vehicleUnset, text) }
        if evidence.degraded.contains("height-not-confirmed") {
            return .found(.heightNotConfirmed, text)
        }
        return .good(text)
    }

    static let disk = DoctorStep(
        "disk", "can events be kept?",
        [
            .stateDirectory, .diskReadOnly, .diskFull, .stateOwner, .storeUnwritable,
            .storeUnreadable, .storeSuspect, .diskNearlyFull,
        ]
    ) { evidence in
        let host = evidence.host
        let path = host.statePath
        if let failure = host.stateFailure { return .found(.stateDirectory, "\(path): \(failure)") }
        if host.isReadOnly { return .found(.diskReadOnly, "\(path) is mounted read-only") }
        let free = "\(path) has \(host.freeBytes >> 10) KiB left"
        if host.freeBytes < least { return .found(.diskFull, free) }
        if host.freeFiles == 0 { return .found(.diskFull, "\(path) has no inode left") }
        if let owner = host.strangeOwner {
            return .found(.stateOwner, "\(path) belongs to \(owner)")
        }
        if evidence.degraded.contains("store-unwritable") { return .found(.storeUnwritable, free) }
        if evidence.degraded.contains("store-unreadable") { return .found(.storeUnreadable, free) }
        if evidence.degraded.contains("store-suspect") { return .found(.storeSuspect, free) }
        return host.freeBytes < little ? .found(.diskNearlyFull, free) : .good(free)
    }

    static let journal = DoctorStep(
        "journal", "does the journal take entries?", [.journalStopped, .journalWaits]
    ) { evidence in
        if evidence.unit?.isJournalActive == false {
            return .found(.journalStopped, "systemd-journald.service is not active")
        }
        if evidence.degraded.contains("journal") {
            return .found(.journalWaits, "entries of geofenced wait")
        }
        return evidence.host.hasJournal ? .good("it does") : .unknown("there is none here")
    }

    /// Less than one transaction of the log, bytes.
    private static let least: UInt64 = 256 << 10
    /// Less than the catalogue needs for an import of some size, bytes.
    private static let little: UInt64 = 8 << 20
}

extension Cause {
    static let vehicleUnset = Cause(
        "vehicle-unset", .bad, "geofencectl vehicle set --height LENGTH, trailer and load included")
    static let heightNotConfirmed = Cause(
        "height-not-confirmed", .doubtful, "geofencectl vehicle confirm")
    static let stateDirectory = Cause(
        "state-directory", .bad, "systemctl restart geofenced.service, which makes it")
    static let diskReadOnly = Cause(
        "disk-read-only", .bad, "find out why (dmesg), and: mount -o remount,rw")
    static let diskFull = Cause(
        "disk-full", .bad, "make room: journalctl --vacuum-size=100M; apt-get clean")
    static let stateOwner = Cause(
        "state-owner", .bad, "chown -R geofenced:geofenced /var/lib/geofenced")
    static let storeUnwritable = Cause(
        "store-unwritable", .bad, "read what the disk says: dmesg; journalctl -u geofenced.service")
    static let storeUnreadable = Cause(
        "store-unreadable", .bad, "read what the disk says: dmesg; journalctl -u geofenced.service")
    static let storeSuspect = Cause(
        "store-suspect", .doubtful, "wait until the file has been checked, and look at dmesg")
    static let diskNearlyFull = Cause(
        "disk-nearly-full", .doubtful, "make room, or lower MaxSize= in section [Events]")
    static let journalStopped = Cause(
        "journal-stopped", .bad, "systemctl start systemd-journald.service")
    static let journalWaits = Cause(
        "journal", .bad, "systemctl restart systemd-journald.service")
}
