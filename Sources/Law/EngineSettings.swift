package import Model

/// Every number of the law that is a setting, with the defaults of the HANDBOOK.
package struct EngineSettings: Hashable, Sendable {
    /// Section 2: which fixes count.
    package var gates = GateSettings()
    /// Section 3: paths and motion.
    package var way = WaySettings()
    /// Section 3: enter and exit.
    package var crossing = CrossingSettings()
    /// Section 4: the window.
    package var window = WindowSettings()
    /// Section 8: the stages of an approach.
    package var approach = ApproachSettings()
    /// Section 10: beacons.
    package var beacons = BeaconSettings()
    /// Section 16: a route.
    package var route = RouteSettings()
    /// Section 12: a parked vehicle.
    package var parking = ParkingSettings()
    /// Section 15: trips.
    package var trips = TripSettings()
    /// The vehicle until an input ``Input/vehicle(_:)`` says otherwise.
    package var vehicle = Vehicle()

    package init() {}
}

extension TrustRules {
    package init(_ settings: EngineSettings) {
        self.init(
            gates: settings.gates, waking: settings.parking.hold, pathGap: settings.way.pathGap,
            settle: settings.crossing.settle, movingSpeed: settings.way.movingSpeed,
            radius: settings.parking.radius)
    }
}
