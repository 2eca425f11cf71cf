import BusClient
import Configuration
import FixSources
import Geofence1
import Glibc
import Law
import Model
import Settings
import Systemd
import Time

/// Collects the evidence of all steps, as far as it can be had: from the daemon, from the service
/// manager, from gpsd itself, and from files. Changes nothing, and starts nobody.
@MainActor
struct Examination {
    /// The bus of the daemon.
    let bus: BusAddress
    /// The configuration file; nil for those of the system.
    let config: String?
    /// The state directory of the daemon.
    let stateDirectory: String
    /// Where geofenced-sync writes.
    let statusDirectory: String
    /// How long a parked vehicle is measured, s; nil: it is not.
    let parkedSeconds: Double?

    func evidence() -> DoctorEvidence {
        var evidence = DoctorEvidence()
        evidence.isRoot = geteuid() == 0
        let loaded = Settings.load(config: config)
        evidence.settings.files = loaded.files
        // A directory that this caller may not list is no fault of the settings.
        evidence.settings.problems = loaded.problems
            .filter { $0.line != nil || $0.reason != "Permission denied" }.map(\.description)
        evidence.settings.add(loaded.settings)
        evidence.settings.windowSize = loaded.settings.law(arrivalIsDerived: false).window.size
        evidence.settings.bus = loaded.settings.servedBus
        let folder = config.map(Self.folder) ?? "/etc/geofenced"
        var user: ProcessUser?
        let client = connect(&evidence, &user)
        if let unit = evidence.unit, user == nil {
            user = ProcessUser(named: unit.user, supplementary: unit.groups)
        }
        evidence.settings.unreadable = loaded.files.compactMap { user?.refusal(of: $0) }
        let fences = FenceProbe(settings: loaded.settings, directory: "\(folder)/fences.d")
        evidence.fences = fences.look(user)
        let daemon = client.flatMap { answer(of: $0, &evidence.bus) }
        let began = EventLoop.uptime

        evidence.source.configured = loaded.settings.source
        evidence.source.uri = daemon?.status[.source] ?? loaded.settings.source
        let host = HostProbe(user: user)
        evidence.asksForCoverage = parkedSeconds != nil
        lookAtSource(&evidence, host, receiver: daemon?.evidence.receiver ?? "")
        evidence.host = host.look(stateDirectory: stateDirectory)

        if let client, let daemon, let later = watch(client, daemon, since: began, &evidence) {
            fences.ask(client, later.status, into: &evidence.fences)
        }
        let others = OtherProbe(
            directory: folder, statusDirectory: statusDirectory, settings: loaded.settings)
        evidence.others = others.look(
            client?.connection, evidence.daemon == nil ? nil : client,
            asksUnits: evidence.unit != nil)
        return evidence
    }

    /// Nil if there is no bus.
    private func connect(_ evidence: inout DoctorEvidence, _ user: inout ProcessUser?)
        -> DaemonClient?
    {
        evidence.bus.name = bus.description
        do throws(ClientError) {
            var client = try DaemonClient(to: bus)
            client.asksUser = false
            (evidence.bus, user) = BusProbe(connection: client.connection, address: bus).look()
            guard evidence.bus.failure == nil else { return nil }
            // The service manager of a session has other units.
            if bus != .session { evidence.unit = UnitProbe(connection: client.connection).look() }
            return client
        } catch {
            evidence.bus.failure = error.reason
            return nil
        }
    }

    /// Nil if nobody has its name, or it does not answer.
    private func answer(of client: DaemonClient, _ bus: inout BusEvidence) -> DaemonProbe.Answer? {
        guard bus.isOwned else { return nil }
        do throws(BusError) {
            return try DaemonProbe(client: client).look()
        } catch {
            bus.silence = error.description
            bus.isDenied = error.name == BusError.accessDenied
            return nil
        }
    }

    /// Asks again until enough fixes were judged meanwhile: those are what happens now.
    private func watch(
        _ client: DaemonClient, _ before: DaemonProbe.Answer, since began: Uptime,
        _ evidence: inout DoctorEvidence
    ) -> DaemonProbe.Answer? {
        // Where gpsd says nothing, nothing is judged.
        let isMute = evidence.gpsd.map { $0.report == nil } ?? false
        while let later = answer(of: client, &evidence.bus) {
            evidence.daemon = later.evidence
            evidence.daemon?.count(since: before.evidence)
            let isOver = EventLoop.uptime - began > Self.patience
            let judged = evidence.daemon?.newlyJudged ?? 0
            if isOver || isMute || judged >= DaemonEvidence.enough { return later }
            usleep(200_000)
        }
        return nil
    }

    /// Four epochs of an ordinary receiver.
    private static let patience = TimeSpan.seconds(4.5)

    private func lookAtSource(
        _ evidence: inout DoctorEvidence, _ host: HostProbe, receiver: String
    ) {
        do throws(FixSourceURIError) {
            let uri = try FixSourceURI(evidence.source.uri)
            switch uri {
            case .gpsd, .gpsdSocket:
                let gpsd = GpsdProbe.look(
                    at: uri,
                    then: parkedSeconds.map { .init(seconds: $0, receiver: receiver) })
                evidence.gpsd = gpsd
                evidence.coverage = gpsd?.parked.map { fixes, seconds in
                    let device = fixes.receiver
                    return fixes.coverage(
                        of: gpsd?.driver(of: device) ?? "", over: seconds, evidence.settings)
                }
            case .nmea(let path, _):
                evidence.source.kind = .line
                evidence.line = host.look(atLine: path)
            case .replay: evidence.source.kind = .recording
            }
        } catch {
            evidence.source.kind = nil
            evidence.source.flaw = error.description
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}

extension SettingsEvidence {
    fileprivate mutating func add(_ settings: Settings) {
        let gates = settings.law(arrivalIsDerived: false).gates
        maxError = gates.errorLimit
        defaultError = gates.defaultError
        leastError = gates.errorFloor
        errorScale = settings.receiver.errorScale
    }
}
