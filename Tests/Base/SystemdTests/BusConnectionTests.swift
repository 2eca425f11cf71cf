import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct BusConnectionTests {
    let loop: EventLoop
    let bus: PrivateBus

    init() throws {
        loop = try EventLoop()
        bus = PrivateBus()
    }

    @Test("a lost bus is reported once, ends pending calls, and a new connection works")
    func reconnect() throws {
        var lost = 0
        let connection = try bus.connect(loop, disconnected: { lost += 1 })
        let silent = try bus.connect(loop)
        let slot = try silent.export(
            BusInterface(name: "a.b", methods: [BusMethod("Wait") { waiting.calls.append($0) }]),
            at: "/")
        var failure: BusError?
        let peer = BusPeer(
            destination: try #require(silent.uniqueName), path: "/", interface: "a.b")
        try connection.call(peer, "Wait") { failure = $0.failure }
        #expect(try loop.run { waiting.calls.count == 1 })
        bus.kill()
        #expect(try loop.run { lost == 1 && failure != nil })
        #expect(failure?.name == BusError.noReply)
        #expect(!connection.isOpen)
        waiting.calls = []
        let error = #expect(throws: SystemError.self) {
            try connection.emit(BusSignal(path: "/", interface: "a.b", member: "C"), [])
        }
        #expect(error?.errno == ENOTCONN)
        #expect(
            try !loop.runOnce(timeout: .milliseconds(20)), "a lost connection keeps the loop busy")
        #expect(lost == 1)

        #expect(throws: SystemError.self) {
            _ = try BusConnection(to: bus.busAddress, loop: loop)
        }
        bus.start()
        let again = try bus.connect(loop)
        var outcome: BusNameOutcome?
        try again.requestName("org.example.Again1") { outcome = try? $0.get() }
        #expect(try loop.run { outcome == .owned })
        withExtendedLifetime(slot) {}
    }

    private let waiting = Waiting()

    @MainActor
    private final class Waiting {
        var calls: [BusCall] = []
    }

    @Test("opening does not wait for a bus that accepts and sends nothing")
    func silentBus() throws {
        let directory = TemporaryDirectory()
        let listener = try UnixSocket(listeningAt: directory.file("bus"))
        var lost = 0
        let start = EventLoop.uptime
        let connection = try BusConnection(
            to: .address("unix:path=\(directory.file("bus"))"), loop: loop,
            connected: { Issue.record("connected to nothing") }, disconnected: { lost += 1 })
        try connection.requestName("org.example.Early1") { _ in }
        // sd-bus would wait 90 s for the first data from the bus.
        #expect(EventLoop.uptime - start < .seconds(60))
        try loop.run(seconds: 0.05) { false }
        #expect(lost == 0 && connection.uniqueName == nil)
        listener.close()
        #expect(try loop.run { lost == 1 })
    }

    @Test("calls before the connection is established are sent once it is")
    func early() throws {
        var events: [String] = []
        let connection = try BusConnection(
            to: bus.busAddress, loop: loop, connected: { events.append("connected") })
        try connection.requestName("org.example.Early1") { _ in events.append("named") }
        #expect(events.isEmpty)
        #expect(try loop.run { events.count == 2 })
        #expect(events == ["connected", "named"])
    }

    @Test(
        "an address that leads nowhere is an error at once",
        arguments: ["", "nonsense", "unix:path=/nonexistent/bus", "unix:"])
    func badAddress(address: String) {
        #expect(throws: SystemError.self) {
            _ = try BusConnection(to: .address(address), loop: loop)
        }
    }

    @Test("a stopped bus fills the queue, which is bounded, and never stops the loop")
    func backPressure() throws {
        let connection = try BusConnection(to: bus.busAddress, loop: loop, queueLimit: 50)
        #expect(try loop.run { connection.uniqueName != nil })
        bus.daemon?.signal(SIGSTOP)
        defer { bus.daemon?.signal(SIGCONT) }
        let signal = BusSignal(path: "/", interface: "a.b", member: "C")
        let payload = BusValue.bytes([UInt8](repeating: 7, count: 10_000))
        var sent = 0
        var refusal: SystemError?
        // A blocking call would wait for ever.
        while refusal == nil, sent < 10_000 {
            do throws(SystemError) {
                try connection.emit(signal, [payload])
                sent += 1
            } catch { refusal = error }
        }
        #expect(refusal?.errno == ENOBUFS)
        #expect(connection.queuedMessages == 50)
        #expect(!connection.flush(timeout: .milliseconds(50)))
        #expect(connection.isOpen)
        bus.daemon?.signal(SIGCONT)
        #expect(connection.flush(timeout: .seconds(10)))
        #expect(connection.queuedMessages == 0)
        try connection.emit(signal, [payload])
    }

    @Test("a connection that is dropped with all its parts leaves nothing behind")
    func leaks() throws {
        final class Witness {}
        weak var alive: Witness?
        weak var connectionAlive: BusConnection?
        let other = try bus.connect(loop)
        var name = ""
        do {
            let witness = Witness()
            alive = witness
            let connection = try bus.connect(loop, disconnected: { _ = witness })
            connectionAlive = connection
            name = try #require(connection.uniqueName)
            try connection.call(.bus, "GetId") { _ in _ = witness }
            let slots = [
                try connection.subscribe(BusMatch(member: "X")) { _ in _ = witness },
                try connection.export(
                    BusInterface(
                        name: "a.b", methods: [BusMethod("M") { _ in _ = witness }],
                        properties: [
                            BusProperty("P", "u", .silent) { _ in
                                _ = witness
                                return .uint32(1)
                            }
                        ]), at: "/x"),
            ]
            #expect(alive != nil && slots.count == 2)
        }
        try loop.run(seconds: 0.02) { false }
        #expect(connectionAlive == nil)
        #expect(alive == nil)
        var owned: Bool?
        try other.call(.bus, "NameHasOwner", [.string(name)]) { answer in
            owned = try? answer.get().values().first?.asBool
        }
        #expect(try loop.run { owned != nil })
        #expect(owned == false)
    }
}
