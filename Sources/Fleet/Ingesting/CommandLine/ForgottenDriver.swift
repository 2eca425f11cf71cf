import Bytes
package import PostgreSQL

extension Questions {
    /// A message that was set aside, of a row `r`, has the text `$1` as a string of JSON.
    private static let isNamed =
        "position(convert_to(to_json($1::text)::text, 'UTF8') IN r.payload) > 0"

    /// The tenants that know the driver `$1`; of one alone, if `$2` is not null.
    private static let knowing = """
        SELECT t.name FROM fleet.tenant t WHERE ($2::text IS NULL OR t.name = $2) AND (
            EXISTS (SELECT FROM fleet.driver d WHERE d.tenant = t.id AND d.name = $1)
            OR EXISTS (SELECT FROM fleet.assignment a JOIN fleet.box b ON b.id = a.box
                WHERE b.tenant = t.id AND a.driver = $1)
            OR EXISTS (SELECT FROM fleet.rejected r WHERE r.tenant = t.name AND \(isNamed)))
        ORDER BY 1
        """

    /// In one transaction; what no tenant has sent, which is for the owner alone to see, with it.
    private static let forgetting = """
        WITH named AS (
            DELETE FROM fleet.driver d USING fleet.tenant t
            WHERE t.name = $2 AND d.tenant = t.id AND d.name = $1 RETURNING 1),
        assigned AS (
            DELETE FROM fleet.assignment a USING fleet.box b, fleet.tenant t
            WHERE t.name = $2 AND b.tenant = t.id AND b.id = a.box AND a.driver = $1 RETURNING 1),
        aside AS (
            DELETE FROM fleet.rejected r
            WHERE (r.tenant = $2 OR NOT r.is_known) AND \(isNamed) RETURNING 1)
        SELECT (SELECT count(*) FROM named), (SELECT count(*) FROM assigned),
            (SELECT count(*) FROM aside)
        """

    /// Erases who a driver was; returns a line about it. Events keep the number, which is nobody's then.
    /// - Parameter tenant: nil: the one that knows the driver.
    /// - Throws: ``DatabaseError``, also where no tenant knows the driver, or several do: then nothing is
    ///   erased.
    package static func forget(
        driver: String, of tenant: String?, in database: Database
    ) throws(DatabaseError) -> String {
        let shown = driver.printable
        let tenants = try database.run(knowing, [driver, tenant]).values.compactMap {
            $0.first ?? nil
        }
        guard tenants.count <= 1 else {
            throw DatabaseError(
                state: "",
                message: "several tenants have a driver \(shown); name one with --tenant: "
                    + tenants.map(\.printable).joined(separator: ", "))
        }
        // Of no tenant there may still be a message of one that was never made.
        let erased =
            try database.run(forgetting, [driver, tenants.first ?? tenant])
            .values.first?.compactMap { $0.flatMap { Int($0) } } ?? []
        guard erased.count == 3, erased.contains(where: { $0 > 0 }) else {
            throw DatabaseError(state: "", message: "there is no driver \(shown)")
        }
        try database.runAll(Announcer.sql)
        let parts = zip(erased, ["name in events", "assignments", "messages set aside"])
        return "\(shown) is forgotten; erased: "
            + parts.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
