import BusClient
import Configuration
import Files
import Geofence1
import Glibc
import JSON
import Systemd
import Time
import VehicleInputs

/// Looks at the programs beside the daemon: those it tells, and those that bring fences, or tell it
/// of ignition and wheels.
@MainActor
struct OtherProbe {
    /// Where the settings are: `/etc/geofenced`.
    let directory: String
    /// Where geofenced-sync writes.
    let statusDirectory: String
    /// As the daemon reads them.
    let settings: Settings

    /// More instances are not asked for.
    private static let mostUnits = 64

    /// - Parameters:
    ///   - bus: nil if there is none.
    ///   - client: nil if the daemon does not answer.
    ///   - asksUnits: whether the service manager there has the units of the system.
    func look(_ bus: BusConnection?, _ client: DaemonClient?, asksUnits: Bool) -> OtherEvidence {
        var evidence = OtherEvidence()
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        let statuses = SourceStatus.all(in: statusDirectory, client)
        evidence.sources = statuses.map { status in
            let tried = status.json["tried_at"]?.double
            return .init(
                name: status.name, state: status.state, line: status.line,
                tried: tried.map { Double(now.nanoseconds) / 1e9 - $0 })
        }
        evidence.configuredSources = configured("sources.d")
        evidence.configuredUplinks = configured("uplink.d")
        if let bus {
            evidence.silentInputs = silentInputs(bus)
            evidence.isAlertOwned = Self.isOwned(AlertService.name, bus)
        }
        if let bus, asksUnits { evidence.units = units(evidence, bus) }
        guard let client, let consumers = try? client.consumers() else { return evidence }
        evidence.consumers = consumers.map { consumer in
            .init(
                name: consumer.name, pending: consumer.pending,
                waiting: consumer.oldestPending.map { (now - $0).seconds },
                lastError: consumer.lastError)
        }
        evidence.alertText = AlertLine.text(consumers, client.connection)
        let started = client.connection.first(.bus, "ListActivatableNames")?.asStrings ?? []
        evidence.startedByBus = Set(started)
        for uplink in consumers.compactMap(UplinkLine.init) {
            evidence.uplinkTexts[uplink.name] = uplink.unitStatus(client.connection)
        }
        return evidence
    }

    /// The instances that have a file there; nil if that may not be seen.
    private func configured(_ folder: String) -> [String]? {
        switch LocalFiles.names(in: "\(directory)/\(folder)") {
        case .success(let names):
            names.filter { $0.hasSuffix(".conf") }.map { String($0.dropLast(5)) }
        case .failure(let reason): reason.code == ENOENT ? [] : nil
        }
    }

    private func units(_ evidence: OtherEvidence, _ bus: BusConnection) -> [String: UnitState] {
        let sources = (evidence.configuredSources ?? []).prefix(Self.mostUnits)
        let uplinks = (evidence.configuredUplinks ?? []).prefix(Self.mostUnits)
        let names =
            [AlertService.unit, UnitState.can, UnitState.bluetooth] + UnitState.gpsd
            + sources.flatMap { [UnitState.timer(of: $0), UnitState.look(at: $0)] }
            + uplinks.map(UnitState.uplink)
        let probe = UnitProbe(connection: bus)
        return names.reduce(into: [:]) { $0[$1] = probe.state(of: $1) }
    }

    private func silentInputs(_ bus: BusConnection) -> [OtherEvidence.Input] {
        var silent: [OtherEvidence.Input] = []
        let parking = settings.parking
        let signals = [
            ("IgnitionSignal=", parking.ignitionSignal), ("MotionSignal=", parking.motionSignal),
            ("Signal= of [Driver]", settings.driverSources.signal),
        ]
        for case (let name, let signal?) in signals where !Self.isOwned(signal.sender, bus) {
            silent.append(
                .init(
                    kind: .sender, text: "\(name) names \(signal.sender), and nobody has that name")
            )
        }
        if let line = parking.ignitionLine, !LocalFiles.exists("/dev/\(line.chip)") {
            silent.append(.init(kind: .line, text: "/dev/\(line.chip) is not there"))
        }
        let wheels = SignalLine.wheels.sender
        if parking.hearsWheels, !Self.isOwned(wheels, bus) {
            silent.append(.init(kind: .wheels, text: "nobody has the name \(wheels)"))
        }
        return silent
    }

    private static func isOwned(_ name: String, _ bus: BusConnection) -> Bool {
        bus.first(.bus, "NameHasOwner", .string(name))?.asBool ?? true
    }
}
