import CGlibc

/// malloc(3).
package enum Allocator {
    /// Allocations of at least this many bytes get a mapping of their own, which is returned to the
    /// system when it is freed; see M_MMAP_THRESHOLD in mallopt(3).
    package static func mapRequests(from bytes: Int32) {
        _ = glibc_mallopt(Int32(glibc_mmap_threshold), bytes)
    }
}
