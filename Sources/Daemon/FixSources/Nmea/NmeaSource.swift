import Files
import Glibc
import Model
package import Systemd
package import Time

/// A receiver that speaks NMEA on a serial line, a named pipe, or the standard input.
///
/// A serial line that disappears is opened again, with back-off; a pipe without a writer waits for
/// the next; at the end of a file or of the standard input the source has ended.
@MainActor
package final class NmeaSource: FixSource {
    /// Timeouts of the line; the defaults are for production, tests are less patient.
    package struct Timing: Sendable {
        /// Without a byte for this long, an epoch whose end is unknown is over.
        package var pause = TimeSpan.milliseconds(250)
        /// Without a sentence for this long, the source is reported silent.
        package var silence = TimeSpan.seconds(30)
        /// Pause after the first failure to open the line; each further one is twice as long.
        package var firstRetry = TimeSpan.seconds(1)
        /// The longest such pause.
        package var longestRetry = TimeSpan.seconds(8)

        package init() {}
    }

    private enum Phase {
        case stopped
        case reading(NmeaInput, EventSource)
        case waiting
    }

    private static let bufferSize = 16_384

    private let loop: EventLoop
    private let path: String
    private let baud: Int?
    private let timing: Timing
    private let handlers: FixSourceHandlers
    private var buffer = [UInt8](repeating: 0, count: bufferSize)
    private var assembler: NmeaAssembler
    private var phase = Phase.stopped
    private var timer: TimerSource?
    private var pauseTimer: TimerSource?
    private var backOff: BackOff
    /// When the line was opened, or the last sentence came.
    private var lastSentence = Uptime.boot
    private var sentences = 0
    /// Bytes since then.
    private var unread = 0
    private var state: FixSourceState?
    /// The wall clock when the source was created, extrapolated to uptime 0: a receiver without a
    /// date gets its day from it, and setting the clock later does not change it.
    private let wallClockAtBoot: UTCTime

    package init(
        _ loop: EventLoop, path: String, baud: Int?, _ handlers: FixSourceHandlers,
        _ settings: ReceiverSettings = ReceiverSettings(), timing: Timing = Timing()
    ) {
        self.loop = loop
        self.path = path
        self.baud = baud
        self.handlers = handlers
        self.timing = timing
        backOff = BackOff(first: timing.firstRetry, limit: timing.longestRetry)
        let wallClock = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        wallClockAtBoot = wallClock + (.boot - EventLoop.uptime)
        var settings = settings
        settings.dates = .live(floor: ReceiverSettings.floor(wallClock: wallClock))
        assembler = NmeaAssembler(settings)
    }

    /// Counts of the sentences.
    package var counts: NmeaCounts { assembler.counts }

    package func start() {
        guard case .stopped = phase else { return }
        do {
            timer = try TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in self?.due()
            }
            pauseTimer = try TimerSource(loop, accuracy: .milliseconds(10)) { [weak self] in
                self?.paused()
            }
        } catch {
            return tell(.ended(error.description))
        }
        phase = .waiting
        open()
    }

    package func stop() {
        leave()
        phase = .stopped
        timer = nil
        pauseTimer = nil
    }

    // MARK: Opening

    private func open() {
        tell(.connecting(name))
        guard case .waiting = phase else { return }
        reopen()
    }

    private func reopen() {
        switch NmeaInput.open(path, baud: baud) {
        case .failure(let failure): wait(failure.reason)
        case .success(let input): watch(input)
        }
    }

    private func watch(_ input: NmeaInput) {
        do {
            phase = .reading(input, try readiness(of: input))
        } catch {
            input.close()
            return wait(error.description)
        }
        lastSentence = now
        unread = 0
        watchSilence(from: lastSentence)
        // Connected only with the first sentence: at a wrong speed there are no sentences.
    }

    private func watchSilence(from moment: Uptime) {
        timer?.arm(at: moment + timing.silence)
    }

    private func readiness(of input: NmeaInput) throws(SystemError) -> EventSource {
        do throws(SystemError) {
            return try IOSource(loop, descriptor: input.descriptor, events: .readable) {
                [weak self] _ in self?.read()
            }
        } catch {
            // epoll(7) refuses what is always ready: files, /dev/null. One buffer per turn, at the
            // lowest priority, lets the other sources run.
            guard error.errno == EPERM else { throw error }
            let deferred = try DeferredSource(loop, priority: 10) { [weak self] in self?.read() }
            deferred.trigger()
            return deferred
        }
    }

    private func leave() {
        guard case .reading(let input, let source) = phase else { return }
        source.isEnabled = false
        phase = .waiting
        pauseTimer?.disarm()
        input.close()
    }

    private func wait(_ reason: String) {
        leave()
        phase = .waiting
        let now = now
        backOff.fail(at: now)
        let until = backOff.until ?? now
        timer?.arm(at: until)
        tell(.waiting(reason, until: until))
    }

    private func end(_ reason: String?) {
        leave()
        phase = .stopped
        timer?.disarm()
        tell(.ended(reason))
    }

    private func due() {
        switch phase {
        case .stopped: break
        case .waiting: open()
        case .reading:
            if now < lastSentence + timing.silence {
                watchSilence(from: lastSentence)
            } else {
                // Set again by the next byte, or the next sentence.
                tell(unread > NmeaFramer.longest ? .unreadable : .silent)
            }
        }
    }

    // MARK: Reading

    private func read() {
        guard case .reading(let input, let source) = phase else { return }
        let arrival = loop.wakeUptime
        let count = FixSources.read(input.descriptor, into: &buffer)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return }
            let reason = Errno.last.description
            give(assembler.finish(now: wallClock(arrival)), arrival)
            guard case .reading = phase else { return }
            return input.kind == .file || input.kind == .stream ? end(reason) : wait(reason)
        }
        if count == 0 { return finish(input, arrival) }
        unread += count
        if state == .silent { watchSilence(from: arrival) }
        // The array as it is now: handlers do not change it.
        let bytes = buffer[..<count]
        receive(bytes, arrival)
        guard case .reading = phase else { return }
        (source as? DeferredSource)?.trigger()
    }

    private func receive(_ bytes: ArraySlice<UInt8>, _ arrival: Uptime) {
        let wallClock = wallClock(arrival)
        var reports: [PositionReport] = []
        for byte in bytes {
            let report = assembler.feed(byte, now: wallClock)
            if assembler.counts.good != sentences {
                hear(arrival)
                guard case .reading = phase else { return }
            }
            if let report { reports.append(report) }
        }
        // Everything that has arrived was read, unless it exceeded the buffer.
        if bytes.count < Self.bufferSize,
            let report = assembler.finishIfComplete(now: wallClock)
        {
            reports.append(report)
        }
        give(reports, arrival)
        guard case .reading = phase else { return }
        if assembler.isOpen {
            pauseTimer?.arm(at: arrival + timing.pause)
        } else {
            pauseTimer?.disarm()
        }
    }

    private func hear(_ arrival: Uptime) {
        sentences = assembler.counts.good
        lastSentence = arrival
        unread = 0
        if state == .silent || state == .unreadable { watchSilence(from: arrival) }
        tell(.connected(name))
    }

    private func paused() {
        guard case .reading = phase else { return }
        let arrival = loop.wakeUptime
        give([assembler.finishAfterSilence(now: wallClock(arrival))].compactMap(\.self), arrival)
    }

    /// The end of the open input: of a file for good, of a pipe until the next writer.
    private func finish(_ input: NmeaInput, _ arrival: Uptime) {
        give(assembler.finish(now: wallClock(arrival)), arrival)
        guard case .reading = phase else { return }
        switch input.kind {
        case .file, .stream: end(nil)
        case .terminal, .device: wait("the device has gone")
        case .fifo:
            // Opened again it is quiet until somebody writes; this one reports its end for ever.
            leave()
            reopen()
        }
    }

    private func give(_ reports: [PositionReport], _ arrival: Uptime) {
        guard !reports.isEmpty else { return }
        backOff.succeed()
        handlers.reports(reports.map { ArrivedReport($0, at: arrival) })
    }

    private func wallClock(_ arrival: Uptime) -> UTCTime {
        wallClockAtBoot + (arrival - .boot)
    }

    private var name: String { path == "-" ? "standard input" : path }

    private var now: Uptime { EventLoop.uptime }

    private func tell(_ state: FixSourceState) {
        guard self.state != state else { return }
        self.state = state
        handlers.state(state)
    }
}
