import BusClient
import JSON
import Systemd
import Time

/// Looks at the programs beside the daemon: those it tells, and those that bring fences.
@MainActor
struct OtherProbe {
    /// Where the settings are: `/etc/geofenced`.
    let directory: String
    /// Where geofenced-sync writes.
    let statusDirectory: String

    /// - Parameter client: nil if the daemon does not answer.
    func look(_ client: DaemonClient?) -> OtherEvidence {
        var evidence = OtherEvidence()
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        let statuses = SourceStatus.all(in: statusDirectory, client)
        evidence.sources = statuses.map { status in
            let tried = status.json["tried_at"]?.double
            return .init(
                name: status.name, state: status.state, line: status.line,
                tried: tried.map { Double(now.nanoseconds) / 1e9 - $0 })
        }
        let looked = Set(statuses.map(\.name))
        evidence.unseenSources = configured("sources.d").filter { !looked.contains($0) }
        guard let client, let consumers = try? client.consumers() else { return evidence }
        evidence.consumers = consumers.map { consumer in
            .init(
                name: consumer.name, pending: consumer.pending,
                waiting: consumer.oldestPending.map { (now - $0).seconds },
                lastError: consumer.lastError)
        }
        evidence.alertText = AlertLine.text(consumers, client.connection)
        let uplinks = consumers.compactMap(UplinkLine.init)
        for uplink in uplinks {
            evidence.uplinkTexts[uplink.name] = uplink.unitStatus(client.connection)
        }
        let known = Set(uplinks.map(\.name))
        evidence.unseenUplinks = configured("uplink.d").filter { !known.contains($0) }
        return evidence
    }

    /// The instances that have a file there.
    private func configured(_ folder: String) -> [String] {
        let names = (try? LocalFiles.names(in: "\(directory)/\(folder)").get()) ?? []
        return names.filter { $0.hasSuffix(".conf") }.map { String($0.dropLast(5)) }
    }
}
