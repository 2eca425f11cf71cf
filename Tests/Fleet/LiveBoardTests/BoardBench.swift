import JSON
import PostgreSQL
import SystemTestKit
import Systemd
import Testing
import WebServer

@testable import Ingesting
@testable import LiveBoard

/// A board on a UNIX socket or the loopback, before Debian's PostgreSQL with two tenants: `acme` has
/// the box `a1`, which is in the place `wh`, and `other` has `o1` in a place with the same id.
@MainActor
final class BoardBench {
    let server: PrivatePostgreSQL
    /// Of its superuser.
    let database: Database
    let loop: EventLoop
    let store: BoardStore
    /// What the board was told of its database.
    let told = Told()
    private let directory = TemporaryDirectory()
    private(set) var board: LiveBoard?
    private var web: WebServer?

    @MainActor
    final class Told {
        var absence: String?
    }

    static let log = "5f0c2d9e-4b7a-4c0e-8d1f-3a6b9c2e5d71"

    /// The board connects as `board`, which was granted the roles `reader` of acme and `we"ird` of other.
    init() throws {
        server = try #require(PrivatePostgreSQL())
        let address = server.address
        var opened: Database?
        // Its socket is there a little before it accepts.
        waitUntil(seconds: 30) {
            opened = try? Database(address, program: "test")
            return opened != nil
        }
        database = try #require(opened)
        loop = try EventLoop()
        _ = try Questions.setUp(database, tenant: "acme", retention: 12)
        _ = try Questions.setUp(database, tenant: "other", retention: nil)
        try database.runAll(
            """
            CREATE ROLE board LOGIN NOINHERIT; CREATE ROLE reader IN ROLE fleet_reader;
            CREATE ROLE "we""ird" IN ROLE fleet_reader; CREATE ROLE stranger IN ROLE fleet_reader;
            CREATE ROLE keeper SUPERUSER; CREATE ROLE worker;
            GRANT reader, "we""ird", keeper, worker TO board;
            INSERT INTO fleet.access SELECT 'reader', id FROM fleet.tenant WHERE name = 'acme';
            INSERT INTO fleet.access SELECT 'we"ird', id FROM fleet.tenant WHERE name = 'other';
            INSERT INTO fleet.access SELECT 'stranger', id FROM fleet.tenant
            """)
        let told = told
        store = try BoardStore(
            address.replacing(user: "board"), loop, log: { _, _ in },
            absence: { told.absence = $0 })
        try event("acme", "a1", 1, "enter", title: "Warehouse <b>")
        try event("other", "o1", 1, "enter", title: "Secret place")
    }

    isolated deinit {
        board?.close()
        web?.stop()
    }

    private var path: String { directory.file("http") }

    /// Serves on a UNIX socket.
    func serve(_ settings: BoardSettings) throws {
        try serve(settings, on: try .file(path))
    }

    /// Serves on the loopback; returns the port and the token.
    func serveOnLoopback(_ settings: BoardSettings) throws -> (port: UInt16, token: String) {
        let listener = try ListenSocket.loopback(port: 0)
        try serve(settings, on: listener)
        guard case .loopback(let port, let token) = listener.rules.place else {
            throw Unexpected()
        }
        return (port, token)
    }

    struct Unexpected: Error {}

    private func serve(_ settings: BoardSettings, on listener: ListenSocket) throws {
        let board = try LiveBoard(store, listener.rules, settings, loop) { _, _ in }
        self.board = board
        web = try WebServer(
            loop, listener: listener.descriptor, limits: LiveBoard.limits,
            headers: LiveBoard.headers(settings), arguments: LiveBoard.arguments
        ) { board.answer($0, $1) }
    }

    /// Stores an event as the ingest does, and tells the boards if asked.
    func event(
        _ tenant: String, _ box: String, _ seq: Int, _ kind: String, fence: String = "wh",
        title: String, minutesAgo: Int = 10, stay: Double? = nil, details: String = "{}"
    ) throws {
        _ = try database.run(
            """
            SELECT fleet.take(ARRAY[$1], ARRAY[$2], ARRAY[$3::uuid], ARRAY[$4::bigint],
                ARRAY[$4::bigint - 1], ARRAY[now() - $5::int * interval '1 minute'], ARRAY[$6],
                ARRAY[$7], ARRAY[$8], ARRAY[$9::float8], ARRAY[false], ARRAY[$10::jsonb])
            """,
            [
                tenant, box, Self.log, "\(seq)", "\(minutesAgo)", kind, fence, title,
                stay.map { "\($0)" }, details,
            ])
    }

    /// A client of the UNIX socket.
    func client() throws -> RawClient { try RawClient(path) }

    /// Status and body of a request.
    func get(_ target: String, _ headers: String...) throws -> (status: String, body: String) {
        try ask(target, headers)
    }

    private func ask(
        _ target: String, _ headers: [String]
    ) throws -> (status: String, body: String) {
        let client = try client()
        let lines = ["GET \(target) HTTP/1.0", "Host: localhost"] + headers
        client.send((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        let isAnswered = try loop.run {
            client.read()
            return client.isClosed
        }
        try #require(isAnswered, "\(target)")
        return (client.status, Self.body(client))
    }

    static func body(_ client: RawClient) -> String {
        guard let end = client.received.firstRange(of: "\r\n\r\n") else { return "" }
        return String(client.received[end.upperBound...])
    }

    /// The names of the boxes, and the titles of the places, that this request sees now.
    func seen(_ headers: String...) throws -> [String] {
        let (status, body) = try ask("/v1/now", headers)
        guard status == "200" else { return [status] }
        let json = try JSONValue(parsing: body)
        let boxes = (json["boxes"]?.array ?? []).compactMap { $0.array?[1].string }
        let places = (json["places"]?.array ?? []).compactMap { $0.array?[2].string }
        return boxes + places
    }
}

extension String {
    fileprivate func replacing(user: String) -> String {
        split(separator: " ").map { $0.hasPrefix("user=") ? "user=\(user)" : "\($0)" }
            .joined(separator: " ")
    }
}
