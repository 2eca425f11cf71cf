import Bytes
import Formats
import GeoJSON
import Geodesy
import JSON
import Model
import Sentences
import Time

/// Circles in a table: a header with at least latitude, longitude and, unless they are given for
/// the whole file, id and radius, in any order and case, then one fence per row. Fields are
/// separated by commas or, if the header's are, by semicolons or tabs, or by what a first line
/// `sep=` names; unless that is the comma, a number may have a decimal comma. Columns with other names
/// become metadata, as strings.
final class CSVFences: FenceFormat {
    private var rows: CSVRows
    private let columns: CSVColumns
    private var count = 0
    private var text = ByteBuffer()
    private let input: FenceFileInput
    private let options: FenceFileReader.Options

    /// - Throws: ``FileFlaw`` for an invalid header.
    init(_ input: FenceFileInput, _ options: FenceFileReader.Options) throws {
        self.input = input
        self.options = options
        let line = try input.peekLine()
        rows = CSVRows(input, separator: CSVColumns.separator(line))
        if CSVColumns.namesSeparator(line[...]) { _ = try rows.next() }
        guard try rows.next() else {
            throw FileFlaw(line: 1, reason: "the file is empty")
        }
        if let flaw = rows.row.flaw { throw FileFlaw(line: rows.row.line, reason: flaw) }
        columns = try CSVColumns(rows.row, options)
    }

    var line: Int { rows.line }

    var emptiness: String { "only a header" }

    /// What the first row says that has another reference system.
    private var otherSystem: String?

    var doubts: [String] {
        let double = columns.double.map {
            "the columns \(excerpt($0.read)) and \($0.other) say the same: \(excerpt($0.read)) is read"
        }
        let isCutOff = rows.endsInRow
        return [
            isCutOff
                ? "the last row has no line end: if the file was cut off, its last value is short"
                : nil,
            double, otherSystem,
        ].compactMap(\.self)
    }

    func next() throws -> RawEntry? {
        input.beginEntry()
        guard try rows.next() else { return nil }
        count += 1
        let row = rows.row
        let outcome = row.bytes.withByteView { bytes in
            fence(
                Cells(
                    bytes: bytes, fields: row.fields,
                    decimalComma: rows.separator != UInt8(ascii: ",")), row.line, flaw: row.flaw)
        }
        return RawEntry(
            line: row.line, index: count, hasID: columns.id != nil, outcome: outcome)
    }

    func forEachOther(_ body: (String) -> Void) { for name in columns.otherNames { body(name) } }

    private func fence(_ cells: Cells, _ line: Int, flaw: String?) -> Result<Fence, EntryFlaw> {
        var name: String?
        do throws(EntryFlaw) {
            if let flaw { throw EntryFlaw(reason: flaw) }
            guard cells.fields.count == columns.count else {
                throw EntryFlaw(
                    reason: "\(cells.fields.count) fields, the header has \(columns.count)")
            }
            // As an export has guarded it.
            name = columns.id.map {
                TextValue.trimmed(cells.field($0)).text.unguardedForSpreadsheet
            }
            let center = Coordinate(
                latitude: try cells.required("latitude", columns.latitude),
                longitude: try cells.required("longitude", columns.longitude))
            let groups = cells.groupSign(columns.latitude, columns.longitude)
            let own = try columns.radius.flatMap { (place: Int) throws(EntryFlaw) -> Double? in
                try cells.refuseGroups("radius", place, groups)
                return try cells.number("radius", place)
            }
            guard let radius = own ?? options.radius else { throw EntryFlaw(reason: "no radius") }
            var fence = Fence(
                id: name ?? "",
                area: try Area(entry: .circle(center: center, radius: radius)))
            for (property, place) in columns.fields {
                if property.form == .number || property.form == .seconds {
                    try cells.refuseGroups(property.name, place, groups)
                }
                let value = try property.value(
                    of: cells.field(place), decimalComma: cells.decimalComma)
                if let value { property.assign(value, to: &fence) }
            }
            if let column = columns.title {
                let title = TextValue.trimmed(cells.field(column))
                if !title.isEmpty { fence.title = title.text.unguardedForSpreadsheet }
            }
            if !fence.description.isEmpty {
                fence.description = fence.description.unguardedForSpreadsheet
            }
            if let column = columns.say, !cells.field(column).isEmpty,
                let flaw = SayList.flaw(of: .string(cells.field(column).text))
            {
                throw EntryFlaw(reason: flaw)
            }
            fence.metadata = cells.metadata(columns.others, &text)
            for (name, place) in columns.systems where otherSystem == nil {
                let system = TextValue.trimmed(cells.field(place)).text
                guard !system.isEmpty, !ReferenceSystem.isWGS84(system) else { continue }
                otherSystem =
                    "line \(line): \(excerpt(name)) is \(excerpt(system)), and the coordinates are read "
                    + "as WGS 84 all the same"
            }
            return .success(fence)
        } catch {
            let id = name.flatMap { $0.isEmpty ? nil : $0 }
            return .failure(error.of(id))
        }
    }
}

/// The cells of one row.
private struct Cells {
    let bytes: ByteView
    /// The range of each in the bytes.
    let fields: [Range<Int>]
    let decimalComma: Bool

    func field(_ place: Int) -> ByteView { bytes.part(fields[place]) }

    /// Nil if it is empty.
    func number(_ name: String, _ place: Int) throws(EntryFlaw) -> Double? {
        try TextValue.number(name, field(place), decimalComma: decimalComma)
    }

    func required(_ name: String, _ place: Int) throws(EntryFlaw) -> Double {
        guard let number = try number(name, place) else {
            throw EntryFlaw(reason: "no \(name)")
        }
        return number
    }

    /// What separates thousands in the row, since the other sign is the decimal one in its position; nil
    /// where that does not show.
    func groupSign(_ latitude: Int, _ longitude: Int) -> UInt8? {
        guard decimalComma else { return nil }
        func has(_ sign: UInt8) -> Bool {
            [latitude, longitude].contains { field($0).firstIndex(of: sign) != nil }
        }
        let (point, comma) = (UInt8(ascii: "."), UInt8(ascii: ","))
        switch (has(point), has(comma)) {
        case (true, false): return comma
        case (false, true): return point
        default: return nil
        }
    }

    /// Refuses what may be a thousand or one, such as 1.000 beside 48,1.
    func refuseGroups(_ name: StaticString, _ place: Int, _ sign: UInt8?) throws(EntryFlaw) {
        guard let sign else { return }
        let value = TextValue.trimmed(field(place))
        guard let index = value.firstIndex(of: sign), value.count - index == 4,
            (1...3).contains(index),
            value.text.utf8.filter({ (0x30...0x39).contains($0) }).count == value.count - 1
        else { return }
        throw EntryFlaw(
            reason:
                "\(name) \"\(excerpt(value.text))\" may be thousands, for the position in this row "
                + "has another decimal sign: write it without this one")
    }

    /// Every other cell that is not empty. As strings: "007" is not a number.
    func metadata(_ others: [(place: Int, key: [UInt8])], _ text: inout ByteBuffer) -> String {
        text.removeAll()
        for (place, key) in others {
            let value = field(place)
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
}
