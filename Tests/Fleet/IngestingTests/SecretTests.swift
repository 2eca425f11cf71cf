import PostgreSQL
import SystemTestKit
import Testing

/// Of the real program; the test kit looks through everything that it, and PostgreSQL, says.
@Suite("A password is in no message of the office, nor in the log of its database", .serialized)
struct SecretTests {
    private static let secret = "horse-4711"
    private let directory = TemporaryDirectory()

    init() { Secrets.register(Self.secret) }

    private func run(
        _ settings: String, _ arguments: [String] = [], _ environment: [String: String?] = [:]
    ) throws -> Subprocess.Ending {
        directory.write("correct-\(Self.secret)\n", to: "database")
        let file = directory.write("[Ingest]\n\(settings)\n", to: "ingest.conf")
        let run = Subprocess(
            [builtProgram("geofenced-ingest")] + arguments + ["--config", file],
            environment: environment.merging([
                "CREDENTIALS_DIRECTORY": directory.path, "NOTIFY_SOCKET": nil,
            ]) { $1 })
        return try #require(run.wait())
    }

    @Test(
        "with a password a URI, a list of pairs and a name are the same database",
        arguments: [
            "postgresql://fleet@/postgres?host=HOST", "host=HOST user=fleet dbname=postgres",
            "postgres",
        ])
    func database(_ address: String) throws {
        let server = try #require(PrivatePostgreSQL())
        let host = server.address.split(separator: " ")[0].dropFirst("host=".count)
        #expect(
            waitUntil(seconds: 30) {
                let ready = Subprocess([
                    "/usr/lib/postgresql/15/bin/pg_isready", "-q", "-d", server.address,
                ])
                return ready.wait()?.status == 0
            })
        let ending = try run(
            """
            Brokers=mqtt://localhost
            Database=\(address.replacing("HOST", with: host))
            Password=@database
            """, ["setup", "--tenant", "acme"], ["PGHOST": String(host), "PGUSER": "fleet"])
        #expect(ending.status == 0, "\(ending.errors)")
    }

    @Test(
        "an address that is refused is not repeated",
        arguments: [
            "Brokers=mqtt://box:\(secret)@broker", "Brokers=mqtt://box:pale,\(secret)@broker",
            "Brokers=mqtt://localhost\nDatabase=postgresql://u:\(secret)@[h/d",
            "Brokers=mqtt://localhost\nDatabase=postgresq://u:\(secret)@h/d",
            "Brokers=mqtt://localhost\nDatabase=u:\(secret)@h",
            "Brokers=mqtt://localhost\nDatabase=host=h password=pale \(secret)",
            "Brokers=mqtt://localhost\nDatabase=host=h pasword=\(secret)",
            "Brokers=mqtt://localhost\nDatabase=host=h password='\(secret)",
            "Brokers=mqtt://localhost\nRetentionSec=mqtt://u:\(secret)@h",
        ])
    func refused(_ settings: String) throws {
        let ending = try run(settings)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("ingest.conf:"), "\(ending.errors)")
    }

    @Test(
        "a password on a command line, where every user sees it, is refused",
        arguments: [
            ["status", "--database", "postgresql://u:\(secret)@h/d"],
            ["status", "--database", "host=h sslpassword=\(secret)"],
            ["move", "box", "--to", "host=h password=\(secret)"],
        ])
    func commandLine(_ words: [String]) throws {
        let run = Subprocess([builtProgram("geofenced-ingest")] + words)
        let ending = try #require(run.wait())
        #expect(ending.status == 2 && ending.errors.contains("on a command line"))
    }

    @Test("the test kit finds a secret in what a program says")
    func kit() {
        for command in ["echo \(Self.secret)", "echo x\(Self.secret)\u{301} >&2"] {
            withKnownIssue { _ = Subprocess(["sh", "-c", command]).wait() }
        }
    }
}
