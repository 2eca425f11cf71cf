import Bytes
import Geodesy
import Glibc

/// Whether fences may intersect one box; usually decided without measuring.
struct BoxTest {
    let box: GeoBox
    /// Half the height and width, and the centre, degrees.
    private let height: Double
    private let width: Double
    private let latitude: Double
    private let longitude: Double
    /// At most the cosine of the latitude of any circle that is not too large and not too far north
    /// or south; 0 when longitudes decide nothing.
    private let cosine: Double

    /// m per degree of latitude, no more than anywhere (110 574 m at the equator).
    private static let degree = 110_500.0
    /// The largest circle for which ``cosine`` is valid, m.
    private static let large = 20_000.0

    init(_ box: GeoBox) {
        self.box = box
        height = (box.north - box.south) / 2
        width = (box.east - box.west) / 2
        latitude = (box.north + box.south) / 2
        longitude = (box.east + box.west) / 2
        let furthest = max(box.north.magnitude, box.south.magnitude) + 0.2
        let isFair = furthest < 85 && width < 90
        cosine = isFair ? cos(furthest * .pi / 180) : 0
    }

    /// False when the box of that fence and this one certainly do not intersect.
    @inline(__always)
    func mayMeet(
        _ record: FenceRecord, _ circle: FenceRecord.RawCircle?
    ) throws(DamagedRecord) -> Bool {
        guard let circle else { return try record.box().map(box.intersects) ?? false }
        // In the stored units of a circle: a division is expensive.
        return mayMeet(
            latitude: Double(circle.latitude) * (1 / FenceRecord.degreeParts),
            longitude: Double(circle.longitude) * (1 / FenceRecord.degreeParts),
            radius: Double(circle.radius) * (1 / FenceRecord.metreParts))
    }

    /// As ``mayMeet(_:_:)``.
    @inline(__always)
    func mayMeet(_ circle: FenceRecord.PlainCircle) -> Bool {
        mayMeet(
            latitude: circle.center.latitude, longitude: circle.center.longitude,
            radius: circle.radius)
    }

    /// The half width of the box of a circle is asin(sin(r / R) / cos φ): for a circle that is not
    /// large, less than 1 % above r / (R cos φ), plus a metre.
    @inline(__always)
    private func mayMeet(latitude: Double, longitude: Double, radius: Double) -> Bool {
        let reach = radius * 1.01 + 1
        let north = (latitude - self.latitude).magnitude - height
        if north * Self.degree > reach { return false }
        guard radius < Self.large else { return true }
        var east = (longitude - self.longitude).magnitude
        if east > 180 {
            east = east.truncatingRemainder(dividingBy: 360)
            east = min(east, 360 - east)
        }
        return (east - width) * Self.degree * cosine <= reach
    }
}
