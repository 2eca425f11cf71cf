import Bytes
import Engine
import Geodesy
import JSON
import Time

/// Circles in a table: a header with at least `id,latitude,longitude,radius` in any order and case,
/// then a fence on each row. Columns of the other names become metadata, as strings.
final class CSVFences: FenceFormat {
    private var rows: CSVRows
    private let columns: Columns
    private var count = 0
    private var text = ByteBuffer()
    private let input: FenceFileInput

    /// - Throws: ``FileFlaw`` for a header that will not do.
    init(_ input: FenceFileInput) throws {
        self.input = input
        rows = CSVRows(input)
        guard try rows.next() else {
            throw FileFlaw(line: 1, reason: "the file is empty")
        }
        if let flaw = rows.row.flaw { throw FileFlaw(line: rows.row.line, reason: flaw) }
        columns = try Columns(rows.row)
    }

    var line: Int { rows.line }

    func next() throws -> RawEntry? {
        input.beginEntry()
        guard try rows.next() else { return nil }
        count += 1
        let row = rows.row
        let outcome = row.bytes.withByteView { bytes in
            fence(Cells(bytes: bytes, fields: row.fields), flaw: row.flaw)
        }
        return RawEntry(line: row.line, index: count, outcome: outcome)
    }

    private func fence(_ cells: Cells, flaw: String?) -> Result<Fence, EntryFlaw> {
        var name: String?
        do throws(EntryFlaw) {
            if let flaw { throw EntryFlaw(reason: flaw) }
            guard cells.fields.count == columns.count else {
                throw EntryFlaw(
                    reason: "\(cells.fields.count) fields, the header has \(columns.count)")
            }
            let id = cells.text(columns.id) ?? ""
            name = id
            let center = Coordinate(
                latitude: try cells.required("latitude", columns.latitude),
                longitude: try cells.required("longitude", columns.longitude))
            let radius = try cells.required("radius", columns.radius)
            let area: Area
            do {
                area = try Area(.circle(center: center, radius: radius))
            } catch {
                throw EntryFlaw(reason: error.description)
            }
            return .success(
                Fence(
                    id: id, area: area, title: cells.text(columns.title) ?? "",
                    // White space belongs to a description, not to an id.
                    description: cells.text(columns.description, trimming: false) ?? "",
                    dwell: .seconds(try cells.number("dwell", columns.dwell) ?? 0),
                    notifyOnEntry: try cells.flag("notify_on_entry", columns.entry) ?? true,
                    notifyOnExit: try cells.flag("notify_on_exit", columns.exit) ?? true,
                    initialEnter: try cells.flag("initial_enter", columns.initial) ?? false,
                    metadata: cells.metadata(columns.others, &text)))
        } catch {
            let id = name.flatMap { $0.isEmpty ? nil : $0 }
            return .failure(EntryFlaw(id: error.id ?? id, reason: error.reason))
        }
    }
}

/// What the header says: where each column stands.
private struct Columns {
    let count: Int
    let id: Int
    let latitude: Int
    let longitude: Int
    let radius: Int
    let title: Int?
    let description: Int?
    let dwell: Int?
    let entry: Int?
    let exit: Int?
    let initial: Int?
    /// The others, with their names as keys of a JSON object: quotes and colon.
    let others: [(place: Int, key: [UInt8])]

