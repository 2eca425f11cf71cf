import Bytes
import StoreSchemas

// Unsafe: constants of the program, within their own lengths; the SQL ends with a zero.

/// What makes a new file, and what such a file says that it defines: `Sources/Storage/Schemas`.
enum StoreSchema {
    case events, catalogue

    /// What makes a new file.
    var sql: String {
        switch self {
        case .events: unsafe String(cString: store_schema_events().bytes)
        case .catalogue: unsafe String(cString: store_schema_catalogue().bytes)
        }
    }

    /// Of each row of its `sqlite_schema` type, name, table and SQL, a line end behind each.
    private var defined: ByteView {
        let file =
            switch self {
            case .events: unsafe store_schema_events_defined()
            case .catalogue: unsafe store_schema_catalogue_defined()
            }
        return unsafe ByteView(
            lending: UnsafeRawBufferPointer(start: file.bytes, count: file.length))
    }

    /// Whether a file defines just that, as SQLite keeps it; nothing that the file defines is run. Where it
    /// is not so the same may be written otherwise, by another version of SQLite or by steps.
    func isAsMade(_ database: Database) throws -> Bool {
        let all = defined
        var place = 0
        var isSame = true
        try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
            for column in 0..<Int32(4) {
                row.withBytes(column) { text in
                    let end = place + text.count
                    isSame =
                        isSame && end < all.count && all[end] == UInt8(ascii: "\n")
                        && all.part(place..<end).order(with: text) == 0
                    place = end + 1
                }
            }
            return isSame
        }
        return isSame && place == all.count
    }
}
