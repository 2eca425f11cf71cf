/// A validated geometry, prepared for measuring. Copies share what was prepared; two areas are
/// equal when their geometries are.
package struct Area: Hashable, Sendable {
    /// The geometry as it was given, and as it is stored and shown.
    package var geometry: Geometry { prepared.geometry }
    private let prepared: PreparedArea

    /// Validates the geometry, prepares it and measures it, which is by far the most costly
    /// operation on a polygon.
    ///
    /// - Parameter budget: what this may cost, which is taken off it.
    /// - Throws: ``AreaError``, which names the part, the ring and the position that is wrong.
    package init(_ geometry: Geometry, within budget: inout AreaBudget) throws(AreaError) {
        try AreaValidation.check(geometry, &budget)
        // Measuring ends with the best so far; a further geometry of the same call is refused.
        prepared = PreparedArea(
            geometry, inradii: nil, size: nil,
            steps: max(budget.steps, Self.leastMeasuring))
        budget.steps -= prepared.steps
        if let part = prepared.inradii.firstIndex(where: { !($0 > 0) }) {
            let name = prepared.inradii.count > 1 ? "part \(part + 1)" : "polygon"
            throw AreaForm.refuse(name, "encloses nothing that can be measured")
        }
    }

    /// Steps of measuring that every geometry has, whatever its checks have cost.
    private static let leastMeasuring = 1_000_000

    /// The same, within the budget of one geometry.
    package init(_ geometry: Geometry) throws(AreaError) {
        var budget = AreaBudget.geometry
        try self.init(geometry, within: &budget)
    }

    /// A geometry that has been validated before, with the values that were measured then:
    /// ``inradii`` and ``size``. Whether its rings cross is not checked again; inradii that do not
    /// fit the number of parts are measured again.
    /// - Throws: ``AreaError`` for a geometry that is not an area, and for a measure of NaN.
    package init(
        stored geometry: Geometry, inradii: [Double], size: Double
    ) throws(AreaError) {
        try AreaForm.check(geometry)
        guard size >= 0, size.isFinite, inradii.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
            throw AreaError(description: "a measure is not a number")
        }
        prepared = PreparedArea(geometry, inradii: inradii, size: size)
    }

    /// Holds all of the area; exact for polygons.
    package var boundingBox: GeoBox { prepared.box }

    /// m², for ordering: a circle's πr², a corridor's length × width, a polygon's area on the
    /// ellipsoid.
    package var size: Double { prepared.size }

    /// Inradius of every part, m: a circle's radius, half of a corridor's width, the largest
    /// inscribed circle of a polygon to 1 %. Parts that meet at ±180° are one.
    package var inradii: [Double] { prepared.inradii }

    /// m, negative inside, 0 on the boundary; to the nearest point of the boundary. Of several
    /// parts the smallest.
    package func signedDistance(to point: SurfacePoint) -> Double {
        switch prepared.shape {
        case .circle(let circle): circle.signedDistance(point.ecef)
        case .corridor(let corridor): corridor.signedDistance(point.ecef)
        case .polygons(let shape): shape.measure(point).distance
        }
    }

    /// Signed distance, and the inradius of the part that is nearest.
    package func clearance(at point: SurfacePoint) -> Clearance {
        switch prepared.shape {
        case .circle(let circle):
            return Clearance(
                signedDistance: circle.signedDistance(point.ecef), inradius: circle.radius)
        case .corridor(let corridor):
            return Clearance(
                signedDistance: corridor.signedDistance(point.ecef), inradius: corridor.half)
        case .polygons(let shape):
            let (distance, part) = shape.measure(point)
            let inradius = part < prepared.inradii.count ? prepared.inradii[part] : 0
            return Clearance(signedDistance: distance, inradius: inradius)
        }
    }

    /// The same as ``clearance(at:)`` of the point at a fraction of the path, at lower cost.
    package func clearance(on path: PathSegment, at fraction: Double) -> Clearance {
        switch prepared.shape {
        case .circle(let circle):
            Clearance(
                signedDistance: circle.signedDistance(path.position(at: fraction)),
                inradius: circle.radius)
        case .corridor(let corridor):
            Clearance(
                signedDistance: corridor.signedDistance(path.position(at: fraction)),
                inradius: corridor.half)
        case .polygons: clearance(at: path.point(at: fraction))
        }
    }

    /// Whether the signed distance is certainly monotone on a range of the path. False: not known.
    package func isMonotone(on path: PathSegment, in range: ClosedRange<Double>) -> Bool {
        guard case .circle(let circle) = prepared.shape else { return false }
        return circle.isMonotone(on: path, in: range)
    }

    /// Where the path passes from outside (d > 0) to inside (d ≤ 0) or back: rising fractions,
    /// 0…1. Their number is odd exactly when its ends lie on different sides; a touch gives none.
    package func crossings(of path: PathSegment) -> [Double] {
        switch prepared.shape {
        case .circle(let circle):
            let candidates = circle.candidates(path)
            return passages(candidates) { circle.signedDistance(path.position(at: $0)) <= 0 }
        case .corridor(let corridor):
            guard mayMeet(path) else { return [] }
            let candidates = corridor.candidates(path)
            return passages(candidates) { corridor.signedDistance(path.position(at: $0)) <= 0 }
        case .polygons(let shape):
            guard shape.isNear(path), let plane = PathPlane(path) else { return [] }
            var search = EdgeCrossings(shape.table, plane)
            search.run()
            guard search.isNear else { return [] }
            return passages(search.fractions) { contains(path.point(at: $0)) }
        }
    }

    /// Whether the path has a point in the area (d ≤ 0), its ends included.
    package func meets(_ path: PathSegment) -> Bool {
        if case .circle = prepared.shape {} else { guard mayMeet(path) else { return false } }
        return contains(path.start) || contains(path.end) || !crossings(of: path).isEmpty
    }

    /// Whether d ≤ 0.
    package func contains(_ point: SurfacePoint) -> Bool {
        if case .polygons(let shape) = prepared.shape, shape.contains(point.coordinate) {
            return true
        }
        return signedDistance(to: point) <= 0
    }

    private func mayMeet(_ path: PathSegment) -> Bool {
        prepared.box.intersects(path.boundingBox)
    }

    package static func == (a: Area, b: Area) -> Bool {
        a.prepared === b.prepared || a.geometry == b.geometry
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(geometry) }
}

/// Signed distance and the inradius of the part nearest to the point, m.
package struct Clearance: Hashable, Sendable {
    /// To the boundary, m; negative inside.
    package var signedDistance: Double
    /// ρ in HANDBOOK, section 1, m.
    package var inradius: Double

    package init(signedDistance: Double, inradius: Double) {
        self.signedDistance = signedDistance
        self.inradius = inradius
    }
}
