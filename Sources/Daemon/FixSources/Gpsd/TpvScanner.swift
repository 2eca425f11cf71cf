import JSON
import Model
import Time

// Unsafe: the bytes of a line are lent while a text is made of them, within the bounds of the span.

/// Reads a TPV object in gpsd's format: flat, without white space, numbers in plain decimals. Nine
/// tenths of the cost of a fix were libgps, which compares every key with all that it knows; any
/// other format is left to libgps.
enum TpvScanner {
    /// gpsd puts the class first.
    private static let beginning = Array("{\"class\":\"TPV\",".utf8)

    /// The content of the object; nil if it is not in that format.
    static func text(of line: Span<UInt8>) -> TpvText? {
        // libgps reads nothing after a NUL, and after a backslash a quotation mark may be escaped.
        guard line.begins(with: beginning), line.firstIndex(of: 0) == nil,
            line.firstIndex(of: UInt8(ascii: "\\")) == nil
        else { return nil }
        var text = TpvText()
        var start = beginning.count
        while let end = text.take(line, from: start) {
            if end == line.count - 1, line[end] == UInt8(ascii: "}") {
                return (1...3).contains(text.mode) ? text : nil
            }
            guard line.has(",", at: end) else { return nil }
            start = end + 1
        }
        return nil
    }
}

/// The content of a TPV; a missing number is NaN.
struct TpvText {
    var mode = 0
    var time: UTCTime?
    var latitude = Double.nan
    var longitude = Double.nan
    var eph = Double.nan
    var epx = Double.nan
    var epy = Double.nan
    var speed = Double.nan
    var track = Double.nan
    /// The receiver, as gpsd names it; nil if none is named.
    var device: String?
    /// gpsd's indicator of jamming, 0 to 255; not stated where it is 0, nor by gpsd before 3.26.
    var jam = Double.nan
    /// gpsd's state of the antenna: 2 is short, 3 is open, and what is well is not stated.
    var antenna = Double.nan

    /// Takes from an object that libgps has read what that does not give.
    mutating func take(rest object: [UInt8]) {
        guard let object = try? JSONValue(parsing: object) else { return }
        device = object["device"]?.string
        jam = object["jam"]?.double ?? .nan
        antenna = object["ant"]?.double ?? .nan
    }

    /// Reads the member of the object that begins there, `"key":value`, and returns where it ends;
    /// nil if it is not in gpsd's format.
    @inline(__always)
    fileprivate mutating func take(_ line: Span<UInt8>, from start: Int) -> Int? {
        // None that is read is shorter, with the character after it.
        guard start >= 0, start + 7 < line.count, line[start] == UInt8(ascii: "\"") else {
            return nil
        }
        let number: Number
        var value = start + 6
        switch line[start + 1] {
        case "l" where line.has("a", "t", "\"", ":", at: start + 2): number = .latitude
        case "l" where line.has("o", "n", "\"", ":", at: start + 2): number = .longitude
        case "e" where line.has("p", "h", "\"", ":", at: start + 2): number = .eph
        case "e" where line.has("p", "x", "\"", ":", at: start + 2): number = .epx
        case "e" where line.has("p", "y", "\"", ":", at: start + 2): number = .epy
        case "m" where line.has("o", "d", "e", "\"", at: start + 2) && line.has(":", at: start + 6):
            (number, value) = (.mode, start + 7)
        case "s"
        where line.has("p", "e", "e", "d", at: start + 2) && line.has("\"", ":", at: start + 6):
            (number, value) = (.speed, start + 8)
        case "t"
        where line.has("r", "a", "c", "k", at: start + 2) && line.has("\"", ":", at: start + 6):
            (number, value) = (.track, start + 8)
        case "t" where line.has("i", "m", "e", "\"", at: start + 2) && line.has(":", at: start + 6):
            return line.time(from: start + 7, &time)
        case "j" where line.has("a", "m", "\"", ":", at: start + 2): number = .jam
        case "a" where line.has("n", "t", "\"", ":", at: start + 2): number = .antenna
        case "d"
        where line.has("e", "v", "i", "c", at: start + 2) && line.has("e", "\"", at: start + 6)
            && line.has(":", "\"", at: start + 8):
            return line.text(from: start + 10, &device)
        case "c"
        where line.has("l", "a", "s", "s", at: start + 2) && line.has("\"", ":", at: start + 6):
            return nil
        default: return line.endOfUnused(from: start)
        }
        guard let (read, end) = line.number(from: value) else { return nil }
        switch number {
        case .latitude: latitude = read
        case .longitude: longitude = read
        case .eph: eph = read
        case .epx: epx = read
        case .epy: epy = read
        case .mode: mode = Int(exactly: read) ?? 0
        case .speed: speed = read
        case .track: track = read
        case .jam: jam = read
        case .antenna: antenna = read
        }
        return end
    }

    private enum Number {
        case latitude, longitude, eph, epx, epy, mode, speed, track, jam, antenna
    }
}

/// Lets a pattern for a byte be written as a letter.
@inline(__always)
private func ~= (letter: Unicode.Scalar, byte: UInt8) -> Bool { UInt8(ascii: letter) == byte }

