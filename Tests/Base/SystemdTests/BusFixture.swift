import SystemTestKit
import Systemd
import Time

/// A service on a private bus, under test through busctl and through a second connection of ours.
@MainActor
final class BusFixture {
    static let name = "org.example.Test1"
    static let path = "/org/example/Test1"
    static let interface = "org.example.Test1.Thing"

    let loop: EventLoop
    let bus = PrivateBus()
    let service: BusConnection
    /// The result of the next property reads.
    var count: UInt32 = 7
    /// Who called `Caller`; "" is everybody.
    var readers: [String] = []
    /// Calls of `Later` that have no answer yet.
    var waiting: [BusCall] = []
    var slots: [BusSlot] = []

    init() throws {
        loop = try EventLoop()
        service = try bus.connect(loop)
        slots.append(try service.export(declaration, at: Self.path))
        var outcome: BusNameOutcome?
        try service.requestName(Self.name) { outcome = try? $0.get() }
        guard try loop.run(until: { outcome == .owned }) else {
            throw SystemError(operation: "owning the name", errno: 0)
        }
    }

    var peer: BusPeer {
        BusPeer(destination: Self.name, path: Self.path, interface: Self.interface)
    }

    private var declaration: BusInterface {
        BusInterface(
            name: Self.interface,
            methods: [
                BusMethod("Echo", in: [.init("value", "v")], out: [.init("same", "v")]) { call in
                    do throws(BusError) {
                        call.reply(try call.arguments(limits: .standard))
                    } catch { call.fail(error) }
                },
                BusMethod("Later", out: [.init("answer", "s")]) { [weak self] call in
                    self?.waiting.append(call)
                },
                BusMethod("Forget") { _ in },
                BusMethod("Fail") { $0.fail("org.example.Test1.Error.NoSuchFence", "no “fence”") },
                BusMethod("Wrong", out: [.init("number", "u")]) { $0.reply([.string("text")]) },
                BusMethod("Touch") { [weak self] call in
                    guard let self else { return }
                    count += 1
                    try? service.emitPropertiesChanged(of: slots[0], ["Count", "Caller", "Big"])
                    call.reply()
                },
            ],
            signals: [
                BusSignalDeclaration(
                    "Transition", [.init("seq", "t"), .init("details", "a{sv}")])
            ],
            properties: [
                BusProperty("Version", "s", .constant) { _ in .string("1.0") },
                BusProperty("Count", "u", .emitsValue) { [weak self] _ in
                    .uint32(self?.count ?? 0)
                },
                BusProperty("Caller", "s", .emitsValue) { [weak self] sender in
                    self?.readers.append(sender ?? "")
                    return .string(sender ?? "everybody")
                },
                BusProperty("Big", "as", .emitsInvalidation) { _ in .strings(["a", "b"]) },
                BusProperty("Broken", "u", .silent) { _ throws(BusError) in
                    throw BusError(name: "org.example.Test1.Error.NoFix", message: "no fix yet")
                },
            ])
    }

    /// Runs busctl to its end while the loop runs.
    func busctl(_ arguments: String...) throws -> Subprocess.Ending? {
        try loop.run(
            untilEndOf: Subprocess(["busctl", "--address=\(bus.address)"] + arguments))
    }

    /// `busctl call` of a method of ours.
    func call(_ member: String, _ arguments: String...) throws -> Subprocess.Ending? {
        try loop.run(
            untilEndOf: Subprocess(
                [
                    "busctl", "--address=\(bus.address)", "call", Self.name, Self.path,
                    Self.interface, member,
                ] + arguments))
    }

    /// A call of our own from `client`, answered.
    func answer(
        _ client: BusConnection, _ peer: BusPeer, _ member: String, _ arguments: [BusValue] = [],
        timeout: TimeSpan = .seconds(10)
    ) throws -> Result<BusMessage, BusError>? {
        var answer: Result<BusMessage, BusError>?
        try client.call(peer, member, arguments, timeout: timeout) { answer = $0 }
        try loop.run { answer != nil }
        return answer
    }
}
