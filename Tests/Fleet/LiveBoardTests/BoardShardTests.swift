import JSON
import PostgreSQL
import SystemTestKit
import Systemd
import Testing

@testable import Ingesting
@testable import LiveBoard

/// With three of Debian's PostgreSQL: two shards, and the database of their reports.
@MainActor
@Suite("The board over shards", .serialized)
final class BoardShardTests {
    private let loop: EventLoop
    private let servers: [PrivatePostgreSQL]
    private let office: PrivatePostgreSQL
    private var said: [String] = []

    init() throws {
        loop = try EventLoop()
        servers = [try #require(PrivatePostgreSQL()), try #require(PrivatePostgreSQL())]
        office = try #require(PrivatePostgreSQL())
        for (index, server) in servers.enumerated() {
            let shard = try open(server)
            for tenant in ["acme", "other"] {
                _ = try Questions.setUp(shard, tenant: tenant, retention: 12)
                try enter(shard, tenant, "\(tenant)-\(index + 1)", 1)
            }
            try shard.runAll(
                """
                CREATE ROLE reader LOGIN IN ROLE fleet_reader;
                INSERT INTO fleet.access SELECT 'reader', id FROM fleet.tenant WHERE name = 'acme'
                """)
        }
        let reports = try open(office)
        try reports.runAll("CREATE ROLE fleet_reader; CREATE ROLE reader IN ROLE fleet_reader")
        _ = try Federation.setUp(reports, over: servers.map(\.address))
    }

    private func open(_ server: PrivatePostgreSQL) throws -> Database {
        var opened: Database?
        let address = server.address
        waitUntil(seconds: 30) {
            opened = try? Database(address, program: "test")
            return opened != nil
        }
        return try #require(opened)
    }

    private func enter(_ shard: Database, _ tenant: String, _ box: String, _ seq: Int) throws {
        _ = try shard.run(
            """
            SELECT fleet.take(ARRAY[$1], ARRAY[$2], ARRAY[gen_random_uuid()], ARRAY[$3::bigint],
                ARRAY[$3::bigint - 1], ARRAY[now()], ARRAY['enter'], ARRAY['wh'], ARRAY['Warehouse'],
                ARRAY[NULL::float8], ARRAY[false], ARRAY['{"driver":"Jane"}'::jsonb])
            """, [tenant, box, "\(seq)"])
    }

    private func store(listening: Bool = true) throws -> BoardStore {
        try BoardStore(
            office.address, shards: listening ? servers.map(\.address) : [], loop
        ) { [weak self] in self?.said.append($1) }
    }

    private func now(_ store: BoardStore, as role: String? = "reader") throws -> JSONValue {
        var answer: Result<Rows, BoardStore.Refusal>?
        store.ask(as: role, .init(sql: FleetNow.sql)) { answer = $0 }
        _ = try loop.run(seconds: 30) { answer != nil }
        let rows = try #require(try answer?.get())
        return try JSONValue(parsing: try #require(rows.values[0][0]))
    }

    private func boxes(_ json: JSONValue) -> [String] {
        (json["boxes"]?.array ?? []).compactMap { $0.array?[1].string }
    }

    @Test("a place of two shards is one, with the boxes and drivers of both, of one's own tenant")
    func union() throws {
        let store = try store()
        let json = try now(store)
        #expect(boxes(json) == ["acme-1", "acme-2"])
        #expect(json["tenants"]?.array?.map(\.string) == ["acme"])
        #expect(json["silent"]?.array?.isEmpty == true)
        let places = json["places"]?.array ?? []
        #expect(places.count == 1)
        #expect(places.first?[4]?.array?.map { $0[2]?.string } == ["Jane", "Jane"])
        #expect(boxes(try now(store, as: nil)).count == 4)
    }

    @Test("what is new at a shard is heard, and a shard that comes back is")
    func listening() throws {
        let store = try store()
        #expect(try loop.run(seconds: 30) { store.generation >= 2 })
        var heard = store.generation
        for server in servers {
            let shard = try open(server)
            try enter(shard, "acme", "acme-3", 1)
            try shard.runAll(Announcer.sql)
            #expect(try loop.run(seconds: 30) { store.generation > heard })
            heard = store.generation
        }
        #expect(boxes(try now(store)).count == 4)
    }

    @Test(
        "a shard that is away is named and left out, and asked again later",
        arguments: [true, false])
    func silent(_ wasConnected: Bool) throws {
        let store = try store(listening: false)
        if wasConnected { #expect(boxes(try now(store)).count == 2) }
        servers[1].stop()
        for _ in 0..<2 {
            let json = try now(store)
            #expect(boxes(json) == ["acme-1"])
            #expect(json["silent"]?.array?.map(\.integer) == [2])
        }
        #expect(said.count { $0.hasPrefix("shard_2 is left out: ") } == 1, "\(said)")
        try #require(servers[1].start())
        _ = try open(servers[1])
        store.askSilent()
        let json = try now(store)
        #expect(boxes(json) == ["acme-1", "acme-2"])
        #expect(json["silent"]?.array?.isEmpty == true)
        // All of them: what remains is nothing, and named.
        for server in servers { server.stop() }
        #expect(try now(store)["silent"]?.array?.map(\.integer) == [1, 2])
    }
}
