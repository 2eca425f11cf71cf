/// The 16 bytes that the beacons of one owner share; for an Eddystone namespace see
/// ``BeaconNamespace``. Every value is valid, zero and all ones too.
package struct BeaconUUID: Hashable, Sendable {
    /// The first eight bytes as sent, big-endian.
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits of either case, without dashes or with the four of RFC 9562; nil for
    /// any other text.
    package init?(_ text: String) {
        var digits: [UInt8] = []
        // At most 36 characters: longer texts are refused unread.
        guard text.utf8.count == 32 || text.utf8.count == 36 else { return nil }
        let isDashed = text.utf8.count == 36
        for (index, character) in text.utf8.enumerated() {
            if isDashed, [8, 13, 18, 23].contains(index) {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                digits.append(character)
            }
        }
        guard let high = Hexadecimal.number(digits.prefix(16)),
            let low = Hexadecimal.number(digits.dropFirst(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Lower case, with dashes.
    package var text: String {
        let digits = Hexadecimal.text(high, digits: 16) + Hexadecimal.text(low, digits: 16)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }
}

/// The 10 bytes that the Eddystone beacons of one owner share.
package struct BeaconNamespace: Hashable, Sendable {
    /// The first two bytes as sent, big-endian.
    package let high: UInt16
    /// The last eight bytes.
    package let low: UInt64

    package init(high: UInt16, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 20 hexadecimal digits of either case; nil for any other text.
    package init?(_ text: String) {
        let digits = Array(text.utf8.prefix(21))
        guard digits.count == 20, let high = Hexadecimal.number(digits.prefix(4)),
            let low = Hexadecimal.number(digits.dropFirst(4))
        else { return nil }
        self.init(high: UInt16(truncatingIfNeeded: high), low: low)
    }

    /// Lower case.
    package var text: String {
        Hexadecimal.text(UInt64(high), digits: 4) + Hexadecimal.text(low, digits: 16)
    }
}

/// Digits of identities.
enum Hexadecimal {
    /// Nil if a character is not a digit, or there are none or more than 16.
    static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        guard (1...16).contains(digits.count) else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            let part: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): part = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): part = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): part = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            value = value << 4 | UInt64(part)
        }
        return value
    }

    /// The lowest `digits` digits, lower case.
    static func text(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }
}
