import Bytes
package import Model

/// The stored form of one fence without a file around it: for fuzzers, which cannot reach it
/// otherwise.
package enum StoredFenceBytes {
    /// The record of a fence.
    package static func encode(_ fence: Fence) -> [UInt8] {
        FenceRecord.bytes(
            of: fence, slot: 0, history: .init(added: 1, changed: 1, origin: 0))
    }

    /// Nil for a damaged record.
    package static func decode(_ bytes: [UInt8]) -> Fence? {
        bytes.withByteView { try? FenceRecord($0).fence().fence }
    }
}
