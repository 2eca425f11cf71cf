/// The bytes of a time zone file: TZif, RFC 8536, versions 1 to 4.
enum ZoneFile {
    /// Bytes of the largest file that is read; the largest existing ones have 4 KiB.
    static let longest = 1 << 16

    /// Nil if the bytes are not such a file, or if it counts leap seconds (`right/…`), which the
    /// time of receivers does not include.
    static func zone(_ bytes: [UInt8]) -> Zone? {
        guard let first = Header(bytes[...]) else { return nil }
        guard first.version >= UInt8(ascii: "2") else {
            return zone(first, bytes.dropFirst(Header.size), width: 4, footer: false)
        }
        let rest = bytes.dropFirst(Header.size + first.length(width: 4))
        guard let second = Header(rest) else { return nil }
        return zone(second, rest.dropFirst(Header.size), width: 8, footer: true)
    }

    /// The header of a block of data.
    private struct Header {
        static let size = 44
        var version: UInt8
        var universal: Int
        var standard: Int
        var leaps: Int
        var times: Int
        var types: Int
        var characters: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            let bytes = Array(bytes.prefix(Self.size))
            guard bytes.count == Self.size, bytes.starts(with: Array("TZif".utf8)) else {
                return nil
            }
            func count(_ place: Int) -> Int { Int(integer(bytes[place..<place + 4])) }
            version = bytes[4]
            universal = count(20)
            standard = count(24)
            leaps = count(28)
            times = count(32)
            types = count(36)
            characters = count(40)
            // No count exceeds the bytes of a file: the sums below cannot overflow.
            for part in [universal, standard, leaps, times, types, characters] {
                guard (0...ZoneFile.longest).contains(part) else { return nil }
            }
        }

        /// Bytes of the block.
        func length(width: Int) -> Int {
            times * (width + 1) + types * 6 + characters + leaps * (width + 4) + standard
                + universal
        }
    }

    private static func zone(
        _ header: Header, _ bytes: ArraySlice<UInt8>, width: Int, footer: Bool
    ) -> Zone? {
        let block = Array(bytes.prefix(header.length(width: width)))
        guard block.count == header.length(width: width), header.leaps == 0, header.types > 0
        else { return nil }
        let indices = header.times * width
        let types = indices + header.times
        let offsets = (0..<header.types).map { type in
            Int(integer(block[types + type * 6..<types + type * 6 + 4]))
        }
        // RFC 8536, 3.2: more than -25 h and less than 26 h.
        guard offsets.allSatisfy({ (-89_999...93_599).contains($0) }) else { return nil }
        var changes: [Zone.Change] = []
        changes.reserveCapacity(header.times)
        for index in 0..<header.times {
            let type = Int(block[indices + index])
            let at = integer(block[index * width..<(index + 1) * width])
            guard type < offsets.count, at > changes.last?.at ?? .min else { return nil }
            changes.append(Zone.Change(at: at, offset: offsets[type]))
        }
        var rule: PosixRule?
        if footer {
            let line = bytes.dropFirst(block.count)
            guard line.first == 0x0A, line.count >= 2, line.last == 0x0A else { return nil }
            let text = Array(line.dropFirst().dropLast())
            if !text.isEmpty {
                rule = PosixRule(text)
                guard rule != nil else { return nil }
            }
        }
        return Zone(earliest: offsets[0], changes: changes, rule: rule)
    }

    /// Big-endian, signed, 4 or 8 bytes.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let shift = UInt64(64 - bytes.count * 8)
        return Int64(bitPattern: value << shift) >> Int64(shift)
    }
}
