import Foundation
import JSON
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

/// The real geofenced-uplink, between a daemon that the test drives and a server in Python.
@MainActor
@Suite("geofenced-uplink over HTTP", .serialized)
struct UplinkTests {
    private let daemon: ServedDaemon
    private let server: HookServer
    private let directory = TemporaryDirectory()

    init() throws {
        daemon = try ServedDaemon()
        server = try HookServer()
        directory.write("whsec_\(HookServer.secret)\n", to: "c_secret")
        // Two events: it is entered and left.
        try daemon.add("a", east: 300)
    }

    private func start(_ settings: String) -> Subprocess {
        directory.write(
            "[Uplink]\nTenant=acme\nBox=box1\nFrom=oldest\n" + settings, to: "uplink.conf")
        return Subprocess(
            [
                builtProgram("geofenced-uplink"), "--bus", daemon.bus.address, "--config",
                directory.file("uplink.conf"), "office",
            ],
            environment: ["CREDENTIALS_DIRECTORY": directory.path, "NOTIFY_SOCKET": nil])
    }

    private var hook: String { "Type=webhook\nURL=\(server.address)/hook\nSecret=@secret\n" }

    private var table: String {
        "Type=odata\nURL=\(server.address)/svc\nEntitySet=Events\nKey=Log Seq\n"
    }

    private var acknowledged: UInt64? { try? daemon.monitoring.consumers().first?.acknowledged }

    private func waitForAcknowledgement(of seq: UInt64, _ uplink: Subprocess) throws {
        let isDone = try daemon.loop.run(seconds: 30) { acknowledged == seq || uplink.hasEnded }
        #expect(isDone && acknowledged == seq, "\(uplink.errorsSoFar)")
    }

    @Test("a hook gets each event once and in order, signed, and the daemon is told")
    func whole() throws {
        let uplink = start(hook)
        daemon.drive(from: 0, to: 600)
        try waitForAcknowledgement(of: 2, uplink)
        #expect(server.taken == [1, 2])
        #expect(server.requests.allSatisfy { $0.isSigned })
        let status = try daemon.run("status").output
        #expect(status.contains("uplink    office: "), "\(status)")
        #expect(status.contains("; nothing waits, acknowledged 2, "), "\(status)")
        let log = daemon.monitoring.logID
        #expect(server.requests.allSatisfy { $0.id.hasPrefix("acme.box1.\(log).") })
        uplink.signal(SIGTERM)
        #expect(try daemon.loop.run(untilEndOf: uplink)?.status == 0)
    }

    @Test("a busy server is asked again, and an answer that was lost is asked for with the same id")
    func again() throws {
        daemon.drive(from: 0, to: 600)
        server.set(.busyOnce)
        let uplink = start(hook)
        try waitForAcknowledgement(of: 2, uplink)
        #expect(server.requests.count == 2 && server.taken == [1, 2])
        try daemon.add("b", east: 900)
        server.set(.dropOnce)
        daemon.drive(from: 600, to: 900)
        try waitForAcknowledgement(of: 3, uplink)
        #expect(server.taken == [1, 2, 3, 3])
        #expect(server.requests.suffix(2).map(\.id).allSatisfy { $0.hasSuffix(".3-3") })
    }

