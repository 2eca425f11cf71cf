package import Geodesy
package import JSON

/// The circle within which the vehicle has every fence of the source: a fence of its own, whose exit
/// starts the next look.
package struct Metafence: Hashable, Sendable {
    /// Of its centre, degrees.
    package var latitude: Double
    /// Of its centre, degrees.
    package var longitude: Double
    /// m.
    package var radius: Double

    /// No vehicle is faster, m/s.
    private static let speed = 40.0
    /// From the exit to the first request, s: the bus, the service manager, and a lost packet.
    private static let start = 30.0
    /// A smaller one would be left at once, m.
    private static let least = 500.0

    package init(latitude: Double, longitude: Double, radius: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// How far the vehicle may go so that the next fetch is over before it leaves what is known.
    /// - Parameters:
    ///   - reach: everything within it is known, m.
    ///   - fetching: how long the last fetch took, s.
    ///   - error: of the position, m.
    /// - Returns: m, at least 500.
    package static func radius(reach: Double, fetching: Double, error: Double) -> Double {
        max(least, reach - speed * (max(0, fetching) + start) - max(0, error))
    }

    /// Its id, of an origin.
    package static func id(of origin: String) -> String { "\(origin)/metafence" }

    /// Metres from a position to its edge; negative outside.
    package func depth(of position: Coordinate) -> Double {
        let centre = SurfacePoint(Coordinate(latitude: latitude, longitude: longitude))
        return radius - centre.distance(to: SurfacePoint(position))
    }

    /// A line of GeoJSON. The exit is announced, for consumers get no silenced event; the entry is
    /// nobody's concern.
    package func line(of origin: String) -> [UInt8] {
        let feature: JSONValue = [
            "type": "Feature", "id": .string(Self.id(of: origin)),
            "geometry": [
                "type": "Point", "coordinates": [JSONValue(longitude), JSONValue(latitude)],
            ],
            "properties": ["radius": JSONValue(radius), "notify_on_entry": false],
        ]
        return Array(feature.text.utf8) + [0x0A]
    }

    /// From that line; nil for another one.
    package init?(_ feature: JSONValue, of origin: String) {
        guard feature["id"]?.string == Self.id(of: origin),
            let point = feature["geometry"]?["coordinates"]?.array, point.count == 2,
            let longitude = point[0].double, let latitude = point[1].double,
            let radius = feature["properties"]?["radius"]?.double
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, radius: radius)
    }

    /// That of a stored set, in which it is the first line; nil if there is none.
    package static func first(of set: some SetLines, origin: String) -> Metafence? {
        guard var reader = try? set.json(), (try? reader.peek()) != nil,
            let feature = try? reader.readValue()
        else { return nil }
        return Metafence(feature, of: origin)
    }
}
