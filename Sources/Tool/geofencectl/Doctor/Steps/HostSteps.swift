// The vehicle, the disk and the journal.

extension DoctorStep {
    static let vehicle = DoctorStep(
        "vehicle", "is its height known?", [.vehicleUnset, .heightAbsurd, .heightNotConfirmed]
    ) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        let text = daemon.vehicle ?? "not known to this geofenced"
        var found: [Finding] = []
        if evidence.degraded.contains("vehicle-unset") { found.append(.found(.vehicleUnset, text)) }
        if let height = daemon.statedHeight, height < max(lowest, (daemon.height ?? 0) / 2) {
            let force = daemon.height.flatMap { $0 == height ? nil : ", \(metres($0)) is in force" }
            found.append(
                .found(.heightAbsurd, "\(metres(height)) was set as its height\(force ?? "")"))
        }
        if evidence.degraded.contains("height-not-confirmed") {
            found.append(.found(.heightNotConfirmed, text))
        }
        return .worst(found, else: .good(text))
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
        // Of a directory that is not there nothing else can be said.
        if let failure = host.stateFailure { return .found(.stateDirectory, "\(path): \(failure)") }
        var found: [Finding] = []
        let free = "\(path) has \(host.freeBytes >> 10) KiB left"
        if host.isReadOnly { found.append(.found(.diskReadOnly, "\(path) is mounted read-only")) }
        if host.freeBytes < least { found.append(.found(.diskFull, free)) }
        if host.freeFiles == 0 { found.append(.found(.diskFull, "\(path) has no inode left")) }
        if let file = host.closedFile { found.append(.found(.stateOwner, file)) }
        // What has just been named is why the daemon cannot write.
        let words: [Cause] = found.isEmpty ? [.storeUnwritable] : []
        for cause in words + [.storeUnreadable, .storeSuspect]
        where evidence.degraded.contains(cause.code) { found.append(.found(cause, free)) }
        if (least..<little).contains(host.freeBytes) {
            found.append(.found(.diskNearlyFull, free))
        }
        return .worst(found, else: .good(free))
    }

    static let journal = DoctorStep(
        "journal", "does the journal take entries?",
        [.journalStopped, .journalWaits, .journalKeepsNothing]
    ) { evidence in
        if evidence.unit?.isJournalActive == false {
            return .found(.journalStopped, "systemd-journald.service is not active")
        }
        if evidence.degraded.contains("journal") {
            return .found(.journalWaits, "entries of geofenced wait")
        }
        if evidence.unit?.isJournalActive == true, evidence.host.keepsJournal == false {
            return .found(.journalKeepsNothing, "it takes them, and has no file of them")
        }
        return evidence.host.hasJournal ? .good("it does") : .unknown("there is none here")
    }

    private static func metres(_ height: Double) -> String { "\(decimal(height, 2)) m" }

    /// A vehicle that low has nothing to fear from bridges, m: what was meant was more.
    private static let lowest = 2.0
    /// Less than one transaction of the log, bytes.
    private static let least: UInt64 = 256 << 10
    /// Less than the catalogue needs for an import of some size, bytes.
    private static let little: UInt64 = 8 << 20
}

extension Cause {
    static let vehicleUnset = Cause(
        "vehicle-unset", .bad, "geofencectl vehicle set --height LENGTH, trailer and load included")
    static let heightAbsurd = Cause(
        "height-absurd", .doubtful,
        "measure it again, from the road up: geofencectl vehicle set --height LENGTH")
    static let heightNotConfirmed = Cause(
        "height-not-confirmed", .doubtful, "geofencectl vehicle confirm")
    static let stateDirectory = Cause(
        "state-directory", .bad, "systemctl restart geofenced.service, which makes it")
    static let diskReadOnly = Cause(
        "disk-read-only", .bad, "find out why (dmesg), and: mount -o remount,rw")
    static let diskFull = Cause(
        "disk-full", .bad, "make room: journalctl --vacuum-size=100M; apt-get clean")
    static let stateOwner = Cause(
        "state-owner", .bad,
        "cd /var/lib/geofenced; chown -R geofenced:geofenced .; chmod -R u+rwX .")
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
    static let journalKeepsNothing = Cause(
        "journal-keeps-nothing", .doubtful,
        "remove Storage=none from journald.conf, and: systemctl restart systemd-journald.service")
    static let journalWaits = Cause(
        "journal", .bad, "systemctl restart systemd-journald.service")
}
