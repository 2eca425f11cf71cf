package import Geodesy
import Model
package import Systemd
package import Time

/// The last accepted fix, as the daemon tells it to callers that may read the location.
package struct ToldPosition {
    /// Receiver UTC of the fix.
    package var time: UTCTime
    /// When it arrived; ``Uptime/boot`` if unknown.
    package var arrival: Uptime
    /// WGS 84.
    package var coordinate: Coordinate
    /// 95 % radius, m.
    package var error: Double
    /// m/s; nil if the receiver reports none.
    package var speed: Double?
    /// Degrees true; nil if the receiver reports none.
    package var course: Double?
    /// The position is lost or doubtful since.
    package var isUncertain: Bool

    /// From the answer of `GetPosition`.
    package init?(bus details: [String: BusValue]) {
        guard details["latitude"]?.asDouble != nil, details["longitude"]?.asDouble != nil,
            details["time"]?.asUInt64 != nil
        else { return nil }
        self.init(
            time: UTCTime(microseconds: 0), arrival: .boot,
            coordinate: Coordinate(latitude: 0, longitude: 0), error: 0, isUncertain: false)
        Self.told.read(details, into: &self)
    }

    package init(
        time: UTCTime, arrival: Uptime, coordinate: Coordinate, error: Double,
        speed: Double? = nil, course: Double? = nil, isUncertain: Bool
    ) {
        self.time = time
        self.arrival = arrival
        self.coordinate = coordinate
        self.error = error
        self.speed = speed
        self.course = course
        self.isUncertain = isUncertain
    }

    /// Time since it arrived; nil if the daemon's clock is not that of this machine.
    @MainActor package var age: TimeSpan? {
        let age = EventLoop.uptime - arrival
        return arrival > .boot && age >= .zero ? age : nil
    }

    /// Its members, of the answer of `GetPosition`.
    package static let told: [ToldMember<Self>] = times + place + motion + judgement

    private static let times: [ToldMember<Self>] = [
        ToldMember(
            "time", json: "time", .instant, get: { $0.time },
            set: { $0.time = $1 ?? UTCTime(microseconds: 0) }),
        ToldMember(
            "monotonic", json: nil, .monotonic, get: { $0.arrival },
            set: { $0.arrival = $1 ?? .boot }),
    ]

    private static let judgement: [ToldMember<Self>] = [
        ToldMember("uncertain", .flag, \.isUncertain)
    ]

    /// Where it is.
    package static let place: [ToldMember<Self>] = [
        ToldMember("latitude", .real(decimals: 7), \.coordinate.latitude),
        ToldMember("longitude", .real(decimals: 7), \.coordinate.longitude),
        ToldMember("error_m", .real(decimals: 1), \.error),
    ]

    /// How it moves.
    package static let motion: [ToldMember<Self>] = [
        ToldMember("speed_mps", .maybe(decimals: 1), \.speed),
        ToldMember("course_deg", .maybe(decimals: 1), \.course),
    ]
}
