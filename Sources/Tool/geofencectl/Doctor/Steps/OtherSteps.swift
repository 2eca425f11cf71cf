import BusClient
import Time

// Programs beside the daemon: who is to be told, and who brings fences.

extension DoctorStep {
    static let consumers = DoctorStep(
        "consumers", "do the programs take their events?",
        [.consumerBehind, .alertMute, .consumerFails, .consumerWaits]
    ) { evidence in
        guard evidence.daemon != nil else { return .unknown(DoctorEvidence.noDaemon) }
        let all = evidence.others.consumers
        if evidence.degraded.contains("consumer-behind") {
            let worst = all.max { $0.pending < $1.pending }
            return .found(.consumerBehind, worst.map(text) ?? "a consumer that is not told")
        }
        let alert = evidence.others.alertText
        if let alert, AlertService.isSilent(alert) {
            return .found(.alertMute, "\(AlertService.name): \(alert)")
        }
        let others = all.filter { !$0.name.hasPrefix(uplinkPrefix) }
        if let failing = others.first(where: { $0.pending > 0 && $0.lastError != nil }) {
            return .found(.consumerFails, text(failing))
        }
        if let waiting = others.first(where: { ($0.waiting ?? 0) > patience }) {
            return .found(.consumerWaits, text(waiting))
        }
        func line(_ consumer: OtherEvidence.Consumer) -> String {
            let state = consumer.name == AlertService.name ? alert : nil
            return text(consumer) + (state.map { ": \($0)" } ?? "")
        }
        return .good(others.isEmpty ? "none" : others.map(line).joined(separator: "; "))
    }

    static let sync = DoctorStep(
        "sync", "do fences come from the network?",
        [.syncFails, .syncHeld, .syncPaused, .syncUnseen]
    ) { evidence in
        let sources = evidence.others.sources
        let known = ["unchanged", "imported", "held", "paused", SourceStatus.removed]
        func fails(_ source: OtherEvidence.Source) -> Bool {
            if source.state == "fetching" { return (source.tried ?? 0) > longestLook }
            return !known.contains(source.state)
        }
        func line(_ source: OtherEvidence.Source) -> String { "\(source.name): \(source.line)" }
        if let failing = sources.first(where: fails) {
            return .found(.syncFails, line(failing))
        }
        if let held = sources.first(where: { $0.state == "held" }) {
            return .found(.syncHeld, line(held))
        }
        if let paused = sources.first(where: { $0.state == "paused" }) {
            return .found(.syncPaused, line(paused))
        }
        if let unseen = evidence.others.unseenSources.first {
            return .found(.syncUnseen, "\(unseen) has not been looked at since the machine started")
        }
        return .good(sources.isEmpty ? "no source" : sources.map(line).joined(separator: "; "))
    }

    static let uplinks = DoctorStep(
        "uplinks", "do events leave the machine?", [.uplinkFails, .uplinkUnseen]
    ) { evidence in
        let others = evidence.others
        guard evidence.daemon != nil else { return .unknown(DoctorEvidence.noDaemon) }
        let uplinks = others.consumers.filter { $0.name.hasPrefix(uplinkPrefix) }
        func line(_ consumer: OtherEvidence.Consumer) -> String {
            let name = String(consumer.name.dropFirst(uplinkPrefix.count))
            return text(consumer) + (others.uplinkTexts[name].map { ": \($0)" } ?? "")
        }
        let failing = uplinks.first {
            $0.pending > 0 && ($0.lastError != nil || ($0.waiting ?? 0) > patience)
        }
        if let failing { return .found(.uplinkFails, line(failing)) }
        if let unseen = others.unseenUplinks.first {
            return .found(.uplinkUnseen, "\(unseen) is configured, and has never run")
        }
        return .good(uplinks.isEmpty ? "none" : uplinks.map(line).joined(separator: "; "))
    }

    private static func text(_ consumer: OtherEvidence.Consumer) -> String {
        guard consumer.pending > 0 else { return consumer.name }
        let since = consumer.waiting.map { " for \(TimeSpan.seconds($0).text)" } ?? ""
        let error = consumer.lastError.map { " (\($0))" } ?? ""
        return "\(consumer.name): \(consumer.pending) waiting\(since)\(error)"
    }

    private static let uplinkPrefix = "org.geofenced.Uplink1."
    /// How long events may wait without anything being wrong, s.
    private static let patience = 900.0
    /// How long a look may take, s: TimeoutStartSec= of its unit.
    private static let longestLook = 3600.0
}

extension Cause {
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
    static let syncUnseen = Cause(
        "sync-unseen", .doubtful, "systemctl enable --now geofenced-sync@NAME.timer")
    static let uplinkFails = Cause(
        "uplink-fails", .doubtful,
        "systemctl status geofenced-uplink@NAME: the events stay in the log meanwhile")
    static let uplinkUnseen = Cause(
        "uplink-unseen", .doubtful, "systemctl enable --now geofenced-uplink@NAME.service")
}
