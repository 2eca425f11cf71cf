import Glibc
import SystemTestKit
import Systemd
import Testing

/// Signals go round sd-bus where it can be: nobody may notice.
@MainActor
@Suite(.serialized)
struct BusBytesTests {
    let loop: EventLoop
    let bus = PrivateBus()
    let sender: BusConnection
    let listener: BusConnection
    private let heard = Heard()
    private let slot: BusSlot

    private static let interface = "org.example.Test1.Thing"
    private static let signal = BusSignal(
        path: "/org/example", interface: interface, member: "Said")

    @MainActor
    private final class Heard {
        var messages: [BusMessage] = []
        var isInstalled = false
    }

    init() throws {
        loop = try EventLoop()
        sender = try bus.connect(loop)
        listener = try bus.connect(loop)
        let heard = heard
        slot = try listener.subscribe(
            BusMatch(interface: Self.interface), installed: { heard.isInstalled = $0 == nil }
        ) { heard.messages.append($0) }
        #expect(try loop.run { heard.isInstalled })
    }

    /// What the listener has of a signal with these arguments.
    private func sent(_ arguments: [BusValue], to destination: String? = nil) throws -> BusMessage?
    {
        heard.messages = []
        try sender.emit(Self.signal, arguments, to: destination)
        try loop.run { !heard.messages.isEmpty || !sender.isOpen || !listener.isOpen }
        return heard.messages.first
    }

    @Test(
        "arguments arrive as they were sent",
        arguments: [
            [], [.byte(255)], [.bool(true), .bool(false)], [.byte(1), .int16(-32_768)],
            [.byte(1), .uint16(65_535), .byte(2)], [.byte(1), .int32(.min)],
            [.byte(1), .uint32(.max)], [.byte(1), .int64(.min)], [.byte(1), .uint64(.max)],
            [.byte(1), .double(-0.125)], [.double(.infinity), .string("")],
            [.string("Brücke"), .string("七つの橋"), .string("🌉")],
            [.byte(1), .options([])], [.options([]), .byte(1)], [.byte(1), .strings([]), .byte(2)],
            [.byte(1), .strings(["", "a", "bc", "def", "ghij"]), .uint64(7)],
            [.array(of: "v", [])], [.byte(1), .array(of: "v", []), .uint64(7)],
            [.array(of: "v", [.variant(.byte(3)), .variant(.uint64(7)), .variant(.options([]))])],
            [
                .byte(1),
                .options([
                    BusOption("", .byte(1)), BusOption("k", .string("v")),
                    BusOption("kk", .double(1.5)), BusOption("kkk", .strings(["x"])),
                    BusOption("deep", .options([BusOption("b", .bool(true))])),
                    BusOption("list", .array(of: "v", [.variant(.int64(-1))])),
                    BusOption("small", .int16(-1)),
                ]), .byte(2),
            ],
            // These are sd-bus's.
            [.bytes([1, 2, 3])], [.structure([.byte(1), .string("a")])], [.variant(.byte(1))],
            [.array(of: "u", [.uint32(1)])], [.objectPath("/a")], [.signature("a{sv}")],
            [.string(String(repeating: "long", count: 10_000))],
            [.options([BusOption("bytes", .bytes([7]))])],
        ] as [[BusValue]])
    func values(arguments: [BusValue]) throws {
        let message = try #require(try sent(arguments))
        #expect(try message.values() == arguments)
        #expect(message.signature == arguments.signature)
        #expect(message.path == "/org/example" && message.member == "Said")
        #expect(message.interface == Self.interface && message.sender == sender.uniqueName)
        let alone = try #require(try sent(arguments, to: listener.uniqueName))
        #expect(try alone.values() == arguments)
    }

