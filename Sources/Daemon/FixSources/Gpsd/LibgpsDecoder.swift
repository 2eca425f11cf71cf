import Bytes
import CGPS
import Model
import Time

// Unsafe: libgps gets memory that it made itself, and a line of our own with a zero at its end.

/// libgps, which reads positions of any version of gpsd: the only place where its memory is used.
///
/// One `gps_data_t` for its whole life, on the heap: it has 24 KB. Requires the "C" locale, for
/// libgps reads numbers with `strtod`; none of our programs calls `setlocale`.
@safe final class LibgpsDecoder {
    /// Owned exclusively, for its whole life.
    private let data: UnsafeMutablePointer<gps_data_t>

    /// gps_unpack() continues with the next object after the first, and where there is a class but
    /// no object that it can read it loops for ever (libgps 3.22): it gets a line only if the class
    /// comes first and no other follows.
    private static let beginning = Array("{\"class\":\"TPV\"".utf8)
    private static let classKey = Array("\"class\":".utf8)

    init() {
        guard let data = unsafe geofenced_gps_new() else { fatalError("out of memory") }
        unsafe self.data = data
    }

    deinit { unsafe geofenced_gps_free(data) }

    /// The content of a TPV object; nil if libgps cannot read it, or if it is truncated: libgps
    /// would read that, with its last number cut short.
    func text(of object: [UInt8]) -> TpvText? {
        guard object.last == UInt8(ascii: "}"), !object.contains(0),
            object.span.begins(with: Self.beginning), !Self.hasSecondClass(object.span)
        else { return nil }
        let name = { String(decoding: object.prefix(InHand.longest), as: UTF8.self) }
        guard !InHand.leavesOut(.message, name()) else { return nil }
        return InHand.mark(.message, name()) { unpacked(object) }
    }

    private func unpacked(_ object: [UInt8]) -> TpvText? {
        var tpv = geofenced_tpv()
        // A separate C string, for libgps may write to it: the NUL at its end is the only one.
        var line = object + [0]
        let isRead = unsafe line.withUnsafeMutableBytes { bytes in
            unsafe geofenced_gps_tpv(
                data, bytes.assumingMemoryBound(to: CChar.self).baseAddress, &tpv)
        }
        guard isRead == 1 else { return nil }
        return TpvText(
            mode: Int(tpv.mode),
            time: UTCTime(seconds: tpv.seconds, nanoseconds: tpv.nanoseconds),
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

extension UTCTime {
    /// Nil for 0, which is "no time" in libgps, and beyond 64 bits of nanoseconds. libgps reads the
    /// fraction as a binary number and truncates it, so it may be a nanosecond short: rounded to
    /// the microsecond, which is gpsd's finest resolution.
    fileprivate init?(seconds: Int64, nanoseconds: Int64) {
        guard seconds != 0, (0..<1_000_000_000).contains(nanoseconds),
            (-9_000_000_000...9_000_000_000).contains(seconds)
        else { return nil }
        self.init(
            secondsSince1970: seconds, nanoseconds: (nanoseconds + 500) / 1000 * 1000)
    }
}
