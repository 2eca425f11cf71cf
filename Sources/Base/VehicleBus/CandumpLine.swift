package import Time

/// A line of a log of candump: `(1436509052.249713) can0 18FEF100#FFFF00FFFFFFFFFF`.
package struct CandumpLine: Hashable, Sendable {
    /// When the frame was received.
    package var time: UTCTime
    /// The network interface, 1 to 15 bytes.
    package var interface: String
    /// Nil where it is one without data of ours: of CAN FD, a remote frame, an error.
    package var frame: CANFrame?

    /// Bytes of the longest line; of CAN FD, too.
    package static let longest = 256

    /// Why a line is not one.
    package struct Flaw: Error, Hashable {
        /// What is wrong.
        package var reason: String
    }

    /// - Throws: ``Flaw``.
    package init(_ line: [UInt8]) throws(Flaw) {
        guard line.count <= Self.longest else {
            throw Flaw(reason: "a line of more than \(Self.longest) bytes")
        }
        let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        guard words.count >= 3 else {
            throw Flaw(reason: "not (time) interface frame, as candump -L writes it")
        }
        guard let time = Self.time(words[0]) else {
            throw Flaw(reason: "no time in seconds since 1970 in parentheses")
        }
        guard words[1].count <= 15 else {
            throw Flaw(reason: "not the name of an interface")
        }
        self.time = time
        interface = String(decoding: words[1], as: UTF8.self)
        frame = try Self.frame(words[2])
    }

    private static func time(_ word: ArraySlice<UInt8>) -> UTCTime? {
        guard word.first == UInt8(ascii: "("), word.last == UInt8(ascii: ")") else { return nil }
        let parts = word.dropFirst().dropLast()
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // 2^63 ns end in 2262.
        guard (1...2).contains(parts.count), let seconds = decimal(parts[0], most: 10),
            seconds < 9_000_000_000
        else { return nil }
        guard parts.count == 2 else {
            return UTCTime(nanoseconds: seconds * 1_000_000_000)
        }
        guard let fraction = decimal(parts[1], most: 9) else { return nil }
        let scale = (parts[1].count..<9).reduce(Int64(1)) { value, _ in value * 10 }
        return UTCTime(nanoseconds: seconds * 1_000_000_000 + fraction * scale)
    }

    private static func decimal(_ digits: ArraySlice<UInt8>, most: Int) -> Int64? {
        guard (1...most).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return value
    }

    private static func frame(_ word: ArraySlice<UInt8>) throws(Flaw) -> CANFrame? {
        let parts = word.split(
            separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 3 || parts[0].count == 8,
            let id = hexadecimal(parts[0])
        else { throw Flaw(reason: "no frame of the form 7E8#DATA or 18FEF100#DATA") }
        // ## is CAN FD, #R a remote frame, the third bit from the top an error.
        if let first = parts[1].first, first == UInt8(ascii: "#") || first == UInt8(ascii: "R") {
            return nil
        }
        let isExtended = parts[0].count == 8
        if isExtended, id & 0x2000_0000 != 0 { return nil }
        // With dots between the bytes, as cansend takes them; _9 behind them is a length code.
        let digits = parts[1].prefix { $0 != UInt8(ascii: "_") }
            .filter { $0 != UInt8(ascii: ".") }
        guard digits.count.isMultiple(of: 2), digits.count <= 16 else {
            throw Flaw(reason: "not up to eight bytes in hexadecimal digits")
        }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = hexadecimal(digits[place..<place + 2]) else {
                throw Flaw(reason: "not up to eight bytes in hexadecimal digits")
            }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        guard let frame = CANFrame(id: id, isExtended: isExtended, bytes) else {
            throw Flaw(reason: "an identifier of more than \(isExtended ? 29 : 11) bits")
        }
        return frame
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt32(digit - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(digit - 0x41 + 10)
            case 0x61...0x66: value = value << 4 | UInt32(digit - 0x61 + 10)
            default: return nil
            }
        }
        return value
    }
}
