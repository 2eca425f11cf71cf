import Foundation

/// The sentences of a receiver for one moment, by default now: a parked vehicle, or one that drives
/// north at a given speed, m/s.
func epoch(
    latitude: Double, longitude: Double = 11, at time: Double? = nil, speed: Double = 0
) -> String {
    let hundredths = Int(((time ?? Date().timeIntervalSince1970) * 100).rounded(.down))
    var seconds = time_t(hundredths / 100)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = String(
        format: "%02d%02d%02d.%02d", parts.tm_hour, parts.tm_min, parts.tm_sec, hundredths % 100)
    let date = String(
        format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, (parts.tm_year + 1900) % 100)
    let place =
        "\(field(latitude, 2)),\(latitude < 0 ? "S" : "N"),"
        + "\(field(longitude, 3)),\(longitude < 0 ? "W" : "E")"
    let knots = String(format: "%.1f", speed / 0.514444)
    return sentence("GPRMC,\(clock),A,\(place),\(knots),0.0,\(date),,,A")
        + sentence("GPGGA,\(clock),\(place),1,08,1.0,300.0,M,0.0,M,,")
}

/// `ddmm.mmmmmm`, with this many digits of degrees.
private func field(_ degrees: Double, _ width: Int) -> String {
    let whole = degrees.magnitude.rounded(.down)
    return String(format: "%0\(width)d%09.6f", Int(whole), (degrees.magnitude - whole) * 60)
}

private func sentence(_ body: String) -> String {
    "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
}
