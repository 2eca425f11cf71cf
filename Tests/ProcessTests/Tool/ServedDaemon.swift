import BusService
import EventSinks
import Geodesy
import JSON
import Model
import Monitoring
import Storage
import SystemTestKit
import Systemd
import Testing
import Time

/// The daemon's side for the tool: store, engine and bus service on a private bus, driven by the
/// test.
@MainActor
final class ServedDaemon {
    let loop: EventLoop
    let bus = PrivateBus()
    let directory = TemporaryDirectory()
    let monitoring: MonitoringService
    private let sink = BusSignalSink()
    private var service: ManagerService?
    private var connection: BusConnection?
    private var changes: ChangeTurns?
    private var isServed = false
    private var time = EventLoop.uptime
    private var clock = UTCTime(nanoseconds: 1_800_000_000_000_000_000)

    init(
        retention: Retention = Retention(), settings: MonitoringSettings = MonitoringSettings()
    ) throws {
        loop = try EventLoop()
        monitoring = try MonitoringService(
            settings: settings,
            store: try Store(
                directory: directory.path, bootID: "0123456789abcdef0123456789abcdef",
                retention: retention),
            bootID: "0123456789abcdef0123456789abcdef", checkpoint: nil, trouble: { _, _ in })
        monitoring.add(sink)
        monitoring.notify = { [weak self] notice in
            if case .changesWaiting = notice { self?.changes?.arm() }
            self?.service?.carryOut(notice)
        }
        sink.onAnnounced = { [weak self] in self?.service?.announced($0) }
        changes = try ChangeTurns(monitoring.changes, on: loop)
        monitoring.start(at: time)
        try serve()
    }

    /// Takes the name on the bus.
    func serve() throws {
        connection = try bus.connect(loop)
        var hooks = BusServiceHooks { EventLoop.uptime }
        hooks.source = { "gpsd://localhost:2947" }
        hooks.notify = { [weak self] notice in
            guard let self, case .nameChanged(let isOurs) = notice else { return }
            isServed = isOurs
            sink.connection = isOurs ? connection : nil
            if isOurs { monitoring.sinkIsReady(at: time) }
        }
        guard let connection else { return }
        var settings = BusServiceSettings(version: "1.2.3")
        settings.listLimit = 3
        settings.spoolDirectory = directory.path
        service = try ManagerService(
            connection: connection, loop: loop, monitoring: monitoring, settings: settings,
            hooks: hooks)
        try #require(try loop.run(until: { isServed }))
    }

    /// Leaves the bus, as when it is stopped.
    func leave() {
        service = nil
        sink.connection = nil
        connection?.close()
        connection = nil
        isServed = false
    }

    /// At 20 m/s eastwards, a fix a second, along 48° N from 11° E.
    func drive(from start: Double, to end: Double) {
        for east in stride(from: start, through: end, by: 20) {
            clock = clock + .seconds(1)
            time = time + .seconds(1)
            monitoring.receive(
                PositionReport(
                    time: clock, hasFix: true,
                    coordinate: Coordinate(latitude: 48, longitude: 11 + east / 74_600),
                    error: 5, speed: 20, course: 90), at: time)
        }
    }

    /// At the last fix.
    func setIgnition(_ isOn: Bool) { monitoring.setIgnition(isOn, at: time) }

    /// A circle on that road.
    func add(_ id: String, east: Double, radius: Double = 100, title: String = "") throws {
        let center = Coordinate(latitude: 48, longitude: 11 + east / 74_600)
        _ = try monitoring.apply(
            upserts: [
                Fence(id: id, area: try Area(.circle(center: center, radius: radius)), title: title)
            ], removing: [], at: time)
    }

    /// Starts the tool on this bus.
    func start(_ arguments: [String], input: String = "") -> Subprocess {
        Subprocess(
            [builtProgram("geofencectl"), "--bus", bus.address] + arguments, input: input)
    }

    /// Runs the tool to its end while the daemon answers.
    func run(_ arguments: String..., input: String = "") throws -> Subprocess.Ending {
        try #require(try loop.run(untilEndOf: start(arguments, input: input)))
    }

    /// Runs the tool with `--json`, which must succeed.
    func json(_ arguments: String..., input: String = "") throws -> [JSONValue] {
        let ending = try #require(
            try loop.run(untilEndOf: start(arguments + ["--json"], input: input)))
        #expect(ending.status == 0, "\(ending.errors)")
        return try ending.output.jsonLines
    }
}

extension String {
    /// Each line as JSON.
    var jsonLines: [JSONValue] {
        get throws { try split(separator: "\n").map { try JSONValue(parsing: String($0)) } }
    }
}
