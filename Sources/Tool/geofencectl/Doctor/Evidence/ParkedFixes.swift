import Geodesy
import Law
import Model

/// The fixes of a receiver that does not move, and where they lie.
struct ParkedFixes: Sendable {
    /// Whose they are; empty: of the first that comes.
    private(set) var receiver: String
    private var fixes: [Fix] = []
    /// Fixes whose own speed is that of a vehicle that does not stand (HANDBOOK, section 11, Stops).
    private var moving = 0

    private struct Fix: Sendable {
        let place: Coordinate
        /// As gpsd states it, m; nil if it does not.
        let error: Double?
    }

    /// A day at one a second. With these it ends, and takes 4 MiB.
    static let most = 86_400

    /// No more are taken.
    var isFull: Bool { fixes.count >= Self.most }

    init(of receiver: String) { self.receiver = receiver }

    /// A fix of another receiver is left out.
    /// - Parameters:
    ///   - error: as gpsd states it, m.
    ///   - speed: m/s; nil if it is not known.
    mutating func add(_ place: Coordinate, error: Double?, speed: Double?, of device: String) {
        if receiver.isEmpty { receiver = device }
        guard !isFull, device == receiver else { return }
        fixes.append(Fix(place: place, error: error))
        if let speed, speed >= Movement.leastSpeed { moving += 1 }
    }

    /// How many of them lie within their errors of their median.
    /// - Parameters:
    ///   - driver: by which gpsd reads the receiver; empty if that is not known.
    ///   - seconds: for how long they were collected.
    func coverage(
        of driver: String, over seconds: Double, _ settings: SettingsEvidence
    ) -> CoverageEvidence {
        var coverage = CoverageEvidence()
        coverage.seconds = seconds
        coverage.fixes = fixes.count
        coverage.moving = moving
        coverage.driver = driver
        coverage.factor = settings.errorScale[driver]
        guard let first = fixes.first else { return coverage }
        // Longitudes from that of the first, so that ±180° is no step.
        let latitude = Self.quantile(0.5, of: fixes.map(\.place.latitude))
        let longitude =
            first.place.longitude
            + Self.quantile(
                0.5,
                of: fixes.map {
                    ($0.place.longitude - first.place.longitude).remainder(dividingBy: 360)
                })
        let median = SurfacePoint(
            Coordinate(
                latitude: latitude, longitude: longitude.remainder(dividingBy: 360)))
        var (distances, ratios): ([Double], [Double]) = ([], [])
        for fix in fixes {
            let distance = median.distance(to: SurfacePoint(fix.place))
            if distance <= settings.used(fix.error, of: driver) { coverage.within += 1 }
            distances.append(distance)
            guard let error = fix.error else { continue }
            ratios.append(distance / error)
            if distance <= error { coverage.withinStated += 1 }
        }
        coverage.stated = ratios.count
        coverage.radius = Self.quantile(CoverageEvidence.share, of: distances)
        if !ratios.isEmpty { coverage.needed = Self.quantile(CoverageEvidence.share, of: ratios) }
        return coverage
    }

    /// The least value that so many of them do not exceed.
    private static func quantile(_ share: Double, of values: [Double]) -> Double {
        let index = (share * Double(values.count)).rounded(.up) - 1
        return values.sorted()[min(values.count - 1, max(0, Int(index)))]
    }
}

/// How many fixes of a parked vehicle lie within their errors.
struct CoverageEvidence: Sendable {
    /// For how long it was listened to, s.
    var seconds = 0.0
    /// Fixes that came.
    var fixes = 0
    /// Of these, those of a vehicle that moves by its own speed.
    var moving = 0
    /// Those that state an error.
    var stated = 0
    /// Of these, those within it of the median of all.
    var withinStated = 0
    /// Those within what geofenced makes of it, or takes where none is stated.
    var within = 0
    /// By which gpsd reads the receiver; empty if that is not known.
    var driver = ""
    /// Of `ErrorScale=`; nil if it has none for that driver.
    var factor: Double?
    /// What would make 95 % of the errors that are stated; nil if none is.
    var needed: Double?
    /// Within it lie 95 % of the fixes, m from their median.
    var radius = 0.0

    /// Fewer say nothing.
    static let fewest = 20
    /// How many of the fixes are to lie within their errors, 0…1.
    static let share = 0.95

    /// How many of the fixes are to lie within the error at least, 0…1: 95 % less two standard errors
    /// of a share. The error of a parked receiver drifts over minutes, so that each minute counts as
    /// one independent fix.
    var least: Double {
        let count = max(1, seconds / 60)
        return Self.share - 2 * (Self.share * (1 - Self.share) / count).squareRoot()
    }
}
