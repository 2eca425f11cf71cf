import BusService
import EventSinks
import Geodesy
import Geofence1
import Model
import Monitoring
import Storage
import SystemTestKit
import Systemd
import Time

/// The daemon without its sources and its main function: store on a file, engine, bus service on a
/// private bus; driven by hand.
@MainActor
final class ServiceFixture {
    let loop: EventLoop
    let bus: PrivateBus
    let state: TemporaryDirectory
    let monitoring: MonitoringService
    let sink = BusSignalSink()
    var settings = BusServiceSettings(version: "1.2.3")
    private(set) var service: ManagerService?
    private(set) var connection: BusConnection?
    /// The time of the inputs; nil for that of the loop.
    var inputTime: Uptime?
    private(set) var isNameOurs = false
    private var changeTurns: ChangeTurns?
    private(set) var reloads = 0
    private(set) var stalls = 0
    private(set) var log: [String] = []
    /// The demand of ranging sessions.
    private(set) var ranged: Set<BeaconPattern> = []
    /// The receiver's clock, s since 1970.
    private(set) var clock = 1_800_000_000.0

    /// - Parameter trusted: nil for root and ourselves.
    init(
        bus: PrivateBus? = nil, trusted: TrustedCallers? = nil, state: TemporaryDirectory? = nil,
        limits: MonitoringSettings = MonitoringSettings()
    ) throws {
        loop = try EventLoop()
        self.state = state ?? TemporaryDirectory()
        self.bus = bus ?? PrivateBus()
        monitoring = try MonitoringService(
            settings: limits,
            store: try Store(directory: self.state.path, bootID: Self.bootID),
            bootID: Self.bootID, checkpoint: nil, trouble: { _, _ in })
        monitoring.add(sink)
        if let trusted { settings.trusted = trusted }
        monitoring.notify = { [weak self] notice in
            switch notice {
            case .changesWaiting: self?.changeTurns?.arm()
            // What a test drives arrives together; one that cares says when it has been taken.
            case .handled: break
            default: self?.service?.carryOut(notice)
            }
        }
        sink.onAnnounced = { [weak self] in self?.service?.announced($0) }
        changeTurns = try ChangeTurns(monitoring.changes, on: loop)
        monitoring.start(at: now)
    }

    static let bootID = "0123456789abcdef0123456789abcdef"

    var now: Uptime { EventLoop.uptime }

    /// A connected service, and another program on its bus.
    static func withClient() throws -> (ServiceFixture, BusConnection) {
        let fixture = try ServiceFixture()
        try fixture.connect()
        return (fixture, try fixture.bus.connect(fixture.loop))
    }

    /// The largest queue of the bus for a client that does not read; nil if not reported.
    func peakOutgoingBytes() throws -> Int? {
        let statistics = try loop.run(
            untilEndOf: Subprocess([
                "busctl", "--address=\(bus.address)", "call", "org.freedesktop.DBus",
                "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats", "GetStats",
            ]))
        guard let statistics, statistics.status == 0 else { return nil }
        return statistics.output.firstMatch(of: /"PeakOutgoingBytesPerConn" u (\d+)/)
            .flatMap { Int($0.1) }
    }

    /// Connects and waits for the name, as the daemon does at its start and after the bus was away.
    func connect(waiting seconds: Double = 10) throws {
        connection = try bus.connect(loop) { [weak self] in
            self?.sink.connection = nil
            self?.service = nil
            self?.isNameOurs = false
        }
        var hooks = BusServiceHooks { [weak self] in self?.inputTime ?? EventLoop.uptime }
        hooks.source = { "gpsd://localhost:2947" }
        hooks.receiver = { "/dev/ttyACM0" }
        hooks.notify = { [weak self] in self?.carryOut($0) }
        guard let connection else { return }
        service = try ManagerService(
            connection: connection, loop: loop, monitoring: monitoring, settings: settings,
            hooks: hooks, afterStall: stalls > 0)
        guard try loop.run(seconds: seconds, until: { isNameOurs }) else {
            throw SystemError(operation: "owning the name", errno: 110)
        }
    }

