import FixSources
import Glibc
import Systemd
import Time

// Unsafe: poll(2) and read(2) take a struct and an array of ours, with its own count.

/// A short conversation with a gpsd, beside that of the daemon: any number of programs may watch.
@MainActor
struct GpsdProbe {
    /// How long gpsd has to accept, and for a fix to come, s: receivers report once a second, and
    /// gpsd opens one that nobody has watched.
    private static let patience = (connect: 3.0, fix: 5.0)

    private var evidence = GpsdEvidence()
    private var endpoints: [GpsdSocket.Endpoint] = []
    private let measurement: Measurement?

    /// Of a parked vehicle.
    struct Measurement: Sendable {
        /// How long, s.
        var seconds: Double
        /// The receiver that counts; empty for the first that has a fix.
        var receiver: String
    }

    private init(_ measurement: Measurement?) { self.measurement = measurement }

    /// Nil if the source is no gpsd.
    /// - Parameter measurement: what follows if there is a fix.
    static func look(
        at source: FixSourceURI, then measurement: Measurement? = nil
    ) -> GpsdEvidence? {
        var probe = GpsdProbe(measurement)
        switch source {
        case .gpsd(let address):
            probe.evidence.place = "\(address.host):\(address.port)"
            probe.evidence.wanted = address.device
            probe.resolve(address)
        case .gpsdSocket(let path):
            probe.evidence.place = path
            probe.endpoints = [GpsdSocket.endpoint(path: path)]
        case .nmea, .replay: return nil
        }
        probe.talk()
        if probe.evidence.failure != nil {
            probe.evidence.elsewhere = RunningGpsds.all
            if case .gpsd(let address) = source { probe.lookForListener(address.port) }
        }
        return probe.evidence
    }

    private mutating func resolve(_ address: GpsdAddress) {
        switch GpsdSocket.endpoints(host: address.host, port: address.port) {
        case .success(let found):
            endpoints = found
            evidence.addresses = found.map(\.host)
        case .failure(let error):
            evidence.isUnresolved = true
            evidence.failure = error.reason
        }
    }

    /// Whether somebody listens at that port here, and what a connection meets there.
    private mutating func lookForListener(_ port: UInt16) {
        guard evidence.isHere, let waiting = LocalListeners.waiting(at: port) else { return }
        evidence.isListenedTo = true
        // It has not taken those that came before: it hangs.
        guard evidence.isUnanswered, waiting > 0 else { return }
        evidence.failure = nil
        evidence.seconds = Self.patience.connect
    }

    private mutating func talk() {
        for endpoint in endpoints {
            switch GpsdSocket.connect(endpoint) {
            case .success(let descriptor):
                defer { close(descriptor) }
                guard Self.wait(descriptor, for: POLLOUT, seconds: Self.patience.connect) else {
                    evidence.failure = "no answer in \(decimal(Self.patience.connect, 0)) s"
                    evidence.isUnanswered = true
                    continue
                }
                guard let error = GpsdSocket.error(of: descriptor) else {
                    evidence.failure = nil
                    return listen(descriptor)
                }
                evidence.failure = error.reason
            case .failure(let error): evidence.failure = error.reason
            }
        }
    }

    private mutating func listen(_ descriptor: Int32) {
        let began = Self.now
        // All of its receivers: one that is wanted may have another name.
        _ = GpsdSocket.send("?WATCH={\"enable\":true,\"json\":true}\n", to: descriptor)
        var reading = GpsdReading(evidence)
        Self.hear(&reading, descriptor, until: began + Self.patience.fix) { $0.isEnough }
        let seconds = Self.now - began
        var measured: Double?
        if let measurement, reading.evidence.report.map({ $0.mode >= 2 }) == true {
            let start = Self.now
            reading.measure(evidence.wanted ?? measurement.receiver)
            Self.hear(&reading, descriptor, until: start + measurement.seconds) {
                $0.parked?.isFull == true
            }
            measured = Self.now - start
        }
        evidence = reading.evidence
        evidence.seconds = seconds
        if let measured, let parked = reading.parked { evidence.parked = (parked, measured) }
    }

    private static func hear(
        _ reading: inout GpsdReading, _ descriptor: Int32, until end: Double,
        _ isEnough: (GpsdReading) -> Bool
    ) {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while !isEnough(reading) {
            let left = end - now
            guard left > 0, wait(descriptor, for: POLLIN, seconds: left) else { break }
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            reading.hear(chunk.prefix(count), at: EventLoop.wallClock.seconds)
        }
    }

    private static func wait(_ descriptor: Int32, for event: Int32, seconds: Double) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return unsafe poll(&ready, 1, Int32(seconds * 1000) + 1) == 1
    }

    private static var now: Double { (EventLoop.uptime - .boot).seconds }
}
