import BusClient
import Time

// Programs beside the daemon: who is to be told, and who brings fences.

extension DoctorStep {
    static let inputs = DoctorStep(
        "inputs", "do ignition, motion, driver and wheels come?",
        [.senderGone, .canStopped, .lineGone]
    ) { evidence in
        let found = evidence.others.silentInputs.map { input in
            switch input.kind {
            case .sender: Finding.found(.senderGone, input.text)
            case .line: Finding.found(.lineGone, input.text)
            case .wheels:
                Finding.found(
                    .canStopped, evidence.others.units[UnitState.can]?.text ?? input.text)
            }
        }
        guard evidence.bus.failure == nil || !found.isEmpty else {
            return .unknown("there is no bus")
        }
        return .worst(found, else: .good("those that are configured"))
    }

    static let consumers = DoctorStep(
        "consumers", "do the programs take their events?",
        [.consumerBehind, .alertMute, .alertStopped, .consumerFails, .consumerWaits]
    ) { evidence in
        guard evidence.daemon != nil else { return .unknown(DoctorEvidence.noDaemon) }
        let others = evidence.others
        var found: [Finding] = []
        if evidence.degraded.contains("consumer-behind") {
            let worst = others.consumers.max { $0.pending < $1.pending }
            found.append(
                .found(.consumerBehind, worst.map(text) ?? "a consumer that is not told"))
        }
        let (alert, isStopped) = (others.alertText, isAlertStopped(others))
        if let alert, AlertService.isSilent(alert) {
            found.append(.found(.alertMute, "\(AlertService.name): \(alert)"))
        } else if isStopped {
            let unit = others.units[AlertService.unit].map { "; \($0.text)" } ?? ""
            found.append(.found(.alertStopped, "nobody has the name \(AlertService.name)\(unit)"))
        }
        let programs = others.consumers.filter { !$0.name.hasPrefix(uplinkPrefix) }
        for consumer in programs where !(isStopped && consumer.name == AlertService.name) {
            if consumer.pending > 0, consumer.lastError != nil {
                found.append(.found(.consumerFails, text(consumer)))
            } else if (consumer.waiting ?? 0) > patience {
                found.append(.found(.consumerWaits, text(consumer)))
            }
        }
        func line(_ consumer: OtherEvidence.Consumer) -> String {
            let state = consumer.name == AlertService.name ? alert : nil
            return text(consumer) + (state.map { ": \($0)" } ?? "")
        }
        let lines = programs.map(line)
        return .worst(found, else: .good(lines.isEmpty ? "none" : lines.joined(separator: "; ")))
    }

    /// It is to be told of events, or to run, and runs nowhere.
    private static func isAlertStopped(_ others: OtherEvidence) -> Bool {
        let unit = others.units[AlertService.unit]
        let isWanted = others.alertText != nil || unit?.fileState == "enabled"
        return isWanted && !others.isAlertOwned && unit?.isRunning != true
    }

    static let sync = DoctorStep(
        "sync", "do fences come from the network?",
        [.syncFails, .syncStopped, .syncRemoved, .syncHeld, .syncPaused, .syncUnseen]
    ) { evidence in
        let others = evidence.others
        let known = ["unchanged", "imported", "held", "paused", SourceStatus.removed]
        func fails(_ source: OtherEvidence.Source) -> Bool {
            if source.state == "fetching" { return (source.tried ?? 0) > longestLook }
            return !known.contains(source.state)
        }
        func line(_ source: OtherEvidence.Source) -> String { "\(source.name): \(source.line)" }
        // Of one whose configuration is gone its last look is history.
        let sources = others.sources.filter { others.configuredSources?.contains($0.name) != false }
        var found = sources.filter(fails).map { Finding.found(.syncFails, line($0)) }
        let timers = (others.configuredSources ?? []).compactMap { name in
            others.units[UnitState.timer(of: name)].map { (name, $0) }
        }
        for (_, timer) in timers where !timer.isRunning {
            found.append(.found(.syncStopped, timer.text))
        }
        for (name, fences) in removedSources(evidence) {
            found.append(
                .found(.syncRemoved, "\(name) has no configuration any more, and \(fences) fences"))
        }
        for source in sources {
            switch source.state {
            case "held": found.append(.found(.syncHeld, line(source)))
            case "paused": found.append(.found(.syncPaused, line(source)))
            // Where this caller may not see the configurations.
            case SourceStatus.removed: found.append(.found(.syncRemoved, line(source)))
            default: break
            }
        }
        let stopped = Set(timers.filter { !$1.isRunning }.map(\.0))
        for name in others.unseenSources where !stopped.contains(name) {
            let text = "\(name) has not been looked at since the machine started"
            // Such as of settings that it does not understand.
            if let unit = others.units[UnitState.look(at: name)], unit.activeState == "failed" {
                found.append(.found(.syncFails, "\(text): \(unit.text)"))
            } else {
                found.append(.found(.syncUnseen, text))
            }
        }
        return .worst(
            found,
            else: .good(sources.isEmpty ? "no source" : sources.map(line).joined(separator: "; ")))
    }

