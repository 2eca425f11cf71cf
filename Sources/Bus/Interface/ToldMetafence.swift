package import Geodesy
package import Systemd

/// Where the window was composed, and how far it is known to be sufficient.
package struct ToldMetafence: Equatable {
    /// Where the vehicle was then.
    package var centre: Coordinate
    /// m.
    package var radius: Double

    package init(centre: Coordinate, radius: Double) {
        self.centre = centre
        self.radius = radius
    }

    /// From the answer of `GetMetafence`; nil where the whole catalogue is in the window.
    package init?(bus answer: [BusValue]) {
        let details = answer.first?.asDictionary ?? [:]
        guard Self.told.allSatisfy({ details[$0.name]?.asDouble != nil }) else { return nil }
        self.init(centre: Coordinate(latitude: 0, longitude: 0), radius: 0)
        Self.told.read(details, into: &self)
    }

    /// Its members, in the answer of `GetMetafence`.
    package static let told: [ToldMember<Self>] = [
        ToldMember("latitude", .real(decimals: 7), \.centre.latitude),
        ToldMember("longitude", .real(decimals: 7), \.centre.longitude),
        ToldMember("radius_m", .real(decimals: 1), \.radius),
    ]
}
