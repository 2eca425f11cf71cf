// The daemon, and what this caller may ask it.

extension DoctorStep {
    static let bus = DoctorStep("bus", "is there a bus?", [.noBus, .busOff]) { evidence in
        let bus = evidence.bus
        if evidence.settings.bus == "none" {
            return .found(.busOff, "[Bus] Bus=none: nobody can ask geofenced")
        }
        if let failure = bus.failure { return .found(.noBus, "\(bus.name): \(failure)") }
        return .good(bus.name)
    }

    static let daemon = DoctorStep(
        "daemon", "does geofenced run?",
        [
            .daemonAbsent, .unitInvalid, .daemonStarting, .daemonFailing, .busPolicy, .busDenied,
            .daemonOffBus, .daemonStopped, .daemonSilent,
        ]
    ) { evidence in
        if let daemon = evidence.daemon {
            let process = evidence.bus.pid > 0 ? ", process \(evidence.bus.pid)" : ""
            return .good("version \(daemon.version)\(process)")
        }
        let hasPolicy = evidence.bus.hasPolicy != false
        let isBusOff = evidence.settings.bus == "none"
        if let unit = evidence.unit, unit.isStarting, !evidence.bus.isDenied {
            return .found(.daemonStarting, "geofenced.service is \(unit.activeState)")
        }
        if let silence = evidence.bus.silence {
            guard evidence.bus.isDenied else { return .found(.daemonSilent, silence) }
            return .found(hasPolicy ? .busDenied : .busPolicy, silence)
        }
        guard let unit = evidence.unit else {
            guard evidence.bus.failure == nil else { return .unknown("there is no bus") }
            guard !isBusOff else { return .unknown("it has no name on a bus") }
            return .found(.daemonStopped, "nobody has its name on \(evidence.bus.name)")
        }
        let state = "geofenced.service is \(unit.activeState) (\(unit.subState))"
        if unit.loadState != "loaded" {
            let isAbsent = ["not-found", "masked"].contains(unit.loadState)
            return .found(
                isAbsent ? .daemonAbsent : .unitInvalid, "geofenced.service is \(unit.loadState)")
        }
        switch unit.activeState {
        case "active" where evidence.bus.failure == nil && !isBusOff:
            let text = "\(state), and not on \(evidence.bus.name)"
            guard hasPolicy else {
                return .found(.busPolicy, "\(text), which has no policy for it")
            }
            return .found(.daemonOffBus, text)
        case "active": return .good(state)
        case "failed", "activating":
            return .found(
                .daemonFailing,
                "\(state), result \(unit.result), started again \(unit.restarts) times")
        default: return .found(.daemonStopped, state)
        }
    }

    static let rights = DoctorStep("rights", "may you ask it?", [.notAuthorised]) { evidence in
        guard let daemon = evidence.daemon else { return .unknown(DoctorEvidence.noDaemon) }
        guard daemon.denied.isEmpty else {
            return .found(
                .notAuthorised, "you may not \(daemon.denied.joined(separator: ", nor "))")
        }
        return .good("events and location")
    }

    static let polkit = DoctorStep(
        "polkit", "who else is authorized?", [.polkitIgnorant]
    ) { evidence in
        let bus = evidence.bus
        guard bus.failure == nil else { return .unknown("there is no bus") }
        guard bus.hasPolkit else {
            return .unknown("no polkit on \(bus.name): root and the group geofenced alone")
        }
        guard bus.hasActions != false else {
            return .found(.polkitIgnorant, "polkit does not know org.geofenced.Geofence1")
        }
        return .good("polkit decides on all but root and the groups")
    }
}

extension Cause {
    static let noBus = Cause("no-bus", .bad, "systemctl start dbus.socket, or name it with --bus")
    static let busOff = Cause(
        "bus-off", .doubtful, "remove Bus= from section [Bus], unless the journal is enough")
    static let daemonAbsent = Cause(
        "daemon-absent", .bad,
        "install the package geofenced; one that is masked: systemctl unmask geofenced.service; "
            + "systemctl enable --now geofenced.service")
    static let unitInvalid = Cause(
        "unit-invalid", .bad,
        "correct its drop-ins: systemd-analyze verify geofenced.service; systemctl daemon-reload")
    static let daemonStarting = Cause(
        "daemon-starting", .doubtful,
        "wait: many fences take minutes; systemctl status geofenced.service")
    static let daemonFailing = Cause(
        "daemon-failing", .bad, "read why it ended: journalctl -b -u geofenced.service -n 50")
    static let daemonOffBus = Cause(
        "daemon-off-bus", .bad,
        "systemctl reload dbus.service; systemctl restart geofenced.service")
    static let daemonStopped = Cause(
        "daemon-stopped", .bad, "systemctl enable --now geofenced.service")
    static let daemonSilent = Cause(
        "daemon-silent", .bad,
        "systemctl restart geofenced.service, unless its watchdog has done it within 15 s")
    static let busPolicy = Cause(
        "bus-policy", .bad,
        "install the package geofenced again, its policy of the bus is gone; restart the service")
    static let busDenied = Cause(
        "bus-denied", .bad,
        "systemctl reload dbus.service; look who forbids it: grep -r geofenced /etc/dbus-1")
    static let notAuthorised = Cause(
        "not-authorised", .doubtful,
        "run this as root, or become a member of the group geofenced or geofenced-read")
    static let polkitIgnorant = Cause(
        "polkit-ignorant", .doubtful, "install the package geofenced again: its .policy is gone")
}