    /// Sources that have fences and no configuration.
    private static func removedSources(_ evidence: DoctorEvidence) -> [(String, UInt64)] {
        guard let configured = evidence.others.configuredSources else { return [] }
        return evidence.fences.origins.compactMap { origin in
            guard origin.fences > 0, origin.name.hasPrefix(sourcePrefix) else { return nil }
            let name = String(origin.name.dropFirst(sourcePrefix.count))
            return configured.contains(name) ? nil : (name, origin.fences)
        }
    }

    static let uplinks = DoctorStep(
        "uplinks", "do events leave the machine?",
        [
            .uplinkDenied, .uplinkDuplicate, .uplinkUnheard, .uplinkHeld, .uplinkStopped,
            .uplinkRemoved, .uplinkFails, .uplinkUnseen,
        ]
    ) { evidence in
        let others = evidence.others
        guard evidence.daemon != nil else { return .unknown(DoctorEvidence.noDaemon) }
        let uplinks = others.consumers.filter { $0.name.hasPrefix(uplinkPrefix) }
        func name(_ consumer: OtherEvidence.Consumer) -> String {
            String(consumer.name.dropFirst(uplinkPrefix.count))
        }
        func line(_ consumer: OtherEvidence.Consumer) -> String {
            text(consumer) + (others.uplinkTexts[name(consumer)].map { ": \($0)" } ?? "")
        }
        func unit(_ name: String) -> UnitState? { others.units[UnitState.uplink(name)] }
        var found: [Finding] = []
        for consumer in uplinks {
            let state = others.uplinkTexts[name(consumer)] ?? ""
            if let cause = Cause.uplink[String(state.prefix { $0 != ":" })] {
                found.append(.found(cause, line(consumer)))
            } else if others.configuredUplinks?.contains(name(consumer)) == false {
                found.append(.found(.uplinkRemoved, "\(line(consumer)), and no configuration"))
            } else if let unit = unit(name(consumer)), !unit.isRunning,
                !(unit.hasStopped && others.startedByBus.contains(consumer.name))
            {
                found.append(.found(.uplinkStopped, "\(line(consumer)); \(unit.text)"))
            } else if consumer.pending > 0,
                consumer.lastError != nil || (consumer.waiting ?? 0) > patience
            {
                found.append(.found(.uplinkFails, line(consumer)))
            }
        }
        for name in others.unseenUplinks {
            let (unit, text) = (unit(name), "\(name) is configured, and has never run")
            let hasEnded = unit.map { $0.result != "success" } ?? false
            found.append(
                .found(
                    hasEnded ? .uplinkStopped : .uplinkUnseen,
                    text + (unit.map { "; \($0.text)" } ?? "")))
        }
        return .worst(
            found,
            else: .good(uplinks.isEmpty ? "none" : uplinks.map(line).joined(separator: "; ")))
    }

    private static func text(_ consumer: OtherEvidence.Consumer) -> String {
        guard consumer.pending > 0 else { return consumer.name }
        let since = consumer.waiting.map { " for \(TimeSpan.seconds($0).text)" } ?? ""
        let error = consumer.lastError.map { " (\($0))" } ?? ""
        return "\(consumer.name): \(consumer.pending) waiting\(since)\(error)"
    }

