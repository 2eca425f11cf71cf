import Glibc
import MQTT
import PostgreSQL
import SystemTestKit
import Systemd
import Testing

@testable import Ingesting

/// With Debian's mosquitto and PostgreSQL; the test is the box.
@MainActor
@Suite("From a broker into the database", .serialized)
final class IntakeTests {
    private let server: PrivatePostgreSQL
    private let directory = TemporaryDirectory()
    private let loop: EventLoop
    private let port: UInt16
    private let broker: Subprocess
    private var said: [String] = []
    private var status = ""
    /// The acknowledgements that the box got.
    private var acknowledged: [String] = []
    private var isConnected = false
    private var asker: Database?
    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        loop = try EventLoop()
        port = try #require(freePort())
        let config = directory.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            \(geteuid() == 0 ? "user root" : "")
            """, to: "mosquitto.conf")
        broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        let (port, broker) = (port, broker)
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        let database = try #require(server.open())
        _ = try Questions.setUp(database, tenant: "acme", retention: 12)
    }

    /// The first value of the answer; nil also while there is no database.
    private func ask(_ sql: String) -> String? {
        asker = asker ?? (try? Database(server.address, program: "test"))
        guard let rows = try? asker?.run(sql) else {
            asker = nil
            return nil
        }
        return rows.values.first?.first ?? nil
    }

    private func intake(isShared: Bool = true, worker: String = "test") throws -> Intake {
        let settings = IngestSettings(
            brokers: [MQTTSettings(host: "127.0.0.1", port: port, clientID: "")],
            database: server.address, isShared: isShared, retention: 12)
        return try Intake(
            settings, worker: worker, loop: loop,
            log: { [weak self] in self?.said.append($1) },
            status: { [weak self] in self?.status = $0 },
            refuse: { Issue.record("\($0)") })
    }

    private func box() throws -> MQTTConnection {
        let settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "b1")
        let box = try MQTTConnection(loop, settings) { [weak self] event in
            switch event {
            case .connected: self?.isConnected = true
            case .message(_, let payload, _):
                self?.acknowledged.append(String(decoding: payload, as: UTF8.self))
            case .subscribed, .published, .ended: break
            }
        }
        #expect(try loop.run { isConnected })
        _ = box.subscribe(to: "gf/1/acme/b1/down/#")
        return box
    }

    private func say(_ box: MQTTConnection, _ state: String) {
        _ = box.publish(
            Array(#"{"v":1,"online":true,"state":"\#(state)"}"#.utf8), to: "gf/1/acme/b1/status",
            isRetained: true)
    }

    private func send(_ box: MQTTConnection, _ seq: Int) {
        let text = """
            {"v":2,"log":"\(Self.log)","prev":\(seq - 1),"event":{"seq":\(seq),\
            "kind":"enter","fence":"wh","time":"2026-11-22T06:41:07.250Z"}}
            """
        _ = box.publish(Array(text.utf8), to: "gf/1/acme/b1/event")
    }

    private var state: String? { ask("SELECT status->>'state' FROM fleet.box") }

    @Test("its status line says first why nothing is stored: no database, then none that is set up")
    func statusLine() throws {
        _ = ask("DROP SCHEMA fleet CASCADE")
        server.stop()
        let intake = try intake()
        #expect(try loop.run(seconds: 30) { status.contains("1 of 1 brokers") }, "\(status)")
        #expect(status.hasPrefix("no database: "), "\(status)")
        #expect(status.contains("No such file or directory"), "\(status)")
        #expect(server.start())
        #expect(try loop.run(seconds: 30) { status.hasPrefix("the database: ") }, "\(status)")
        #expect(status.contains("run geofenced-ingest setup"), "\(status)")
        _ = try Questions.setUp(try #require(server.open()), tenant: "acme", retention: 12)
        #expect(try loop.run(seconds: 30) { status.hasPrefix("1 of 1 brokers, 0") }, "\(status)")
        withExtendedLifetime(intake) {}
    }

    @Test("a status that came before the ingest is read, and one that comes while it runs")
    func retained() throws {
        let box = try box()
        say(box, "draining")
        let intake = try intake()
        #expect(try loop.run(seconds: 30) { state == "draining" }, "\(said)")
        say(box, "idle")
        #expect(try loop.run(seconds: 30) { state == "idle" }, "\(said)")
        withExtendedLifetime(intake) {}
    }

    @Test("partitions that wait for a reader are told once, and events are stored meanwhile")
    func upkeep() throws {
        let reader = try #require(server.open())
        let first = "SELECT relname FROM pg_class WHERE relname ~ '^event_[0-9]{8}$' LIMIT 1"
        let part = try #require(ask(first))
        _ = ask("DROP TABLE fleet.\(part)")
        try reader.runAll("BEGIN; SELECT count(*) FROM fleet.event")
        let intake = try intake()
        let late = "partitions: 0 partitions made, 0 dropped" + Upkeep.waits
        #expect(try loop.run(seconds: 30) { said.contains(late) }, "\(said)")
        let box = try box()
        // Until it listens.
        let isStored = try (1...30).contains { _ in
            send(box, 1)
            return try loop.run(seconds: 1) { !acknowledged.isEmpty }
        }
        #expect(isStored, "\(said)")
        #expect(said.count { $0 == late } == 1)
        withExtendedLifetime(intake) {}
    }

    @Test("a status and an event that come while the database is away are not lost")
    func away() throws {
        let box = try box()
        let intake = try intake()
        say(box, "draining")
        #expect(try loop.run(seconds: 30) { state == "draining" }, "\(said)")
        server.stop()
        say(box, "idle")
        send(box, 1)
        #expect(
            try loop.run(seconds: 30) { said.contains { $0.hasPrefix("no database") } },
            "\(said)")
        try #require(server.start())
        #expect(try loop.run(seconds: 60) { state == "idle" }, "\(said)")
        // The box sends it again.
        send(box, 1)
        #expect(
            try loop.run(seconds: 30) {
                acknowledged.contains(#"{"log":"\#(Self.log)","ranges":[[1,1]]}"#)
            }, "\(said)")
        #expect(ask("SELECT count(*) FROM fleet.event") == "1")
        withExtendedLifetime(intake) {}
    }

    @Test("where a box says that it is between events is stored, once its status was")
    func positions() throws {
        let box = try box()
        let intake = try intake()
        say(box, "idle")
        #expect(try loop.run(seconds: 30) { state == "idle" }, "\(said)")
        func tell(_ latitude: Int, at second: Int) {
            let text = """
                {"v":2,"position":{"time":"2026-11-22T06:41:0\(second)Z","latitude":\(latitude),\
                "longitude":8,"error_m":5}}
                """
            _ = box.publish(Array(text.utf8), to: "gf/1/acme/b1/position", qos: 0)
        }
        tell(1, at: 1)
        tell(2, at: 2)
        let stored = "SELECT latitude || ' ' || error_m FROM fleet.position"
        #expect(try loop.run(seconds: 30) { ask(stored) == "2 5" }, "\(said)")
        _ = box.publish(Array("{}".utf8), to: "gf/1/acme/b1/position", qos: 0)
        #expect(
            try loop.run(seconds: 30) { ask("SELECT reason FROM fleet.rejected") != nil }, "\(said)"
        )
        withExtendedLifetime(intake) {}
    }

    @Test("of two ingests that do not share, each acknowledges an event, which is stored once")
    func unshared() throws {
        let box = try box()
        let both = try ["one", "two"].map { try intake(isShared: false, worker: $0) }
        let text = #"{"log":"\#(Self.log)","ranges":[[1,1]]}"#
        // Until both listen: then one event has two acknowledgements.
        let isTwice = try (1...20).contains { _ in
            acknowledged = []
            send(box, 1)
            return try loop.run(seconds: 2) { acknowledged.count { $0 == text } == 2 }
        }
        #expect(isTwice, "\(said) \(acknowledged)")
        #expect(ask("SELECT count(*) FROM fleet.event") == "1")
        withExtendedLifetime(both) {}
    }

    @Test("a box whose events wait is told that the office is there; an idle one is not")
    func hint() throws {
        let box = try box()
        for (name, waiting) in [("b1", 130), ("b2", 0)] {
            let status = """
                {"v":1,"online":true,"log":"\(Self.log)","state":"draining","waiting":\(waiting)}
                """
            _ = box.publish(
                Array(status.utf8), to: "gf/1/acme/\(name)/status", isRetained: true)
        }
        _ = box.subscribe(to: "gf/1/acme/b2/down/#")
        let intake = try intake()
        #expect(
            try loop.run(seconds: 30) {
                ask("SELECT count(*) FROM fleet.box") == "2" && !acknowledged.isEmpty
            }, "\(said)")
        #expect(Set(acknowledged) == [#"{"log":"\#(Self.log)","ranges":[]}"#])
        withExtendedLifetime(intake) {}
    }

    @Test("boards are told of an event and of a status, without what it is")
    func news() throws {
        let board = try #require(server.open())
        try board.runAll("LISTEN fleet_changed")
        try board.attach(to: loop)
        var told = 0
        board.onNotification = { told += 1 }
        let box = try box()
        let intake = try intake()
        say(box, "draining")
        #expect(try loop.run(seconds: 30) { state == "draining" && told == 1 }, "\(said)")
        send(box, 1)
        #expect(try loop.run(seconds: 30) { told == 2 }, "\(said)")
        #expect(ask("SELECT count(*) FROM fleet.event") == "1")
        withExtendedLifetime(intake) {}
    }

    @Test("a box is asked for a hole once an hour, and for a range when somebody wants it")
    func holes() throws {
        let box = try box()
        var intake: Intake? = try intake()
        say(box, "idle")
        #expect(try loop.run(seconds: 30) { state == "idle" }, "\(said)")
        send(box, 1)
        send(box, 4)
        #expect(try loop.run(seconds: 30) { ask("SELECT count(*) FROM fleet.event") == "2" })
        let lacking = "SELECT count(*) FROM fleet.lacking()"
        // It asks when it starts, and every minute: a row that is being written is passed over.
        intake = nil
        intake = try self.intake()
        let request = #"{"log":"\#(Self.log)","ranges":[[2, 3]]}"#
        #expect(try loop.run(seconds: 90) { acknowledged.contains(request) }, "\(acknowledged)")
        #expect(ask(lacking) == "0")
        let database = try #require(server.open())
        #expect(
            try Questions.resend("b1", nil, in: database) == "b1 is asked for 2 events")
        #expect(ask("SELECT ranges FROM fleet.lacking()") == "[[2, 3]]")
        #expect(
            try Questions.resend("b1", 4...9, in: database) == "b1 is asked for 1 events")
        #expect(ask("SELECT ranges FROM fleet.lacking()") == "[[4, 4]]")
        send(box, 2)
        send(box, 3)
        #expect(try loop.run(seconds: 30) { ask("SELECT missing FROM fleet.box_log") == "{}" })
        #expect(
            try Questions.resend("b1", nil, in: database) == "nothing is missing of b1")
        withExtendedLifetime(intake) {}
    }

    @Test("standbys that a commit does not wait for are told of at the start")
    func standbys() throws {
        let standby = Subprocess([
            "/usr/lib/postgresql/15/bin/pg_receivewal", "-d", server.address, "-D",
            directory.path, "--no-sync",
        ])
        try #require(
            waitUntil(seconds: 30) { ask("SELECT count(*) FROM pg_stat_replication") == "1" },
            "\(standby.errorsSoFar)")
        let intake = try intake()
        #expect(
            try loop.run(seconds: 30) {
                said.contains { $0.contains("does not wait for its 1 standbys") }
            }, "\(said)")
        // Any role may ask.
        _ = ask("CREATE ROLE worker IN ROLE fleet_ingest")
        _ = ask("SET ROLE worker")
        #expect(ask(Intake.standbys) == "1")
        _ = ask("RESET ROLE")
        _ = ask("ALTER SYSTEM SET synchronous_standby_names = 'other'")
        _ = ask("SELECT pg_reload_conf()")
        #expect(waitUntil(seconds: 10) { ask(Intake.standbys) == "0" })
        withExtendedLifetime(intake) {}
    }

    @Test("messages of a hostile box are set aside, and neither stored nor delay others")
    func hostile() throws {
        let box = try box()
        let intake = try intake()
        say(box, "ready")
        // It has subscribed to the events before the statuses.
        #expect(try loop.run(seconds: 30) { state == "ready" }, "\(said)")
        let head = #"{"v":2,"log":"\#(Self.log)","prev":0,"event":{"kind":"enter","#
        let time = #""time":"2026-11-22T06:41:07.250Z""#
        for payload in [
            // Larger than an entry of an index, and than the largest message that is read.
            head + #""seq":1,"fence":"\#(String(repeating: "x", count: 5000))",\#(time)}}"#,
            "[" + String(repeating: " ", count: 600_000) + "]",
            head + #""seq":9223372036854775807,"fence":"f",\#(time)}}"#,
            #"'); DROP SCHEMA fleet CASCADE; --"#,
        ] { _ = box.publish(Array(payload.utf8), to: "gf/1/acme/b1/event") }
        // Another tenant's topic, and invalid names.
        _ = box.publish(Array("{}".utf8), to: "gf/1/other/b1/event")
        _ = box.publish(Array("{}".utf8), to: "gf/1/acme/$b/event")
        send(box, 2)
        #expect(
            try loop.run(seconds: 60) {
                ask("SELECT string_agg(seq::text, ' ') FROM fleet.event") == "2"
                    && ask("SELECT count(*) FROM fleet.rejected") == "5"
            }, "\(said)")
        #expect(ask("SELECT string_agg(name, ' ') FROM fleet.tenant") == "acme")
        #expect(ask("SELECT string_agg(name, ' ') FROM fleet.box") == "b1")
        #expect(
            try loop.run(seconds: 30) {
                Set(acknowledged) == [
                    #"{"log":"\#(Self.log)","ranges":[[1,1]]}"#,
                    #"{"log":"\#(Self.log)","ranges":[[2,2]]}"#,
                ]
            }, "\(acknowledged)")
        withExtendedLifetime(intake) {}
    }
}
