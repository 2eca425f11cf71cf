import Formats
import Geodesy
import JSON
import Model
import Program

/// Fences as KML (OGC 12-007r2): areas as polygons, a circle as a point and a corridor as a line, whose
/// radius and width are in the `ExtendedData` with all other properties.
enum FenceKML {
    static let begin = """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
        """
    static let end = "</Document></kml>"

    /// A placemark.
    /// - Throws: ``Failure`` for a fence of beacons.
    static func text(_ fence: Fence) throws -> String {
        let feature = try JSONValue(parsing: FenceFileWriter.feature(fence))
        guard let geometry = feature["geometry"], geometry != .null else {
            throw Failure("of beacons, which KML cannot say", "fence \"\(fence.id)\"")
        }
        var text = "<Placemark id=\"\(XMLText.escaped(fence.id))\">"
        text += XMLText.element("name", fence.title)
        if !fence.description.isEmpty { text += XMLText.element("description", fence.description) }
        text += "<ExtendedData>"
        for member in feature["properties"]?.object ?? []
        where !["title", "description"].contains(member.key) {
            let value = member.value.string ?? member.value.text
            text += "<Data name=\"\(XMLText.escaped(member.key))\">"
            text += XMLText.element("value", value) + "</Data>"
        }
        return text + "</ExtendedData>" + shape(geometry) + "</Placemark>"
    }

    private static func shape(_ geometry: JSONValue) -> String {
        let parts = geometry["coordinates"]?.array ?? []
        switch geometry["type"]?.string {
        case "Point": return "<Point>\(positions([.array(parts)]))</Point>"
        case "LineString": return line(.array(parts))
        case "Polygon": return polygon(.array(parts))
        case "MultiLineString": return several(parts.map(line))
        case "MultiPolygon": return several(parts.map(polygon))
        default: return ""
        }
    }

    private static func several(_ shapes: [String]) -> String {
        "<MultiGeometry>\(shapes.joined())</MultiGeometry>"
    }

    private static func line(_ line: JSONValue) -> String {
        "<LineString>\(positions(line.array ?? []))</LineString>"
    }

    private static func polygon(_ rings: JSONValue) -> String {
        var text = "<Polygon>"
        for (index, ring) in (rings.array ?? []).enumerated() {
            let name = index == 0 ? "outerBoundaryIs" : "innerBoundaryIs"
            text += "<\(name)><LinearRing>\(positions(ring.array ?? []))</LinearRing></\(name)>"
        }
        return text + "</Polygon>"
    }

    private static func positions(_ positions: [JSONValue]) -> String {
        let texts = positions.map { position in
            (position.array ?? []).prefix(2).map(\.text).joined(separator: ",")
        }
        return XMLText.element("coordinates", texts.joined(separator: " "))
    }
}

/// Circles as waypoints of GPX 1.1, with their radius beside them, as geofenced reads it.
enum FenceGPX {
    static let begin = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="geofencectl" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gf="urn:geofenced:gpx:1">
        """
    static let end = "</gpx>"

    /// A waypoint, whose name is the id: by that it is imported again.
    /// - Throws: ``Failure`` for any other area.
    static func text(_ fence: Fence) throws -> String {
        guard case .circle(let center, let radius)? = fence.area?.geometry else {
            throw Failure("no circle, which GPX cannot say", "fence \"\(fence.id)\"")
        }
        let told = [fence.title == fence.id ? "" : fence.title, fence.description]
            .filter { !$0.isEmpty }
        var text = "<wpt lat=\"\(center.latitude)\" lon=\"\(center.longitude)\">"
        text += XMLText.element("name", fence.id)
        if !told.isEmpty { text += XMLText.element("desc", told.joined(separator: ": ")) }
        return text + "<extensions><gf:radius>\(radius)</gf:radius></extensions></wpt>"
    }
}
