/// What copies of an ``Area`` share; never changes.
final class PreparedArea: Sendable {
    enum Shape: Sendable {
        case circle(Circle)
        case polygons(PolygonShape)
        case corridor(Corridor)
    }

    let geometry: Geometry
    let shape: Shape
    let box: GeoBox
    let inradii: [Double]
    let size: Double

    /// What is not given is measured.
    init(_ geometry: Geometry, inradii known: [Double]?, size knownSize: Double?) {
        self.geometry = geometry
        switch geometry {
        case .circle(let center, let radius):
            let circle = Circle(center: SurfacePoint(center), radius: radius)
            shape = .circle(circle)
            box = GeoBox(around: center, radius: radius)
            inradii = [radius]
            size = knownSize ?? .pi * radius * radius
        case .corridor(let line, let width):
            let corridor = Corridor(line: line, width: width)
            shape = .corridor(corridor)
            box = GeoBox(corridor)
            inradii = [corridor.half]
            size = knownSize ?? corridor.length * width
        case .polygons(let polygons):
            let prepared = PolygonShape(polygons)
            shape = .polygons(prepared)
            box = GeoBox(prepared)
            if let known, known.count == prepared.parts.count {
                inradii = known
            } else {
                inradii = prepared.parts.indices.map { part in
                    var search = Inradius(prepared, part: part)
                    return search.run()
                }
            }
            size = knownSize ?? SurfaceArea.size(prepared)
        }
    }
}
