import Fencing
import Geodesy
import JSON

/// Circles in a table: a header with at least `id,latitude,longitude,radius` in any order and case,
/// then a fence on each row. Columns of the other names become metadata, as strings.
final class CSVFences: FenceFormat {
    private var rows: CSVRows
    private let columns: Columns
    private var count = 0

    /// - Throws: ``FileFlaw`` for a header that will not do.
    init(_ input: FenceFileInput) throws {
        rows = CSVRows(input)
        guard let header = try rows.next() else {
            throw FileFlaw(line: 1, reason: "the file is empty")
        }
        if let flaw = header.flaw { throw FileFlaw(line: header.line, reason: flaw) }
        columns = try Columns(header)
    }

    var line: Int { rows.line }

    func next() throws -> RawEntry? {
        guard let row = try rows.next() else { return nil }
        count += 1
        return RawEntry(line: row.line, index: count, outcome: fence(row))
    }

    private func fence(_ row: CSVRows.Row) -> Result<Fence, EntryFlaw> {
        var name: String?
        do throws(EntryFlaw) {
            if let flaw = row.flaw { throw EntryFlaw(reason: flaw) }
            guard row.fields.count == columns.names.count else {
                throw EntryFlaw(
                    reason: "\(row.fields.count) fields, the header has \(columns.names.count)")
            }
            let cells = Cells(row: row, columns: columns)
            let id = cells.text("id") ?? ""
            name = id
            let center = Coordinate(
                latitude: try cells.required("latitude"),
                longitude: try cells.required("longitude"))
            let radius = try cells.required("radius")
            let area: Area
            do {
                area = try Area(.circle(center: center, radius: radius))
            } catch {
                throw EntryFlaw(reason: error.description)
            }
            return .success(
                Fence(
                    id: id, area: area, title: cells.text("title") ?? "",
                    description: cells.text("description") ?? "",
                    dwell: .seconds(try cells.number("dwell") ?? 0),
                    notifyOnEntry: try cells.flag("notify_on_entry") ?? true,
                    notifyOnExit: try cells.flag("notify_on_exit") ?? true,
                    initialEnter: try cells.flag("initial_enter") ?? false,
                    metadata: cells.metadata))
        } catch {
            let id = name.flatMap { $0.isEmpty ? nil : $0 }
            return .failure(EntryFlaw(id: error.id ?? id, reason: error.reason))
        }
    }
}

/// What the header says.
private struct Columns {
    /// As they are written.
    let names: [String]
    /// By name in lower case.
    let places: [String: Int]

    static let required = ["id", "latitude", "longitude", "radius"]
    static let optional = [
        "title", "description", "dwell", "notify_on_entry", "notify_on_exit", "initial_enter",
    ]

    init(_ header: CSVRows.Row) throws(FileFlaw) {
        var places: [String: Int] = [:]
        names = header.fields.map(trimmed)
        for (place, name) in names.enumerated() where !name.isEmpty {
            guard places.updateValue(place, forKey: name.lowercased()) == nil else {
                throw FileFlaw(line: header.line, reason: "column \(name) comes twice")
            }
        }
        self.places = places
        let missing = Self.required.filter { places[$0] == nil }
        guard missing.isEmpty else {
            throw FileFlaw(
                line: header.line,
                reason: "neither JSON nor GPX, and as CSV the header lacks "
                    + missing.joined(separator: ", "))
        }
    }
}

/// One row by the names of its columns.
private struct Cells {
    let row: CSVRows.Row
    let columns: Columns

    /// Nil when there is no such column or nothing in it.
    func text(_ name: String) -> String? {
        guard let place = columns.places[name] else { return nil }
        // White space belongs to a description, not to an id.
        let text = name == "description" ? row.fields[place] : trimmed(row.fields[place])
        return text.isEmpty ? nil : text
    }

    func number(_ name: String) throws(EntryFlaw) -> Double? {
        guard let text = text(name) else { return nil }
        // Not what `Double` takes besides: hexadecimals, "nan", "infinity".
        let isDecimal = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(text), number.isFinite else {
            throw EntryFlaw(reason: "\(name) \"\(text)\" is no number")
        }
        return number
    }

    func required(_ name: String) throws(EntryFlaw) -> Double {
        guard let number = try number(name) else { throw EntryFlaw(reason: "no \(name)") }
        return number
    }

    func flag(_ name: String) throws(EntryFlaw) -> Bool? {
        guard let text = text(name) else { return nil }
        switch text.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: throw EntryFlaw(reason: "\(name) \"\(text)\" is neither true nor false")
        }
    }

    /// Every other cell that has something in it. As strings: "007" is no number.
    var metadata: String {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in zip(columns.names, row.fields) where !name.isEmpty && !value.isEmpty {
            let known = name.lowercased()
            if Columns.required.contains(known) || Columns.optional.contains(known) { continue }
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        return writer.text
    }
}

private func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard text.first.map(isBlank) ?? false || text.last.map(isBlank) ?? false else { return text }
    let front = text.drop(while: isBlank)
    return String(front.reversed().drop(while: isBlank).reversed())
}
