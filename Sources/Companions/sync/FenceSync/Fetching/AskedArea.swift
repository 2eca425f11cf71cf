import Geodesy
package import JSON

/// The part of the map that a server is asked for. What lies in it and is not in the answer is gone.
package struct AskedArea: Sendable {
    /// Of the vehicle, degrees.
    package let latitude: Double
    /// Of the vehicle, degrees.
    package let longitude: Double
    /// Around the vehicle, m: with the answer every fence that touches this disc is known.
    package let reach: Double
    /// Of the places of fences around the vehicle, m: those of the largest fences lie farther away
    /// than what they touch.
    package let radius: Double
    /// Contains all of these.
    package let box: QueryArea
    private let isDisc: Bool

    package init(
        latitude: Double, longitude: Double, reach: Double, _ nearby: SourceSettings.Nearby
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.reach = reach
        radius = reach + nearby.maxRadius
        isDisc = !nearby.distanceField.isEmpty
        box = QueryArea(
            latitude: latitude, longitude: longitude, radius: radius, grid: nearby.grid)
    }

    /// Whether a server that is asked for this area has to give a fence of that geometry: all of its
    /// positions are in it. For one of no positions it need not.
    package func contains(_ geometry: JSONValue) -> Bool {
        var positions: [Coordinate] = []
        Self.collect(geometry["coordinates"] ?? .null, into: &positions)
        for part in geometry["geometries"]?.array ?? [] {
            Self.collect(part["coordinates"] ?? .null, into: &positions)
        }
        return !positions.isEmpty && positions.allSatisfy(contains)
    }

    private func contains(_ position: Coordinate) -> Bool {
        let east = box.isAcross ? box.east + 360 : box.east
        let box = GeoBox(west: box.west, south: box.south, east: east, north: box.north)
        guard box.contains(position) else { return false }
        guard isDisc else { return true }
        let centre = SurfacePoint(Coordinate(latitude: latitude, longitude: longitude))
        // The server's Earth may be a sphere, and its distance 0.6 % greater than ours.
        return centre.distance(to: SurfacePoint(position)) < radius * 0.99
    }

    private static func collect(_ value: JSONValue, into positions: inout [Coordinate]) {
        guard let array = value.array else { return }
        if array.count >= 2, let longitude = array[0].double, let latitude = array[1].double {
            positions.append(Coordinate(latitude: latitude, longitude: longitude))
        } else {
            for element in array { collect(element, into: &positions) }
        }
    }
}
