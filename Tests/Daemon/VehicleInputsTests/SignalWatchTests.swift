import SystemTestKit
import Systemd
import Testing
import Time

@testable import Settings
@testable import VehicleInputs

/// A gateway of the vehicle's network on a private bus, and a watch on its signal.
@MainActor
private final class Bench {
    let loop: EventLoop
    let bus = PrivateBus()
    private(set) var gateway: BusConnection?
    private var slot: BusSlot?
    private(set) var watch: SignalWatch?
    var value = BusValue.bool(false)
    private(set) var heard: [InputReading] = []

    static let name = "org.example.Can"
    static let path = "/org/example/Can"
    static let interface = "org.example.Can1"
    static let member = "sender=\(name) path=\(path) interface=\(interface) member=Ignition"
    static let property = "sender=\(name) path=\(path) interface=\(interface) property=On"

    init() throws { loop = try EventLoop() }

    func watch(_ text: String) throws {
        let line = try SignalLine(text)
        watch = try SignalWatch(on: loop, address: bus.busAddress, line: line) { [weak self] in
            self?.heard.append($0)
        }
    }

    /// The gateway starts; `type` is that of its property, if it has one.
    func start(type: String? = nil, invalidates: Bool = false) throws {
        let connection = try bus.connect(loop)
        gateway = connection
        if let type {
            slot = try connection.export(
                BusInterface(
                    name: Self.interface,
                    properties: [
                        BusProperty("On", type, invalidates ? .emitsInvalidation : .emitsValue) {
                            [weak self] _ in self?.value ?? .bool(false)
                        }
                    ]), at: Self.path)
        }
        var outcome: BusNameOutcome?
        try connection.requestName(Self.name) { outcome = try? $0.get() }
        try #require(try loop.run(until: { outcome == .owned }))
    }

    func end() {
        slot = nil
        gateway?.close()
        gateway = nil
    }

    func emit(_ values: BusValue...) throws {
        try gateway?.emit(
            BusSignal(path: Self.path, interface: Self.interface, member: "Ignition"), values)
    }

    func change(to value: BusValue) throws {
        self.value = value
        let slot = try #require(slot)
        try gateway?.emitPropertiesChanged(of: slot, ["On"])
    }

    func hears(_ reading: InputReading) throws -> Bool {
        try loop.run { heard.last == reading }
    }
}

private let gone = InputReading.absent("org.example.Can is not on the bus")
private let silent = InputReading.silent("org.example.Can has said nothing yet")

@MainActor
@Suite("A signal of the vehicle on the bus")
struct SignalWatchTests {
    @Test("an argument is on or off; without its sender nothing is known")
    func member() throws {
        let bench = try Bench()
        try bench.watch(Bench.member)
        #expect(try bench.hears(gone))
        try bench.start()
        #expect(try bench.hears(silent))
        try bench.emit(.bool(true))
        #expect(try bench.hears(.on))
        try bench.emit(.uint32(0))
        #expect(try bench.hears(.off))
        try bench.emit(.string("on"))
        #expect(try bench.hears(.unclear("the value is neither a boolean nor a whole number")))
        try bench.emit()
        #expect(try bench.hears(.unclear("the signal has no argument 0")))
        bench.end()
        #expect(try bench.hears(gone))
    }

    @Test(
        "another argument, and the text of its value",
        arguments: [
            (BusValue.string("run"), "run"), (.bool(true), "true"), (.int32(-2), "-2"),
            (.variant(.uint64(.max)), "9223372036854775807"), (.objectPath("/on"), "/on"),
        ])
    func texts(value: BusValue, on: String) throws {
        let bench = try Bench()
        try bench.watch(Bench.member + " argument=1 on=\(on)")
        try bench.start()
        #expect(try bench.hears(silent))
        try bench.emit(.byte(0), value)
        #expect(try bench.hears(.on))
        try bench.emit(value, .string("accessory"))
        #expect(try bench.hears(.off))
        try bench.emit(value, .double(1))
        #expect(try bench.hears(.unclear("the value has the type d")))
    }

    @Test(
        "a property is read when its owner appears, and at every change", arguments: [false, true])
    func property(invalidates: Bool) throws {
        let bench = try Bench()
        bench.value = .bool(true)
        try bench.start(type: "b", invalidates: invalidates)
        try bench.watch(Bench.property)
        #expect(try bench.hears(.on))
        try bench.change(to: .bool(false))
        #expect(try bench.hears(.off))
        try bench.change(to: .bool(true))
        #expect(try bench.hears(.on))
        bench.end()
        #expect(try bench.hears(gone))
        bench.value = .bool(false)
        try bench.start(type: "b", invalidates: invalidates)
        #expect(try bench.hears(.off))
    }

    @Test("a property that cannot be read is unclear")
    func unreadable() throws {
        let bench = try Bench()
        try bench.start()
        try bench.watch(Bench.property)
        #expect(
            try bench.loop.run {
                if case .unclear(let why) = bench.heard.last {
                    why.hasPrefix("On cannot be read: ")
                } else {
                    false
                }
            })
    }

    @Test("only the owner of the name is believed, even if another one speaks to us directly")
    func stranger() throws {
        let bench = try Bench()
        try bench.start()
        try bench.watch(Bench.member)
        #expect(try bench.hears(silent))
        let signal = BusSignal(path: Bench.path, interface: Bench.interface, member: "Ignition")
        try bench.bus.forge(bench.loop, (signal, [.bool(true)]))
        try bench.emit(.bool(false))
        #expect(try bench.hears(.off))
        #expect(!bench.heard.contains(.on))
    }

    @Test("a bus that ends is connected to again")
    func restart() throws {
        let bench = try Bench()
        try bench.start(type: "b")
        try bench.watch(Bench.property)
        #expect(try bench.hears(.off))
        bench.bus.kill()
        #expect(
            try bench.loop.run { bench.heard.last == .absent("\(bench.bus.address) has gone") })
        bench.end()
        bench.bus.start()
        bench.value = .bool(true)
        try bench.start(type: "b")
        #expect(try bench.loop.run(seconds: 30) { bench.heard.last == .on })
    }
}
