import Geodesy
import Model
import Time

/// What the fields of a sentence mean. A field that is empty or malformed is nil, never a guess.
extension NmeaSentence {
    /// `hhmmss` or `hhmmss.sss`, nanoseconds since midnight UTC; a leap second gives 86 400 s. Some
    /// receivers leave out the zeros in front.
    func timeOfDay(_ number: Int) -> Int64? {
        let text = field(number)
        let before = text.prefix { $0.decimalDigit != nil }
        guard before.count <= 6, let whole = Decimal(before),
            let fraction = Self.nanoseconds(text.dropFirst(before.count))
        else { return nil }
        let (hours, minutes, seconds) =
            (whole.digits / 10_000, whole.digits / 100 % 100, whole.digits % 100)
        guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
        return TimeSpan(seconds: hours * 3600 + minutes * 60 + seconds, nanoseconds: fraction)
            .nanoseconds
    }

    /// `.sss` in nanoseconds, truncated to nine digits; an empty text is 0.
    private static func nanoseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let point = text.first else { return 0 }
        guard point == UInt8(ascii: ".") else { return nil }
        var (value, unit): (Int64, Int64) = (0, 100_000_000)
        for byte in text.dropFirst() {
            guard let digit = byte.decimalDigit else { return nil }
            value += digit * unit
            unit /= 10
        }
        return value
    }

    /// A coordinate from four fields `ddmm.mmm,N,dddmm.mmm,E`; not yet checked for range.
    func coordinate(_ number: Int) -> Coordinate? {
        guard let latitude = degrees(number, positive: "N", negative: "S"),
            let longitude = degrees(number + 2, positive: "E", negative: "W")
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func degrees(_ number: Int, positive: Character, negative: Character) -> Double? {
        guard let value = Decimal(field(number)), !value.isNegative,
            let hemisphere = letter(number + 1), field(number + 1).count == 1
        else { return nil }
        // Scaled minutes are below 2^53 for every length a receiver sends: only one rounding.
        let unit = value.unit
        let whole = value.digits / unit
        guard whole <= 99_999 else { return nil }
        let minutes = (whole / 100 * 60 + whole % 100) * unit + value.digits % unit
        let degrees = Double(minutes) / (60 * Double(unit))
        switch hemisphere {
        case positive: return degrees
        case negative: return -degrees
        default: return nil
        }
    }

    /// A decimal number.
    func number(_ number: Int) -> Double? {
        Decimal(field(number))?.value
    }

    /// A decimal number that is not negative: a speed, a standard deviation, an angle.
    func magnitude(_ number: Int) -> Double? {
        Decimal(field(number)).flatMap { $0.isNegative ? nil : $0.value }
    }

    /// A dilution of precision; nil for 0.
    func dilution(_ number: Int) -> Double? {
        magnitude(number).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The date and time of an RMC or a ZDA. The date of a void RMC does not date a fix, for MTK
    /// 3301 and others invent one then (gpsd, driver_nmea0183.c).
    var date: NmeaCalendar.Moment? {
        guard let timeOfDay = timeOfDay(1) else { return nil }
        let day: Int64?
        switch kind {
        case .rmc: day = shortDate(9)
        case .zda: day = longDate(2)
        default: day = nil
        }
        return day.map { NmeaCalendar.Moment(day: $0, timeOfDay: timeOfDay) }
    }

    /// Whether it gives a valid date.
    var givesDate: Bool {
        guard let date, !date.isColdStart else { return false }
        return kind != .rmc || !isVoid
    }

    /// Of an RMC: its status is neither A (valid) nor D (differential; old receivers).
    var isVoid: Bool { letter(2) != "A" && letter(2) != "D" }

    /// The date of an RMC, `ddmmyy` or `dmmyy`, days since 1970-01-01. 80…99 is the last century, for
    /// the epoch of GPS is 1980; gpsd uses the same year.
    private func shortDate(_ number: Int) -> Int64? {
        guard (5...6).contains(field(number).count), let value = Decimal(field(number)),
            value.isPlainInteger
        else { return nil }
        let year = value.digits % 100
        return CivilDate(
            year: year < 80 ? 2000 + year : 1900 + year,
            month: value.digits / 100 % 100, day: value.digits / 10_000)?.daysSince1970
    }

    /// The date of a ZDA from three fields `dd,mm,yyyy`, days since 1970-01-01.
    private func longDate(_ number: Int) -> Int64? {
        let fields = (0..<3).compactMap { Decimal(field(number + $0)) }
        guard fields.count == 3, fields.allSatisfy(\.isPlainInteger) else { return nil }
        guard fields[2].digits >= 1980 else { return nil }
        return CivilDate(
            year: fields[2].digits, month: fields[1].digits, day: fields[0].digits)?
            .daysSince1970
    }
}

/// A decimal fraction by its digits, without intermediate rounding.
private struct Decimal {
    let isNegative: Bool
    /// All digits as one integer.
    let digits: Int64
    /// 10 to the number of digits after the point.
    let unit: Int64
    private let hasPoint: Bool

    /// `[+-]ddd[.ddd]` with at least one digit; truncated to nine digits after the point, refused
    /// with more than nine before it.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        var (digits, unit): (Int64, Int64) = (0, 1)
        var (before, after) = (0, 0)
        var seenPoint = false
        for byte in rest {
            if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
                continue
            }
            guard let digit = byte.decimalDigit else { return nil }
            if !seenPoint {
                before += 1
                if before > 9 { return nil }
            } else {
                after += 1
                // 18 digits at most, which a signed 64-bit integer holds.
                if after > 9 { continue }
                unit *= 10
            }
            digits = digits * 10 + digit
        }
        guard before + after > 0 else { return nil }
        self.digits = digits
        self.unit = unit
        hasPoint = seenPoint
    }

    var isPlainInteger: Bool { !hasPoint && !isNegative }

    var value: Double {
        let magnitude = Double(digits) / Double(unit)
        return isNegative ? -magnitude : magnitude
    }
}

extension UInt8 {
    var decimalDigit: Int64? {
        self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")
            ? Int64(self - UInt8(ascii: "0")) : nil
    }
}
