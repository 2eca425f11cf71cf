import Bytes
import Files
import MQTT
package import Program
import SharedLimits
import Zstandard

/// A file of archived events, read once through: what it says of itself first, then its rows, each of which
/// is looked at before it is handed over; at the end whether it is whole.
package final class ArchiveReader {
    private(set) var header: ArchiveHeader
    /// Rows so far; all of them after ``next()`` has given nil.
    package private(set) var rows = 0
    /// SHA-256 of all rows, after ``next()`` has given nil.
    private(set) var total: [UInt8] = []
    let path: String
    private let source: () throws -> ArraySlice<UInt8>
    private var buffer: [UInt8] = []
    private var start = 0
    private var lines = 0
    private var isOver = false
    private var digest = SHA256()

    /// Of a line: the details of an event of 128 KiB may say `1e308` many times, which PostgreSQL writes out.
    private static let longestLine = 128 * SharedLimits.eventDetails
    private static let mostTenants = 100_000

    /// Opens it.
    convenience init(_ path: String) throws(Failure) {
        let packed: ZstdReader
        do { packed = try ZstdReader(try OpenFile(regular: path)) } catch {
            throw Failure("\(error)", path)
        }
        try self.init(path) { try packed.next() }
    }

    /// Reads what the file says of itself.
    /// - Parameter source: gives the next bytes, unpacked; none at the end.
    /// - Throws: ``Failure`` that names file, line and reason, as all of it does.
    package init(
        _ path: String, _ source: @escaping () throws -> ArraySlice<UInt8>
    ) throws(Failure) {
        (self.path, self.source) = (path, source)
        header = ArchiveHeader(database: "", schema: 0, week: "", columns: [])
        guard try line() == Array(ArchiveHeader.first.utf8) else {
            throw flaw("no file of archived events")
        }
        while header.columns.isEmpty {
            guard let bytes = try line(), bytes.starts(with: Array("# ".utf8)) else {
                throw flaw("no line with columns before it")
            }
            try take(String(decoding: bytes.dropFirst(2), as: UTF8.self))
        }
        guard !header.database.isEmpty, header.schema > 0, !header.week.isEmpty else {
            throw flaw("no database, schema or week before it")
        }
    }

    /// A line before the rows, without `# `.
    private func take(_ text: String) throws(Failure) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.count) {
        case ("database", 2) where words[1].utf8.count == 36: header.database = words[1]
        case ("week", 2) where ArchiveHeader.isWeek(words[1]): header.week = words[1]
        case ("schema", 2):
            guard let version = Int(words[1]), version > 0 else { throw flaw("no version") }
            // Of a later one the rest may mean anything.
            guard version <= Migrations.current else {
                throw flaw(
                    "of version \(version) of the schema, and this program has \(Migrations.current)"
                )
            }
            header.schema = version
        case ("tenant", 3) where Int32(words[1]) != nil && TopicLevel.isPlain(words[2]):
            guard header.tenants.count < Self.mostTenants else { throw flaw("too many tenants") }
            header.tenants[words[1]] = words[2]
        case ("columns", 2...):
            let columns = Array(words.dropFirst())
            guard Set(columns).count == columns.count,
                Set(columns).isSubset(of: ArchivedRows.columns),
                columns.starts(with: ["tenant", "box", "log", "seq", "at"])
            else { throw flaw("columns that are not those of events") }
            header.columns = columns
        default: throw flaw("cannot be read: \(text.printable)")
        }
    }

    /// The next row, with its line feed; nil at the end of a whole file.
    package func next() throws(Failure) -> [UInt8]? {
        guard var row = try line() else { throw flaw("ends too early") }
        if row.first == UInt8(ascii: "#") {
            total = digest.finish()
            let last = ArchiveHeader.last(rows, total)
            guard row + [10] == Array(last.utf8) else {
                throw flaw("number or digest of the rows is another one: it was changed")
            }
            guard try line() == nil else { throw flaw("more after the last line") }
            isOver = true
            return nil
        }
        let tabs = row.count { $0 == 9 }
        guard tabs == header.columns.count - 1 else {
            throw flaw("\(tabs + 1) columns instead of \(header.columns.count)")
        }
        let tenant = String(decoding: row.prefix { $0 != 9 }, as: UTF8.self)
        guard header.tenants[tenant] != nil else {
            throw flaw("tenant \(tenant.printable), which the file does not name")
        }
        row.append(10)
        rows += 1
        digest.update(row)
        return row
    }

    /// Several rows at once, for COPY; nil at the end.
    func portion() throws(Failure) -> [UInt8]? {
        var rows: [UInt8] = []
        while !isOver, rows.count < 1 << 16, let row = try next() { rows += row }
        return rows.isEmpty ? nil : rows
    }

    /// Without its line feed; nil at the end.
    private func line() throws(Failure) -> [UInt8]? {
        var looked = start
        while true {
            if let end = buffer[looked...].firstIndex(of: 10) {
                defer { start = end + 1 }
                lines += 1
                return Array(buffer[start..<end])
            }
            guard buffer.count - start <= Self.longestLine else {
                lines += 1
                throw flaw("longer than \(Self.longestLine) bytes")
            }
            buffer.removeFirst(start)
            (start, looked) = (0, buffer.count)
            do {
                let more = try source()
                guard !more.isEmpty else {
                    guard buffer.isEmpty else { throw flaw("ends in the middle of a line") }
                    return nil
                }
                buffer += more
            } catch let failure as Failure { throw failure } catch { throw flaw("\(error)") }
        }
    }

    private func flaw(_ reason: String) -> Failure { Failure(reason, "\(path):\(lines)") }
}
