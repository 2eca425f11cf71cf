import Geodesy
import JSON

/// A GeoJSON geometry (RFC 7946, section 3.1) as text, which is how an area that is no circle goes
/// over the bus.
enum GeometryText {
    /// Bytes of one geometry: some 300,000 vertices.
    static let longest = 8 << 20

    /// - Parameter size: radius of a Point or full width of a LineString, m.
    static func parse(_ text: String, radius: Double?, width: Double?) throws(FenceProblem)
        -> Geometry
    {
        guard text.utf8.count <= longest else {
            throw FenceProblem("a geometry of more than \(longest >> 20) MiB")
        }
        var type: String?
        var coordinates: String?
        do {
            var limits = JSONLimits()
            limits.valueBytes = longest
            var reader = JSONReader(Array(text.utf8), limits: limits)
            try reader.readObject { reader, key in
                switch key {
                case "type": type = try reader.readText()
                case "coordinates": coordinates = try reader.rawValue()
                default: break
                }
            }
            try reader.finish()
            guard let type, let coordinates else {
                throw FenceProblem("a geometry without type or coordinates")
            }
            var inner = JSONReader(Array(coordinates.utf8), limits: limits)
            return try geometry(type, &inner, radius: radius, width: width)
        } catch let problem as FenceProblem {
            throw problem
        } catch {
            throw FenceProblem("the geometry is no GeoJSON: \(error)")
        }
    }

    private static func geometry(
        _ type: String, _ reader: inout JSONReader, radius: Double?, width: Double?
    ) throws -> Geometry {
        switch type {
        case "Point":
            guard let radius else { throw FenceProblem("a Point without radius") }
            return .circle(center: try position(&reader), radius: radius)
        case "LineString":
            guard let width else { throw FenceProblem("a LineString without width") }
            return .corridor(line: try line(&reader), width: width)
        case "Polygon":
            return .polygons([try rings(&reader)])
        case "MultiPolygon":
            var parts: [[[Coordinate]]] = []
            try reader.readArray { parts.append(try rings(&$0)) }
            return .polygons(parts)
        default:
            throw FenceProblem(
                "the geometry is of type \"\(type)\", not Point, Polygon, MultiPolygon or LineString"
            )
        }
    }

    private static func rings(_ reader: inout JSONReader) throws -> [[Coordinate]] {
        var rings: [[Coordinate]] = []
        try reader.readArray { rings.append(try line(&$0)) }
        return rings
    }

    private static func line(_ reader: inout JSONReader) throws -> [Coordinate] {
        var line: [Coordinate] = []
        try reader.readArray { line.append(try position(&$0)) }
        return line
    }

    /// An altitude, and what may follow it, is left out.
    private static func position(_ reader: inout JSONReader) throws -> Coordinate {
        var numbers: [Double] = []
        try reader.readArray { reader in
            let number = try reader.readDouble()
            if numbers.count < 2 { numbers.append(number) }
        }
        guard numbers.count == 2 else {
            throw FenceProblem("a position with fewer than two numbers")
        }
        return Coordinate(latitude: numbers[1], longitude: numbers[0])
    }

    /// The GeoJSON of an area that is no circle.
    static func text(_ geometry: Geometry) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        switch geometry {
        case .circle(let center, _):
            writer.string("Point")
            writer.key("coordinates")
            write(center, &writer)
        case .corridor(let line, _):
            writer.string("LineString")
            writer.key("coordinates")
            write(line, &writer)
        case .polygons(let parts):
            writer.string(parts.count == 1 ? "Polygon" : "MultiPolygon")
            writer.key("coordinates")
            if parts.count != 1 { writer.beginArray() }
            for rings in parts {
                writer.beginArray()
                for ring in rings { write(ring, &writer) }
                writer.endArray()
            }
            if parts.count != 1 { writer.endArray() }
        }
        writer.endObject()
        return writer.text
    }

    private static func write(_ line: [Coordinate], _ writer: inout JSONWriter) {
        writer.beginArray()
        for position in line { write(position, &writer) }
        writer.endArray()
    }

    private static func write(_ position: Coordinate, _ writer: inout JSONWriter) {
        writer.beginArray()
        writer.number(position.longitude)
        writer.number(position.latitude)
        writer.endArray()
    }
}
