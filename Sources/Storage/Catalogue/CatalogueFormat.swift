extension DatabaseFormat {
    /// The catalogue's file: `catalogue.sqlite`.
    static let catalogue = DatabaseFormat(
        // "GeoC"
        applicationID: 0x4765_6F43,
        schema: .catalogue, version: 5,
        probe: """
            SELECT only_row, generation, count, next FROM state;
            SELECT number, name, fences, generation, changed_at, accepted, sum, hazards FROM origin
            """,
        survey: """
            SELECT fences FROM cell ORDER BY number DESC LIMIT 1;
            SELECT number FROM fence ORDER BY id LIMIT 1;
            SELECT number, east, south, north FROM box WHERE west <= 0 LIMIT 1;
            SELECT number FROM beacon LIMIT 1
            """,
        sanity: """
            SELECT count = (SELECT coalesce(sum(fences), 0) FROM origin)
                AND (SELECT coalesce(min(fences), 0) FROM origin) >= 0
                AND generation BETWEEN (SELECT coalesce(max(generation), 0) FROM origin) AND 1 << 60
                AND next > (SELECT coalesce(max(number), 0) FROM cell)
                AND NOT EXISTS (
                    SELECT 1 FROM origin AS one NOT INDEXED
                    WHERE (SELECT number FROM origin WHERE name = one.name) IS NOT one.number)
            FROM state
            """,
        repair: Migration(
            sql: "REINDEX origin", program: { try CatalogueNumbers(counting: $0).write($0) }),
        lastNumber: "SELECT generation FROM state WHERE generation BETWEEN 0 AND 1 << 60",
        pageSize: 4_096, walLimit: 1_000 * 4_096)
}
