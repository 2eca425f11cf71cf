import CExpat
import Fencing
import Geodesy

/// Reads the track points of a GPX file (1.0 and 1.1), in file order, as the bytes come.
///
/// Of a `trkpt`: `lat`, `lon`, `time`, `hdop`, `fix` (`none` is no fix, `dgps` a corrected one, as
/// quality 2 is in NMEA), and speed (m/s) and course wherever they are in it: in GPX 1.0 they are its
/// children, in 1.1 Garmin and others put them into `extensions`. A point without a time is a report
/// without one.
final class GpxTrack: TrackDecoder {
    /// The longest text of an element that is kept, bytes.
    private static let longestText = 64

    private var complete: [PositionReport] = []
    private let parser: XML_Parser
    private let path: String
    private let settings: NmeaSettings
    private var point: PositionReport?
    private var dilution: Double?
    private var isCorrected = false
    private var text: [UInt8] = []
    private var isGpx = false

    init(_ path: String, _ settings: NmeaSettings) {
        guard let parser = XML_ParserCreate(nil) else { fatalError("out of memory") }
        self.parser = parser
        self.path = path
        self.settings = settings
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { user, name, attributes in
                guard let name, let attributes else { return }
                GpxTrack.of(user)?.start(localName(name), attributes)
            },
            { user, name in
                guard let name else { return }
                GpxTrack.of(user)?.end(localName(name))
            })
        XML_SetCharacterDataHandler(parser) { user, bytes, count in
            guard let bytes, let parser = GpxTrack.of(user), parser.point != nil else { return }
            let room = GpxTrack.longestText - parser.text.count
            let raw = UnsafeRawBufferPointer(start: bytes, count: min(Int(count), room))
            parser.text.append(contentsOf: raw)
        }
    }

    deinit { XML_ParserFree(parser) }

    private static func of(_ user: UnsafeMutableRawPointer?) -> GpxTrack? {
        user.map { Unmanaged<GpxTrack>.fromOpaque($0).takeUnretainedValue() }
    }

    func take(
        _ bytes: UnsafeRawBufferPointer, _ reports: inout [PositionReport]
    ) throws(TrackError) {
        let status = XML_Parse(
            parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
            Int32(clamping: bytes.count), bytes.isEmpty ? 1 : 0)
        reports += complete
        complete.removeAll(keepingCapacity: true)
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            throw TrackError(
                "not well-formed XML: \(reason ?? "unknown error")", path: path, line: line)
        }
        if bytes.isEmpty, !isGpx {
            throw TrackError("no GPX: there is no element <gpx>", path: path)
        }
    }

    var complaint: String? { nil }

    var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

    private func start(
        _ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) {
        text.removeAll(keepingCapacity: true)
        if name == "gpx" { isGpx = true }
        guard name == "trkpt" else { return }
        var latitude: Double?
        var longitude: Double?
        var pair = attributes
        while let key = pair[0], let value = pair[1] {
            switch localName(key) {
            case "lat": latitude = Double(trimmed(String(cString: value)))
            case "lon": longitude = Double(trimmed(String(cString: value)))
            default: break
            }
            pair += 2
        }
        var coordinate: Coordinate?
        if let latitude, let longitude {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        point = PositionReport(time: nil, hasFix: coordinate != nil, coordinate: coordinate)
        dilution = nil
        isCorrected = false
    }

    private func end(_ name: String) {
        guard var point else { return }
        let value = trimmed(String(decoding: text, as: UTF8.self))
        text.removeAll(keepingCapacity: true)
        switch name {
        case "trkpt":
            let factor =
                isCorrected ? settings.errorPerDilutionCorrected : settings.errorPerDilution
            point.error = dilution.map { $0 * factor }
            complete.append(point)
            self.point = nil
            return
        case "time":
            point.time = ReceiverTime(iso8601: value)
        case "hdop":
            dilution = magnitude(value).flatMap { $0 > 0 ? $0 : nil }
        case "fix":
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

/// The name without the prefix of its namespace: there are many for the same extension.
private func localName(_ name: UnsafePointer<CChar>) -> String {
    let full = String(cString: name)
    guard let colon = full.utf8.lastIndex(of: UInt8(ascii: ":")) else { return full }
    return String(full[full.utf8.index(after: colon)...])
}

/// Without white space at its ends.
private func trimmed(_ text: String) -> String {
    let isSpace = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
    let front = text.utf8.drop(while: isSpace)
    let back = front.reversed().drop(while: isSpace)
    return String(decoding: Array(back.reversed()), as: UTF8.self)
}
