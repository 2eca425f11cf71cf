import Bytes

/// What a file of archived events says of itself, in lines before its rows:
///
///     # geofenced events 1
///     # database 5f0c2d9e-4b7a-4c0e-8d1f-3a6b9c2e5d71
///     # schema 13
///     # week 2026-W30
///     # tenant 1 acme
///     # columns tenant box log …
///
/// The rows are those of COPY, "Text Format", in the order of days, boxes, logs and numbers. The last line
/// is `# rows COUNT SHA-256`, of the rows with their line feeds.
struct ArchiveHeader: Hashable {
    /// The identity of the database.
    var database: String
    /// The version of its schema.
    var schema: Int
    /// `2026-W30`, of ISO 8601.
    var week: String
    /// By number.
    var tenants: [String: String] = [:]
    /// The columns of a row, in their order.
    var columns: [String]

    static let first = "# geofenced events 1"

    /// The lines, with the last line feed.
    var text: String {
        let tenants = tenants.sorted { $0.key < $1.key }.map { "# tenant \($0.key) \($0.value)\n" }
        return "\(Self.first)\n# database \(database)\n# schema \(schema)\n# week \(week)\n"
            + tenants.joined() + "# columns \(columns.joined(separator: " "))\n"
    }

    /// The last line, with its line feed.
    static func last(_ rows: Int, _ digest: [UInt8]) -> String {
        "# rows \(rows) \(digest.hexadecimal)\n"
    }

    /// A year of four digits and a week of two.
    static func isWeek(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 8 && bytes[4] == UInt8(ascii: "-") && bytes[5] == UInt8(ascii: "W")
            && (bytes[..<4] + bytes[6...]).allSatisfy { (48...57).contains($0) }
    }
}
