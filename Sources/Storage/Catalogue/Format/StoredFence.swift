package import Engine

/// A catalogue entry with its history.
package struct StoredFence: Hashable, Sendable {
    /// The fence, and the generation since which its id exists.
    package var entry: CatalogueEntry
    /// The origin that may change it.
    package var origin: FenceOrigin
    /// The generation of its last change.
    package var changed: Generation

    package init(entry: CatalogueEntry, origin: FenceOrigin, changed: Generation) {
        self.entry = entry
        self.origin = origin
        self.changed = changed
    }
}
