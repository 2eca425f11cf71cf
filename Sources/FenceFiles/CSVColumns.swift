import Formats
import GeoJSON
import JSON
import Sentences

/// The header of a CSV: the index of each column.
struct CSVColumns {
    let count: Int
    /// Nil if ids are to be generated.
    let id: Int?
    let latitude: Int
    let longitude: Int
    let radius: Int?
    /// That which is named as the title.
    let title: Int?
    /// The fields of a fence that have a column.
    let fields: [(property: FenceProperty, place: Int)]
    /// That of ``SayList/property``, which is one of the others.
    let say: Int?
    /// The others, with their names as JSON keys: quotes and colon.
    let others: [(place: Int, key: [UInt8])]
    /// Their names.
    let otherNames: [String]
    /// Columns that say where the coordinates are.
    let systems: [(name: String, place: Int)]
    /// A column whose value counts, and another one for the same.
    let double: (read: String, other: String)?

    /// - Throws: ``FileFlaw`` for a missing or duplicate column.
    init(_ header: CSVRows.Row, _ options: FenceFileReader.Options) throws(FileFlaw) {
        var places: [String: Int] = [:]
        let names = (0..<header.fields.count).map { Self.name(header.text($0)) }
        for (column, name) in names.enumerated() where !name.isEmpty {
            guard places.updateValue(column, forKey: name.lowercased()) == nil else {
                throw FileFlaw(line: header.line, reason: "column \(excerpt(name)) comes twice")
            }
        }
        func take(_ property: FenceProperty) -> Int? {
            for name in [property.name] + property.aliases {
                if let column = places.removeValue(forKey: name.description) { return column }
            }
            return nil
        }
        count = names.count
        var missing: [FenceProperty] = []
        if let key = options.idProperty {
            guard let column = places[key.lowercased()] else {
                throw FileFlaw(line: header.line, reason: "no column \(excerpt(key)) for the id")
            }
            id = column
        } else {
            id = take(.id)
            if id == nil, !options.makesIDs { missing.append(.id) }
        }
        if let key = options.titleProperty {
            guard let column = places[key.lowercased()] else {
                throw FileFlaw(
                    line: header.line, reason: "no column \(excerpt(key)) for the title")
            }
            title = column
        } else {
            title = nil
        }
        var double: (read: String, other: String)?
        func required(_ property: FenceProperty) -> Int {
            if let column = take(property) {
                let other = property.aliases.first { places[$0.description] != nil }
                double = double ?? other.map { (read: names[column], other: $0.description) }
                return column
            }
            missing.append(property)
            return 0
        }
        latitude = required(.latitude)
        longitude = required(.longitude)
        self.double = double
        radius = take(.radius)
        if radius == nil, options.radius == nil { missing.append(.radius) }
        fields = FenceProperty.fields.compactMap { property in
            guard property.places.contains(.column) else { return nil }
            return take(property).map { (property, $0) }
        }
        if places["approach"] != nil {
            throw FileFlaw(
                line: header.line, reason: "CSV has circles only: approaches are said in GeoJSON")
        }
        let otherPlaces = places.values.sorted()
        otherNames = otherPlaces.map { names[$0] }
        systems = otherPlaces.map { (name: names[$0], place: $0) }.filter {
            ReferenceSystem.isNamed(by: $0.name) || $0.name.lowercased() == "epsg"
        }
        say = otherPlaces.first { names[$0] == SayList.property }
        others = otherPlaces.map { place in
            var writer = JSONWriter()
            writer.string(names[place])
            return (place, writer.bytes + [UInt8(ascii: ":")])
        }
        if missing.contains(where: { $0 === FenceProperty.latitude }),
            names.contains(where: { $0.lowercased() == "beacon" })
        {
            throw FileFlaw(
                line: header.line, reason: "CSV has circles only: beacons are said in GeoJSON")
        }
        guard missing.isEmpty else {
            throw FileFlaw(
                line: header.line,
                reason: "neither JSON nor XML, and as CSV the header lacks "
                    + Self.lack(of: missing, in: names))
        }
    }

    /// Names the columns that may be meant, or else those that there are.
    private static func lack(of missing: [FenceProperty], in names: [String]) -> String {
        var isUnknown = false
        let lacks = missing.map { property in
            let near = names.first { FenceProperty.meant(by: $0) === property }
            isUnknown = isUnknown || near == nil
            return "\(property.name)" + (near.map { " (is \(excerpt($0)) meant?)" } ?? "")
        }.joined(separator: ", ")
        guard isUnknown else { return lacks }
        let names = names.filter { !$0.isEmpty }
        let columns = names.prefix(mostNamed).map { "\"\(excerpt($0))\"" }
        return "\(lacks); it has \(columns.joined(separator: ", "))"
            + (names.count > mostNamed ? " and more" : "")
    }

    /// Columns that are named where others are missing.
    private static let mostNamed = 8

    /// The name of a column, without blanks and what nobody sees around it, such as a second mark.
    private static func name(_ text: String) -> String {
        func isUnseen(_ sign: Unicode.Scalar) -> Bool {
            sign.properties.isWhitespace || sign.properties.isDefaultIgnorableCodePoint
        }
        let rest = text.unicodeScalars.drop(while: isUnseen)
        let end = rest.lastIndex { !isUnseen($0) }.map(rest.index(after:)) ?? rest.startIndex
        return String(rest[..<end])
    }

    /// The separator of the fields: what Excel's line names, else the one of which the header has most.
    static func separator(_ line: [UInt8]) -> UInt8 {
        if let named = namedSeparator(line[...]) { return named }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        return [UInt8(ascii: ";"), UInt8(ascii: "\t")].reduce(UInt8(ascii: ",")) { best, byte in
            counts[byte, default: 0] > counts[best, default: 0] ? byte : best
        }
    }

    /// Whether a file begins with Excel's line that names the separator, `sep=;`, and has its header
    /// below it.
    static func namesSeparator(_ head: ArraySlice<UInt8>) -> Bool {
        let line = head.drop { $0 <= 0x20 }.prefix { $0 != 0x0A && $0 != 0x0D }
        return namedSeparator(line) != nil
    }

    /// A program that did not know the line may have put it in quotes, or filled it up with separators.
    private static func namedSeparator(_ line: ArraySlice<UInt8>) -> UInt8? {
        let text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        let plain = text.filter { $0 != UInt8(ascii: "\"") }
        guard plain.count > 4, String(decoding: plain[..<4], as: UTF8.self).lowercased() == "sep="
        else { return nil }
        let sign = Character(UnicodeScalar(plain[4]))
        let mayBe = sign == "\t" || sign.isASCII && !(sign.isLetter || sign.isNumber) && sign >= " "
        return mayBe && plain[4...].allSatisfy { $0 == plain[4] } ? plain[4] : nil
    }
}
