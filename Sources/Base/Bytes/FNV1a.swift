// Unsafe: bytes and words are read within the lent memory, whose count is checked first.

/// The hash of Fowler, Noll and Vo (RFC 9923), variant 1a: detects bytes that were not written
/// completely. No protection against an attacker.
package enum FNV1a {
    @inlinable static var basis: UInt64 { 0xcbf2_9ce4_8422_2325 }
    @inlinable static var prime: UInt64 { 0x100_0000_01b3 }

    /// 64 bits of a text as UTF-8, byte by byte.
    @inlinable package static func hash64(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            var hash = basis
            for index in bytes.indices { hash = unsafe (hash ^ UInt64(bytes[index])) &* prime }
            return hash
        }
    }

    /// 64 bits of bytes that follow others, whose hash is given; byte by byte.
    package static func hash64(_ bytes: ByteView, after hash: UInt64? = nil) -> UInt64 {
        // Not reduce(_:_:), which is generic code in a build for size: a quarter of an import.
        var hash = hash ?? basis
        for index in 0..<bytes.count { hash = (hash ^ UInt64(bytes[index])) &* prime }
        return hash
    }

    /// The same of an array.
    package static func hash64(_ bytes: [UInt8], after hash: UInt64? = nil) -> UInt64 {
        bytes.withByteView { hash64($0, after: hash) }
    }

    /// Of a hash that is to be added to others, the last step of MurmurHash3: as they are, the last
    /// bytes reach few bits, and sums can cancel.
    package static func mixed(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }

    /// 32 bits, byte by byte.
    package static func hash32(_ bytes: ByteView) -> UInt32 {
        var hash: UInt32 = 0x811c_9dc5
        for index in 0..<bytes.count { hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return hash
    }

    /// 64 bits over words of eight bytes, then over the remaining bytes: an eighth of the work.
    /// `seed` makes the hashes of different uses of the same bytes differ.
    package static func hash64(wordsOf bytes: ByteView, seed: UInt64) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var hash = basis ^ seed
            let words = bytes.count / 8
            for word in 0..<words {
                let value = unsafe bytes.loadUnaligned(
                    fromByteOffset: word * 8, as: UInt64.self)
                hash = (hash ^ UInt64(littleEndian: value)) &* prime
            }
            for index in (words * 8)..<bytes.count {
                let byte = unsafe bytes[index]
                hash = (hash ^ UInt64(byte)) &* prime
            }
            return hash
        }
    }
}
