import Bytes
import PostgreSQL

/// The database of a part of the fleet, as a database of reports reaches it.
struct Shard: Hashable, Sendable {
    /// From 1.
    let number: Int
    /// How libpq is told to connect, without a user and without secrets.
    private let options: [ConnectionText.Option]
    /// Who sets up the reports asks as this role; nil: as a role of the same name.
    private let user: String?

    /// For postgres_fdw alone: these are of a connection that waits for each answer.
    private static let standard = [
        "connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10",
        "keepalives_count": "3", "tcp_user_timeout": "60000", "fetch_size": "10000",
        "updatable": "false",
    ]

    /// - Throws: for a string that libpq does not understand, or with a secret in it, which every user of
    ///   the machine would see on the command line, and every user of the database in its catalogue.
    init(_ address: String, number: Int) throws(DatabaseError) {
        self.number = number
        let all: [ConnectionText.Option]
        do throws(DatabaseError) {
            all = try ConnectionText.options(onCommandLine: address)
        } catch {
            throw DatabaseError(
                state: "",
                message: "shard_\(number): \(error.message)")
        }
        user = all.first { $0.key == "user" }?.value
        options = all.filter { $0.key != "user" }
        guard !options.isEmpty else {
            throw DatabaseError(state: "", message: "shard_\(number): does not say where it is")
        }
    }

    var name: String { "shard_\(number)" }

    /// For people: `host=db1 dbname=fleet`.
    var place: String {
        options.filter { $0.key != "passfile" }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }

    /// Server, mappings of the role that runs this and of `readers`, and what is read.
    func sql(readers: [String]) -> String {
        var settings = Self.standard
        for option in options { settings[option.key] = option.value }
        let list = settings.sorted { $0.key < $1.key }.map {
            "\(SQLText.identifier($0.key)) \(SQLText.literal($0.value))"
        }
        let mappings =
            [("CURRENT_USER", user.map(SQLText.literal) ?? "")]
            + readers.map { (SQLText.identifier($0), SQLText.literal($0)) }
        return """
            CREATE SERVER \(name) FOREIGN DATA WRAPPER postgres_fdw
                OPTIONS (\(list.joined(separator: ", ")));
            \(mappings.map { role, user in
                // Nobody but their owner may change them: readers have no right to the server.
                "CREATE USER MAPPING FOR \(role) SERVER \(name) OPTIONS ("
                    + (user.isEmpty ? "" : "user \(user), ") + "password_required 'false');"
            }.joined(separator: "\n"))
            CREATE SCHEMA \(name);
            IMPORT FOREIGN SCHEMA fleet LIMIT TO (\(FederationSchema.tables.joined(separator: ", ")))
                FROM SERVER \(name) INTO \(name)
                OPTIONS (import_not_null 'false', import_generated 'false');
            ALTER FOREIGN TABLE \(name).assignment OPTIONS (ADD updatable 'true');
            INSERT INTO fleet.shard VALUES (\(number), \(SQLText.literal(place)));
            GRANT USAGE ON SCHEMA \(name) TO fleet_reader;
            GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO fleet_reader;
            """
    }
}

/// Names and texts within a statement that takes no parameters.
enum SQLText {
    static func identifier(_ text: String) -> String { text.quoted(by: "\"") }

    /// With `standard_conforming_strings`, which is the default.
    static func literal(_ text: String) -> String { text.quoted(by: "'") }
}
