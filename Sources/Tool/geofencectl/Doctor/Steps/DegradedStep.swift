extension DoctorStep {
    static let degraded = DoctorStep(
        "degraded", "what else does geofenced say?",
        DegradedWord.elsewhere + [.bluetoothStopped, .degradedOther]
    ) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        let rest = evidence.degraded.filter { !DegradedWord.isJudgedBefore($0) }
        let found = rest.map { word in
            word == "beacons"
                ? beacons(evidence, daemon.beaconReason)
                : .found(DegradedWord.causes[word] ?? .degradedOther, word)
        }
        let size = evidence.settings.windowSize
        return .worst(
            found,
            else: daemon.regions > size
                ? .found(.windowGrew, "\(daemon.regions) regions in a window of \(size)")
                : .good("nothing"))
    }

    private static func beacons(_ evidence: DoctorEvidence, _ reason: String) -> Finding {
        let text = reason.isEmpty ? "beacons" : "beacons (\(reason))"
        guard let unit = evidence.others.units[UnitState.bluetooth], !unit.isRunning else {
            return .found(.beaconsDeaf, text)
        }
        return .found(.bluetoothStopped, "\(text): \(unit.text)")
    }
}

/// The words of `Degraded`, and what each means. A later daemon may have more.
enum DegradedWord {
    /// By word.
    static let causes: [String: Cause] = [
        "source": .sourceDegraded, "store-unwritable": .storeUnwritable,
        "store-unreadable": .storeUnreadable, "store-suspect": .storeSuspect,
        "unreadable-records": .unreadableRecords, "timezone-unknown": .timezoneUnknown,
        "crash-loop": .crashLoop, "fences-lost": .fencesLost, "vehicle-unset": .vehicleUnset,
        "height-not-confirmed": .heightNotConfirmed, "journal": .journalWaits,
        "consumer-behind": .consumerBehind, "fence-file-refused": .fenceFileRefused,
        "no-fix": .noReports,
    ].merging(elsewhere.map { ($0.code, $0) }) { one, _ in one }

    /// Those that no other step is about.
    static let elsewhere: [Cause] = [
        .eventsLost, .windowGrew, .windowFull, .fenceFiles, .vehicleFile, .busWaits, .consoleWaits,
        .checkpointFull, .beaconsDeaf, .positionDoubtful, .jammed, .antenna, .copiesMissing,
        .logLost, .ignitionUnknown, .noReceiverTime,
    ]

    /// Whether another step tells it.
    static func isJudgedBefore(_ word: String) -> Bool {
        causes[word] != nil && !elsewhere.contains { $0.code == word }
    }
}

extension Cause {
    static let eventsLost = Cause(
        "events-lost", .bad, "mend the disk: more events waited than QueueMax= allows")
    static let logLost = Cause(
        "log-lost", .bad,
        "mend the disk; events are gone for good: geofencectl accept-loss --log")
    static let windowGrew = Cause(
        "window-grew", .doubtful,
        "raise Size= in section [Window], or merge fences that lie on top of each other")
    static let windowFull = Cause(
        "window-full", .bad, "remove fences that lie on top of each other: some are left out")
    static let fenceFiles = Cause(
        "fence-files", .doubtful,
        "put the files of fences.d back; one that is not wanted any more can be removed then")
    static let ignitionUnknown = Cause(
        "ignition", .doubtful,
        "start what speaks for the ignition, or take IgnitionSignal= or IgnitionGPIO= away")
    static let copiesMissing = Cause(
        "copies-missing", .doubtful,
        "make room, or mend the disk: what was accepted is in the catalogue alone")
    static let vehicleFile = Cause(
        "vehicle-file", .bad, "geofencectl vehicle set --height METRES, once the disk is well")
    static let busWaits = Cause("bus", .bad, "systemctl status dbus.service: signals wait")
    static let consoleWaits = Cause(
        "console", .doubtful, "read the output of geofenced, or close it")
    static let checkpointFull = Cause(
        "memory", .doubtful, "make room in /run: what is pending would not survive a kill")
    static let beaconsDeaf = Cause(
        "beacons", .doubtful, "switch the Bluetooth adapter on, see geofenced(8), Beacons")
    static let bluetoothStopped = Cause(
        "bluetooth-stopped", .doubtful,
        "systemctl enable --now bluetooth.service, of the package bluez")
    static let positionDoubtful = Cause(
        "position-doubtful", .doubtful,
        "look for a jammer, and move the vehicle: its position has jumped while it stood")
    static let jammed = Cause(
        "jammed", .doubtful,
        "look for a jammer, or for a charger or radio beside the antenna that disturbs it")
    static let antenna = Cause(
        "antenna", .bad, "look at the antenna, its plug and its cable: the receiver complains")
    static let noReceiverTime = Cause(
        "no-receiver-time", .doubtful,
        "let the receiver send RMC or ZDA: without a time nobody sees which fixes were held up")
    static let degradedOther = Cause(
        "degraded", .doubtful, "look for that word in geofenced(8) of the daemon's version")
}