extension Span<UInt8> {
    @inline(__always)
    fileprivate func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
        index < count && self[index] == UInt8(ascii: character)
    }

    @inline(__always)
    fileprivate func has(_ first: Unicode.Scalar, _ second: Unicode.Scalar, at index: Int) -> Bool {
        has(first, at: index) && has(second, at: index + 1)
    }

    @inline(__always)
    fileprivate func has(
        _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar,
        _ fourth: Unicode.Scalar, at index: Int
    ) -> Bool {
        has(first, second, at: index) && has(third, fourth, at: index + 2)
    }

    /// Where an unused member ends: a text or a number, after which libgps would read on.
    @inline(__always)
    fileprivate func endOfUnused(from start: Int) -> Int? {
        var end = start + 1
        // As long as the longest key that gpsd writes, and more.
        let last = Swift.min(count, start + 25)
        while end < last, self[end] != UInt8(ascii: "\"") { end += 1 }
        guard end + 2 < count, has("\"", ":", at: end) else { return nil }
        let value = end + 2
        if has("\"", at: value) {
            guard let end = firstIndex(of: UInt8(ascii: "\""), from: value + 1) else { return nil }
            return end - value <= 101 ? end + 1 : nil
        }
        end = has("-", at: value) ? value + 1 : value
        // Digits and points; the slash between them in ASCII is as little a number to libgps.
        while end < count, self[end] &- UInt8(ascii: ".") <= 11 { end += 1 }
        return (1..<24).contains(end - value) ? end : nil
    }

    /// Reads a text after its quotation mark, and returns where it ends, with its other mark.
    @inline(__always)
    fileprivate func text(from start: Int, _ text: inout String?) -> Int? {
        guard let end = firstIndex(of: UInt8(ascii: "\""), from: start), end - start <= 100
        else { return nil }
        text = unsafe extracting(start..<end).withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        return end + 1
    }

    /// Reads a decimal, and returns where it ends. Its digits and its power of ten are exact
    /// doubles, so that the division rounds only once (Clinger 1990).
    @inline(__always)
    fileprivate func number(from start: Int) -> (Double, end: Int)? {
        guard start < count else { return nil }
        let isNegative = has("-", at: start)
        var end = isNegative ? start + 1 : start
        var digits: UInt64 = 0
        let whole = readDigits(from: &end, into: &digits)
        var places = 0
        if has(".", at: end) {
            end += 1
            places = readDigits(from: &end, into: &digits)
            guard places > 0 else { return nil }
        }
        guard whole > 0, whole + places <= 18, digits < 1 << 53 else { return nil }
        let magnitude = Double(digits) / powersOfTen[places]
        return (isNegative ? -magnitude : magnitude, end)
    }

    /// Appends the digits there to `digits`, and returns how many they are. More than 19 overflow.
    @inline(__always)
    private func readDigits(from index: inout Int, into digits: inout UInt64) -> Int {
        let start = index
        while index < count {
            let digit = self[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            digits = digits &* 10 &+ UInt64(digit)
            index += 1
        }
        return index - start
    }

    /// Reads `1709380800.000`, as gpsd before 2.95 wrote it, to the microsecond, and returns where it
    /// ends.
    private func secondsSince1970(from start: Int, _ time: inout UTCTime?) -> Int? {
        guard let (seconds, end) = number(from: start),
            (31_536_000..<8_867_000_000).contains(seconds)
        else { return nil }
        let microseconds = Int64((seconds * 1e6).rounded())
        time = UTCTime(nanoseconds: microseconds * 1000)
        return end
    }

    /// Reads `"2024-03-02T12:00:00.000Z"`, to the microsecond, and returns where it ends.
    fileprivate func time(from start: Int, _ time: inout UTCTime?) -> Int? {
        guard has("\"", at: start) else { return secondsSince1970(from: start, &time) }
        guard start >= 0, start + 22 < count,
            let century = pair(at: start + 1),
            let ofCentury = pair(at: start + 3), has("-", at: start + 5),
            let month = pair(at: start + 6), has("-", at: start + 8),
            let day = pair(at: start + 9), has("T", at: start + 11),
            let hour = pair(at: start + 12), hour < 24, has(":", at: start + 14),
            let minute = pair(at: start + 15), minute < 60, has(":", at: start + 17),
            let second = pair(at: start + 18), second < 60,
            let (fraction, end) = fraction(from: start + 20), has("Z", "\"", at: end)
        else { return nil }
        let year = century * 100 + ofCentury
        guard (1971...2250).contains(year),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        time = UTCTime(secondsSince1970: seconds, nanoseconds: fraction)
        return end + 2
    }

    @inline(__always)
    private func digit(at index: Int) -> Int64? {
        guard index < count else { return nil }
        let digit = self[index] &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }

    /// Two digits.
    @inline(__always)
    private func pair(at start: Int) -> Int64? {
        guard let tens = digit(at: start), let ones = digit(at: start + 1) else { return nil }
        return tens * 10 + ones
    }

    /// Nanoseconds, and where they end: nothing, or a point and one to six digits.
    private func fraction(from start: Int) -> (Int64, end: Int)? {
        guard has(".", at: start) else { return (0, start) }
        var end = start + 1
        var (value, unit): (Int64, Int64) = (0, 100_000_000)
        while unit >= 1000, let digit = digit(at: end) {
            value += digit * unit
            unit /= 10
            end += 1
        }
        return end > start + 1 ? (value, end) : nil
    }
}

private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
]
