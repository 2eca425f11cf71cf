import BusClient
import Bytes
import Geofence1
import Glibc
import JSON
import Model
import Program
import Systemd
import Time

extension Verb {
    static let watch = Verb(
        "watch", summary: "a live screen: position, window, events",
        details: """
            Needs a terminal; q or Ctrl-C ends it. Fences have their titles, or else their ids;
            times are UTC, the newest event is the first. With --json it needs no terminal: it
            prints an object at every change, with the members of status and a "window" like that
            of window.
            """,
        options: [
            OptionRule("ascii", "nothing beyond ASCII, as where the locale is not UTF-8")
        ],
        run: runWatch)
}

@MainActor
private func runWatch(_ invocation: Invocation) throws {
    guard invocation.isJSON || Terminal.output.isTerminal else {
        throw Failure("not a terminal (--json needs none)", "standard output")
    }
    let loop = try EventLoop()
    let watch = try Watch(invocation, loop)
    defer { watch.screen?.release() }
    _ = try loop.run()
    watch.screen?.release()
    if let failure = watch.failure { throw failure }
}

/// The state of the screen, and everything that changes it.
@MainActor
private final class Watch {
    private(set) var screen: Screen?
    /// Why it ended.
    private(set) var failure: (any Error)?
    private let invocation: Invocation
    private let loop: EventLoop
    private var daemon: DaemonClient?
    private var news: [BusSlot] = []
    private var sources: [EventSource] = []
    private var timer: TimerSource?
    private var refresh: DeferredSource?
    private var picture = WatchPicture()
    /// A question is on its way, and when one was last answered.
    private var isAsking = false
    private var answeredAt = EventLoop.uptime
    private var seq: UInt64?
    private var lastLine: [UInt8] = []
    /// The generation of the catalogue whose titles the picture has, and the ids that were asked for.
    private var titled: (generation: UInt64, ids: Set<ExactText>) = (0, [])

    /// Number of latest events that are kept.
    private static let eventLimit = 200
    /// So many titles are kept at most.
    private static let mostTitles = 10_000
    private static let second = TimeSpan.seconds(1)
    /// Without an answer for longer than this the screen shows the past.
    private static let patience = TimeSpan.seconds(2.5)

