import Fencing
import Geodesy
import Glibc

/// Reads a TPV object the way gpsd writes it: flat, without white space, numbers in plain decimals.
/// Nine tenths of the cost of a fix were libgps, which compares every key with all that it knows;
/// whatever is written otherwise stays libgps's to judge.
struct TpvScanner {
    /// A NUL-terminated line: every loop ends there, for no byte that it looks for is 0.
    private var next: UnsafePointer<CChar>
    private var text = TpvText()

    private init(_ line: UnsafePointer<CChar>) { next = line }

    /// What the object says; nil where it is not written like that.
    static func text(of line: UnsafePointer<CChar>) -> TpvText? {
        var scanner = TpvScanner(line)
        return scanner.run() ? scanner.text : nil
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
        guard UInt8(truncatingIfNeeded: next.pointee) == UInt8(ascii: character) else {
            return false
        }
        next += 1
        return true
    }

    /// What stands before the next quotation mark, and the mark itself. A backslash before it may
    /// mean that the text goes on.
    private mutating func scanText(limit: Int) -> UnsafeBufferPointer<CChar>? {
        guard let end = strchr(next, Int32(UInt8(ascii: "\""))) else { return nil }
        let text = UnsafeBufferPointer(
            start: next, count: end - UnsafeMutablePointer(mutating: next))
        guard text.count <= limit, text.last != CChar(UInt8(ascii: "\\")) else { return nil }
        next += text.count + 1
        return text
    }

    private mutating func scanKey() -> TpvKey? {
        guard let text = scanText(limit: 24) else { return nil }
        guard (3...5).contains(text.count) else { return .other }
        let bytes = text.reduce(UInt64(0)) { $0 << 8 | UInt64(UInt8(truncatingIfNeeded: $1)) }
        return TpvKey(rawValue: bytes) ?? .other
    }

    private mutating func scanValue(of key: TpvKey) -> Bool {
        switch key {
        case .class: return false
        case .time: return scanTime()
        case .mode: return scanNumber { $0.mode = Int(exactly: $1) ?? 0 }
        case .lat: return scanNumber { $0.latitude = $1 }
        case .lon: return scanNumber { $0.longitude = $1 }
        case .eph: return scanNumber { $0.eph = $1 }
        case .epx: return scanNumber { $0.epx = $1 }
        case .epy: return scanNumber { $0.epy = $1 }
        case .speed: return scanNumber { $0.speed = $1 }
        case .track: return scanNumber { $0.track = $1 }
        case .other: return skip("\"") ? scanText(limit: 100) != nil : skipNumber()
        }
    }

    private mutating func skipNumber() -> Bool {
        let start = next
        if next.pointee == CChar(truncatingIfNeeded: UInt8(ascii: "-")) { next += 1 }
        while isDigit || next.pointee == CChar(truncatingIfNeeded: UInt8(ascii: ".")) { next += 1 }
        return next - start > 0 && next - start < 24
    }

    private var isDigit: Bool { digit < 10 }

    private var digit: UInt8 { UInt8(truncatingIfNeeded: next.pointee) &- UInt8(ascii: "0") }

    // MARK: Values

    /// A decimal whose digits and power of ten are doubles without error, so that the one rounding
    /// of the division is the only one (Clinger 1990).
    private mutating func scanNumber(_ store: (inout TpvText, Double) -> Void) -> Bool {
        let isNegative = skip("-")
        var digits: UInt64 = 0
        var count = 0
        func take(_ scanner: inout TpvScanner) -> Int {
            let before = count
            while scanner.isDigit, count < 18 {
                digits = digits &* 10 &+ UInt64(scanner.digit)
                scanner.next += 1
                count += 1
            }
            return count - before
        }
        guard take(&self) > 0 else { return false }
        var places = 0
        if skip(".") {
            places = take(&self)
            guard places > 0 else { return false }
        }
        guard !isDigit, digits < 1 << 53 else { return false }
        let value = Double(digits) / Self.powers[places]
        store(&text, isNegative ? -value : value)
        return true
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]

    /// `"2024-03-02T12:00:00.000Z"`, to the microsecond.
    private mutating func scanTime() -> Bool {
        guard skip("\""), let year = scanDigits(4), (1971...2250).contains(year), skip("-"),
            let month = scanDigits(2), skip("-"), let day = scanDigits(2), skip("T"),
            let hour = scanDigits(2), hour < 24, skip(":"),
            let minute = scanDigits(2), minute < 60, skip(":"),
            let second = scanDigits(2), second < 60, let fraction = scanFraction(),
            skip("Z"), skip("\""), let date = CivilDate(year: year, month: month, day: day)
        else { return false }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        text.time = ReceiverTime(nanoseconds: seconds * 1_000_000_000 + fraction)
        return true
    }

    private mutating func scanDigits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard isDigit else { return nil }
            value = value * 10 + Int64(digit)
            next += 1
        }
        return value
    }

    /// Nanoseconds.
    private mutating func scanFraction() -> Int64? {
        guard skip(".") else { return 0 }
        guard isDigit else { return nil }
        var (value, unit): (Int64, Int64) = (0, 100_000_000)
        while isDigit, unit >= 1000 {
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

/// The keys that count, by their bytes.
private enum TpvKey: UInt64 {
    case `class` = 0x63_6C61_7373
    case time = 0x7469_6D65
    case mode = 0x6D6F_6465
    case lat = 0x6C_6174
    case lon = 0x6C_6F6E
    case eph = 0x65_7068
    case epx = 0x65_7078
    case epy = 0x65_7079
    case speed = 0x73_7065_6564
    case track = 0x74_7261_636B
    case other = 0
}
