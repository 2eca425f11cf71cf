import Alerting
import BusClient
import Program
import Service
import Systemd
import Time

/// The wiring: the consumer on the daemon's bus, the sound, the desktop, on one loop.
@MainActor
final class Alert {
    static let name = "org.geofenced.Alert1"
    private let service: Service
    private let arguments: AlertArguments
    private var sound = SoundSettings()
    private let announcer: Announcer
    private var desktop: DesktopNotifications?
    private var relay: AlertRelay?
    private var endpoint: ConsumerEndpoint?
    private var reminder: StateReminder
    private var degraded: BusSlot?

    init(_ arguments: AlertArguments, _ service: Service) {
        self.arguments = arguments
        self.service = service
        reminder = StateReminder(units: arguments.units)
        sound.speech = arguments.speech
        sound.hasTone = arguments.hasTone
        announcer = Announcer(
            sound, Programs(hasSession: Self.hasSession), Children(service.loop)
        ) { [service] in service.log.write(.warning, $0) }
        if arguments.notifies, Self.hasSession {
            desktop = DesktopNotifications(.session, loop: service.loop) { [service] in
                service.log.write(.notice, $0)
            }
        }
    }

    private static var hasSession: Bool {
        environment("DBUS_SESSION_BUS_ADDRESS") != nil || environment("XDG_RUNTIME_DIR") != nil
    }

    /// Until a signal ends it; returns the exit status.
    func run() throws -> ExitStatus {
        // The service manager starts it again; the daemon keeps what was not acknowledged.
        let client = try DaemonClient(to: arguments.bus, loop: service.loop) {
            [service] in service.fail("the bus has gone")
        }
        let relay = AlertRelay(
            client, units: arguments.units,
            .init(
                write: { LineOutput.write($0) },
                log: { [service] in service.log.write(.notice, $0) },
                show: { [weak self] in self?.desktop?.show($0) },
                say: { [announcer] in announcer.say($0) },
                acknowledge: { [weak self] in self?.endpoint?.acknowledge($0) }))
        self.relay = relay
        announcer.onDone = { [weak relay] in relay?.done($0) }
        endpoint = try ConsumerEndpoint(
            client, name: Self.name, kinds: DriverAlert.kinds, loop: service.loop,
            .init(
                deliver: { [weak self] events, gap in
                    if gap {
                        self?.service.log.write(.warning, "events were lost before they came here")
                    }
                    self?.relay?.deliver(events)
                },
                registered: { [weak self] in self?.registered(client) },
                log: { [service] in service.log.write(.notice, $0) },
                failed: { [service] in service.fail($0) }))
        degraded = try client.onDegraded { [weak self] in self?.remind(client) }
        // Ready to wait for the daemon, too.
        service.manager.ready()
        return try service.run()
    }

    private func registered(_ client: DaemonClient) {
        service.log.write(.info, "waiting for alerts of geofenced")
        service.manager.status("waiting for alerts")
        remind(client)
    }

    /// Asks the driver for what is missing.
    private func remind(_ client: DaemonClient) {
        try? client.beginProperties(timeout: .seconds(5)) { [weak self] answer in
            guard let self, let properties = try? answer.get(),
                let line = reminder.line(properties)
            else { return }
            LineOutput.write(line)
            announcer.remind(line)
        }
    }

    /// `--try`: a sample of each stage. Returns whether all of it can have been heard.
    func rehearse() throws -> ExitStatus {
        let programs = Programs(hasSession: Self.hasSession)
        var rehearsal = Rehearsal(sound, programs, SoundOutput())
        announcer.onHearing = { rehearsal.add($0) }
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        let isImperial = arguments.units.isImperial ?? false
        let bridge = isImperial ? "13'1\" in 0.7 miles" : "4.00 m in 1.2 km"
        var samples = [
            SpokenAlert(
                seq: 1, stage: .advisory, hazard: "sample",
                line: "This is how an advisory sounds. Low bridge \(bridge).", time: now),
            SpokenAlert(
                seq: 2, stage: .urgent, hazard: "sample",
                line: "This is how an urgent warning sounds. No way out before it.", time: now),
        ]
        announcer.onDone = { [weak self] _ in
            guard let self else { return }
            guard !samples.isEmpty else { return service.loop.exit() }
            let next = samples.removeFirst()
            LineOutput.write("\(next.stage.name): \(next.line)")
            announcer.say([next])
        }
        let children = Children(service.loop)
        SoundOutput().ask(programs, children) { [self, sound] output in
            rehearsal = Rehearsal(sound, programs, output)
            announcer.onDone([])
        }
        let status = try service.run()
        for line in rehearsal.lines { service.log.write(rehearsal.isHeard ? .info : .error, line) }
        return rehearsal.isHeard ? status : .failed
    }
}
