/// Formats that are not read, known by what their files have, so that each is refused by its name.
enum OtherFormat {
    /// What a file is and what to do with it, by its first bytes; nil if it may be a fence file.
    static func reason(_ head: [UInt8]) -> String? {
        if let (_, reason) = marks.first(where: { head.starts(with: $0.mark) }) { return reason }
        if isUTF16(head) { return utf16 }
        if let first = head.first, first < 0x20, ![0x09, 0x0A, 0x0D, 0x1E].contains(first) {
            return "binary data, or a file that was not written to its end"
        }
        let text = text(head)
        return beginnings.first { text.hasPrefix($0.text) }?.reason
    }

    /// Of the outermost element of XML.
    static func reason(element: String) -> String? {
        switch element.lowercased() {
        case "html", "head", "body": page
        case "osm", "osmchange": "OpenStreetMap data, which is no set of fences"
        case "featurecollection", "wfs_featurecollection":
            "GML, which is not read: ask the service for GeoJSON"
        case "exceptionreport", "serviceexceptionreport", "error":
            "a server's error message, not its data"
        case "trainingcenterdatabase": "a drive in TCX, which has no fences"
        case "rss", "feed": "a news feed, which is not read"
        case "workbook": workbook
        default: nil
        }
    }

    /// Of the type of an object where a Feature or a FeatureCollection was expected.
    static func reason(type: String) -> String? {
        switch type {
        case "Topology": "TopoJSON, which is not read: convert it to GeoJSON, as topo2geo does"
        case "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
            "GeometryCollection":
            "a geometry alone: a fence is a Feature with an id and this as its geometry"
        default: nil
        }
    }

    /// Of an object without a type, by members that GeoJSON has not.
    /// - Parameter hasGeometry: whether it has one of these, too.
    static func reason(keys: [String], hasGeometry: Bool) -> String? {
        keys.lazy.compactMap { key -> String? in
            switch key {
            case "_type":
                "data of OwnTracks, which are not read: write its waypoints as CSV with the columns "
                    + "id, latitude, longitude and radius"
            case "geometryType", "spatialReference", "fieldAliases", "objectIdFieldName": esri
            // Other programs have attributes, too.
            case "attributes" where hasGeometry: esri
            case "elements", "osm3s": "OpenStreetMap data, which are no set of fences"
            case "locations", "timelineObjects", "semanticSegments":
                "a location history of Google, which has no fences"
            case "error", "errors", "exceptions": "a server's error message, not its data"
            case "@odata.context", "d": "an answer of OData, which geofenced-sync reads"
            default: nil
            }
        }.first
    }

    private static let esri =
        "Esri JSON, which is not read: ask the service for GeoJSON, with f=geojson"

    /// Of the files of a zip archive, as far as it was read.
    static func reason(members: [String]) -> String? {
        func has(_ ends: String...) -> Bool {
            members.contains { name in ends.contains { name.lowercased().hasSuffix($0) } }
        }
        if members.contains(where: { $0.hasPrefix("xl/") }) { return workbook }
        if has(".shp", ".shx") { return shapefile }
        if members.contains("mimetype"), has("content.xml") {
            return "a document of LibreOffice: save it as CSV in UTF-8"
        }
        if members.contains(where: { $0.hasPrefix("word/") }) { return "a Word document" }
        return nil
    }

    private static let utf16 = "text in UTF-16: save it as UTF-8"
    private static let page = "an HTML page, such as a server's error message"
    private static let workbook = "an Excel workbook: save it as CSV in UTF-8"
    private static let shapefile =
        "a shapefile, which is not read: convert it, as ogr2ogr -f GeoJSON -t_srs EPSG:4326 does"
    private static let packed = "compressed in a way that is not read: unpack it, or use gzip"

    private static let marks: [(mark: [UInt8], reason: String)] = [
        ([0xFF, 0xFE, 0, 0], "text in UTF-32: save it as UTF-8"),
        ([0, 0, 0xFE, 0xFF], "text in UTF-32: save it as UTF-8"),
        ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], workbook),
        ([0, 0, 0x27, 0x0A], shapefile),
        ([0x50, 0x4B, 5, 6], "a zip archive with nothing in it"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], packed), ([0x28, 0xB5, 0x2F, 0xFD], packed),
        (Array("BZh".utf8), packed), ([0x37, 0x7A, 0xBC, 0xAF], packed),
        (Array("Rar!".utf8), packed), ([0x1F, 0x8B], "gzip within gzip"),
        (
            Array("SQLite format 3".utf8),
            "a database, such as a GeoPackage: convert it, as ogr2ogr -f GeoJSON -t_srs EPSG:4326 does"
        ),
        (Array("fgb".utf8), "FlatGeobuf, which is not read: convert it to GeoJSON"),
        (Array("PAR1".utf8), "GeoParquet, which is not read: convert it to GeoJSON"),
        (Array("%PDF".utf8), "a PDF document"),
        (Array("{\\rtf".utf8), "a document in RTF: save it as plain text"),
        (Array("version https://git-lfs".utf8), "a pointer of Git LFS, not the file itself"),
    ]

    /// In small letters.
    private static let beginnings: [(text: String, reason: String)] = [
        ("<!doctype html", page), ("<html", page),
        ("$gp", nmea), ("$gn", nmea), ("$gl", nmea),
    ]
    private static let nmea = "an NMEA log: a drive, which has no fences"

    /// Without a mark: every other byte of ASCII is 0.
    private static func isUTF16(_ head: [UInt8]) -> Bool {
        guard head.count >= 4 else { return false }
        let isZero = head[..<4].map { $0 == 0 }
        return isZero == [false, true, false, true] || isZero == [true, false, true, false]
    }

    /// The beginning in small letters, without a byte order mark and white space.
    private static func text(_ head: [UInt8]) -> String {
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        return String(decoding: text.drop { $0 <= 0x20 }.prefix(32), as: UTF8.self).lowercased()
    }
}
