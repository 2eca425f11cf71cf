/// The boxes of areas.
extension GeoBox {
    /// Exact, for edges are straight in longitude and latitude; of several polygons the narrowest
    /// box that holds all, over the antimeridian where that is narrower.
    init(_ shape: PolygonShape) {
        var boxes: [GeoBox] = []
        for polygon in shape.polygons {
            guard let shell = polygon.rings.first else { continue }
            let ring = shape.rings[shell]
            boxes.append(
                GeoBox(west: ring.west, south: ring.south, east: ring.east, north: ring.north))
        }
        self.init(holding: boxes)
    }

    /// Of a corridor: around every edge, the half width.
    init(_ corridor: Corridor) {
        let table = corridor.table
        var boxes: [GeoBox] = []
        for edge in 0..<table.edgeCount where table.isBoundary(edge) {
            let a = table.planar[edge]
            let b = table.planar[edge + 1]
            // The circle reaches furthest east and west at the end nearer to its pole.
            var west = min(a.x, b.x)
            var east = max(a.x, b.x)
            var south = min(a.y, b.y)
            var north = max(a.y, b.y)
            for end in [a, b] {
                let circle = GeoBox(
                    around: Coordinate(latitude: end.y, longitude: end.x),
                    radius: corridor.half)
                let reach = (circle.east - circle.west) / 2
                west = min(west, min(a.x, b.x) - reach)
                east = max(east, max(a.x, b.x) + reach)
                south = min(south, circle.south)
                north = max(north, circle.north)
            }
            boxes.append(GeoBox(west: west, south: south, east: east, north: north))
        }
        self.init(holding: boxes)
    }

    /// The narrowest box that holds all: what is left of the circle of longitudes without the
    /// widest gap between them.
    init(holding boxes: [GeoBox]) {
        let sorted = boxes.map(\.normalized).sorted { $0.west < $1.west }
        guard let first = sorted.first else {
            self.init(west: 0, south: 0, east: 0, north: 0)
            return
        }
        let south = sorted.reduce(first.south) { min($0, $1.south) }
        let north = sorted.reduce(first.north) { max($0, $1.north) }
        // A box that extends beyond 180 covers the beginning of the circle, too.
        var reach = sorted.reduce(first.east) { max($0, $1.east) } - 360
        var widest = -Double.infinity
        var west = first.west
        for box in sorted {
            if box.west - reach > widest {
                widest = box.west - reach
                west = box.west
            }
            reach = max(reach, box.east)
        }
        let east = sorted.reduce(-Double.infinity) {
            max($0, $1.west < west ? $1.east + 360 : $1.east)
        }
        guard widest > 0 else {
            self.init(west: -180, south: south, east: 180, north: north)
            return
        }
        self = GeoBox(west: west, south: south, east: east, north: north).normalized
    }
}
