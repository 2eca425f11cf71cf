import Bytes

// Unsafe: a text's own bytes, within the call.

/// An id, compared by its bytes. Swift's strings compare by canonical equivalence, so that "é" as
/// one code point equals "é" as two; the store, the bus and the law compare bytes.
package struct FenceKey: Hashable, Sendable {
    /// The id.
    package let id: String
    /// FNV-1a hash of the bytes.
    package let digest: UInt64

    package init(_ id: String) {
        self.id = id
        digest = FNV1a.hash64(id)
    }

    package static func == (a: FenceKey, b: FenceKey) -> Bool {
        a.digest == b.digest && a.id.isExactly(b.id)
    }

    /// Hashes all bytes with the seeded hash: ids from outside must not be able to provoke
    /// collisions.
    package func hash(into hasher: inout Hasher) {
        var id = id
        id.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