    private func carryOut(_ notice: BusNotice) {
        switch notice {
        case .reload: reloads += 1
        case .ranging(let patterns): ranged = patterns
        case .nameChanged(let isOurs):
            isNameOurs = isOurs
            sink.connection = isOurs ? connection : nil
            if isOurs { monitoring.sinkIsReady(at: now) }
        case .nameRefused: break
        case .stalled:
            stalls += 1
            sink.connection = nil
            service = nil
            connection?.close()
            isNameOurs = false
        case .log(let line): log.append(line)
        }
    }

    // MARK: Driving

    /// A fix one second after the last, `east` metres east of 48° N 11° E.
    func fix(east: Double, speed: Double = 20, error: Double = 5) {
        clock += 1
        let metresPerDegree = 74_600.0
        let report = PositionReport(
            time: UTCTime(nanoseconds: Int64(clock * 1e9)), hasFix: true,
            coordinate: Coordinate(latitude: 48, longitude: 11 + east / metresPerDegree),
            error: error, speed: speed, course: 90)
        time = time + .seconds(1)
        monitoring.receive(report, at: time)
    }

    /// The engine's time: it moves with the fixes, not with the test.
    private var time = EventLoop.uptime

    /// At 20 m/s eastwards or westwards, a fix a second.
    func drive(from start: Double, to end: Double) {
        for east in stride(from: start, through: end, by: start < end ? 20 : -20) {
            fix(east: east)
        }
    }

    func add(
        _ id: String, east: Double, radius: Double = 100, title: String = "",
        metadata: String = "{}"
    ) throws {
        let center = Coordinate(latitude: 48, longitude: 11 + east / 74_600)
        let fence = Fence(
            id: id, area: try Area(.circle(center: center, radius: radius)), title: title,
            metadata: metadata)
        _ = try monitoring.apply(upserts: [fence], removing: [], at: now)
    }

    // MARK: Asking

    static let manager = BusPeer(
        destination: Geofence1.name, path: Geofence1.path, interface: Geofence1.managerInterface)

    /// A call of the manager from `client`, answered: its values or the error.
    func call(
        _ client: BusConnection, _ member: String, _ arguments: [BusValue] = [],
        of peer: BusPeer = manager
    ) throws -> Result<[BusValue], BusError> {
        var answer: Result<[BusValue], BusError>?
        try client.call(peer, member, arguments) { result in
            answer = result.flatMap { message in
                Result { () throws(BusError) in
                    do throws(SystemError) { return try message.values() } catch {
                        throw BusError(error)
                    }
                }
            }
        }
        try loop.run(until: { answer != nil })
        return answer ?? .failure(BusError(name: BusError.noReply, message: ""))
    }

    /// `busctl call` of a method of the manager.
    func busctl(_ member: String, _ arguments: String...) throws -> Subprocess.Ending? {
        try loop.run(
            untilEndOf: Subprocess(
                [
                    "busctl", "--address=\(bus.address)", "--timeout=20", "call", "--",
                    Geofence1.name, Geofence1.path, Geofence1.managerInterface, member,
                ] + arguments))
    }

    /// `busctl get-property` of the manager.
    func property(_ name: String) throws -> String? {
        try loop.run(
            untilEndOf: Subprocess([
                "busctl", "--address=\(bus.address)", "get-property", Geofence1.name,
                Geofence1.path, Geofence1.managerInterface, name,
            ]))?.output.trimmed
    }
}

extension String {
    var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    var success: Success? {
        if case .success(let success) = self { success } else { nil }
    }
}

/// The signals of the manager that a client receives.
@MainActor
final class Listener {
    struct Heard {
        var path: String
        var member: String
        var values: [BusValue]
    }
    private(set) var heard: [Heard] = []
    private var slots: [BusSlot] = []

    init(_ client: BusConnection, _ loop: EventLoop) throws {
        for interface in [
            "org.freedesktop.DBus.Properties", Geofence1.managerInterface,
            Geofence1.subscriptionInterface, Geofence1.rangingInterface,
        ] {
            var installed = false
            slots.append(
                try client.subscribe(BusMatch(interface: interface)) { _ in
                    installed = true
                } handler: { [weak self] message in
                    self?.heard.append(
                        Heard(
                            path: message.path ?? "", member: message.member ?? "",
                            values: (try? message.values()) ?? []))
                })
            try loop.run(until: { installed })
        }
    }

    func all(_ member: String) -> [[BusValue]] {
        heard.filter { $0.member == member }.map(\.values)
    }
}
