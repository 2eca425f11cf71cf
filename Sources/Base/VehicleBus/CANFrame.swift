/// A frame of classical CAN with data in it.
package struct CANFrame: Hashable, Sendable {
    /// 11 bits, or 29 of an extended frame.
    package let id: UInt32
    /// Its identifier has 29 bits.
    package let isExtended: Bool
    /// The first byte is the lowest; what is beyond ``count`` is 0.
    package let data: UInt64
    /// Bytes of data, 0 to 8.
    package let count: Int

    /// Nil where the identifier is too large, or there are more than 8 bytes.
    package init?(id: UInt32, isExtended: Bool, _ bytes: some Sequence<UInt8>) {
        guard id <= (isExtended ? 0x1FFF_FFFF : 0x7FF) else { return nil }
        var data: UInt64 = 0
        var count = 0
        for byte in bytes {
            guard count < 8 else { return nil }
            data |= UInt64(byte) << UInt64(8 * count)
            count += 1
        }
        self.id = id
        self.isExtended = isExtended
        self.data = data
        self.count = count
    }

    /// The byte at that place, from 0; nil where the frame is shorter.
    func byte(_ place: Int) -> UInt8? {
        guard place < count else { return nil }
        return UInt8(truncatingIfNeeded: data >> UInt64(8 * place))
    }

    /// As J1939 writes numbers, the lowest byte first; nil where the frame is shorter.
    func low(_ place: Int, bytes: Int) -> UInt32? {
        guard place + bytes <= count else { return nil }
        return (0..<bytes).reduce(0) { $0 | UInt32(byte(place + $1) ?? 0) << UInt32(8 * $1) }
    }

    /// As OBD writes numbers, the highest byte first; nil where the frame is shorter.
    func high(_ place: Int, bytes: Int) -> UInt32? {
        guard place + bytes <= count else { return nil }
        return (0..<bytes).reduce(0) { $0 << 8 | UInt32(byte(place + $1) ?? 0) }
    }
}
