/// What is checked before an area may be stored, so that the engine need not.
enum AreaDoor {
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
            guard width.isFinite else { throw refuse("width", "is not a number") }
            guard width > 0 else { throw refuse("width \(width)", "is not above 0") }
            guard width <= 2 * greatestRadius else {
                throw refuse("width \(width)", "is above 40000 km")
            }
            guard line.count >= 2 else { throw refuse("line", "has fewer than 2 positions") }
            for (index, position) in line.enumerated() {
                try check(position, "position \(index + 1)")
            }
            guard UnwrappedRing.layOut(line).points.count >= 2 else {
                throw refuse("line", "has all its positions in one place")
            }
        case .polygons(let polygons):
            guard !polygons.isEmpty else { throw refuse("polygon", "has no rings") }
            for (index, polygon) in polygons.enumerated() {
                let place = polygons.count > 1 ? "part \(index + 1), " : ""
                try check(polygon, place)
            }
        }
    }

    static func refuse(_ place: String, _ reason: String) -> AreaError {
        AreaError(description: "\(place) \(reason)")
    }

    private static func check(_ position: Coordinate, _ place: String) throws(AreaError) {
        let latitude = position.latitude
        let longitude = position.longitude
        guard latitude.isFinite, longitude.isFinite else {
            throw refuse(place, "is not a pair of numbers")
        }
        guard latitude.magnitude <= 90 else {
            throw refuse(place, "has latitude \(latitude), beyond 90 degrees")
        }
        guard longitude.magnitude <= 540 else {
            throw refuse(place, "has longitude \(longitude), beyond 540 degrees")
        }
    }

    private static func check(_ polygon: [[Coordinate]], _ place: String) throws(AreaError) {
        guard !polygon.isEmpty else { throw refuse(place + "polygon", "has no rings") }
        func name(_ ring: Int) -> String { place + (ring == 0 ? "shell" : "hole \(ring)") }
        for (index, ring) in polygon.enumerated() { try check(ring: ring, name(index)) }
        let rings = PolygonShape.unwrap(polygon)
        for (index, ring) in rings.enumerated() {
            guard ring.turns.magnitude <= 1 else {
                throw refuse(name(index), "goes round the Earth more than once")
            }
            var check = RingCheck(ring)
            if let fault = check.run() { throw refuse(name(index), fault.description) }
        }
        for hole in rings.indices.dropFirst() {
            if let fault = HoleCheck(shell: rings[0], hole: rings[hole]).run() {
                throw refuse(name(hole), fault)
            }
        }
    }

    private static func check(ring: [Coordinate], _ place: String) throws(AreaError) {
        for (index, position) in ring.enumerated() {
            try check(position, "\(place), position \(index + 1)")
        }
        guard ring.count >= 4 else { throw refuse(place, "has fewer than 4 positions") }
        guard let first = ring.first, let last = ring.last, first.latitude == last.latitude,
            ((first.longitude - last.longitude) / 360).truncatingRemainder(dividingBy: 1) == 0
        else { throw refuse(place, "is not closed: its last position is not its first") }
    }
}