    @Test("what D-Bus cannot carry in a text is replaced", arguments: [0, 0xFFFE, 0x1FFFF, 0xFDD0])
    func oddTexts(scalar: UInt32) throws {
        let odd = "a\(try #require(Unicode.Scalar(scalar)))b"
        let message = try #require(
            try sent([.string(odd), .strings([odd]), .options([BusOption(odd, .string(odd))])]))
        let replaced = "a\u{FFFD}b"
        #expect(
            try message.values() == [
                .string(replaced), .strings([replaced]),
                .options([BusOption(replaced, .string(replaced))]),
            ])
    }

    @Test("values of any shape arrive as they were sent", arguments: [1, 2, 3])
    func shapes(seed: Int) throws {
        var random = Shapes(state: UInt64(seed))
        for _ in 0..<100 {
            let arguments = (0..<random.below(6)).map { _ in random.value(depth: 0) }
            let message = try #require(try sent(arguments), "\(arguments)")
            #expect(try message.values() == arguments)
        }
    }

    @Test("the everyday ones are ours, all else is sd-bus's")
    func whose() throws {
        let monitor = bus.busctl("monitor", "--json=short", "--match=type='signal',member='Said'")
        #expect(try loop.run { monitor.errorsSoFar.contains("Monitoring") })
        let everyday: [BusValue] = [.uint64(1), .options([BusOption("title", .string("T"))])]
        for arguments in [everyday, everyday, [.bytes([1])]] {
            try sender.emit(Self.signal, arguments)
        }
        try loop.run { monitor.outputSoFar.filter { $0 == "\n" }.count == 3 }
        let cookies = monitor.outputSoFar.split(separator: "\n").map { line in
            line.split(separator: "\"cookie\":").last.flatMap {
                UInt32($0.prefix(while: \.isNumber))
            } ?? 0
        }
        #expect(cookies.prefix(2) == [1 << 31, 1 << 31 + 1])
        #expect(cookies.count == 3 && (1..<1000).contains(cookies[2]))
    }

    @Test("names that are none are refused as ever, and the connection lives on")
    func names() throws {
        for (path, interface, member) in [
            ("org", Self.interface, "M"), ("/a/", Self.interface, "M"), ("/a", "M", "M"),
            ("/a", Self.interface, "a.b"),
        ] {
            #expect(throws: SystemError.self) {
                try sender.emit(BusSignal(path: path, interface: interface, member: member), [])
            }
        }
        #expect(throws: SystemError.self) {
            try sender.emit(Self.signal, [], to: "no name")
        }
        #expect(try sent([.byte(1)]) != nil)
    }

    @Test("behind what waits for a bus that does not read, order stays")
    func order() throws {
        bus.daemon?.signal(SIGSTOP)
        let filling = BusValue.string(String(repeating: "x", count: 2000))
        var count: UInt64 = 0
        while sender.queuedMessages < 20 {
            try sender.emit(Self.signal, [.uint64(count), filling])
            count += 1
        }
        bus.daemon?.signal(SIGCONT)
        #expect(
            try loop.run {
                // In between, as they find the queue: empty or not.
                if count < 50_000, (try? sender.emit(Self.signal, [.uint64(count)])) != nil {
                    count += 1
                }
                return sender.queuedMessages == 0
            })
        for _ in 0..<10 {
            try sender.emit(Self.signal, [.uint64(count)])
            count += 1
        }
        #expect(try loop.run { heard.messages.count == Int(count) })
        let numbers = try heard.messages.map { try $0.values().first?.asUInt64 }
        #expect(numbers == (0..<count).map { $0 })
    }
}

/// Values of what is said every day, and now and then of what is not.
private struct Shapes {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    mutating func value(depth: Int) -> BusValue {
        switch below(depth < 5 ? 14 : 10) {
        case 0: .byte(UInt8(below(256)))
        case 1: .bool(below(2) == 0)
        case 2: .int16(Int16(below(1000)) - 500)
        case 3: .uint16(UInt16(below(65_536)))
        case 4: .int32(Int32(below(1000)) - 500)
        case 5: .uint32(UInt32(below(1000)))
        case 6: .int64(Int64(below(1000)) - 500)
        case 7: .uint64(UInt64(below(1000)))
        case 8: .double(Double(below(1000)) / 8)
        case 9: .string(text())
        case 10: .strings((0..<below(4)).map { _ in text() })
        case 11: .options((0..<below(5)).map { _ in BusOption(text(), value(depth: depth + 1)) })
        case 12:
            .array(of: "v", (0..<below(4)).map { _ in .variant(value(depth: depth + 1)) })
        default: below(4) == 0 ? .bytes([1, 2]) : .options([])
        }
    }

    private mutating func text() -> String {
        String(repeating: ["x", "ü", "橋"][below(3)], count: below(9))
    }
}
