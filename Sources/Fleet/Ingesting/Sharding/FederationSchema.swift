/// What a database of reports consists of: the same names as in a fleet's database, each the union of
/// what the shards have. Numbers of a shard become those of all by its own number at their end, and a
/// tenant is its name, which is the same at every shard. Nothing is stored here but where the shards are.
enum FederationSchema {
    /// What is read of a shard.
    static let tables = [
        "tenant", "box", "daemon", "box_log", "event", "presence", "present", "newest_present",
        "ended",
        "visit", "detention",
        "trip", "whole_log", "fence_set", "published_set", "area", "position", "last_place",
        "free_time",
        "assignment", "driver", "rejected", "archived", "overdue", "schema_version",
    ]

    /// Shards of one database.
    static let most = 999

    /// Before the shards.
    static let begin = """
        CREATE SCHEMA fleet;
        CREATE TABLE fleet.shard (number int PRIMARY KEY, place text NOT NULL);
        -- Whether a shard is asked: not one that this session leaves out because it does not answer.
        -- Declared immutable so that it is decided while a statement is planned: a shard that is only left
        -- out when it runs is connected to nevertheless. Statements are planned each time they are asked.
        CREATE FUNCTION fleet.asks(shard int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
            RETURN NOT shard = ANY (\(Federation.leftOut));
        END $$;
        DO $$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fleet_reader') THEN
                CREATE ROLE fleet_reader NOLOGIN;
            END IF;
        END $$;
        GRANT USAGE ON SCHEMA fleet TO fleet_reader;
        """

    /// A column of a union.
    private struct Column {
        let name: String
        private let sql: String
        private let isNumber: Bool
        /// It is the tenant's name, from the shard's own table of them.
        var isJoined: Bool { sql == "t.name" }

        /// As it is.
        init(_ name: String) { (self.name, sql, isNumber) = (name, "r.\(name)", false) }

        /// A number, which gets the shard's at its end.
        init(number name: String) { (self.name, sql, isNumber) = (name, "r.\(name)", true) }

        private init(_ name: String, _ sql: String) {
            (self.name, self.sql, isNumber) = (name, sql, false)
        }

        static let tenant = Column("tenant", "t.name")

        func text(_ shard: Int) -> String {
            (isNumber ? "\(sql)::bigint * 1000 + \(shard)" : sql) + " AS \(name)"
        }
    }

    private static func plain(_ names: String) -> [Column] {
        names.split(separator: " ").map { Column(String($0)) }
    }

    /// By the name of the relation; of those with a tenant its name is joined, at the shard.
    private static let unions: [(name: String, columns: [Column])] = [
        (
            "box",
            [Column(number: "id"), .tenant]
                + plain(
                    "name first_seen last_seen status log log_seen retired former_log log_changed")
        ),
        (
            "daemon",
            [.tenant, Column(number: "box")] + plain("there absence since log_changed former_log")
        ),
        ("whole_log", [Column(number: "box"), Column("log")]),
        ("box_log", [Column(number: "box")] + plain("log first_seq last_seq missing lost moved")),
        (
            "event",
            [.tenant, Column(number: "box")]
                + plain("log seq at kind fence title stay inferred details received")
                + [Column(number: "driver")]
        ),
        (
            "presence",
            [.tenant, Column(number: "box")] + plain("fence log seq inside since title")
        ),
        (
            "present",
            [.tenant, Column(number: "box")] + plain("fence title since driver inferred")
        ),
        (
            "newest_present",
            [.tenant, Column(number: "box")] + plain("fence title since driver inferred left_out")
        ),
        ("ended", [.tenant, Column(number: "box")] + plain("fence log seq since left_at title")),
        (
            "visit",
            [.tenant, Column(number: "box")]
                + plain("fence title entered left_at stay inferred way_m way_error_m gap_m")
                + [Column(number: "driver")]
        ),
        (
            "detention",
            [.tenant, Column(number: "box")]
                + plain("fence title entered left_at stay inferred driver over")
        ),
        (
            "trip",
            [.tenant, Column(number: "box")]
                + plain("began ended duration from_fence from_title to_fence to_title")
                + plain("stops way_m way_error_m gap_m") + [Column(number: "driver")]
        ),
        ("fence_set", [.tenant, Column(number: "box")] + plain("origin hash state fences")),
        ("published_set", [.tenant] + plain("origin hash published")),
        // Their tenants are names at the shard already.
        (
            "area",
            plain("tenant fence title origin hash published geometry radius width properties")
        ),
        (
            "last_place",
            plain("tenant box fence title inside since heard online inferred latitude longitude")
                + plain("told geometry located error_m speed_mps course_deg")
        ),
        (
            "position",
            [.tenant, Column(number: "box")]
                + plain("at latitude longitude error_m speed_mps course_deg received")
        ),
        ("assignment", [Column(number: "box")] + plain("driver during")),
        ("driver", [Column(number: "id"), .tenant] + plain("name last_seen")),
        ("archived", plain("week first events digest made")),
        ("overdue", plain("day is_missing")),
        ("rejected", [Column(number: "id")] + plain("tenant box reason payload received")),
    ]

