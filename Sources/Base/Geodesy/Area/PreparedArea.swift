/// What copies of an ``Area`` share; never changes.
final class PreparedArea: Sendable {
    enum Shape: Sendable {
        case circle(Circle)
        case polygons(PolygonShape)
        case corridor(Corridor)
    }

    let geometry: Geometry
    let shape: Shape
    /// A circle's is made on demand, which is rare.
    private let boxOfEdges: GeoBox?
    /// Of polygons; a circle's and a corridor's is in the shape.
    private let measured: [Double]
    let size: Double
    /// Steps used by measuring.
    let steps: Int

    var box: GeoBox {
        if let boxOfEdges { return boxOfEdges }
        guard case .circle(let circle) = shape else { return GeoBox(holding: []) }
        return GeoBox(around: circle.center.coordinate, radius: circle.radius)
    }

    var inradii: [Double] {
        switch shape {
        case .circle(let circle): [circle.radius]
        case .corridor(let corridor): [corridor.half]
        case .polygons: measured
        }
    }

    /// Measures what is not given, in about `steps` steps at most.
    init(
        _ geometry: Geometry, inradii known: [Double]?, size knownSize: Double?,
        steps: Int = AreaBudget.geometry.steps
    ) {
        self.geometry = geometry
        var used = 0
        switch geometry {
        case .circle(let center, let radius):
            let circle = Circle(center: SurfacePoint(center), radius: radius)
            shape = .circle(circle)
            boxOfEdges = nil
            measured = []
            size = knownSize ?? .pi * radius * radius
        case .corridor(let line, let width):
            let corridor = Corridor(lines: [line], width: width)
            shape = .corridor(corridor)
            boxOfEdges = GeoBox(corridor)
            measured = []
            size = knownSize ?? corridor.length * width
        case .lines(let lines, let width):
            let corridor = Corridor(lines: lines, width: width)
            shape = .corridor(corridor)
            boxOfEdges = GeoBox(corridor)
            measured = []
            size = knownSize ?? corridor.length * width
        case .polygons(let polygons):
            let prepared = PolygonShape(polygons)
            shape = .polygons(prepared)
            boxOfEdges = GeoBox(prepared)
            if let known, known.count == prepared.parts.count {
                measured = known
            } else {
                (measured, used) = prepared.inradii(steps: steps)
            }
            size = knownSize ?? SurfaceArea.size(prepared)
        }
        self.steps = used
    }
}
