import Alerting
import BusClient
import Languages
import Program
import Schedules
import Sentences
import Service
import Settings
import Systemd
import Time

/// The wiring: the consumer on the daemon's bus, the sound, the desktop, on one loop.
@MainActor
final class Alert {
    private let service: Service
    private let arguments: AlertArguments
    /// Of what is said.
    private let wording: Wording
    /// Which notices are said, and when none is.
    private let say: SaySettings
    private let quiet: OpeningHours?
    private let sound: SoundSettings
    private let programs: Programs
    private let children: Children
    private let announcer: Announcer
    private var desktop: DesktopNotifications?
    private var relay: AlertRelay?
    private var endpoint: ConsumerEndpoint?
    private var watch: StateWatch?
    /// Why nothing watches for hazards; nil: something does, as far as one knows.
    private var flaw: String? = "geofenced has not answered yet" { didSet { tellStatus(.notice) } }
    private var told: String?
    /// Looks whether there is something to be heard with by now.
    private var soundCheck: TimerSource?
    /// What became of the last tone, and of the lines after it.
    private var lastHeard: Rehearsal
    /// Why the driver does not hear it; nil: the driver does, as far as one knows.
    private var silence: String? {
        didSet { tellStatus(silence == nil ? .notice : .warning) }
    }

    private func tellStatus(_ level: LogPriority) {
        let status = AlertService.status(
            silence: silence, flaw: flaw, isRegistered: endpoint?.isRegistered == true)
        guard status != told else { return }
        told = status
        service.log.write(level, status)
        service.manager.status(status)
    }