    init(_ header: CSVRows.Row) throws(FileFlaw) {
        var places: [String: Int] = [:]
        let names = (0..<header.fields.count).map { header.text($0).trimmed }
        for (place, name) in names.enumerated() where !name.isEmpty {
            guard places.updateValue(place, forKey: name.lowercased()) == nil else {
                throw FileFlaw(line: header.line, reason: "column \(excerpt(name)) comes twice")
            }
        }
        var missing: [String] = []
        func take(_ name: String) -> Int? { places.removeValue(forKey: name) }
        func required(_ name: String) -> Int {
            if let place = take(name) { return place }
            missing.append(name)
            return 0
        }
        count = names.count
        id = required("id")
        latitude = required("latitude")
        longitude = required("longitude")
        radius = required("radius")
        title = take("title")
        description = take("description")
        dwell = take("dwell")
        entry = take("notify_on_entry")
        exit = take("notify_on_exit")
        initial = take("initial_enter")
        others = places.values.sorted().map { place in
            var writer = JSONWriter()
            writer.string(names[place])
            return (place, writer.bytes + [UInt8(ascii: ":")])
        }
        guard missing.isEmpty else {
            throw FileFlaw(
                line: header.line,
                reason: "neither JSON nor GPX, and as CSV the header lacks "
                    + missing.joined(separator: ", "))
        }
    }
}

/// The cells of one row. Nil where there is no such column or nothing in it.
private struct Cells {
    let bytes: ByteView
    /// Where each lies in the bytes.
    let fields: [Range<Int>]

    func text(_ place: Int?, trimming: Bool = true) -> String? {
        field(place, trimming: trimming)?.text
    }

    func number(_ name: String, _ place: Int?) throws(EntryFlaw) -> Double? {
        guard let bytes = field(place, trimming: true) else { return nil }
        if let number = PlainDecimal.value(bytes) {
            return number
        }
        let text = bytes.text
        // Not what `Double` takes besides: hexadecimals, "nan", "infinity".
        let isDecimal = bytes.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(text), number.isFinite else {
            throw EntryFlaw(reason: "\(name) \"\(excerpt(text))\" is no number")
        }
        return number
    }

    func required(_ name: String, _ place: Int) throws(EntryFlaw) -> Double {
        guard let number = try number(name, place) else {
            throw EntryFlaw(reason: "no \(name)")
        }
        return number
    }

    func flag(_ name: String, _ place: Int?) throws(EntryFlaw) -> Bool? {
        guard let text = text(place) else { return nil }
        switch text.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: throw EntryFlaw(reason: "\(name) \"\(excerpt(text))\" is neither true nor false")
        }
    }

    /// Every other cell that has something in it. As strings: "007" is no number.
    func metadata(_ others: [(place: Int, key: [UInt8])], _ text: inout ByteBuffer) -> String {
        text.removeAll()
        for (place, key) in others {
            let value = bytes.part(fields[place])
            guard !value.isEmpty else { continue }
            text.append(text.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            key.withByteView { text.append($0) }
            var isPlain = true
            for index in value.indices {
                let byte = value[index]
                isPlain =
                    isPlain && byte >= 0x20 && byte != UInt8(ascii: "\"")
                    && byte != UInt8(ascii: "\\")
            }
            if isPlain {
                text.append(UInt8(ascii: "\""))
                text.append(value)
                text.append(UInt8(ascii: "\""))
            } else {
                var writer = JSONWriter()
                writer.string(value.text)
                text.append(writer.text)
            }
        }
        guard text.count > 0 else { return "{}" }
        text.append(UInt8(ascii: "}"))
        return text.bytes.text
    }

    private func field(_ place: Int?, trimming: Bool) -> ByteView? {
        guard let place else { return nil }
        var range = fields[place]
        if trimming {
            while !range.isEmpty, bytes[range.lowerBound].isBlank {
                range = range.lowerBound + 1..<range.upperBound
            }
            while !range.isEmpty, bytes[range.upperBound - 1].isBlank {
                range = range.lowerBound..<range.upperBound - 1
            }
        }
        return range.isEmpty ? nil : bytes.part(range)
    }
}

extension UInt8 {
    /// A space or a tab.
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension String {
    /// Without spaces and tabs at its ends.
    fileprivate var trimmed: String {
        var utf8 = utf8[...]
        while utf8.first.map(\.isBlank) ?? false { utf8 = utf8.dropFirst() }
        while utf8.last.map(\.isBlank) ?? false { utf8 = utf8.dropLast() }
        return String(decoding: utf8, as: UTF8.self)
    }
}
