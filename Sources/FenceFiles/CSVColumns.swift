import Formats
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

    /// - Throws: ``FileFlaw`` for a missing or duplicate column.
    init(_ header: CSVRows.Row, _ options: FenceFileReader.Options) throws(FileFlaw) {
        var places: [String: Int] = [:]
        let names = (0..<header.fields.count).map { header.text($0).trimmed }
        for (place, name) in names.enumerated() where !name.isEmpty {
            guard places.updateValue(place, forKey: name.lowercased()) == nil else {
                throw FileFlaw(line: header.line, reason: "column \(excerpt(name)) comes twice")
            }
        }
        func take(_ property: FenceProperty) -> Int? {
            for name in [property.name.description] + property.aliases {
                if let place = places.removeValue(forKey: name) { return place }
            }
            return nil
        }
        count = names.count
        var missing: [String] = []
        if let key = options.idProperty {
            guard let place = places[key.lowercased()] else {
                throw FileFlaw(line: header.line, reason: "no column \(excerpt(key)) for the id")
            }
            id = place
        } else {
            id = take(.id)
            if id == nil, !options.makesIDs { missing.append("id") }
        }
        if let key = options.titleProperty {
            guard let place = places[key.lowercased()] else {
                throw FileFlaw(
                    line: header.line, reason: "no column \(excerpt(key)) for the title")
            }
            title = place
        } else {
            title = nil
        }
        func required(_ property: FenceProperty) -> Int {
            if let place = take(property) { return place }
            missing.append(property.name.description)
            return 0
        }
        latitude = required(.latitude)
        longitude = required(.longitude)
        radius = take(.radius)
        if radius == nil, options.radius == nil { missing.append("radius") }
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
        say = otherPlaces.first { names[$0] == SayList.property }
        others = otherPlaces.map { place in
            var writer = JSONWriter()
            writer.string(names[place])
            return (place, writer.bytes + [UInt8(ascii: ":")])
        }
        if missing.contains("latitude"), names.contains(where: { $0.lowercased() == "beacon" }) {
            throw FileFlaw(
                line: header.line, reason: "CSV has circles only: beacons are said in GeoJSON")
        }
        guard missing.isEmpty else {
            throw FileFlaw(
                line: header.line,
                reason: "neither JSON nor XML, and as CSV the header lacks "
                    + missing.joined(separator: ", "))
        }
    }

    /// The separator of the header's fields: semicolons, if it has more of them than commas.
    static func separator(_ header: [UInt8]) -> UInt8 {
        var (commas, semicolons) = (0, 0)
        var isQuoted = false
        for byte in header {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: ",") { commas += 1 }
            if byte == UInt8(ascii: ";") { semicolons += 1 }
        }
        return semicolons > commas ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }
}