    init(_ invocation: Invocation, _ loop: EventLoop) throws {
        self.invocation = invocation
        self.loop = loop
        refresh = try DeferredSource(loop, priority: 10) { [weak self] in self?.update() }
        timer = try TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in
            guard let self else { return }
            update()
            timer?.arm(at: EventLoop.uptime + Self.second)
        }
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            sources.append(try SignalSource(loop, signal) { loop.exit() })
        }
        picture.isASCII = invocation.has("ascii") || !Terminal.isUTF8
        if !invocation.isJSON { try takeScreen() }
        // A missing bus is an error at the start; if it disappears later, the program waits for it.
        try connect()
        timer?.arm(at: EventLoop.uptime)
    }

    private func takeScreen() throws {
        sources.append(try SignalSource(loop, SIGWINCH) { [weak self] in self?.draw() })
        sources.append(
            try SignalSource(loop, SIGTSTP) { [weak self] in
                self?.screen?.release()
                raise(SIGSTOP)
                self?.screen?.take()
                self?.draw()
            })
        let screen = Screen()
        self.screen = screen
        guard screen.canBeAsked else { return }
        sources.append(
            try IOSource(loop, descriptor: STDIN_FILENO, events: .readable) { [loop] events in
                let keys = screen.keys()
                // End of file from the keyboard: the terminal has gone.
                if keys.isEmpty || keys.contains(UInt8(ascii: "q")) { loop.exit() }
            })
    }

    private func connect() throws {
        let daemon = try DaemonClient(invocation, loop: loop) { [weak self] in
            self?.news = []
            self?.daemon = nil
        }
        news = try daemon.onNews { [weak self] in self?.refresh?.trigger() }
        self.daemon = daemon
    }

    /// Asks a first question without waiting for the answer: of a daemon that does not answer the
    /// screen says so meanwhile.
    private func update() {
        do {
            if daemon == nil { try connect() }
            guard let daemon, !isAsking else { return drawSilence() }
            isAsking = true
            try daemon.beginProperties(timeout: .seconds(25)) { [weak self] answer in
                self?.isAsking = false
                self?.answered(answer.map { _ in () }.mapError { $0 })
            }
        } catch {
            isAsking = false
            answered(.failure(error))
        }
    }

    private func drawSilence() {
        let silence = EventLoop.uptime - answeredAt
        guard silence > Self.patience else { return }
        picture.silence = silence
        if screen != nil { draw() }
    }

    private func answered(_ answer: Result<Void, any Error>) {
        do {
            try answer.get()
            picture.silence = nil
            guard let daemon else { return }
            // A user who has refused is not asked again every second.
            self.daemon?.asksUser = false
            try read(daemon)
            answeredAt = EventLoop.uptime
            picture.problem = nil
        } catch {
            let failure: any Error = (error as? ClientError).map(Failure.init) ?? error
            picture.problem = "\(failure)"
            if (error as? ClientError)?.isAbsence == true { picture.status = nil }
        }
        draw()
    }

    private func read(_ daemon: DaemonClient) throws {
        let status = try daemon.status()
        picture.regions = try daemon.window()
        if screen != nil {
            try readTitles(daemon, generation: status[.generation])
            // The daemon sorts them by distance from the anchor; the driver wants those near the
            // vehicle first.
            picture.regions.sort { ($0.distance ?? 0) < ($1.distance ?? 0) }
            let nearest = picture.regions.min { Self.reach($0) < Self.reach($1) }
            if let nearest, let distance = nearest.distance, let position = status.position {
                picture.sparkline.add(distance, to: nearest.id, at: position.time)
            }
        }
        let last = status[.lastSeq]
        // A log whose numbers start again is a different log.
        if let seq, last < seq { self.seq = nil }
        if seq == nil { picture.events = [] }
        var next = seq ?? (last > UInt64(Self.eventLimit) ? last - UInt64(Self.eventLimit) : 0)
        while next < last {
            let page = try daemon.events(after: next)
            guard page.next > next else { break }
            picture.events += page.events
            next = page.next
        }
        seq = next
        picture.events = picture.events.suffix(Self.eventLimit)
        picture.status = status
    }

    /// Asks for the titles of fences that are new in the window, and for all when the catalogue has changed.
    private func readTitles(_ daemon: DaemonClient, generation: UInt64) throws {
        if titled.generation != generation {
            titled = (generation, [])
            picture.titles = [:]
        }
        for region in picture.regions where titled.ids.add(region.id) {
            let title = try daemon.title(of: region.id) ?? ""
            if !title.isEmpty { picture.titles[region.id] = title }
        }
        if titled.ids.count > Self.mostTitles { titled = (0, []) }
    }

    /// How far the boundary of the region is, m, from within or without.
    private static func reach(_ region: ToldRegion) -> Double {
        region.distance.map(\.magnitude) ?? .infinity
    }

    private func draw() {
        guard let screen else { return sayJSON() }
        let size = Terminal.size
        screen.draw(
            picture.lines(
                columns: size.columns, rows: size.rows,
                age: picture.status?.fixAge, .output), rows: size.rows)
    }

    /// One object, when it differs from the one before.
    private func sayJSON() {
        guard let status = picture.status else { return }
        var json = JSONWriter()
        status.write(to: &json)
        var line = Array(json.bytes.dropLast())
        var window = JSONWriter()
        window.beginArray()
        for (index, region) in picture.regions.enumerated() {
            region.write(rank: index + 1, to: &window)
        }
        window.endArray()
        line += Array(",\"window\":".utf8) + window.bytes + Array("}\n".utf8)
        guard line != lastLine else { return }
        lastLine = line
        do {
            try StandardOutput.write(line)
            try StandardOutput.flush()
        } catch {
            failure = error
            loop.exit()
        }
    }
}
