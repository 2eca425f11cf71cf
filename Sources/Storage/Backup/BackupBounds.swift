import CSQLite

/// Numbers of a database that count up, and would have no next one, or that nothing in a vehicle can show. A
/// store that has taken them over could not be used at its next start.
enum BackupBounds {
    /// What is wrong with a row, and a query that finds one. None counts beyond 2^53, up to which a reader of
    /// JSON knows all whole numbers.
    typealias Bound = (what: String, wrong: SQL)

    static let events: [Bound] = [
        ("the last number", "SELECT 1 FROM state WHERE last NOT BETWEEN 0 AND 1 << 53"),
        ("what was announced", "SELECT 1 FROM state WHERE announced NOT BETWEEN 0 AND 1 << 53"),
        ("the generation known", "SELECT 1 FROM state WHERE known NOT BETWEEN 0 AND 1 << 53"),
        (
            "the number of an event",
            "SELECT 1 FROM event WHERE seq NOT BETWEEN 1 AND 1 << 53 LIMIT 1"
        ),
        ("a stay", "SELECT 1 FROM stay WHERE added NOT BETWEEN 0 AND 1 << 53"),
        (
            "the last position",
            """
            SELECT 1 FROM position
            WHERE latitude NOT BETWEEN -90 AND 90 OR longitude NOT BETWEEN -180 AND 180
            """
        ),
        ("a consumer", "SELECT 1 FROM consumer WHERE acknowledged NOT BETWEEN 0 AND 1 << 53"),
        ("a sink", "SELECT 1 FROM sink WHERE announced NOT BETWEEN 0 AND 1 << 53"),
        ("a fence that has ended", "SELECT 1 FROM spent WHERE added NOT BETWEEN 0 AND 1 << 53"),
        (
            "lost numbers",
            """
            SELECT 1 FROM lost
            WHERE first NOT BETWEEN 1 AND 1 << 53 OR last NOT BETWEEN first AND 1 << 53
            """
        ),
        ("an earlier log", "SELECT 1 FROM earlier WHERE last NOT BETWEEN 0 AND 1 << 53"),
        (
            "a driver",
            """
            SELECT 1 FROM driver
            WHERE number NOT BETWEEN 0 AND 1 << 53 OR last_seq NOT BETWEEN 0 AND 1 << 53
            """
        ),
        ("the driver", "SELECT 1 FROM driving WHERE driver NOT BETWEEN 0 AND 1 << 53"),
        ("the route", "SELECT 1 FROM route_state WHERE number NOT BETWEEN 0 AND 1 << 53"),
    ]

    static let catalogue: [Bound] = [
        ("the generation", "SELECT 1 FROM state WHERE generation NOT BETWEEN 0 AND 1 << 53"),
        ("the number of fences", "SELECT 1 FROM state WHERE count NOT BETWEEN 0 AND 1 << 53"),
        ("the next fence", "SELECT 1 FROM state WHERE next NOT BETWEEN 0 AND 1 << 53"),
        (
            "an origin",
            """
            SELECT 1 FROM origin WHERE number NOT BETWEEN 0 AND 1 << 53
                OR fences NOT BETWEEN 0 AND 1 << 53 OR generation NOT BETWEEN 0 AND 1 << 53
            """
        ),
        (
            "accepted fences",
            "SELECT 1 FROM origin WHERE accepted NOT BETWEEN 0 AND 1 << 53"
        ),
        ("a cell", "SELECT 1 FROM cell WHERE number NOT BETWEEN 0 AND 1 << 53 LIMIT 1"),
        ("a fence", "SELECT 1 FROM fence WHERE number NOT BETWEEN 0 AND 1 << 53 LIMIT 1"),
        ("a beacon", "SELECT 1 FROM beacon WHERE number NOT BETWEEN 0 AND 1 << 53"),
    ]

    /// What has a number that cannot be; nil where all can, and for what the file does not have.
    static func flaw(in database: Database, _ bounds: [Bound]) throws -> String? {
        for bound in bounds {
            do {
                if try database.first(bound.wrong, read: { _ in true }) != nil { return bound.what }
            } catch let error as StoreError where error.code == SQLITE_ERROR {}
        }
        return nil
    }
}
