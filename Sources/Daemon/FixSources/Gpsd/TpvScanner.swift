import Engine
import Time

/// Reads a TPV object the way gpsd writes it: flat, without white space, numbers in plain decimals.
/// Nine tenths of the cost of a fix were libgps, which compares every key with all that it knows;
/// whatever is written otherwise stays libgps's to judge.
struct TpvScanner {
    /// Where in the line it is.
    private var next = 0
    private var text = TpvText()

    /// What the object says; nil where it is not written like that.
    static func text(of line: Span<UInt8>) -> TpvText? {
        // Behind a NUL there is nothing for libgps, and behind a backslash a quotation mark may be
        // none.
        guard line.firstIndex(of: 0) == nil, line.firstIndex(of: UInt8(ascii: "\\")) == nil else {
            return nil
        }
        var scanner = TpvScanner()
        return scanner.run(line) ? scanner.text : nil
    }

    private mutating func run(_ line: Span<UInt8>) -> Bool {
        guard skip("{", line), scanClass(line) else { return false }
        while skip(",", line) {
            guard skip("\"", line), let key = scanKey(line), skip(":", line),
                scanValue(of: key, line)
            else { return false }
        }
        return skip("}", line) && next == line.count && (1...3).contains(text.mode)
    }

    /// gpsd puts the class first.
    private mutating func scanClass(_ line: Span<UInt8>) -> Bool {
        guard skip("\"", line), scanKey(line) == .class, skip(":", line), skip("\"", line) else {
            return false
        }
        return skip("T", line) && skip("P", line) && skip("V", line) && skip("\"", line)
    }

    /// The byte that many behind the next one; 0, which is in no line, behind the end.
    @inline(__always)
    private func byte(_ line: Span<UInt8>, ahead: Int = 0) -> UInt8 {
        next + ahead < line.count ? line[next + ahead] : 0
    }

    @inline(__always)
    private mutating func skip(_ character: Unicode.Scalar, _ line: Span<UInt8>) -> Bool {
        guard byte(line) == UInt8(ascii: character) else { return false }
        next += 1
        return true
    }

    /// What stands before the next quotation mark, and the mark itself.
    private mutating func scanKey(_ line: Span<UInt8>) -> TpvKey? {
        guard let eight = EightBytes(line, at: next) else { return scanLastKey(line) }
        guard let (text, count) = eight.quoted else {
            return skipText(line, limit: 24) ? .other : nil
        }
        next += count + 1
        return TpvKey(text)
    }

    /// Fewer than eight bytes before the end: `lat":0}`.
    private mutating func scanLastKey(_ line: Span<UInt8>) -> TpvKey? {
        guard let mark = line.firstIndex(of: UInt8(ascii: "\""), from: next) else { return nil }
        var key: UInt64 = 0
        for index in (next..<mark).reversed() { key = key << 8 | UInt64(line[index]) }
        next = mark + 1
        return TpvKey(key)
    }

    /// A text, behind its first quotation mark.
    private mutating func skipText(_ line: Span<UInt8>, limit: Int) -> Bool {
        guard let mark = line.firstIndex(of: UInt8(ascii: "\""), from: next) else { return false }
        let count = mark - next
        next = mark + 1
        return count <= limit
    }

    private mutating func scanValue(of key: TpvKey, _ line: Span<UInt8>) -> Bool {
        switch key {
        case .class: return false
        case .time: return scanTime(line)
        case .other: return skip("\"", line) ? skipText(line, limit: 100) : skipNumber(line)
        default: break
        }
        guard let value = scanNumber(line) else { return false }
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

    private mutating func skipNumber(_ line: Span<UInt8>) -> Bool {
        let start = next
        if byte(line) == UInt8(ascii: "-") { next += 1 }
        while let length = EightBytes(line, at: next)?.numberLength {
            next += length
            if length < 8 { return next - start > 0 && next - start < 24 }
        }
        while digit(line) < 10 || byte(line) == UInt8(ascii: ".") { next += 1 }
        return next - start > 0 && next - start < 24
    }

    /// Above 9 where there is none.
    @inline(__always)
    private func digit(_ line: Span<UInt8>, ahead: Int = 0) -> UInt8 {
        byte(line, ahead: ahead) &- UInt8(ascii: "0")
    }

    // MARK: Values

    /// A decimal whose digits and power of ten are doubles without error, so that the one rounding
    /// of the division is the only one (Clinger 1990).
    private mutating func scanNumber(_ line: Span<UInt8>) -> Double? {
        let isNegative = skip("-", line)
        // More than 19 of them do not fit in, and are refused below.
        var digits: UInt64 = 0
        let whole = takeDigits(line, &digits)
        var places = 0
        if byte(line) == UInt8(ascii: ".") {
            next += 1
            places = takeDigits(line, &digits)
            guard places > 0 else { return nil }
        }
        guard whole > 0, whole + places <= 18, digits < 1 << 53 else { return nil }
        let value = Double(digits) / Self.powers[places]
        return isNegative ? -value : value
    }

    /// How many there are.
    @inline(__always)
    private mutating func takeDigits(_ line: Span<UInt8>, _ digits: inout UInt64) -> Int {
        let start = next
        while true {
            let digit = digit(line)
            guard digit < 10 else { return next - start }
            digits = digits &* 10 &+ UInt64(digit)
            next += 1
        }
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]

    /// `"2024-03-02T12:00:00.000Z"`, to the microsecond.
    private mutating func scanTime(_ line: Span<UInt8>) -> Bool {
        guard skip("\"", line), let century = scanPair(line), let ofCentury = scanPair(line),
            skip("-", line), let month = scanPair(line),
            skip("-", line), let day = scanPair(line),
            skip("T", line), let hour = scanPair(line), hour < 24,
            skip(":", line), let minute = scanPair(line), minute < 60,
            skip(":", line), let second = scanPair(line), second < 60,
            let fraction = scanFraction(line), skip("Z", line), skip("\"", line)
        else { return false }
        let year = century * 100 + ofCentury
        guard (1971...2250).contains(year),
            let date = CivilDate(year: year, month: month, day: day)
        else { return false }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        text.time = ReceiverTime(secondsSince1970: seconds, nanoseconds: fraction)
        return true
    }

    /// Two digits.
    @inline(__always)
    private mutating func scanPair(_ line: Span<UInt8>) -> Int64? {
        let tens = digit(line)
        let ones = digit(line, ahead: 1)
        guard tens < 10, ones < 10 else { return nil }
        next += 2
        return Int64(tens &* 10 &+ ones)
    }

    /// Nanoseconds.
    private mutating func scanFraction(_ line: Span<UInt8>) -> Int64? {
        guard skip(".", line) else { return 0 }
        guard digit(line) < 10 else { return nil }
        var (value, unit): (Int64, Int64) = (0, 100_000_000)
        while unit >= 1000 {
            let digit = digit(line)
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

/// The keys that count.
private enum TpvKey {
    case `class`, time, mode, lat, lon, eph, epx, epy, speed, track, other

    /// By its bytes, the first one the lowest.
    @inline(__always)
    init(_ bytes: UInt64) {
        switch bytes {
        case 0x73_7361_6C63: self = .class
        case 0x656D_6974: self = .time
        case 0x6564_6F6D: self = .mode
        case 0x74_616C: self = .lat
        case 0x6E_6F6C: self = .lon
        case 0x68_7065: self = .eph
        case 0x78_7065: self = .epx
        case 0x79_7065: self = .epy
        case 0x64_6565_7073: self = .speed
        case 0x6B_6361_7274: self = .track
        default: self = .other
        }
    }
}
