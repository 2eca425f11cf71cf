import BusService
import Geodesy
import Geofence1
import Law
import Model
import Monitoring
import Storage
import SystemTestKit
import Systemd
import Time

/// Calls of any member with any values, right and wrong, through a real dbus-daemon to a real
/// service. The first byte says whether the caller is trusted; then each call is a few bytes, read by
/// ``BusFuzzInput``. Every call of a caller that waits for its answers must be answered, and fixes
/// judged afterwards.
@MainActor
final class BusFuzz {
    private static let bus = PrivateBus()
    private static let fix = (latitude: 48.0, longitude: 11.0)

    private let loop: EventLoop
    private let state = TemporaryDirectory()
    private let monitoring: MonitoringService
    private let connection: BusConnection
    private let service: ManagerService
    private let changeTurns: ChangeTurns
    private var isOurs = false

    static func flaw(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first, bytes.count <= 4096 else { return nil }
        do {
            let bench = try BusFuzz(isTrusted: first & 1 == 1)
            defer { bench.connection.close() }
            return try bench.flaw(BusFuzzInput(bytes.dropFirst()))
        } catch { return "the bench: \(error)" }
    }

    private init(isTrusted: Bool) throws {
        loop = try EventLoop()
        monitoring = try MonitoringService(
            settings: MonitoringSettings(),
            store: try Store(directory: state.path, bootID: nil), bootID: nil,
            checkpoint: nil, trouble: { _, _ in })
        monitoring.start(at: EventLoop.uptime)
        changeTurns = try ChangeTurns(monitoring.changes, on: loop)
        monitoring.notify = { [changeTurns] in if case .changesWaiting = $0 { changeTurns.arm() } }
        connection = try Self.bus.connect(loop)
        var settings = BusServiceSettings(version: "fuzz")
        settings.spoolDirectory = state.path
        settings.trusted = TrustedCallers(uids: [], group: nil)
        if isTrusted { settings.trusted = .standard() }
        var isOurs: () -> Void = {}
        var hooks = BusServiceHooks { EventLoop.uptime }
        hooks.notify = { if case .nameChanged(isOurs: true) = $0 { isOurs() } }
        service = try ManagerService(
            connection: connection, loop: loop, monitoring: monitoring, settings: settings,
            hooks: hooks)
        isOurs = { [weak self] in self?.isOurs = true }
        guard try loop.run(seconds: 20, until: { self.isOurs }) else {
            throw SystemError(operation: "owning the name", errno: 0)
        }
    }

    private func flaw(_ input: BusFuzzInput) throws -> String? {
        var input = input
        let client = try Self.bus.connect(loop)
        defer { client.close() }
        var (asked, answered) = (0, 0)
        while asked < 64, let call = input.call() {
            do throws(SystemError) {
                try client.call(call.peer, call.member, call.arguments, timeout: .seconds(60)) {
                    _ in
                    answered += 1
                }
                asked += 1
            } catch { continue }  // What sd-bus does not let out.
            // A caller that does not wait may get no answer when the bus is behind.
            guard try loop.run(seconds: 8, until: { answered == asked }) else {
                return "call \(asked), of \(call.member), was not answered"
            }
        }
        return judgesFixes() ? nil : "fixes are not judged any more"
    }

    private func judgesFixes() -> Bool {
        let before = monitoring.engine.counters.accepted
        let now = EventLoop.uptime
        for second in 1...2 {
            let time = 1_800_000_000 + Int64(second)
            monitoring.receive(
                PositionReport(
                    time: UTCTime(nanoseconds: time * 1_000_000_000), hasFix: true,
                    coordinate: Coordinate(
                        latitude: Self.fix.latitude, longitude: Self.fix.longitude),
                    error: 5, speed: 0, course: nil),
                at: now + .seconds(Double(second)))
        }
        return monitoring.engine.counters.accepted == before + 2
    }
}
