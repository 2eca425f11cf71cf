/// What makes a geometry an area: numbers in range, closed rings, no empty list. Checked for every
/// geometry from outside and every stored one: it is the one definition. The costly checks (whether
/// rings cross) are made for geometries from outside alone, see ``AreaValidation``.
enum AreaForm {
    /// Half the Earth: no circle is larger.
    static let greatestRadius = 20_000_000.0

    static func check(_ geometry: Geometry) throws(AreaError) {
        switch geometry {
        case .circle(let center, let radius):
            try check(center, "center")
            guard radius.isFinite else { throw refuse("radius", "is not a number") }
            guard radius > 0 else { throw refuse("radius \(radius)", "is not above 0") }
            guard radius <= greatestRadius else {
                throw refuse("radius \(radius)", "is above 20000 km")
            }
        case .corridor(let line, let width):
            try check(width: width)
            try check(line: line, "line", "")
        case .lines(let lines, let width):
            try check(width: width)
            guard !lines.isEmpty else { throw refuse("geometry", "has no lines") }
            for (index, line) in lines.enumerated() {
                try check(line: line, "line \(index + 1)", "line \(index + 1), ")
            }
        case .polygons(let polygons):
            guard !polygons.isEmpty else { throw refuse("polygon", "has no rings") }
            for (index, polygon) in polygons.enumerated() {
                guard !polygon.isEmpty else {
                    throw refuse(place(index, of: polygons) + "polygon", "has no rings")
                }
                for (ring, positions) in polygon.enumerated() {
                    try check(ring: positions) { place(index, of: polygons) + name(ring) }
                }
            }
        }
    }

    static func refuse(_ place: String, _ reason: String) -> AreaError {
        AreaError(description: "\(place) \(reason)")
    }

    /// The name of a part in messages.
    static func place(_ part: Int, of polygons: [[[Coordinate]]]) -> String {
        polygons.count > 1 ? "part \(part + 1), " : ""
    }

    /// The name of a ring of a part in messages.
    static func name(_ ring: Int) -> String { ring == 0 ? "shell" : "hole \(ring)" }

    private static func check(
        _ position: Coordinate, _ place: @autoclosure () -> String
    ) throws(AreaError) {
        let latitude = position.latitude
        let longitude = position.longitude
        guard latitude.isFinite, longitude.isFinite else {
            throw refuse(place(), "is not a pair of numbers")
        }
        guard latitude.magnitude <= 90 else {
            throw refuse(place(), "has latitude \(latitude), beyond 90 degrees")
        }
        guard longitude.magnitude <= 540 else {
            throw refuse(place(), "has longitude \(longitude), beyond 540 degrees")
        }
    }

    private static func check(width: Double) throws(AreaError) {
        guard width.isFinite else { throw refuse("width", "is not a number") }
        guard width > 0 else { throw refuse("width \(width)", "is not above 0") }
        guard width <= 2 * greatestRadius else {
            throw refuse("width \(width)", "is above 40000 km")
        }
    }

    private static func check(
        line: [Coordinate], _ name: @autoclosure () -> String, _ place: @autoclosure () -> String
    ) throws(AreaError) {
        guard line.count >= 2 else { throw refuse(name(), "has fewer than 2 positions") }
        for (index, position) in line.enumerated() {
            try check(position, "\(place())position \(index + 1)")
        }
        var count = 0
        UnwrappedRing.forEachPoint(of: line) { _, _ in count += 1 }
        guard count >= 2 else {
            throw refuse(name(), "has all its positions in one place")
        }
    }

    private static func check(
        ring: [Coordinate], _ place: () -> String
    ) throws(AreaError) {
        for (index, position) in ring.enumerated() {
            try check(position, "\(place()), position \(index + 1)")
        }
        guard ring.count >= 4 else { throw refuse(place(), "has fewer than 4 positions") }
        // A ring round the Earth may end whole turns away from its first position.
        guard let first = ring.first, let last = ring.last, first.latitude == last.latitude,
            ((first.longitude - last.longitude) / 360).truncatingRemainder(dividingBy: 1) == 0
        else { throw refuse(place(), "is not closed: its last position is not its first") }
    }
}
