import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct BusClientSideTests {
    let fixture: BusFixture
    let client: BusConnection

    init() throws {
        fixture = try BusFixture()
        client = try fixture.bus.connect(fixture.loop)
    }

    private let transition = BusSignal(
        path: BusFixture.path, interface: BusFixture.interface, member: "Transition")

    @Test("only the bus says who owns a name, even if another one speaks to us directly")
    func forgedOwner() throws {
        let name = "org.example.Wanted"
        var owners: [String?] = []
        let watch = try client.watchName(name) { owners.append($0) }
        #expect(try fixture.loop.run { owners == [nil] })
        let signal = BusSignal(
            path: BusPeer.bus.path, interface: BusPeer.bus.interface, member: "NameOwnerChanged")
        try fixture.bus.forge(
            fixture.loop, (signal, [.string(name), .string(""), .string(":1.999")]))
        let owner = try fixture.bus.connect(fixture.loop)
        try owner.requestName(name) { _ in }
        #expect(try fixture.loop.run { owners.last == owner.uniqueName })
        #expect(owners == [nil, owner.uniqueName])
        withExtendedLifetime(watch) {}
    }

    @Test("a broadcast reaches every subscriber, a unicast signal its destination alone")
    func signals() throws {
        let other = try fixture.bus.connect(fixture.loop)
        var heard: [String] = []
        var installed = 0
        let match = BusMatch(
            sender: BusFixture.name, interface: BusFixture.interface, member: "Transition")
        let slots = try [("client", client), ("other", other)].map { name, connection in
            try connection.subscribe(match, installed: { if $0 == nil { installed += 1 } }) {
                let number = (try? $0.values())?.first?.asUInt64 ?? 0
                heard.append("\(name) \(number)")
            }
        }
        #expect(try fixture.loop.run { installed == 2 })
        let details = BusValue.dictionary([("reason", .string("path"))])
        try fixture.service.emit(transition, [.uint64(1), details])
        try fixture.service.emit(transition, [.uint64(2), details], to: client.uniqueName)
        try fixture.service.emit(transition, [.uint64(3), details])
        #expect(try fixture.loop.run { heard.count == 5 })
        try fixture.loop.run(seconds: 0.05) { false }
        #expect(heard.filter { $0.hasPrefix("client") } == ["client 1", "client 2", "client 3"])
        #expect(heard.filter { $0.hasPrefix("other") } == ["other 1", "other 3"])
        withExtendedLifetime(slots) {}
    }

    @Test("busctl receives a broadcast with its values")
    func monitor() throws {
        let monitor = try #require(
            BusMonitor(fixture.bus, "type='signal',member='Transition'"))
        try fixture.service.emit(
            transition, [.uint64(42), .dictionary([("stay_s", .uint32(90))])])
        let expected = #"{"type":"ta{sv}","data":[42,{"stay_s":{"type":"u","data":90}}]}"#
        try fixture.loop.run { !monitor.lines.isEmpty }
        #expect(monitor.lines.first?.contains(expected) == true, "\(monitor.lines)")
    }

    @Test("a dropped subscription receives nothing, also when dropped by its own handler")
    func unsubscribe() throws {
        var heard = 0
        var slot: BusSlot?
        slot = try client.subscribe(BusMatch(member: "Transition")) { _ in
            heard += 1
            slot = nil
        }
        #expect(slot != nil)
        try fixture.service.emit(transition, [.uint64(1), .dictionary([])])
        #expect(try fixture.loop.run { heard == 1 })
        try fixture.service.emit(transition, [.uint64(2), .dictionary([])])
        try fixture.loop.run(seconds: 0.05) { false }
        #expect(heard == 1)
    }

    @Test("a large array makes a round trip", arguments: [0, 1, 100_000])
    func largeArray(count: Int) throws {
        let value = BusValue.array(
            of: "(sutt)",
            (0..<count).map {
                .structure([.string("fence-\($0)"), .uint32(1), .uint64(UInt64($0)), .uint64(2)])
            })
        let start = EventLoop.uptime
        let answer = try fixture.answer(client, fixture.peer, "Echo", [.variant(value)])
        let values = try answer?.get().values()
        let took = (EventLoop.uptime - start).seconds
        #expect(values == [.variant(value)])
        if count > 1 { print("\(count) structures there and back: \(took) s") }
    }

    @Test("bytes make a round trip as one value")
    func bytes() throws {
        let value = BusValue.bytes((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let answer = try fixture.answer(client, fixture.peer, "Echo", [.variant(value)])
        #expect(
            try answer?.get().values(limits: BusLimits(values: 2, depth: 2, bytes: 1 << 30)) == [
                .variant(value)
            ])
    }

    @Test("a message over the limits is refused, not read")
    func limits() throws {
        let many = BusValue.strings((0..<100).map { "\($0)" })
        let answer = try fixture.answer(client, fixture.peer, "Echo", [.variant(many)])
        let message = try #require(try answer?.get())
        for limits in [
            BusLimits(values: 100, depth: 64, bytes: 1 << 30),
            BusLimits(values: 1000, depth: 1, bytes: 1 << 30),
        ] {
            let error = #expect(throws: SystemError.self) {
                _ = try message.values(limits: limits)
            }
            #expect(error?.errno == E2BIG)
        }
        #expect(try message.values() == [.variant(many)])
        var nested = BusValue.byte(1)
        for _ in 0..<40 { nested = .variant(nested) }
        let deep = try fixture.answer(client, fixture.peer, "Echo", [nested])
        #expect(try deep?.get().values() == [nested])
    }

    @Test(
        "characters that D-Bus does not allow in a string are replaced",
        arguments: [0, 0xFFFE, 0xFDD0, 0x1FFFF, 0x10FFFF] as [UInt32])
    func oddText(code: UInt32) throws {
        let odd = try #require(Unicode.Scalar(code))
        let answer = try fixture.answer(
            client, fixture.peer, "Echo", [.variant(.string("Ωﬁ😀\(odd)x"))])
        #expect(try answer?.get().values() == [.variant(.string("Ωﬁ😀\u{FFFD}x"))])
    }

    @Test(
        "a value that does not match its type is an error here, not on the bus",
        arguments: [
            BusValue.array(of: "u", [.string("x")]), .objectPath("no path"), .objectPath("/a\u{0}"),
            .signature("a"), .array(of: "", []), .array(of: "uu", []), .structure([]),
            .array(of: "()", []), .variant(.structure([])),
            .entry(.string("k"), .byte(1)), .fileDescriptor(-1),
        ])
    func badValues(value: BusValue) throws {
        #expect(throws: SystemError.self) {
            try client.call(fixture.peer, "Echo", [value]) { _ in }
        }
        #expect(client.isOpen)
        #expect(try fixture.answer(client, .bus, "GetId")?.failure == nil)
    }

    @Test("a descriptor is passed")
    func descriptors() throws {
        let directory = TemporaryDirectory()
        let file = open(directory.write("fences\n", to: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var text = ""
        let slot = try fixture.service.export(
            BusInterface(
                name: "org.example.Test1.Files",
                methods: [
                    BusMethod("Import", in: [.init("fd", "h")]) { call in
                        guard let descriptor = try? call.arguments()[0].asFileDescriptor,
                            let mine = try? call.message.duplicate(descriptor)
                        else { return call.fail(BusError.failed, "no descriptor") }
                        var buffer = [UInt8](repeating: 0, count: 100)
                        let count = read(mine, &buffer, buffer.count)
                        close(mine)
                        text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
                        call.reply()
                    }
                ]), at: "/files")
        let peer = BusPeer(
            destination: BusFixture.name, path: "/files", interface: "org.example.Test1.Files")
        let answer = try fixture.answer(client, peer, "Import", [.fileDescriptor(file)])
        #expect(answer?.failure == nil)
        #expect(text == "fences\n")
        withExtendedLifetime(slot) {}
    }

    @Test("an unanswered call ends with an error at its time-out; a cancelled one never ends")
    func timeout() throws {
        let cancelled = try client.call(fixture.peer, "Later", timeout: .milliseconds(20)) { _ in
            Issue.record("a cancelled call was answered")
        }
        cancelled.cancel()
        let answer = try fixture.answer(client, fixture.peer, "Later", timeout: .milliseconds(30))
        #expect(
            answer?.failure?.name == "org.freedesktop.DBus.Error.Timeout"
                || answer?.failure?.name == BusError.noReply)
    }

    @Test("a call to nobody is an error")
    func nobody() throws {
        let peer = BusPeer(destination: "org.example.Nobody", path: "/", interface: "a.b")
        #expect(
            try fixture.answer(client, peer, "Method")?.failure?.name == BusError.serviceUnknown)
    }

    @Test("the tool waits for its answer without a loop")
    func synchronous() throws {
        let tool = try BusConnection(to: fixture.bus.busAddress, loop: nil)
        #expect(try tool.callAndWait(.bus, "GetId").values().first?.asString?.count == 32)
        let error = #expect(throws: BusError.self) {
            _ = try tool.callAndWait(.bus, "NoSuchMethod")
        }
        #expect(error?.name == "org.freedesktop.DBus.Error.UnknownMethod")
    }

    @Test("a name has one owner; a second request fails, and the first can release it")
    func names() throws {
        var outcome: BusNameOutcome?
        try client.requestName(BusFixture.name) { outcome = try? $0.get() }
        #expect(try fixture.loop.run { outcome == .taken })
        var owners: [String?] = []
        let slot = try client.watchName(BusFixture.name) { owners.append($0) }
        #expect(try fixture.loop.run { owners == [fixture.service.uniqueName] })
        try fixture.service.releaseName(BusFixture.name)
        #expect(try fixture.loop.run { owners.count == 2 })
        try client.requestName(BusFixture.name) { outcome = try? $0.get() }
        #expect(try fixture.loop.run { outcome == .owned && owners.count == 3 })
        #expect(owners == [fixture.service.uniqueName, nil, client.uniqueName])
        withExtendedLifetime(slot) {}
    }

    @Test("the disappearance of a killed client is noticed")
    func clientGone() throws {
        let process = fixture.bus.busctl(
            "call", BusFixture.name, BusFixture.path, BusFixture.interface, "Later")
        try fixture.loop.run { fixture.waiting.count == 1 }
        let sender = fixture.waiting[0].sender
        var present = false
        var gone = false
        let slot = try fixture.service.watchName(sender) {
            present = $0 == sender
            gone = $0 == nil
        }
        #expect(try fixture.loop.run { present })
        process.signal(SIGKILL)
        #expect(try fixture.loop.run { gone })
        withExtendedLifetime(slot) {}
    }

    @Test("a client that is gone before it is watched is reported gone, once")
    func alreadyGone() throws {
        var told: [String?] = []
        let slot = try fixture.service.watchName(":1.9999") { told.append($0) }
        #expect(try fixture.loop.run { !told.isEmpty })
        #expect(told == [nil])
        let dropped = try fixture.service.watchName(":1.9998") { _ in
            Issue.record("a dropped watch told something")
        }
        _ = consume dropped
        _ = try fixture.answer(fixture.service, .bus, "GetId")
        try fixture.loop.run(seconds: 0.02) { false }
        withExtendedLifetime(slot) {}
    }

    @Test("an invalid name cannot inject a match rule", arguments: ["", "x", "a.b',member='C"])
    func badNames(name: String) throws {
        let error = #expect(throws: SystemError.self) { _ = try client.watchName(name) { _ in } }
        #expect(error?.errno == EINVAL)
        var refused: BusError?
        do {
            let slot = try client.subscribe(BusMatch(sender: name), installed: { refused = $0 }) {
                _ in Issue.record("a bad rule was taken")
            }
            #expect(try fixture.loop.run { refused != nil })
            withExtendedLifetime(slot) {}
        } catch let error as SystemError {
            #expect(error.errno == EINVAL)
        }
        #expect(client.isOpen)
    }

    @Test(
        "an answer larger than the bus allows is an error and does not end the connection",
        arguments: [32 << 20 - 1 << 16, 32 << 20 - 1 << 16 + 1])
    func largestAnswer(size: Int) throws {
        // The lengths of the outer and the two inner arrays, padding in between.
        let parts = [[UInt8](repeating: 1, count: 1001), [UInt8](repeating: 1, count: size - 1016)]
        let slot = try fixture.service.export(
            BusInterface(
                name: "org.example.Test1.Large",
                methods: [
                    BusMethod("Get", out: [.init("bytes", "aay")]) { call in
                        call.reply([.array(of: "ay", parts.map { .bytes($0) })])
                    }
                ]), at: "/large")
        let peer = BusPeer(
            destination: BusFixture.name, path: "/large", interface: "org.example.Test1.Large")
        let answer = try #require(try fixture.answer(client, peer, "Get"))
        if size <= 32 << 20 - 1 << 16 {
            #expect(try answer.get().values() == [.array(of: "ay", parts.map { .bytes($0) })])
        } else {
            #expect(answer.failure?.name == BusError.limitsExceeded)
        }
        #expect(fixture.service.isOpen)
        withExtendedLifetime(slot) {}
    }
}
