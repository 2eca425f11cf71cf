extension UTCTime {
    /// `2010-02-01T12:31:38Z`, in either case, with any fraction of a second (truncated to nine digits) and an
    /// optional offset in place of the Z; without either it is UTC. Nil for anything else.
    package init?(iso8601 text: String) {
        var scanner = Scanner(Array(text.utf8))
        guard let year = scanner.number(4), scanner.skip("-"),
            let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2),
            scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(2), hour <= 24, scanner.skip(":"),
            let minute = scanner.number(2), minute < 60, scanner.skip(":"),
            let second = scanner.number(2), second <= 60,
            let fraction = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        // ±292 years around 1970 fit into 64 bits.
        guard (1700...2250).contains(year) else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(secondsSince1970: seconds, nanoseconds: fraction)
    }
}

private struct Scanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ digits: Int) -> Int64? {
        guard rest.count >= digits else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(digits) {
            guard let digit = byte.digit else { return nil }
            value = value * 10 + digit
        }
        rest.removeFirst(digits)
        return value
    }

    /// Nanoseconds; 0 if there is no fraction.
    mutating func fraction() -> Int64? {
        guard skip(".") || skip(",") else { return 0 }
        guard rest.first?.digit != nil else { return nil }
        var (value, unit): (Int64, Int64) = (0, 100_000_000)  // A tenth of a second.
        while let digit = rest.first?.digit {
            value += digit * unit
            unit /= 10
            rest.removeFirst()
        }
        return value
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int64? {
        if isAtEnd || skip("Z") || skip("z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(2), hours < 24 else { return nil }
        _ = skip(":")
        guard let minutes = isAtEnd ? 0 : number(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

extension UInt8 {
    /// The value of an ASCII digit.
    fileprivate var digit: Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            ? Int64(self) - Int64(UInt8(ascii: "0")) : nil
    }
}
