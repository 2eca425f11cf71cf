import Geodesy
import Model
import Time
import XML

/// Reads the track points of a GPX file (1.0 and 1.1), in file order, as a stream.
///
/// Of a `trkpt`: `lat`, `lon`, its own `time`, `hdop`, `fix` (`none` is no fix, `dgps` a corrected
/// one, like quality 2 in NMEA), and speed (m/s) and course at any depth: in GPX 1.0 they are its
/// children, in 1.1 Garmin and others put them into `extensions`. A `time` in there means something
/// else. A point without a time is a report without one.
final class GpxTrack: TrackDecoder {
    private let reader = XMLReader()
    private let path: String
    private let settings: ReceiverSettings
    private var point: PositionReport?
    /// Depth of open elements in the point: 1 in a direct child.
    private var depth = 0
    private var dilution: Double?
    private var isCorrected = false
    private var text = ""
    private var isGpx = false
    private var hasTrack = false
    /// Points that are not of a track.
    private var others = (waypoints: 0, ofRoutes: 0)
    /// Points whose time is missing, or cannot be read, and the first text that cannot.
    private var undated = (count: 0, text: String?.none)
    /// The outermost element.
    private var root: String?

    init(_ path: String, _ settings: ReceiverSettings) {
        self.path = path
        self.settings = settings
    }

    func decode(_ bytes: Span<UInt8>, _ reports: inout [PositionReport]) throws(TrackError) {
        reader.feed(bytes)
        do throws(XMLError) {
            while let place = try reader.next() {
                switch place.piece {
                case .open(let name, let attributes): start(name, attributes)
                case .text(let text): self.text = text
                case .close(let name): end(name, &reports)
                }
            }
        } catch {
            throw TrackError(error.reason, path: path, line: error.line)
        }
        if bytes.isEmpty, !isGpx {
            throw TrackError(
                root == "kml"
                    ? "KML is not read: a track is GPX, NMEA or gpsd's JSON"
                    : "no GPX: there is no element <gpx>", path: path)
        }
        if bytes.isEmpty, !hasTrack, others.waypoints + others.ofRoutes > 0 {
            throw TrackError(
                "no track in this GPX file, but \(others.waypoints) waypoints and"
                    + " \(others.ofRoutes) points of routes, which are no recording even if they have"
                    + " times: a route is planned, a waypoint a place", path: path)
        }
    }

    var complaint: String? {
        guard undated.count > 0 else { return nil }
        let text = undated.text.map { ", such as “\(PeerText.shown($0))”" } ?? ""
        return "\(undated.count) points without a time that can be read\(text)"
    }

    var line: Int { reader.line }

    private func start(_ name: String, _ attributes: [String: String]) {
        text = ""
        root = root ?? name
        if name == "gpx" { isGpx = true }
        switch name {
        case "trkpt": hasTrack = true
        case "wpt": others.waypoints += 1
        case "rtept": others.ofRoutes += 1
        default: break
        }
        if point != nil { depth += 1 }
        guard name == "trkpt", point == nil else { return }
        depth = 0
        let latitude = attributes["lat"].flatMap { Double(trimmed($0)) }
        let longitude = attributes["lon"].flatMap { Double(trimmed($0)) }
        var coordinate: Coordinate?
        if let latitude, let longitude {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        point = PositionReport(time: nil, hasFix: coordinate != nil, coordinate: coordinate)
        dilution = nil
        isCorrected = false
    }

    private func end(_ name: String, _ reports: inout [PositionReport]) {
        guard var point else { return }
        let value = trimmed(text)
        text = ""
        let isOwn = depth == 1
        depth -= 1
        switch name {
        case "trkpt" where depth < 0:
            let factor =
                isCorrected ? settings.errorPerDilutionCorrected : settings.errorPerDilution
            point.error = dilution.map { $0 * factor }
            if point.time == nil { undated.count += 1 }
            reports.append(point)
            self.point = nil
            return
        case "time" where isOwn:
            point.time = UTCTime(iso8601: value)
            if point.time == nil, undated.text == nil, !value.isEmpty { undated.text = value }
        case "hdop" where isOwn:
            dilution = magnitude(value).flatMap { $0 > 0 ? $0 : nil }
        case "fix" where isOwn:
            if value == "none" { point.hasFix = false }
            isCorrected = value == "dgps"
        case "speed":
            point.speed = magnitude(value) ?? point.speed
        case "course":
            point.course = magnitude(value) ?? point.course
        default:
            return
        }
        self.point = point
    }

    private func magnitude(_ text: String) -> Double? {
        Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}

/// Without leading and trailing white space.
private func trimmed(_ text: String) -> String {
    let isSpace = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
    let front = text.utf8.drop(while: isSpace)
    let back = front.reversed().drop(while: isSpace)
    return String(decoding: Array(back.reversed()), as: UTF8.self)
}
