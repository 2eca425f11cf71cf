// The fences, and those that the vehicle is near to.

extension DoctorStep {
    static let fenceFiles = DoctorStep(
        "fence-files", "are the files of fences valid?",
        [.crashLoop, .fenceFileUnreadable, .fenceFileRefused, .fenceFileIgnored]
    ) { evidence in
        let fences = evidence.fences
        var found: [Finding] = []
        if evidence.degraded.contains("crash-loop") {
            found.append(
                .found(.crashLoop, "geofenced has crashed, and goes without what it had in hand"))
        }
        if let first = fences.unreadableFiles.first {
            found.append(
                .found(.fenceFileUnreadable, first + more(fences.unreadableFiles.count - 1)))
        }
        if let first = fences.fileProblems.first {
            found.append(.found(.fenceFileRefused, first + more(fences.fileProblems.count - 1)))
        }
        // One that was seen here is the one that the daemon means.
        if evidence.fences.unreadableFiles.isEmpty, evidence.fences.fileProblems.isEmpty,
            evidence.degraded.contains("fence-file-refused")
        {
            found.append(
                .found(.fenceFileRefused, "geofenced refuses one; the journal names it"))
        }
        if let first = fences.ignoredFiles.first {
            let rest = more(fences.ignoredFiles.count - 1)
            found.append(
                .found(.fenceFileIgnored, "\(fences.directory)/\(first) is not read\(rest)"))
        }
        return .worst(
            found,
            else: fences.directoryFailure.map { .unknown("\(fences.directory): \($0)") }
                ?? .good("\(fences.files) in \(fences.directory)"))
    }

    static let fences = DoctorStep(
        "fences", "are there fences, all of them?",
        [.fencesLost, .unreadableRecords, .timezoneUnknown, .noFences, .fencesExpired]
    ) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        let origins = evidence.fences.origins.map { origin in
            let accepted = origin.accepted.flatMap { $0 == origin.fences ? nil : $0 }
            return "\(origin.name) \(origin.fences)" + (accepted.map { " of \($0)" } ?? "")
        }
        let text =
            "\(daemon.fenceCount)" + (origins.isEmpty ? "" : ": ")
            + origins.joined(separator: ", ")
        var found: [Finding] = []
        if evidence.degraded.contains("fences-lost") { found.append(.found(.fencesLost, text)) }
        if evidence.degraded.contains("unreadable-records") {
            found.append(.found(.unreadableRecords, text))
        }
        if evidence.degraded.contains("timezone-unknown") {
            found.append(.found(.timezoneUnknown, text))
        }
        if daemon.fenceCount == 0, found.isEmpty { found.append(.found(.noFences, "none")) }
        if evidence.fences.haveAllExpired {
            found.append(.found(.fencesExpired, "\(text); all have expired"))
        }
        return .worst(found, else: .good(text))
    }

    static let nearest = DoctorStep(
        "nearest", "is the vehicle near one?", [.axesSwapped, .nearestFar]
    ) { evidence in
        guard let near = judged(evidence) else { return unjudged(evidence) }
        let text = "\(near.name), \(distance(near.distance))"
        guard near.distance > far else {
            return .good(text + (near.fit.map { ", the vehicle: \($0)" } ?? ""))
        }
        if let swapped = evidence.fences.swapped, swapped <= far {
            return .found(
                .axesSwapped, "\(text), but \(distance(swapped)) if latitude is longitude")
        }
        return .found(.nearestFar, text)
    }

    static let hours = DoctorStep(
        "hours", "is it inside its hours?", [.outsideHours]
    ) { evidence in
        guard let near = judged(evidence) else { return unjudged(evidence) }
        if near.isOpen { return .good(near.hours.isEmpty ? "always" : near.hours) }
        return .found(.outsideHours, "\(near.name) is active \(near.hours)")
    }

    static let announcements = DoctorStep(
        "announcements", "is it to be announced?", [.silenced, .halfSilenced]
    ) { evidence in
        guard let near = judged(evidence) else { return unjudged(evidence) }
        switch (near.tellsEntry, near.tellsExit) {
        case (true, true): return .good("enter and exit")
        case (false, false): return .found(.silenced, "\(near.name) announces nothing")
        case (false, true): return .found(.halfSilenced, "\(near.name) announces no enter")
        case (true, false): return .found(.halfSilenced, "\(near.name) announces no exit")
        }
    }

    private static func judged(_ evidence: DoctorEvidence) -> FenceEvidence.Near? {
        evidence.daemon == nil ? nil : evidence.fences.nearest
    }

    private static func unjudged(_ evidence: DoctorEvidence) -> Finding {
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        guard daemon.denied.isEmpty else { return .unknown("you may not ask that") }
        return .unknown(
            evidence.fences.isSearched ? "no fence with an area" : "the position is not known")
    }

    private static func distance(_ metres: Double) -> String {
        metres.magnitude < 10_000 ? EventLine.metres(metres) : "\(decimal(metres / 1000, 0)) km"
    }

    /// As far as a metafence reaches, m: nothing can happen for half an hour.
    private static let far = 50_000.0
}

extension Cause {
    static let crashLoop = Cause(
        "crash-loop", .bad, "change the file that journalctl -u geofenced.service names, and reload"
    )
    static let fenceFileRefused = Cause(
        "fence-file-refused", .bad,
        "correct it (geofencectl check FILE), or let geofenced read it (chmod a+r FILE)")
    static let fenceFileIgnored = Cause(
        "fence-file-ignored", .doubtful,
        "name it *.geojson or *.csv, or: geofencectl import FILE")
    static let fenceFileUnreadable = Cause(
        "fence-file-unreadable", .bad,
        "let geofenced read it: chmod a+rX PATH; systemctl reload geofenced.service")
    static let fencesExpired = Cause(
        "fences-expired", .bad,
        "import the set again with later expires, or remove that property from its fences")
    static let fencesLost = Cause(
        "fences-lost", .bad,
        "import the fences of those origins again, or: geofencectl accept-loss")
    static let unreadableRecords = Cause(
        "unreadable-records", .bad,
        "import again the fences that the log names (journalctl -u geofenced.service)")
    static let timezoneUnknown = Cause(
        "timezone-unknown", .bad,
        "apt install tzdata tzdata-legacy; the log names the fences (journalctl -u geofenced.service)"
    )
    static let noFences = Cause(
        "no-fences", .bad, "geofencectl import FILE, or a file in /etc/geofenced/fences.d")
    static let axesSwapped = Cause(
        "axes-swapped", .bad, "exchange latitude and longitude in the file of fences")
    static let nearestFar = Cause(
        "nearest-far", .doubtful, "add fences where the vehicle is: geofencectl import FILE")
    static let outsideHours = Cause(
        "outside-hours", .doubtful, "wait, or change active or expires of that fence")
    static let silenced = Cause(
        "silenced", .doubtful, "remove notify_on_entry and notify_on_exit from that fence")
    static let halfSilenced = Cause(
        "half-silenced", .doubtful, "remove that property, if both are to be announced")
}
