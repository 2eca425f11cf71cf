import BusClient
import Geofence1
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite("Whether the daemon is there, and whether that is wanted")
struct DaemonPresenceTests {
    /// A bus without a daemon, on which the service manager says this of its unit.
    @MainActor
    private final class Box {
        let bus = PrivateBus()
        let connection: BusConnection
        var states: [DaemonPresence.State] = []
        var unit: [String: BusValue]
        /// When the service manager was asked.
        var asked: [Uptime] = []
        /// The service manager's own, which answers while this runs; nil: it is that of the box.
        let manager: EventLoop?
        private var managerConnection: BusConnection?
        private var presence: DaemonPresence?
        private var slots: [BusSlot] = []

        /// - Parameter unit: nil where there is no service manager.
        init(_ loop: EventLoop, _ unit: [String: BusValue]?, isBusy: Bool = false) throws {
            self.unit = unit ?? [:]
            manager = isBusy ? try EventLoop() : nil
            connection = try bus.connect(loop)
            if unit != nil {
                let connection = try manager.map { try bus.connect($0) } ?? connection
                managerConnection = connection
                var isOwned = false
                let interface = BusInterface(
                    name: "org.freedesktop.systemd1.Unit", properties: properties)
                slots.append(
                    try connection.export(
                        interface, at: "/org/freedesktop/systemd1/unit/geofenced_2eservice"))
                try connection.requestName("org.freedesktop.systemd1") { _ in isOwned = true }
                if let manager { #expect(try manager.run(seconds: 5) { isOwned }) }
            }
            presence = try DaemonPresence(connection, loop: loop) { [weak self] in
                self?.states.append($0)
            }
        }

        private var properties: [BusProperty] {
            let types = [
                ("ActiveState", "s"), ("SubState", "s"), ("LoadState", "s"), ("Result", "s"),
                ("UnitFileState", "s"), ("NRestarts", "u"), ("MainPID", "u"), ("Job", "(uo)"),
                ("ActiveExitTimestamp", "t"), ("ActiveExitTimestampMonotonic", "t"),
            ]
            return types.map { name, type in
                BusProperty(name, type, .silent) { [weak self] _ in
                    if name == "ActiveState" { self?.asked.append(EventLoop.uptime) }
                    return self?.unit[name] ?? Self.nothing(type)
                }
            }
        }

        private static func nothing(_ type: String) -> BusValue {
            switch type {
            case "u": .uint32(0)
            case "t": .uint64(0)
            case "(uo)": .structure([.uint32(0), .objectPath("/")])
            default: .string("")
            }
        }
    }

    /// One second after the boot, by the clock of the service manager.
    private static let leftAt: UInt64 = 1_000_000

    private static func unit(
        _ active: String, _ sub: String, result: String = "success", load: String = "loaded",
        file: String = "enabled", restarts: UInt32 = 0, pid: UInt32 = 0, job: UInt32 = 0,
        left: UInt64 = leftAt
    ) -> [String: BusValue] {
        [
            "ActiveState": .string(active), "SubState": .string(sub), "Result": .string(result),
            "LoadState": .string(load), "UnitFileState": .string(file),
            "NRestarts": .uint32(restarts), "MainPID": .uint32(pid),
            "Job": .structure([.uint32(job), .objectPath("/")]),
            // The wall clock was wrong then.
            "ActiveExitTimestamp": .uint64(left), "ActiveExitTimestampMonotonic": .uint64(left),
        ]
    }

