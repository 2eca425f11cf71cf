package import Fencing
import Glibc
package import Systemd

/// A gpsd as a source of fixes.
///
/// One wake-up for what arrives together, and no other while data flow: the watch over silence is a
/// timer that is set again only when it has run out.
@MainActor
package final class GpsdSource: FixSource {
    /// Times of the connection; what is shipped is the default, tests are less patient.
    package struct Timing: Sendable {
        package var connect = TimeSpan.seconds(5)
        package var silence = TimeSpan.seconds(30)
        package var firstRetry = TimeSpan.seconds(1)
        package var longestRetry = TimeSpan.seconds(30)

        package init() {}
    }

    /// Where the gpsd is.
    package enum Peer: Sendable {
        case network(GpsdAddress)
        /// The path of a UNIX socket.
        case socket(String)
    }

    private enum Phase {
        case stopped
        case connecting(Int32, IOSource, rest: ArraySlice<GpsdSocket.Endpoint>)
        case connected(Int32, IOSource)
        case waiting
    }

    /// Buffers read at most before other sources of the loop have their turn.
    private static let readsPerTurn = 8

    private let loop: EventLoop
    private let place: Peer
    private let timing: Timing
    private let handlers: FixSourceHandlers
    private let buffer = GpsdBuffer()
    private let decoder = TpvDecoder()
    private var phase = Phase.stopped
    private var timer: TimerSource?
    private var backOff: BackOff
    private var lastData = Uptime(nanoseconds: 0)
    /// When the watch over silence looks.
    private var watchUntil = Uptime(nanoseconds: 0)
    private var peer = "gpsd"
    private var state: FixSourceState?
    /// TPV objects that could not be read.
    package private(set) var unreadable = 0

    package init(
        _ loop: EventLoop, _ place: Peer, _ handlers: FixSourceHandlers,
        timing: Timing = Timing()
    ) {
        self.loop = loop
        self.place = place
        self.handlers = handlers
        self.timing = timing
        backOff = BackOff(first: timing.firstRetry, limit: timing.longestRetry)
    }

    package func start() {
        guard case .stopped = phase else { return }
        do {
            timer = try TimerSource(loop, accuracy: 50_000_000) { [weak self] in self?.due() }
        } catch {
            tell(.ended(error.description))
            return
        }
        phase = .waiting
        connect()
    }

    package func stop() {
        disconnect()
        phase = .stopped
        timer = nil
    }

    // MARK: Connecting

    private func connect() {
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
            let source = try IOSource(loop, descriptor: descriptor, events: .writable) {
                [weak self] _ in self?.ready()
            }
            phase = .connecting(descriptor, source, rest: rest)
            timer?.arm(at: (now + timing.connect).nanoseconds)
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
        // As little as can be asked for: there is no way to leave out SKY.
        let device = device.map { ",\"device\":\"\($0)\"" } ?? ""
        let command = "?WATCH={\"enable\":true,\"json\":true\(device)}\n"
        if let error = GpsdSocket.send(command, to: descriptor) { return wait(error.reason) }
        do {
            try source.wait(for: .readable)
        } catch {
            return wait(error.description)
        }
        phase = .connected(descriptor, source)
        lastData = now
        watchSilence(from: lastData)
        // Connected it is when it has said who it is.
        peer = "gpsd"
    }

    private func disconnect() {
        switch phase {
        case .connecting(let descriptor, let source, _), .connected(let descriptor, let source):
            source.isEnabled = false
            phase = .waiting
            close(descriptor)
        case .stopped, .waiting: break
        }
        buffer.clear()
    }

    private func wait(_ reason: String) {
        disconnect()
        phase = .waiting
        let now = now
        backOff.fail(at: now)
        let until = backOff.until ?? now
        timer?.arm(at: until.nanoseconds)
        tell(.waiting(reason, until: until))
    }

    /// The one timer: what it means depends on where we are.
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
        case .connected(let descriptor, _): receive(descriptor)
        case .stopped, .waiting: break
        }
    }

    private func receive(_ descriptor: Int32) {
        let arrival = Uptime(nanoseconds: loop.wakeUptime)
        // No end of a silence that was told: what it says may be anything, and must be heard first.
        lastData = arrival
        // Set anew when half of it is over: the watch never wakes the loop while data flow.
        let left = watchUntil - arrival
        if left + left < timing.silence { watchSilence(from: arrival) }
        handlers.burst { read(descriptor, arrival) }
    }

    private func watchSilence(from moment: Uptime) {
        watchUntil = moment + timing.silence
        timer?.arm(at: watchUntil.nanoseconds)
    }

    private func read(_ descriptor: Int32, _ arrival: Uptime) {
        for _ in 0..<Self.readsPerTurn {
            guard case .connected(descriptor, _) = phase else { return }
            let count = buffer.fill(from: descriptor)
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return }
                return wait(GpsdSocketError.last.reason)
            }
            if count == 0 { return wait("gpsd has closed the connection") }
            buffer.lines { line in
                hear(line, arrival)
                if case .connected = phase { return true } else { return false }
            }
            // Less than there was room for: that was all.
            if count < GpsdBuffer.capacity / 2 { return }
        }
    }

    private func hear(_ line: UnsafeMutableBufferPointer<CChar>, _ arrival: Uptime) {
        switch GpsdWord(line) {
        case .tpv:
            guard let report = decoder.report(line) else {
                unreadable += 1
                return
            }
            backOff.succeed()
            if case .connected = state {} else { tell(.connected(peer)) }
            handlers.report(report, arrival)
        case .version(let release):
            peer = "gpsd \(release)"
            tell(.connected(peer))
        case .deviceGone(let path):
            if device == nil || device == path { tell(.deviceLost(path)) }
        case .deviceHere(let path):
            if state == .deviceLost(path) { tell(.connected(peer)) }
        case .error(let message): wait("gpsd says: \(message)")
        case .other: break
        }
    }

    /// The one receiver that is asked for; nil is all of them.
    private var device: String? {
        if case .network(let address) = place { address.device } else { nil }
    }

    private var now: Uptime { Uptime(nanoseconds: EventLoop.uptime) }

    private func tell(_ state: FixSourceState) {
        guard self.state != state else { return }
        self.state = state
        handlers.state(state)
    }
}