    /// After the shards.
    static func end(_ shards: ClosedRange<Int>) -> String {
        func union(_ branch: (Int) -> String, by word: String = "UNION ALL") -> String {
            shards.map(branch).joined(separator: "\n\(word)\n")
        }
        let views = unions.map { name, columns in
            let isJoined = columns.contains { $0.isJoined }
            return "CREATE VIEW fleet.\(name) WITH (security_invoker) AS\n"
                + union { shard in
                    let list = columns.map { $0.text(shard) }
                    return "SELECT \(list.joined(separator: ", "))"
                        + (name == "box" ? ", \(shard) AS shard" : "")
                        + " FROM shard_\(shard).\(name) r"
                        + (isJoined ? " JOIN shard_\(shard).tenant t ON t.id = r.tenant" : "")
                        + " WHERE fleet.asks(\(shard))"
                } + ";"
        }
        return views.joined(separator: "\n") + """

            CREATE VIEW fleet.tenant WITH (security_invoker) AS SELECT name AS id, name FROM (
                \(union({ "SELECT name FROM shard_\($0).tenant WHERE fleet.asks(\($0))" }, by: "UNION")))
                AS t;
            -- Of a place that two shards know the longer time counts.
            CREATE VIEW fleet.free_time WITH (security_invoker) AS
                SELECT tenant, fence, max(free) AS free FROM (
                    \(union { shard in
                        "SELECT t.name AS tenant, r.fence, r.free FROM shard_\(shard).free_time r "
                            + "JOIN shard_\(shard).tenant t ON t.id = r.tenant "
                            + "WHERE fleet.asks(\(shard))"
                    })) AS f GROUP BY 1, 2;

            -- The only thing that is written over shards: at the shard of the box, with the rights there.
            CREATE FUNCTION fleet.assign() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                EXECUTE format('INSERT INTO %I.assignment (box, driver, during) VALUES ($1, $2, $3)',
                    'shard_' || NEW.box % 1000) USING (NEW.box / 1000)::int, NEW.driver, NEW.during;
                RETURN NEW;
            END $$;
            CREATE TRIGGER assign INSTEAD OF INSERT ON fleet.assignment
                FOR EACH ROW EXECUTE FUNCTION fleet.assign();

            -- What ends a box is asked of its shard.
            CREATE FUNCTION fleet.elsewhere(wanted text) RETURNS bigint LANGUAGE plpgsql AS $$
            DECLARE places text;
            BEGIN
                SELECT string_agg(format('shard_%s (%s)', s.number, s.place), ', ' ORDER BY s.number)
                    INTO places FROM fleet.box b JOIN fleet.shard s ON s.number = b.shard
                    WHERE wanted IN (b.name, b.tenant || '/' || b.name);
                IF places IS NULL THEN RAISE 'there is no box %', wanted; END IF;
                RAISE 'this is asked of the database of its shard: % is at %', wanted, places;
            END $$;
            CREATE FUNCTION fleet.retire(wanted text) RETURNS bigint LANGUAGE sql AS
                $$ SELECT fleet.elsewhere(wanted) $$;
            CREATE FUNCTION fleet.forget(wanted text) RETURNS bigint LANGUAGE sql AS
                $$ SELECT fleet.elsewhere(wanted) $$;
            CREATE FUNCTION fleet.resend(which text, first bigint, last bigint) RETURNS bigint
                LANGUAGE sql AS $$ SELECT fleet.elsewhere(which) $$;
            GRANT SELECT ON ALL TABLES IN SCHEMA fleet TO fleet_reader
            """
    }
}
