package import Geodesy
package import JSON

extension JSONWriter {
    /// A geometry (RFC 7946, section 3.1): circles are Points, corridors LineStrings and lines
    /// MultiLineStrings, to which
    /// the caller adds radius and width. When read again the positions are the same, bit for bit.
    package mutating func write(_ geometry: Geometry) {
        beginObject()
        key("type")
        switch geometry {
        case .circle: string("Point")
        case .corridor: string("LineString")
        case .lines: string("MultiLineString")
        case .polygons(let parts): string(parts.count == 1 ? "Polygon" : "MultiPolygon")
        }
        key("coordinates")
        switch geometry {
        case .circle(let center, _): write(center)
        case .corridor(let line, _): write(line)
        case .lines(let lines, _): write(lines)
        case .polygons(let parts) where parts.count == 1: write(parts[0])
        case .polygons(let parts):
            beginArray()
            for rings in parts { write(rings) }
            endArray()
        }
        endObject()
    }

    /// A list of lists of positions.
    package mutating func write(_ rings: [[Coordinate]]) {
        beginArray()
        for ring in rings { write(ring) }
        endArray()
    }

    private mutating func write(_ line: [Coordinate]) {
        beginArray()
        for position in line { write(position) }
        endArray()
    }

    private mutating func write(_ position: Coordinate) {
        beginArray()
        number(position.longitude)
        number(position.latitude)
        endArray()
    }
}
