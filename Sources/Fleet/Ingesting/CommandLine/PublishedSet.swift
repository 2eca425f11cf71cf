import Files
import JSON
package import PostgreSQL
import SharedLimits

/// A set of fences as boxes get it: what `geofenced-sync --print` has written.
@MainActor
package struct PublishedSet {
    private struct Entry {
        var id: String
        var title: String?
        var geometry: String
        var properties: String
    }

    private var origin = ""
    private var hash = ""
    private var entries: [Entry] = []

    /// Why a file is no such set.
    package struct Flaw: Error, CustomStringConvertible {
        package var description: String
    }

    /// Bytes of a file, and of a fence: an area of the greatest size that is taken, with its metadata.
    private static let longest = (file: 512 << 20, fence: 8 << 20)
    private static let mostFences = 2_000_000
    /// Fences, and their bytes, of one statement.
    private static let portion = (fences: 1_000, bytes: 8 << 20)

    /// Reads a file.
    /// - Throws: ``Flaw``.
    package init(path: String) throws(Flaw) {
        do {
            var reader = JSONReader(try OpenFile.contents(of: path, limit: Self.longest.file))
            try reader.readObject { reader, key in
                switch key {
                case "origin": origin = try reader.readText()
                case "hash": hash = try reader.readText()
                case "features":
                    try reader.readArray { reader in
                        guard !origin.isEmpty, !hash.isEmpty else {
                            throw Flaw(description: "no origin and hash before its features")
                        }
                        guard entries.count < Self.mostFences else {
                            throw Flaw(description: "more than \(Self.mostFences) fences")
                        }
                        let line = reader.position.line
                        entries.append(try Self.entry(&reader, line))
                    }
                default: try reader.skipValue()
                }
            }
            try reader.finish()
        } catch let flaw as Flaw { throw Flaw(description: "\(path): \(flaw)") } catch {
            throw Flaw(description: "\(path): \(error)")
        }
        guard !origin.isEmpty, !hash.isEmpty else {
            throw Flaw(description: "\(path): no origin and hash: is it of geofenced-sync --print?")
        }
        guard origin.utf8.count <= SharedLimits.fenceID, hash.utf8.count <= SharedLimits.fenceID
        else {
            throw Flaw(description: "\(path): its origin or hash is too long")
        }
    }

    private static func entry(_ reader: inout JSONReader, _ line: Int) throws -> Entry {
        var bytes: [UInt8] = []
        guard try reader.rawValue(to: &bytes, atMost: longest.fence) else {
            throw Flaw(description: "line \(line): a fence of more than \(longest.fence) bytes")
        }
        let feature = try JSONValue(parsing: bytes)
        guard let id = feature["id"]?.string, (1...SharedLimits.fenceID).contains(id.utf8.count),
            feature["geometry"]?.object != nil || feature["geometry"] == .null,
            let geometry = feature["geometry"], feature["properties"]?.object != nil,
            let properties = feature["properties"]
        else { throw Flaw(description: "line \(line): no Feature of a fence") }
        return Entry(
            id: id, title: properties["title"]?.string, geometry: geometry.text,
            properties: properties.text)
    }

    /// Stores it, whole or not at all, and deletes the sets of its origin that no box has and that were
    /// published longer ago than events are kept; returns a line about it.
    package func store(in database: Database, tenant: String) throws(DatabaseError) -> String {
        guard
            let number = try database.run("SELECT id FROM fleet.tenant WHERE name = $1", [tenant])
                .values.first?.first ?? nil
        else { throw DatabaseError(state: "", message: "there is no tenant \(tenant)") }
        try database.runAll("BEGIN")
        do throws(DatabaseError) {
            try fill(database, number)
            let gone = try database.run(Self.tidy, [number, origin, hash])
            try database.runAll("COMMIT; \(Announcer.sql)")
            let others = gone.values.first?.first ?? nil
            return
                "\(origin): \(entries.count) fences of set \(hash); \(others ?? "0") old sets deleted"
        } catch {
            try? database.runAll("ROLLBACK")
            throw error
        }
    }

    private func fill(_ database: Database, _ tenant: String) throws(DatabaseError) {
        let key = [tenant, origin, hash]
        _ = try database.run(
            """
            INSERT INTO fleet.published_set (tenant, origin, hash) VALUES ($1, $2, $3)
            ON CONFLICT (tenant, origin, hash) DO UPDATE SET published = now()
            """, key)
        // The same hash is the same set: what is there of it may be of an attempt by hand.
        _ = try database.run(
            "DELETE FROM fleet.fence WHERE tenant = $1 AND origin = $2 AND hash = $3", key)
        var rest = entries[...]
        while !rest.isEmpty {
            var arrays = (ArrayText(), ArrayText(), ArrayText(), ArrayText())
            var (count, bytes) = (0, 0)
            for entry in rest.prefix(Self.portion.fences) {
                let size = entry.geometry.utf8.count + entry.properties.utf8.count
                guard count == 0 || bytes + size <= Self.portion.bytes else { break }
                (count, bytes) = (count + 1, bytes + size)
                arrays.0.append(entry.id)
                arrays.1.append(entry.title)
                arrays.2.append(entry.geometry == "null" ? nil : entry.geometry)
                arrays.3.append(entry.properties)
            }
            rest = rest.dropFirst(count)
            _ = try database.run(
                """
                INSERT INTO fleet.fence (tenant, origin, hash, id, title, geometry, properties)
                SELECT $1, $2, $3, f.* FROM unnest(
                    $4::text[], $5::text[], $6::jsonb[], $7::jsonb[]) AS f
                ON CONFLICT DO NOTHING
                """, key + [arrays.0.text, arrays.1.text, arrays.2.text, arrays.3.text])
        }
    }

    private static let tidy = """
        WITH gone AS (
            DELETE FROM fleet.published_set p USING fleet.retention r
            WHERE p.tenant = $1 AND p.origin = $2 AND p.hash <> $3
                AND p.published < now() - make_interval(days => r.days)
                AND NOT EXISTS (SELECT FROM fleet.fence_set s WHERE s.tenant = p.tenant
                    AND s.origin = p.origin AND s.hash = p.hash)
            RETURNING 1)
        SELECT count(*) FROM gone
        """
}
