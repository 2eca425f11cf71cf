import Glibc
import Model
package import Systemd
package import Time

/// A gpsd as a source of fixes.
///
/// One wake-up for data that arrives together, and no other while data flow: the silence timer is
/// set again only when it has run out.
@MainActor
package final class GpsdSource: FixSource {
    /// The handlers of its sources hold this object, until ``stop()`` or ``handOver()``.
    private enum Phase {
        case stopped
        case connecting(Int32, IOSource, rest: ArraySlice<GpsdSocket.Endpoint>)
        case connected(Int32, IOSource)
        case waiting
    }

    private let loop: EventLoop
    private let place: Peer
    private let timing: Timing
    private let handlers: FixSourceHandlers
    private var lines = GpsdLines()
    private let decoder = GpsdDecoder()
    /// The receiver that is the source.
    private var choice: ReceiverChoice
    private var errors: ReceiverErrors
    private let settings: ReceiverSettings
    private var times: ArrivalTimes
    /// The name under which the connection is stored.
    private var storeName: GpsdStoreName
    private let store: DescriptorStore?
    /// Since when this process was away: what is read now has waited for it.
    private var awaySince: Uptime?
    private var phase = Phase.stopped
    private var timer: TimerSource?
    private var backOff: BackOff
    private var lastData = Uptime.boot
    /// When the silence timer checks next.
    private var watchUntil = Uptime.boot
    /// Its release; nil until its greeting.
    private var peer: String?
    private var state: FixSourceState?
    /// The receiver in that state.
    private var namedReceiver: String?
    /// Reports of one read that have not been passed on.
    private var heard: [ArrivedReport] = []
    /// TPV objects that could not be read.
    package private(set) var unreadable = 0

    /// - Parameter store: keeps the connection when this process ends, and may have the previous
    ///   process's.
    package init(
        _ loop: EventLoop, _ place: Peer, _ handlers: FixSourceHandlers,
        _ settings: ReceiverSettings = ReceiverSettings(), timing: Timing = Timing(),
        store: DescriptorStore? = nil
    ) {
        self.store = store
        self.loop = loop
        self.place = place
        self.handlers = handlers
        self.timing = timing
        self.settings = settings
        errors = ReceiverErrors(settings)
        times = ArrivalTimes(settings)
        choice = ReceiverChoice(settings, wanted: place.device)
        storeName = GpsdStoreName(place)
        backOff = BackOff(first: timing.firstRetry, limit: timing.longestRetry)
    }

    package func start() {
        guard case .stopped = phase else { return }
        do {
            timer = try TimerSource(loop, accuracy: timing.accuracy) { [weak self] in
                self?.due()
            }
        } catch {
            tell(.ended(error.description))
            return
        }
        phase = .waiting
        if let (name, descriptor) = store?.take(where: storeName.isOfSamePeer) {
            if let device = storeName.resume(as: name) { choice.resume(with: device) }
            if let device = storeName.device, let driver = storeName.driver {
                errors.note(driver, of: device)
            }
            resume(with: descriptor)
        }
        connect()
    }

    package var receiver: String? { choice.current.map(PeerText.shown) }

    package func stop() {
        disconnect()
        phase = .stopped
        timer = nil
    }

    package func handOver() {
        guard store != nil, case .connected(_, let source) = phase else { return stop() }
        source.isEnabled = false
        phase = .stopped
        timer = nil
    }

    // MARK: Being away

    /// Bytes read at a time while catching up: the most of the waiting input that is lost when this
    /// process is killed meanwhile.
    private static let portion = 2048

    package func catchUp(since: Uptime) {
        guard case .connected(let descriptor, _) = phase else { return }
        awaySince = since
        var left = GpsdSocket.waiting(descriptor)
        while left > 0, case .connected(descriptor, _) = phase {
            receive(descriptor, at: now, atMost: min(left, Self.portion))
            left -= Self.portion
        }
        awaySince = nil
    }

    /// Continues with the previous process's connection, in which gpsd's output since then waits.
    /// The first line may lack its beginning, and is then ignored.
    private func resume(with descriptor: Int32) {
        do {
            let source = try IOSource(loop, descriptor: descriptor, events: .readable) { _ in
                self.ready()
            }
            phase = .connected(descriptor, source)
        } catch {
            close(descriptor)
            return
        }
        // The watch is active already; asks for the version again.
        guard GpsdSocket.send("?VERSION;?DEVICES;\n", to: descriptor) == nil else {
            return disconnect()
        }
        lastData = now
        choice.resume(at: lastData)
        watchSilence(from: lastData)
        // The time is known to the engine, which has judged the last report.
        catchUp(since: .boot)
        // A new connection is tried at once.
        if case .connected = phase, GpsdSocket.hasEnded(descriptor) { disconnect() }
    }

    // MARK: Connecting

    private func connect() {
        guard case .waiting = phase else { return }
        switch place {
        case .network(let address):
            tell(.connecting("\(address.host):\(address.port)"))
            guard case .waiting = phase else { return }
            tryNext(GpsdSocket.endpoints(host: address.host, port: address.port).map { $0[...] })
        case .socket(let path):
            tell(.connecting(path))
            guard case .waiting = phase else { return }
            tryNext(.success([GpsdSocket.endpoint(path: path)]))
        }
    }

    private func tryNext(_ endpoints: Result<ArraySlice<GpsdSocket.Endpoint>, GpsdSocketError>) {
        switch endpoints {
        case .failure(let error): wait(error.reason)
        case .success(var rest):
            guard let endpoint = rest.popFirst() else { return wait("no address") }
            switch GpsdSocket.connect(endpoint) {
            case .failure(let error):
                rest.isEmpty ? wait(error.reason) : tryNext(.success(rest))
            case .success(let descriptor): watch(descriptor, rest)
            }
        }
    }

    private func watch(_ descriptor: Int32, _ rest: ArraySlice<GpsdSocket.Endpoint>) {
        do {
            let source = try IOSource(loop, descriptor: descriptor, events: .writable) { _ in
                self.ready()
            }
            phase = .connecting(descriptor, source, rest: rest)
            timer?.arm(at: now + timing.connect)
        } catch {
            close(descriptor)
            wait(error.description)
        }
    }

    private func connected(
        _ descriptor: Int32, _ source: IOSource, _ rest: ArraySlice<GpsdSocket.Endpoint>
    ) {
        if let error = GpsdSocket.error(of: descriptor) {
            disconnect()
            rest.isEmpty ? wait(error.reason) : tryNext(.success(rest))
            return
        }
        // The least that can be requested: there is no way to omit SKY.
        let device = place.device.map { ",\"device\":\"\($0)\"" } ?? ""
        let command = "?WATCH={\"enable\":true,\"json\":true\(device)}\n"
        if let error = GpsdSocket.send(command, to: descriptor) { return wait(error.reason) }
        do {
            try source.wait(for: .readable)
        } catch {
            return wait(error.description)
        }
        phase = .connected(descriptor, source)
        store?.keep(descriptor, name: storeName.text)
        lastData = now
        choice.resume(at: lastData)
        watchSilence(from: lastData)
        // Counts as connected only after the greeting.
        peer = nil
    }

    private func disconnect() {
        switch phase {
        case .connecting(let descriptor, let source, _), .connected(let descriptor, let source):
            source.isEnabled = false
            if case .connected = phase {
                store?.drop(descriptor, name: storeName.text)
                choice.pause(at: now)
            }
            phase = .waiting
            close(descriptor)
        case .stopped, .waiting: break
        }
        lines.clear()
    }

    private func wait(_ reason: String) {
        disconnect()
        phase = .waiting
        let now = now
        backOff.fail(at: now)
        let until = backOff.until ?? now
        timer?.arm(at: until)
        tell(.waiting(reason, until: until))
    }

    /// The only timer: its meaning depends on the phase.
    private func due() {
        switch phase {
        case .stopped: break
        case .waiting: connect()
        case .connecting(_, _, let rest):
            disconnect()
            rest.isEmpty ? wait("no answer") : tryNext(.success(rest))
        case .connected:
            if now < lastData + timing.silence {
                watchSilence(from: lastData)
            } else {
                // Set again by the next data.
                tell(.silent)
            }
        }
    }

    // MARK: Reading

    private func ready() {
        switch phase {
        case .connecting(let descriptor, let source, let rest):
            connected(descriptor, source, rest)
        case .connected(let descriptor, _):
            receive(descriptor, at: loop.wakeUptime)
        case .stopped, .waiting: break
        }
    }

    private func receive(_ descriptor: Int32, at arrival: Uptime, atMost limit: Int = .max) {
        handlers.beforeReading()
        guard case .connected(descriptor, _) = phase else { return }
        // Does not end a reported silence: what arrives may be anything, and must be decoded first.
        lastData = arrival
        // Set again when half of it is over: the timer never wakes the loop while data flow.
        let left = watchUntil - arrival
        if left + left < timing.silence { watchSilence(from: arrival) }
        let before = unreadable
        read(descriptor, arrival, atMost: limit)
        handOverHeard()
        guard unreadable > before else { return }
        if case .stopped = phase { return }
        handlers.unreadable(unreadable - before)
    }

    private func handOverHeard() {
        guard !heard.isEmpty else { return }
        // Keeps its memory for the next read.
        defer { heard.removeAll(keepingCapacity: true) }
        if case .stopped = phase { return }
        handlers.reports(heard)
    }

    private func watchSilence(from moment: Uptime) {
        watchUntil = moment + timing.silence
        timer?.arm(at: watchUntil)
    }

    /// One read in a turn of the loop, so that a flood of data does not starve the other sources;
    /// the loop calls again for the rest.
    private func read(_ descriptor: Int32, _ arrival: Uptime, atMost limit: Int) {
        let count = lines.fill(from: descriptor, atMost: limit)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return }
            return wait(GpsdSocketError.last.reason)
        }
        if count == 0 { return wait("gpsd has closed the connection") }
        // A line may end the connection, and then the rest of its input is discarded.
        while let word = lines.next(decoder.word) { hear(word, arrival) }
    }

    private func hear(_ word: GpsdWord, _ arrival: Uptime) {
        switch word {
        case .report(let report, let device):
            backOff.succeed()
            let scaled = errors.scaled(report, of: device ?? choice.current)
            let arrived = ArrivedReport(scaled, in: min(awaySince ?? arrival, arrival)...arrival)
            let source = choice.current
            guard choice.admits(report, from: device, at: arrived.arrival) else { return }
            if choice.current != source {
                keepChoice()
                times = ArrivalTimes(settings)
            }
            let shown = choice.isContested ? choice.current : nil
            if case .connected = state, shown == namedReceiver {
            } else {
                namedReceiver = shown
                tell(.connected(name))
            }
            // The handler may have stopped us.
            guard case .connected = phase else { return }
            heard.append(times.dated(arrived))
        case .unreadable: unreadable += 1
        case .version(let release):
            // Only from the greeting: a later release does not change the peer.
            if peer == nil { peer = "gpsd \(release)" }
            tell(.connected(name))
        case .deviceGone(let path):
            guard choice.isSource(path) else { break }
            choice.remove(path)
            keepChoice()
            tell(.deviceLost(path))
        case .devices(let devices):
            choice.keep(devices)
            keepChoice()
            for case (let path, let driver?) in devices { note(driver, of: path) }
        case .deviceHere(let path, let driver):
            if let driver { note(driver, of: path) }
            if state == .deviceLost(path) { tell(.connected(name)) }
        case .error(let message): wait("gpsd says: \(message)")
        case .other: break
        }
    }

    /// Its name and release, and the receiver that is the source, if there are others.
    private var name: String {
        let name = peer ?? "gpsd"
        return namedReceiver.map { "\(name), \(PeerText.shown($0))" } ?? name
    }

    private func note(_ driver: String, of device: String) {
        errors.note(driver, of: device)
        if device == choice.current { keepChoice() }
    }

    /// The next process reads on from the same receiver.
    private func keepChoice() {
        guard let store, case .connected(let descriptor, _) = phase else { return }
        let before = storeName.text
        storeName.device = choice.current
        storeName.driver = choice.current.flatMap(errors.driver)
        guard storeName.text != before else { return }
        store.rename(descriptor, from: before, to: storeName.text)
    }

    private var now: Uptime { EventLoop.uptime }

    private func tell(_ state: FixSourceState) {
        guard self.state != state else { return }
        self.state = state
        handlers.state(state)
    }
}
