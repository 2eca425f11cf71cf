import Glibc

/// A box in longitude and latitude, degrees. `west > east` never occurs: a box over the
/// antimeridian has `east` beyond 180. A box that holds a pole is −180…180 wide.
package struct GeoBox: Hashable, Sendable {
    /// −180…180.
    package var west: Double
    /// −90…90, at most `north`.
    package var south: Double
    /// Up to 360 above `west`.
    package var east: Double
    /// −90…90.
    package var north: Double

    package init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Holds everything within `radius` metres of `point`, and a little more.
    package init(around point: Coordinate, radius: Double) {
        let center = point.normalized
        // The sphere of the least radius makes every angle too large, never too small.
        let angle = max(radius, 0) * 1.0001 / Ellipsoid.leastRadius + 1e-9
        let degrees = angle / Ellipsoid.radiansPerDegree
        let south = center.latitude - degrees
        let north = center.latitude + degrees
        guard south > -90, north < 90 else {
            self.init(west: -180, south: max(south, -90), east: 180, north: min(north, 90))
            return
        }
        let reach = sin(angle) / cos(center.latitude * Ellipsoid.radiansPerDegree)
        let half = asin(min(reach, 1)) / Ellipsoid.radiansPerDegree + 1e-9
        self =
            GeoBox(
                west: center.longitude - half, south: south, east: center.longitude + half,
                north: north
            ).normalized
    }

    /// Holds every position of a line; one whose longitudes differ by more than 180 degrees may
    /// cross the antimeridian, and gets a box as wide as the Earth. Nil for a line without any.
    package init?(bounding line: [Coordinate]) {
        guard let first = line.first else { return nil }
        var box = GeoBox(
            west: first.longitude, south: first.latitude, east: first.longitude,
            north: first.latitude)
        for position in line.dropFirst() {
            box.west = min(box.west, position.longitude)
            box.east = max(box.east, position.longitude)
            box.south = min(box.south, position.latitude)
            box.north = max(box.north, position.latitude)
        }
        if box.east - box.west > 180 { (box.west, box.east) = (-180, 180) }
        self = box.normalized
    }

    /// `west` brought into −180…180; a box as wide as the Earth becomes −180…180.
    var normalized: GeoBox {
        guard east - west < 360 else {
            return GeoBox(west: -180, south: south, east: 180, north: north)
        }
        let shift = west >= -180 && west < 180 ? 0 : ((west + 180) / 360).rounded(.down) * 360
        return GeoBox(west: west - shift, south: south, east: east - shift, north: north)
    }

    /// Whether the two have a point in common, edges included, modulo 360 degrees.
    package func intersects(_ other: GeoBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return overlaps(west: other.west, east: other.east)
            || overlaps(west: other.west - 360, east: other.east - 360)
            || overlaps(west: other.west + 360, east: other.east + 360)
    }

    /// Whether `point` lies in the box or on its edge, modulo 360 degrees.
    package func contains(_ point: Coordinate) -> Bool {
        let lon = point.normalized.longitude
        return intersects(
            GeoBox(west: lon, south: point.latitude, east: lon, north: point.latitude))
    }

    private func overlaps(west otherWest: Double, east otherEast: Double) -> Bool {
        west <= otherEast && otherWest <= east
    }

    /// A lower bound of the distance from `point` to anything in the box, m: 0 inside, never above
    /// the true distance, and within 1 % of the distance to the box.
    package func distanceLowerBound(from point: SurfacePoint) -> Double {
        let lat = point.coordinate.latitude
        let lon = point.coordinate.longitude
        // A distance on the sphere of the least radius of curvature, with geodetic latitude and
        // longitude, is a lower bound of that on the ellipsoid: its metric is nowhere larger.
        let radius = Ellipsoid.leastRadius * 0.9999
        let toWest = turn(west - lon)
        let toEast = turn(lon - east)
        guard turn(lon - west) > east - west else {
            let gap = max(south - lat, lat - north, 0)
            return gap * Ellipsoid.radiansPerDegree * radius
        }
        // The nearer of the two edges, by the smaller angle (either way round).
        let step = min(toWest, toEast, 360 - min(toWest, 360), 360 - min(toEast, 360))
        let phi = lat * Ellipsoid.radiansPerDegree
        let delta = step * Ellipsoid.radiansPerDegree
        let sinPhi = sin(phi)
        let cosPhi = cos(phi)
        let sinDelta = sin(delta)
        let cosDelta = cos(delta)
        let low = south * Ellipsoid.radiansPerDegree
        let high = north * Ellipsoid.radiansPerDegree
        let foot = atan2(sinPhi, cosPhi * cosDelta)
        func chord(_ theta: Double) -> Double {
            let c = cos(theta)
            let d = SIMD3(c * cosDelta - cosPhi, c * sinDelta, sin(theta) - sinPhi)
            return dot(d, d).squareRoot()
        }
        // Beyond 90° of longitude the foot of the perpendicular can lie over the pole; then one of
        // the ends is the nearest.
        let least = foot > low && foot < high ? chord(foot) : min(chord(low), chord(high))
        return 2 * asin(min(least / 2, 1)) * radius
    }

    /// Degrees, 0..<360.
    private func turn(_ degrees: Double) -> Double {
        let rest = degrees - (degrees / 360).rounded(.down) * 360
        return rest < 360 ? rest : 0
    }
}
