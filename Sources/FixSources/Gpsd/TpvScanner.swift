import Fencing
import Geodesy
import Glibc

/// Reads a TPV object the way gpsd writes it: flat, without white space, numbers in plain decimals.
/// Nine tenths of the cost of a fix were libgps, which compares every key with all that it knows;
/// whatever is written otherwise stays libgps's to judge.
struct TpvScanner {
    /// A NUL-terminated line: every loop ends there, for no byte that it looks for is 0.
    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var text = TpvText()

    private init(_ line: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        next = line
        self.end = end
    }

    /// What the object says; nil where it is not written like that.
    static func text(of line: UnsafeBufferPointer<CChar>) -> TpvText? {
        line.withMemoryRebound(to: UInt8.self) { bytes in
            guard let base = bytes.baseAddress, bytes.last == 0 else { return nil }
            // Behind a NUL there is nothing for libgps, and behind a backslash a quotation mark may
            // be none.
            let count = bytes.count - 1
            guard memchr(base, 0, count) == nil, memchr(base, 0x5C, count) == nil else {
                return nil
            }
            var scanner = TpvScanner(base, end: base + bytes.count)
            return scanner.run() ? scanner.text : nil
        }
    }

    private mutating func run() -> Bool {
        guard skip("{"), scanClass() else { return false }
        while skip(",") {
            guard skip("\""), let key = scanKey(), skip(":"), scanValue(of: key) else {
                return false
            }
        }
        return skip("}") && next.pointee == 0 && (1...3).contains(text.mode)
    }

    /// gpsd puts the class first.
    private mutating func scanClass() -> Bool {
        guard skip("\""), scanKey() == .class, skip(":"), skip("\"") else { return false }
        return skip("T") && skip("P") && skip("V") && skip("\"")
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next.pointee == UInt8(ascii: character) else { return false }
        next += 1
        return true
    }

    /// What stands before the next quotation mark, and the mark itself. One that counts, with the
    /// shortest value and the end of the line, is eight bytes: `lat":0}` and the NUL.
    private mutating func scanKey() -> TpvKey? {
        guard let (text, count) = EightBytes(next, before: end)?.quoted else {
            return skipText(limit: 24) ? .other : nil
        }
        next += count + 1
        return TpvKey(rawValue: text) ?? .other
    }

    /// A text, behind its first quotation mark.
    private mutating func skipText(limit: Int) -> Bool {
        guard let mark = memchr(next, Int32(UInt8(ascii: "\"")), end - next) else { return false }
        let count = UnsafeRawPointer(mark) - UnsafeRawPointer(next)
        next += count + 1
        return count <= limit
    }

    private mutating func scanValue(of key: TpvKey) -> Bool {
        switch key {
        case .class: return false
        case .time: return scanTime()
        case .other: return skip("\"") ? skipText(limit: 100) : skipNumber()
        default: break
        }
        guard let value = scanNumber() else { return false }
        switch key {
        case .mode: text.mode = Int(exactly: value) ?? 0
        case .lat: text.latitude = value
        case .lon: text.longitude = value
        case .eph: text.eph = value
        case .epx: text.epx = value
        case .epy: text.epy = value
        case .speed: text.speed = value
        case .track: text.track = value
        case .class, .time, .other: break
        }
        return true
    }

    private mutating func skipNumber() -> Bool {
        let start = next
        if next.pointee == UInt8(ascii: "-") { next += 1 }
        while let length = EightBytes(next, before: end)?.numberLength {
            next += length
            if length < 8 { return next - start > 0 && next - start < 24 }
        }
        while Self.digit(next) < 10 || next.pointee == UInt8(ascii: ".") { next += 1 }
        return next - start > 0 && next - start < 24
    }

    /// Above 9 where there is none.
    private static func digit(_ place: UnsafePointer<UInt8>) -> UInt8 {
        place.pointee &- UInt8(ascii: "0")
    }

    // MARK: Values

    /// A decimal whose digits and power of ten are doubles without error, so that the one rounding
    /// of the division is the only one (Clinger 1990).
    private mutating func scanNumber() -> Double? {
        let isNegative = skip("-")
        // More than 19 of them do not fit in, and are refused below.
        var digits: UInt64 = 0
        var end = next
        func take() -> Int {
            let start = end
            while true {
                let digit = Self.digit(end)
                guard digit < 10 else { return end - start }
                digits = digits &* 10 &+ UInt64(digit)
                end += 1
            }
        }
        let whole = take()
        var places = 0
        if end.pointee == UInt8(ascii: ".") {
            end += 1
            places = take()
            guard places > 0 else { return nil }
        }
        guard whole > 0, whole + places <= 18, digits < 1 << 53 else { return nil }
        next = end
        let value = Double(digits) / Self.powers[places]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]

    /// `"2024-03-02T12:00:00.000Z"`, to the microsecond.
    private mutating func scanTime() -> Bool {
        guard skip("\""), let century = scanPair(), let ofCentury = scanPair(), skip("-"),
            let month = scanPair(), skip("-"), let day = scanPair(), skip("T"),
            let hour = scanPair(), hour < 24, skip(":"),
            let minute = scanPair(), minute < 60, skip(":"),
            let second = scanPair(), second < 60, let fraction = scanFraction(),
            skip("Z"), skip("\"")
        else { return false }
        let year = century * 100 + ofCentury
        guard (1971...2250).contains(year),
            let date = CivilDate(year: year, month: month, day: day)
        else { return false }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        text.time = ReceiverTime(nanoseconds: seconds * 1_000_000_000 + fraction)
        return true
    }

    /// Two digits.
    private mutating func scanPair() -> Int64? {
        let tens = Self.digit(next)
        guard tens < 10 else { return nil }
        let ones = Self.digit(next + 1)
        guard ones < 10 else { return nil }
        next += 2
        return Int64(tens &* 10 &+ ones)
    }

    /// Nanoseconds.
    private mutating func scanFraction() -> Int64? {
        guard skip(".") else { return 0 }
        guard Self.digit(next) < 10 else { return nil }
        var (value, unit): (Int64, Int64) = (0, 100_000_000)
        while unit >= 1000 {
            let digit = Self.digit(next)
            guard digit < 10 else { break }
            value += Int64(digit) * unit
            unit /= 10
            next += 1
        }
        return value
    }
}

/// What a TPV says; a number that it does not say is NaN.
struct TpvText {
    var mode = 0
    var time: ReceiverTime?
    var latitude = Double.nan
    var longitude = Double.nan
    var eph = Double.nan
    var epx = Double.nan
    var epy = Double.nan
    var speed = Double.nan
    var track = Double.nan
}

/// The keys that count, by their bytes, the first one the lowest.
private enum TpvKey: UInt64 {
    case `class` = 0x73_7361_6C63
    case time = 0x656D_6974
    case mode = 0x6564_6F6D
    case lat = 0x74_616C
    case lon = 0x6E_6F6C
    case eph = 0x68_7065
    case epx = 0x78_7065
    case epy = 0x79_7065
    case speed = 0x64_6565_7073
    case track = 0x6B_6361_7274
    case other = 0
}