    private static let uplinkPrefix = "org.geofenced.Uplink1."
    private static let sourcePrefix = "source/"
    /// How long events may wait without anything being wrong, s.
    private static let patience = 900.0
    /// How long a look may take, s: TimeoutStartSec= of its unit.
    private static let longestLook = 3600.0
}

extension OtherEvidence {
    /// Configured sources that have never been looked at.
    fileprivate var unseenSources: [String] {
        (configuredSources ?? []).filter { name in !sources.contains { $0.name == name } }
    }

    /// Configured destinations that are no consumer yet.
    fileprivate var unseenUplinks: [String] {
        (configuredUplinks ?? []).filter { name in
            !consumers.contains { $0.name == "org.geofenced.Uplink1.\(name)" }
        }
    }
}

extension Cause {
    /// By the word with which geofenced-uplink says it, those that waiting does not end.
    fileprivate static let uplink: [String: Cause] = [
        "denied": .uplinkDenied, "duplicate-name": .uplinkDuplicate, "unheard": .uplinkUnheard,
        "held": .uplinkHeld,
    ]
    static let senderGone = Cause(
        "sender-gone", .doubtful, "start the program that has that name, or correct that setting")
    static let canStopped = Cause(
        "can-stopped", .doubtful, "systemctl enable --now geofenced-can.service")
    static let lineGone = Cause(
        "line-gone", .doubtful, "correct IgnitionGPIO= in section [Parking]: gpiodetect lists chips"
    )
    static let alertStopped = Cause(
        "alert-stopped", .bad,
        "systemctl enable --now geofenced-alert.service; if it ends again, its log says why")
    static let consumerBehind = Cause(
        "consumer-behind", .bad,
        "mend that program, or: geofencectl consumer remove NAME; its events are being deleted")
    static let alertMute = Cause(
        "alert-mute", .bad,
        "install espeak-ng, or mend the sound: systemctl status geofenced-alert says what fails")
    static let consumerFails = Cause(
        "consumer-fails", .doubtful,
        "start that program by hand and read why it ends, or: geofencectl consumer remove NAME")
    static let consumerWaits = Cause(
        "consumer-waits", .doubtful,
        "look why that program does not acknowledge, or: geofencectl consumer remove NAME")
    static let syncFails = Cause(
        "sync-fails", .doubtful,
        "geofencectl sync NAME; journalctl -u geofenced-sync@NAME: the fences stay meanwhile")
    static let syncPaused = Cause(
        "sync-paused", .doubtful, "geofencectl sync NAME, when it is to go on")
    static let syncHeld = Cause(
        "sync-held", .doubtful, "geofencectl sync NAME --accept, if so many fences are to go")
    static let syncStopped = Cause(
        "sync-stopped", .doubtful, "systemctl enable --now geofenced-sync@NAME.timer")
    static let syncRemoved = Cause(
        "sync-removed", .doubtful,
        "geofencectl remove --origin source/NAME, or put its file in sources.d back")
    static let syncUnseen = Cause(
        "sync-unseen", .doubtful, "geofencectl sync NAME, and read what it says")
    static let uplinkFails = Cause(
        "uplink-fails", .doubtful,
        "systemctl status geofenced-uplink@NAME: the events stay in the log meanwhile")
    static let uplinkDenied = Cause(
        "uplink-denied", .bad,
        "correct user, password or certificate of that destination, and restart its unit")
    static let uplinkDuplicate = Cause(
        "uplink-duplicate", .bad,
        "give each box a name of its own in its file of uplink.d, and restart the unit")
    static let uplinkUnheard = Cause(
        "uplink-unheard", .doubtful,
        "start what subscribes to the events at the office, such as geofenced-ingest")
    static let uplinkHeld = Cause(
        "uplink-held", .bad,
        "correct URL= of that destination, and: systemctl restart geofenced-uplink@NAME")
    static let uplinkStopped = Cause(
        "uplink-stopped", .doubtful,
        "systemctl enable --now geofenced-uplink@NAME.service; if it ends again, its log says why")
    static let uplinkRemoved = Cause(
        "uplink-removed", .doubtful,
        "geofencectl consumer remove org.geofenced.Uplink1.NAME, or put its file back")
    static let uplinkUnseen = Cause(
        "uplink-unseen", .doubtful, "systemctl enable --now geofenced-uplink@NAME.service")
}
