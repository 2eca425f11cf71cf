import BusService
import Foundation
import Geofence1
import SystemTestKit
import Systemd
import Testing
import Time

/// Signals that come by the ten thousand, on a real bus, while polkit answers nothing: what they cost does
/// not grow with their number.
@MainActor
@Suite(.serialized)
struct StormTests {
    private static let authority = "org.freedesktop.PolicyKit1"
    private static let path = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"
    private static let changed = BusSignal(path: path, interface: interface, member: "Changed")

    /// A program in the place of polkit, which permits everything until it hangs.
    @MainActor
    final class Polkit {
        let bus: BusConnection
        var isHanging = false
        private(set) var asked = 0
        private var held: [BusCall] = []
        private var slot: BusSlot?

        init(_ fixture: ServiceFixture) throws {
            bus = try fixture.bus.connect(fixture.loop)
            slot = try bus.export(
                BusInterface(
                    name: interface,
                    methods: [
                        BusMethod(
                            "CheckAuthorization",
                            in: [
                                BusParameter("subject", "(sa{sv})"), BusParameter("action", "s"),
                                BusParameter("details", "a{ss}"), BusParameter("flags", "u"),
                                BusParameter("cancellation", "s"),
                            ], out: [BusParameter("result", "(bba{ss})")]
                        ) { [weak self] in self?.answer($0) }
                    ]), at: path)
            try own(fixture)
        }

        private func answer(_ call: BusCall) {
            asked += 1
            if isHanging { held.append(call) } else { Self.permit(call) }
        }

        private static func permit(_ call: BusCall) {
            call.reply([.structure([.bool(true), .bool(false), .array(of: "{ss}", [])])])
        }

        /// It goes on, and answers what it was asked.
        func goOn() {
            isHanging = false
            for call in held { Self.permit(call) }
            held = []
        }

        func own(_ fixture: ServiceFixture) throws {
            var isOwned = false
            try bus.requestName(authority) { _ in isOwned = true }
            try #require(try fixture.loop.run(until: { isOwned }))
        }
    }

    enum Storm: String, CaseIterable, CustomTestStringConvertible {
        case changed = "polkit reports changes"
        case owner = "polkit comes and goes"
        case looking = "a program looks at what it may do"
        case events = "events that nobody is told for now"

        var testDescription: String { rawValue }
    }

    /// Bytes of this process that are in memory.
    private var resident: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * Int(getpagesize())
    }

    @Test(
        "a storm of signals costs a few questions and no memory, and then all goes on",
        arguments: Storm.allCases)
    func storm(_ storm: Storm) throws {
        let fixture = try ServiceFixture(
            bus: AuthorizationTests.openBus(), trusted: TrustedCallers(uids: [], group: nil))
        fixture.settings.authorizationSeconds = 3600
        try fixture.connect()
        let polkit = try Polkit(fixture)
        var clients: [BusConnection] = []
        var listeners: [Listener] = []
        for _ in 0..<20 {
            let client = try fixture.bus.connect(fixture.loop)
            _ = try fixture.call(client, "CreateSubscription", [.dictionary([])]).get()
            clients.append(client)
        }
        let listener = try Listener(clients[0], fixture.loop)
        listeners.append(listener)
        // From now on this client is told what it may do.
        let properties = BusPeer(
            destination: Geofence1.name, path: Geofence1.path,
            interface: "org.freedesktop.DBus.Properties")
        let authorization: [BusValue] = [
            .string(Geofence1.managerInterface), .string("Authorization"),
        ]
        _ = try fixture.call(clients[0], "Get", authorization, of: properties).get()
        try fixture.add("a", east: 300)
        polkit.isHanging = true
        // What is known is in doubt from here on; polkit is asked as much about one user as may be.
        let first = polkit.asked
        try polkit.bus.emit(Self.changed, [])
        try #require(try fixture.loop.run(until: { polkit.asked >= first + 6 }))
        let (asked, told) = (polkit.asked, listener.all("PropertiesChanged").count)
        let (before, began) = (resident, EventLoop.uptime)
        for _ in 0..<100 {
            for index in 0..<100 {
                switch storm {
                case .changed: try polkit.bus.emit(Self.changed, [])
                case .owner:
                    try polkit.bus.releaseName(Self.authority)
                    try polkit.bus.requestName(Self.authority) { _ in }
                case .looking:
                    try clients[0].call(properties, "Get", authorization) { _ in }
                case .events where index == 0:
                    fixture.drive(from: 0, to: 600)
                    fixture.drive(from: 600, to: 0)
                case .events: break
                }
            }
            try fixture.loop.run(until: { polkit.bus.queuedMessages == 0 })
        }
        // All of it has been heard.
        _ = try fixture.call(clients[1], "Get", authorization, of: properties)
        let seconds = Int((EventLoop.uptime - began).seconds) + 2
        // The address sanitizer keeps freed memory.
        let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
        #expect(
            isSanitized || resident - before < 16 << 20, "\((resident - before) >> 10) KiB more")
        #expect(polkit.asked - asked <= 24 * seconds, "\(polkit.asked - asked) questions")
        if storm != .events {
            let changes = listener.all("PropertiesChanged").count - told
            #expect(changes <= 2 * seconds, "\(changes) signals")
        }
        try polkit.own(fixture)
        polkit.goOn()
        fixture.drive(from: 0, to: 300)
        #expect(try fixture.loop.run(seconds: 30) { !listener.all("Transition").isEmpty })
        withExtendedLifetime(listeners) {}
    }
}