    /// What the unit is like, and the word of what is so then; "starting" for neither.
    private static let cases: [(name: String, unit: [String: BusValue]?, word: String)] = [
        ("no service manager", nil, "no-daemon"),
        ("no such unit", unit("inactive", "dead", load: "not-found", left: 0), "no-daemon"),
        ("stopped", unit("inactive", "dead"), "stopped"),
        ("stopped, and killed for it", unit("failed", "failed", result: "timeout"), "stopped"),
        (
            "masked since the boot",
            unit("inactive", "dead", load: "masked", file: "masked", left: 0), "stopped"
        ),
        ("disabled since the boot", unit("inactive", "dead", file: "disabled", left: 0), "stopped"),
        ("never started, though enabled", unit("inactive", "dead", left: 0), "no-daemon"),
        ("waits for its turn", unit("inactive", "dead", job: 7, left: 0), "starting"),
        (
            "killed while masked", unit("failed", "failed", result: "resources", load: "masked"),
            "no-daemon"
        ),
        ("starts", unit("activating", "start", pid: 9), "starting"),
        (
            "starts slowly after a crash", unit("activating", "start", restarts: 1, pid: 9),
            "starting"
        ),
        (
            "waits for the next attempt", unit("activating", "auto-restart", result: "exit-code"),
            "no-daemon"
        ),
        ("stops", unit("deactivating", "stop-sigterm"), "starting"),
        ("runs without the bus", unit("active", "running", pid: 9, left: 0), "no-daemon"),
    ]

    @Test("after ten seconds each state of the unit is told as what it is, and since when")
    func states() throws {
        let loop = try EventLoop()
        let began = EventLoop.uptime
        let boxes = try Self.cases.map { try Box(loop, $0.unit) }
        let busy = try Box(loop, Self.unit("inactive", "dead"), isBusy: true)
        #expect(
            try loop.run(seconds: 20) { boxes.allSatisfy { !$0.states.isEmpty } })
        #expect(EventLoop.uptime - began >= .seconds(10), "a restart is nothing")
        for (each, box) in zip(Self.cases, boxes) {
            let state = box.states.first
            #expect(state?.word ?? "starting" == each.word, "\(each.name): \(box.states)")
            guard let since = state?.since else { continue }
            let wasActive = each.unit?["ActiveExitTimestamp"] == .uint64(Self.leftAt)
            let isLost = since > began - .seconds(1) && since < began + .seconds(5)
            let isThen = abs((since - .byMonotonicClock(microseconds: Self.leftAt)).seconds) < 1
            #expect(wasActive ? isThen : isLost, "\(each.name): since \(since)")
        }
        // The second attempt of one that fails each time is another process.
        let crashing = try #require(
            Self.cases.firstIndex { $0.name == "starts slowly after a crash" })
        boxes[crashing].unit["MainPID"] = .uint32(11)
        #expect(
            try loop.run(seconds: 10) { boxes[crashing].states.last?.word == "no-daemon" })
        // One that says nothing for a while is not one that says that there is no daemon.
        #expect(try !loop.run(seconds: 2) { !busy.states.isEmpty }, "\(busy.states)")
        #expect(try busy.manager?.run(seconds: 5) { !busy.asked.isEmpty } == true)
        #expect(try loop.run(seconds: 5) { busy.states.last?.word == "stopped" })
        // An attempt is not yet its end.
        let before = boxes[crashing].asked.count
        boxes[crashing].unit = Self.unit("activating", "start", pid: 12)
        #expect(try loop.run(seconds: 20) { boxes[crashing].asked.count > before })
        #expect(try !loop.run(seconds: 1) { boxes[crashing].states.last?.word != "no-daemon" })
        // What was told is over as soon as the name has an owner, and begins anew with the next loss.
        let daemon = try boxes[crashing].bus.connect(loop)
        try daemon.requestName(Geofence1.name) { _ in }
        #expect(try loop.run(seconds: 5) { boxes[crashing].states.last == .running })
        daemon.close()
        boxes[crashing].unit = Self.unit("inactive", "dead")
        #expect(
            try loop.run(seconds: 20) { boxes[crashing].states.last?.word == "stopped" })
        // Where the same goes on it is asked more and more rarely.
        let stopped = try #require(Self.cases.firstIndex { $0.name == "stopped" })
        let times = boxes[stopped].asked
        #expect(times.count >= 3 && times[2] - times[1] > .seconds(8), "\(times)")
    }
}