    @Test("what may have arrived is sent again as it was, whatever has come since")
    func repeated() throws {
        for number in 0..<40 { try daemon.add("more\(number)", east: 900) }
        server.set(.drop)
        let uplink = start(hook)
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { server.requests.count >= 1 })
        daemon.drive(from: 600, to: 900)
        #expect(try daemon.loop.run(seconds: 60) { server.requests.count >= 5 })
        let first = try #require(server.requests.first)
        for next in server.requests {
            #expect(next.id == first.id && next.content == first.content && next.isSigned)
        }
        server.set(.good)
        try waitForAcknowledgement(of: 42, uplink)
        // A server that keeps the ids has each event once.
        var contents: [String: String] = [:]
        var counted: [Int64] = []
        for next in server.requests where contents[next.id] == nil {
            contents[next.id] = next.content
            counted += next.numbers
        }
        #expect(server.requests.allSatisfy { contents[$0.id] == $0.content })
        #expect(counted == Array(1...42))
    }

    @Test("what may have arrived is sent again as it was to a daemon that has started again, too")
    func repeatedOverRestart() throws {
        for number in 0..<8 { try daemon.add("more\(number)", east: 900) }
        server.set(.drop)
        let uplink = start(hook)
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { server.requests.count >= 2 })
        daemon.leave()
        daemon.drive(from: 600, to: 900)
        try daemon.serve()
        let before = server.requests.count
        #expect(try daemon.loop.run(seconds: 60) { server.requests.count >= before + 2 })
        server.set(.good)
        try waitForAcknowledgement(of: 10, uplink)
        var counted: [Int64] = []
        for (id, same) in Dictionary(grouping: server.requests, by: \.id) {
            #expect(Set(same.map(\.content)).count == 1, "\(id)")
            counted += same[0].numbers
        }
        #expect(counted.sorted() == Array(1...10), "counted once")
    }

    @Test("the time is that of the server")
    func clock() throws {
        server.set(.tomorrow)
        let uplink = start(hook)
        daemon.drive(from: 0, to: 600)
        try waitForAcknowledgement(of: 2, uplink)
        #expect(server.taken == [1, 2])
    }

    @Test("an event that is refused is found, and left out where the file says so")
    func skipped() throws {
        try daemon.add("bad", east: 900)
        try daemon.add("c", east: 1500)
        daemon.drive(from: 0, to: 1800)
        server.set(.refuseBad)
        let uplink = start(hook + "OnReject=skip\n")
        try waitForAcknowledgement(of: 6, uplink)
        #expect(server.taken == [1, 2, 5, 6])
        #expect(uplink.errorsSoFar.contains("event 3 was left out: 400 from 127.0.0.1"))
    }

    @Test(
        "a network that wants a login loses nothing, whatever the file says",
        arguments: [HookServer.Mode.redirect, .portal], [true, false])
    func portal(_ mode: HookServer.Mode, _ isHook: Bool) throws {
        daemon.drive(from: 0, to: 600)
        server.set(mode)
        let uplink = start((isHook ? hook : table) + "OnReject=skip\n")
        #expect(
            try daemon.loop.run(seconds: 30) { server.seenByPortal >= 3 }, "\(uplink.errorsSoFar)")
        #expect(acknowledged == 0)
        server.set(.good)
        try waitForAcknowledgement(of: 2, uplink)
        let arrived = isHook ? server.taken : server.entities.compactMap { $0["Seq"]?.integer }
        #expect(arrived == [1, 2])
    }

    @Test("a server that takes little at once gets little at once")
    func small() throws {
        // Forty events of about 500 bytes.
        for number in 0..<19 { try daemon.add("f\(number)", east: 300) }
        server.set(.small)
        daemon.drive(from: 0, to: 600)
        let uplink = start(hook + "OnReject=hold\n")
        try waitForAcknowledgement(of: 40, uplink)
        #expect(server.taken == Array(1...40))
    }

    @Test("a server that refuses everything does not cost the whole log")
    func refusing() throws {
        for number in 0..<19 { try daemon.add("f\(number)", east: 300) }
        server.set(.refuseAll)
        daemon.drive(from: 0, to: 600)
        let uplink = start(hook + "OnReject=skip\n")
        #expect(
            try daemon.loop.run(seconds: 30) {
                uplink.errorsSoFar.contains("refused: 400 from 127.0.0.1: event 17")
            }, "\(uplink.errorsSoFar)")
        #expect(!uplink.errorsSoFar.contains("event 17 was left out"))
        #expect(try #require(acknowledged) <= 16)
    }

    @Test("an event that is refused holds those after it back, and nothing is dropped")
    func held() throws {
        try daemon.add("bad", east: 900)
        try daemon.add("c", east: 1500)
        daemon.drive(from: 0, to: 1800)
        server.set(.refuseBad)
        let uplink = start(hook)
        try waitForAcknowledgement(of: 2, uplink)
        #expect(
            try daemon.loop.run(seconds: 30) { uplink.errorsSoFar.contains("refused: 400 from") })
        #expect(server.taken == [1, 2])
        server.set(.good)
        // It waits for a minute now; one that starts again does not.
        uplink.signal(SIGTERM)
        _ = try daemon.loop.run(untilEndOf: uplink)
        let other = start(hook)
        try waitForAcknowledgement(of: 6, other)
        #expect(server.taken == [1, 2, 3, 4, 5, 6])
    }

    @Test("one that is killed goes on, and an entity is made once")
    func entities() throws {
        let uplink = start(table)
        daemon.drive(from: 0, to: 600)
        try waitForAcknowledgement(of: 2, uplink)
        uplink.signal(SIGKILL)
        try daemon.add("b", east: 900)
        daemon.drive(from: 600, to: 1200)
        server.set(.forgetOnce)
        let other = start(table)
        try waitForAcknowledgement(of: 4, other)
        #expect(server.entities.compactMap { $0["Seq"]?.integer } == [1, 2, 3, 4])
        #expect(server.entities.first?["Latitude"] == nil)
        // It is made, and the answer is lost: it is found there, whatever the server says then.
        try daemon.add("d", east: 1500)
        for (seq, end) in [(UInt64(5), 1500.0), (6, 1800)] {
            server.set(.dropOnce)
            daemon.drive(from: end - 300, to: end)
            try waitForAcknowledgement(of: seq, other)
        }
        #expect(server.entities.compactMap { $0["Seq"]?.integer } == [1, 2, 3, 4, 5, 6])
    }

    @Test("one that may rest ends when there is nothing to do, and leaves nothing to be brought")
    func rests() throws {
        // The second is not for this destination, and that is told before it ends.
        try daemon.add("b", east: 900)
        let uplink = start(hook + "ExitIdleSec=1s\n[Filter]\nIds=a\n")
        daemon.drive(from: 0, to: 1200)
        let end = try #require(try daemon.loop.run(untilEndOf: uplink))
        #expect(end.status == 0, "\(end.errors)")
        #expect(server.taken == [1, 2, 4])
        #expect(acknowledged == 4)
    }

    @Test("a credential that is not there, and a problem of the file, end it for good")
    func unusable() throws {
        let missing = start(hook.replacingOccurrences(of: "@secret", with: "@none"))
        let first = try #require(try daemon.loop.run(untilEndOf: missing))
        #expect(first.status == 2)
        #expect(first.errors.contains("there is no credential none"))
        let flawed = start(hook + "Ack=broker\n")
        let second = try #require(try daemon.loop.run(untilEndOf: flawed))
        #expect(second.status == 2)
        #expect(second.errors.contains("Ack: unknown key in [Uplink]"))
    }
}
