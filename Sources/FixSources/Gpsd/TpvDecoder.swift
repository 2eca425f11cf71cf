import CGPS
package import Fencing
import Geodesy
import Glibc

/// Decodes gpsd's TPV objects: ``TpvScanner`` what is written as gpsd writes it, libgps, which knows
/// every version of the protocol, all else.
///
/// One `gps_data_t` for its whole life, on the heap: it is 24 KB. Bound to the "C" locale, for
/// libgps reads numbers with `strtod`; none of our programs calls `setlocale`.
package final class TpvDecoder {
    private let data: OpaqueGpsData

    /// As gpsd writes it. gps_unpack() goes on to the next object behind the first, and where there
    /// is a class but no object that it can read it tries the same place for ever (libgps 3.22):
    /// a line is given to it only where the class comes first and no other follows.
    private static let beginning = "{\"class\":\"TPV\""
    private static let classKey = "\"class\":"

    package init() { data = OpaqueGpsData() }

    /// The report of one TPV object, NUL-terminated; nil where libgps cannot read it. One that was
    /// cut short it would read, and the last number of it short of digits.
    package func report(_ object: UnsafeMutableBufferPointer<CChar>) -> PositionReport? {
        TpvScanner.text(of: UnsafeBufferPointer(object)).map(PositionReport.init) ?? unpack(object)
    }

    /// Through libgps, which may write to the line.
    func unpack(_ object: UnsafeMutableBufferPointer<CChar>) -> PositionReport? {
        guard let base = object.baseAddress, object.count > 2, object.last == 0,
            object[object.count - 2] == CChar(truncatingIfNeeded: UInt8(ascii: "}")),
            strncmp(base, Self.beginning, strlen(Self.beginning)) == 0,
            strstr(base + 2, Self.classKey) == nil
        else { return nil }
        var tpv = geofenced_tpv()
        guard geofenced_gps_tpv(data.pointer, base, &tpv) == 1 else { return nil }
        return PositionReport(
            TpvText(
                mode: Int(tpv.mode),
                time: ReceiverTime(seconds: tpv.seconds, nanoseconds: tpv.nanoseconds),
                latitude: tpv.latitude, longitude: tpv.longitude, eph: tpv.eph, epx: tpv.epx,
                epy: tpv.epy, speed: tpv.speed, track: tpv.track))
    }
}

/// Owns a `gps_data_t`.
private final class OpaqueGpsData {
    let pointer: UnsafeMutablePointer<gps_data_t>

    init() {
        guard let pointer = geofenced_gps_new() else { fatalError("out of memory") }
        self.pointer = pointer
    }

    deinit { geofenced_gps_free(pointer) }
}

extension PositionReport {
    /// error e is `eph`, else √(epx² + epy²).
    init(_ tpv: TpvText) {
        var coordinate: Coordinate?
        if tpv.latitude.isFinite, tpv.longitude.isFinite {
            coordinate = Coordinate(latitude: tpv.latitude, longitude: tpv.longitude)
        }
        func stated(_ error: Double) -> Double? { error.isFinite && error > 0 ? error : nil }
        let root = (tpv.epx * tpv.epx + tpv.epy * tpv.epy).squareRoot()
        self.init(
            time: tpv.time, hasFix: tpv.mode >= 2, coordinate: coordinate,
            error: stated(tpv.eph) ?? stated(root),
            speed: tpv.speed.isFinite && tpv.speed >= 0 ? tpv.speed : nil,
            course: tpv.track.isFinite ? tpv.track : nil)
    }
}

extension ReceiverTime {
    /// Nil for 0, which in libgps is "no time", and what 64 bits of nanoseconds do not hold. libgps
    /// reads the fraction as a binary one and cuts it off, so it may be a nanosecond short: rounded
    /// to the microsecond, finer than which gpsd does not say it.
    fileprivate init?(seconds: Int64, nanoseconds: Int64) {
        guard seconds != 0, (0..<1_000_000_000).contains(nanoseconds),
            (-9_000_000_000...9_000_000_000).contains(seconds)
        else { return nil }
        self.init(
            nanoseconds: seconds * 1_000_000_000 + (nanoseconds + 500) / 1000 * 1000)
    }
}
