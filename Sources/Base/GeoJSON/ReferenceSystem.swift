package import JSON

/// Coordinate reference systems, as the members `crs` (GeoJSON of 2008, Esri), `coordRefSys` (JSON-FG)
/// and servers name them. Coordinates are read in WGS 84 alone; in anything else they would be other
/// places, without a sign of it.
package enum ReferenceSystem {
    /// What is wrong with coordinates of which a member says this; nil for WGS 84 and what equals it,
    /// and for null, which says nothing (GeoJSON of 2008, section 3).
    package static func flaw(_ member: JSONValue?) -> String? {
        guard let member, member != .null else { return nil }
        let names = names(in: member, depth: 0).filter { !words(of: $0).isEmpty }
        guard !names.isEmpty else {
            return
                "a reference system without a name, \(excerpt(member.text)): leave it out if the "
                + "coordinates are in WGS 84"
        }
        return names.first { !isWGS84($0) }.map { flaw(of: $0) }
    }

    /// Whether a member of that name says where the coordinates beside it are: in GeoJSON of 2008, in
    /// whatever case, and in what Web Feature Services, databases and Esri write.
    package static func isNamed(by key: String) -> Bool {
        ["crs", "srs", "srsname", "srid", "spatialreference"].contains(key.lowercased())
    }

    /// What is wrong with the coordinates in an object, by all its members that say where they are.
    package static func flaw(in object: JSONValue) -> String? {
        let members = object.object ?? []
        return members.lazy.filter { isNamed(by: $0.key) }.compactMap { flaw($0.value) }.first
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
        if words.first == "proj" { return isPROJ(words) }
        // The well-known text of what is derived from a geographic system names that one, too.
        guard derived.isDisjoint(with: words) else { return false }
        if isCRS84(words) || plainNames.contains(words.joined()) { return true }
        // The well-known text of Esri has no codes.
        if words.starts(with: ["geogcs", "gcs", "wgs", "1984", "datum"]) { return true }
        let numbers = words.filter { $0.allSatisfy(\.isNumber) }
        guard let code = numbers.last else { return false }
        if words.count == 1 { return codes.contains(code) }
        guard let authority = words.firstIndex(where: authorities.contains) else { return false }
        // As in "EPSG:4326 - WGS 84" and in a compound system, whose horizontal part comes first; a
        // version, such as 0 or 9.9.1, stands between the two.
        let named = words.dropFirst(authority + 1).first { $0.count >= 4 && numbers.contains($0) }
        return codes.contains(code) || codes.contains(named ?? "")
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

    private static let derived: Set = [
        "projcs", "projcrs", "projectedcrs", "boundcrs", "compd", "compoundcrs", "geoccs",
        "basegeogcrs", "basegeodcrs",
    ]

    /// Parameters of PROJ: degrees on this ellipsoid, without a shift and from Greenwich.
    private static func isPROJ(_ words: [String]) -> Bool {
        func value(of key: String) -> String? {
            words.firstIndex(of: key).flatMap { words.dropFirst($0 + 1).first }
        }
        return ["longlat", "latlong", "lonlat", "latlon"].contains(value(of: "proj"))
            && (value(of: "datum") ?? value(of: "ellps")) == "wgs84"
            && ["greenwich", "0", nil].contains(value(of: "pm")) && !words.contains("nadgrids")
            && words.filter { $0.allSatisfy(\.isNumber) }.allSatisfy { $0.allSatisfy { $0 == "0" } }
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
            if let inner = member["properties"] ?? member["spatialReference"] ?? member["crs"] {
                return names(in: inner, depth: depth + 1)
            }
            if let code = member["id"]?["code"] { return names(in: code, depth: depth + 1) }
            let keys = [
                "name", "href", "urn", "code", "wkid", "latestWkid", "srid", "wkt", "authid",
                "init", "proj4", "def",
            ]
            return keys.compactMap { member[$0] }.flatMap { names(in: $0, depth: depth + 1) }
        default: return []
        }
    }
}
