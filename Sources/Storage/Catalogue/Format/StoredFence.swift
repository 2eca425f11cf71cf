package import Engine

/// A catalogue entry with its history.
package struct StoredFence: Hashable, Sendable {
    /// The fence, and since when there is one of its id.
    package var entry: CatalogueEntry
    /// The one that may change it.
    package var origin: FenceOrigin
    /// The generation of its last change.
    package var changed: Generation

    package init(entry: CatalogueEntry, origin: FenceOrigin, changed: Generation) {
        self.entry = entry
        self.origin = origin
        self.changed = changed
    }
}
