import GeoJSON
import Geodesy
import JSON

/// A GeoJSON geometry (RFC 7946, section 3.1) as text: the form of an area other than a circle on
/// the bus.
enum GeometryText {
    /// Limit of one geometry, bytes: some 300,000 vertices.
    private static let longest = 8 << 20

    /// - Parameter length: the length the geometry needs, m: "radius" of a Point, full "width" of a
    ///   LineString.
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

    /// The GeoJSON of an area other than a circle.
    static func text(_ geometry: Geometry) -> String {
        var writer = JSONWriter()
        writer.write(geometry)
        return writer.text
    }
}