    init(_ arguments: AlertArguments, _ service: Service) {
        self.arguments = arguments
        self.service = service
        let driver = Driver(
            config: arguments.config, language: arguments.language, units: arguments.units,
            environment: { environment($0) })
        for problem in driver.problems { service.log.complain(problem, .warning) }
        wording = Wording(driver.language, driver.units, isSpoken: true)
        let say = SaySettings.load(config: arguments.config)
        for problem in say.problems { service.log.complain("\(problem)", .warning) }
        self.say = say.settings
        quiet = say.settings.quiet(timeZone: driver.timeZone)
        var sound = SoundSettings()
        sound.speech = arguments.speech
        sound.hasTone = arguments.hasTone
        sound.wording = wording
        self.sound = sound
        programs = Programs(hasSession: Self.hasSession)
        lastHeard = Rehearsal(sound, programs, SoundOutput())
        children = Children(service.loop)
        // What fails is named once, and not in the programs' own forty lines.
        children.isSilent = true
        let isTrial = arguments.isTrial
        announcer = Announcer(sound, programs, children) { [service] in
            if !isTrial { service.log.write(.warning, $0) }
        }
        if arguments.notifies, Self.hasSession {
            desktop = DesktopNotifications(.session, wording, loop: service.loop) { [service] in
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
            client, wording, say.kinds, quiet: quiet,
            .init(
                write: { LineOutput.write($0) },
                log: { [service] in service.log.write(.notice, $0) },
                show: { [weak self] in self?.desktop?.show($0) },
                say: { [announcer] in announcer.say($0) },
                acknowledge: { [weak self] in self?.endpoint?.acknowledge($0) }))
        self.relay = relay
        announcer.onDone = { [weak relay] in relay?.done($0) }
        announcer.onHearing = { [weak self] in self?.note($0) }
        // Nothing is taken on before it is known how it can be said.
        findVoices { [weak self] in
            guard let self else { return }
            do { try listen(client) } catch { service.fail("cannot start: \(error)") }
        }
        return try service.run()
    }

    private func listen(_ client: DaemonClient) throws {
        endpoint = try ConsumerEndpoint(
            client, name: AlertService.name, kinds: DriverAlert.kinds, loop: service.loop,
            .init(
                deliver: { [weak self] events, gap in
                    if gap {
                        self?.service.log.write(.warning, "events were lost before they came here")
                    }
                    self?.relay?.deliver(events)
                },
                registered: { [weak self] in self?.registered() },
                log: { [service] in service.log.write(.notice, $0) },
                failed: { [service] in service.fail($0) }))
        watch = try StateWatch(
            client, say, hasHazards: HazardMemory.isKept, loop: service.loop,
            .init(
                say: { [weak self] in self?.remind($0) },
                flaw: { [weak self] in self?.flaw = $0 },
                hazards: { HazardMemory.keep($0) }))
        checkSound()
        // Ready to wait for the daemon, too.
        service.manager.ready()
    }

    /// Tries which programs speak the language, and says it where none does.
    private func findVoices(then: @escaping @MainActor () -> Void) {
        switch sound.speech {
        case .off: return then()
        case .command(let words):
            if let name = words.first, programs.find(name) == nil {
                cannotSpeak("\(name): not installed")
            }
            return then()
        case .auto: break
        }
        Voices.find(wording.language, programs, children) { [self] voices in
            let language = wording.language.language
            let speaksEnglish = !programs.voices(of: .advisory, .english).isEmpty
            let why = voices.flaws.joined(separator: "; ")
            let flaw = "no voice here speaks \(language.name) (\(why))"
            // The English ones are tried all the same.
            if !voices.tags.isEmpty || language != .english { announcer.voices = voices }
            if voices.tags.isEmpty, language == .english || !speaksEnglish {
                cannotSpeak(flaw)
            } else if voices.tags.isEmpty {
                service.log.write(.warning, "\(flaw): English is spoken instead")
            }
            then()
        }
    }

    /// Known before anything was said. A trial says it at its end.
    private func cannotSpeak(_ why: String) {
        if !arguments.isTrial { silence = why }
    }

    /// An alert of which nothing was heard is done, too: it would come too late. What is kept is that
    /// the next one will not be heard either.
    private func note(_ hearing: Hearing) {
        // A tone comes first, but not before what is added to a line.
        if hearing.sound == .tone || !sound.hasTone {
            lastHeard = Rehearsal(sound, programs, SoundOutput())
        }
        lastHeard.add(hearing)
        guard hearing.sound == .line || sound.speech == .off else { return }
        soundCheck = nil
        silence = lastHeard.silence
    }

    /// Without anything to play with nothing can be heard, which is told before the first alert. A
    /// device may come after the boot; a command may need none.
    private func checkSound() {
        if case .command = sound.speech { return }
        guard !arguments.isTrial, sound.speech != .off || sound.hasTone else { return }
        guard silence == nil || soundCheck != nil else { return }
        let flaw = SoundOutput().flaw
        silence = flaw
        soundCheck =
            flaw == nil
            ? nil
            : try? TimerSource(service.loop, accuracy: .seconds(5)) { [weak self] in
                self?.checkSound()
            }
        soundCheck?.arm(at: EventLoop.uptime + .seconds(60))
    }

    private func registered() {
        service.log.write(.info, "waiting for alerts of geofenced")
        tellStatus(.info)
        watch?.look()
    }

    /// Tells the driver what keeps warnings away, or makes them wrong.
    private func remind(_ text: (Wording) -> String) {
        LineOutput.write(text(.log))
        announcer.remind(SpokenLine(wording, text))
    }

    /// `--try`: a sample of each stage. Returns whether all of it can have been heard.
    func rehearse() throws -> ExitStatus {
        var rehearsal = Rehearsal(sound, programs, SoundOutput())
        announcer.onHearing = { rehearsal.add($0) }
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        var samples = DriverAlert.Stage.samples.map { stage, text in
            SpokenAlert(
                seq: 1, stage: stage, hazard: "sample", line: SpokenLine(wording, text), time: now)
        }
        announcer.onDone = { [weak self] _ in
            guard let self else { return }
            guard !samples.isEmpty else { return service.loop.exit() }
            let next = samples.removeFirst()
            let isOwn = sound.speech != .auto || !announcer.voices.tags.isEmpty
            LineOutput.write(
                "\(next.stage.name): \(isOwn ? next.line.own : next.line.english)")
            announcer.say([next])
        }
        findVoices { [self] in
            SoundOutput().ask(programs, children) { [self] output in
                rehearsal = Rehearsal(sound, programs, output)
                announcer.onDone([])
            }
        }
        let status = try service.run()
        for line in rehearsal.lines { service.log.write(rehearsal.isHeard ? .info : .error, line) }
        return rehearsal.isHeard ? status : .failed
    }
}

extension DriverAlert.Stage {
    /// What `--try` says, one after the other.
    fileprivate static var samples: [(DriverAlert.Stage, (Wording) -> String)] {
        [
            (
                .advisory,
                { wording in
                    let units = wording.units(isFeet: nil)
                    let bridge = wording.text(
                        .lowBridge, ["limit": wording.length(4, units, .down)])
                    let within = wording.within(1_200, units)
                    return wording.text(.trialAdvisory) + " "
                        + wording.text(.ahead, ["hazard": bridge, "within": within])
                }
            ),
            (.urgent, { "\($0.text(.trialUrgent)) \($0.text(.noWayOut))" }),
            (
                .notice,
                { wording in
                    let isMiles = wording.units(isFeet: nil) != .metric
                    let speed = wording.speed(isMiles ? 80.467 : 80, isMiles: isMiles)
                    return wording.text(.trialNotice) + " "
                        + wording.text(.tooFast, ["speed": speed])
                }
            ),
        ]
    }
}
