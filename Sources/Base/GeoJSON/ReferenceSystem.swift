package import JSON

/// Coordinate reference systems, as the members `crs` (GeoJSON of 2008, Esri), `coordRefSys` (JSON-FG)
/// and servers name them. Coordinates are read in WGS 84 alone; in anything else they would be other
/// places, without a sign of it.
package enum ReferenceSystem {
    /// What is wrong with coordinates of which a member says this; nil for WGS 84 and what equals it,
    /// and for null, which says nothing (GeoJSON of 2008, section 3).
    package static func flaw(_ member: JSONValue?) -> String? {
        guard let member, member != .null else { return nil }
        let names = names(in: member, depth: 0)
        guard let other = names.isEmpty ? member.text : names.first(where: { !isWGS84($0) }) else {
            return nil
        }
        return flaw(of: other)
    }

    /// The same, where the name alone is known to be of another one.
    package static func flaw(of name: String) -> String {
        "coordinates in \(excerpt(name)), which is not WGS 84: convert them, as "
            + "ogr2ogr -t_srs EPSG:4326 does"
    }

    /// Whether a name, a URN, an address or a code is that of WGS 84, in two or three dimensions, or of
    /// ETRS89, which lies less than a metre beside it.
    package static func isWGS84(_ name: String) -> Bool {
        let words = words(of: name)
        guard !isProjected(words) else { return false }
        if isCRS84(words) || plainNames.contains(words.joined()) { return true }
        // The well-known text of Esri has no codes.
        if words.starts(with: ["geogcs", "gcs", "wgs", "1984", "datum"]) { return true }
        let numbers = words.filter { $0.allSatisfy(\.isNumber) }
        guard let code = numbers.last else { return false }
        if words.count == 1 { return codes.contains(code) }
        guard let authority = words.firstIndex(where: authorities.contains) else { return false }
        // As in "EPSG:4326 - WGS 84"; a URN has a version between the two.
        return codes.contains(code) || codes.contains(words.dropFirst(authority + 1).first ?? "")
    }

    /// Whether it is that one whose longitude comes first, wherever its axes count.
    package static func isCRS84(_ name: String) -> Bool { isCRS84(words(of: name)) }

    private static let authorities: Set = ["epsg", "esri", "srid", "wkid"]
    /// WGS 84 and ETRS89, each of two and of three dimensions.
    private static let codes: Set = ["4326", "4979", "4258", "4937"]
    private static let plainNames: Set = [
        "wgs84", "wgs1984", "gcswgs1984", "worldgeodeticsystem1984", "wgs84dd", "wgs84longlat",
        "etrs89", "etrs1989", "gcsetrs1989",
    ]

    private static func isCRS84(_ words: [String]) -> Bool {
        switch words.last {
        case "crs84", "crs84h": true
        // CRS:84 and urn:ogc:def:crs:OGC:2:84.
        case "84": words.count >= 2 && ["crs", "2"].contains(words[words.count - 2])
        default: false
        }
    }

    /// Well-known text of a projected system, which names the geographic one in it, too.
    private static func isProjected(_ words: [String]) -> Bool {
        ["projcs", "projcrs", "boundcrs", "compd", "geoccs"].contains(words.first)
    }

    /// In small letters, without what stands between them; `EPSG4326` are two.
    private static func words(of name: String) -> [String] {
        let name = name.prefix(4_096).lowercased()
        return name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.flatMap { word in
            for authority in ["epsg", "srid"] {
                let code = word.dropFirst(authority.count)
                if word.hasPrefix(authority), !code.isEmpty, code.allSatisfy(\.isNumber) {
                    return [authority, String(code)]
                }
            }
            return [String(word)]
        }
    }

    /// The names in a member of any kind.
    private static func names(in member: JSONValue, depth: Int) -> [String] {
        switch member {
        case .string(let text): return [text]
        case .number(let number): return [number.text]
        // Of a compound one the first is the horizontal part.
        case .array(let parts): return parts.first.map { names(in: $0, depth: depth + 1) } ?? []
        case .object where depth < 4:
            if let inner = member["properties"] ?? member["spatialReference"] {
                return names(in: inner, depth: depth + 1)
            }
            if let code = member["id"]?["code"] { return names(in: code, depth: depth + 1) }
            let keys = ["name", "href", "urn", "code", "wkid", "latestWkid", "srid", "wkt"]
            return keys.compactMap { member[$0] }.flatMap { names(in: $0, depth: depth + 1) }
        default: return []
        }
    }
}
