import CGPS
import Engine
import Time

// Unsafe: libgps gets memory that it made itself, and a line of our own with a zero at its end.

/// libgps, which reads a position of any version of gpsd: the one place where its memory is touched.
///
/// One `gps_data_t` for its whole life, on the heap: it is 24 KB. Bound to the "C" locale, for
/// libgps reads numbers with `strtod`; none of our programs calls `setlocale`.
@safe final class LibgpsDecoder {
    /// Ours alone from the first to the last.
    private let data: UnsafeMutablePointer<gps_data_t>

    /// gps_unpack() goes on to the next object behind the first, and where there is a class but no
    /// object that it can read it tries the same place for ever (libgps 3.22): a line is given to it
    /// only where the class comes first and no other follows.
    private static let beginning = Array("{\"class\":\"TPV\"".utf8)
    private static let classKey = Array("\"class\":".utf8)

    init() {
        guard let data = unsafe geofenced_gps_new() else { fatalError("out of memory") }
        unsafe self.data = data
    }

    deinit { unsafe geofenced_gps_free(data) }

    /// What a TPV object says; nil where libgps cannot read it. One that was cut short it would read,
    /// and the last number of it short of digits.
    func text(of object: [UInt8]) -> TpvText? {
        guard object.last == UInt8(ascii: "}"), !object.contains(0),
            object.span.begins(with: Self.beginning), !Self.hasSecondClass(object.span)
        else { return nil }
        var tpv = geofenced_tpv()
        // A C string of its own, for libgps may write to it: the NUL is its end, and the only one.
        var line = object + [0]
        let isRead = unsafe line.withUnsafeMutableBytes { bytes in
            unsafe geofenced_gps_tpv(
                data, bytes.assumingMemoryBound(to: CChar.self).baseAddress, &tpv)
        }
        guard isRead == 1 else { return nil }
        return TpvText(
            mode: Int(tpv.mode),
            time: ReceiverTime(seconds: tpv.seconds, nanoseconds: tpv.nanoseconds),
            latitude: tpv.latitude, longitude: tpv.longitude, eph: tpv.eph, epx: tpv.epx,
            epy: tpv.epy, speed: tpv.speed, track: tpv.track)
    }

    private static func hasSecondClass(_ object: Span<UInt8>) -> Bool {
        var start = 2
        while let quote = object.firstIndex(of: UInt8(ascii: "\""), from: start) {
            if object.extracting(quote...).begins(with: classKey) { return true }
            start = quote + 1
        }
        return false
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
            secondsSince1970: seconds, nanoseconds: (nanoseconds + 500) / 1000 * 1000)
    }
}
