import GeoJSON
import Geodesy
import JSON

/// A GeoJSON geometry (RFC 7946, section 3.1) as text, which is how an area that is no circle goes
/// over the bus.
enum GeometryText {
    /// Bytes of one geometry: some 300,000 vertices.
    private static let longest = 8 << 20

    /// - Parameter length: m, of what the geometry needs: "radius" of a Point, "width", the whole of
    ///   it, of a LineString.
    static func parse(
        _ text: String, length: (StaticString) -> Double?
    ) throws(FenceProblem) -> Geometry {
        guard text.utf8.count <= longest else {
            throw FenceProblem("a geometry of more than \(longest >> 20) MiB")
        }
        var geometry = GeometryReader()
        do {
            var reader = JSONReader(text)
            try geometry.read(&reader)
            try reader.finish()
        } catch {
            throw FenceProblem("the geometry is no GeoJSON: \(error)")
        }
        do {
            return try geometry.geometry(length: geometry.lengthName.flatMap(length))
        } catch {
            throw FenceProblem(error.description)
        }
    }

    /// The GeoJSON of an area that is no circle.
    static func text(_ geometry: Geometry) -> String {
        var writer = JSONWriter()
        writer.write(geometry)
        return writer.text
    }
}
