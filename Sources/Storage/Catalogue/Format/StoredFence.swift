package import Model

/// A catalogue entry with its history.
package struct StoredFence: Hashable, Sendable {
    /// The fence as stored.
    package var fence: Fence
    /// The generation in which its id appeared, see ``CatalogueEntry/added``.
    package var added: Generation
    /// The origin that may change it.
    package var origin: FenceOrigin
    /// The generation of its last change.
    package var changed: Generation

    package init(
        fence: Fence, added: Generation, origin: FenceOrigin, changed: Generation
    ) {
        self.fence = fence
        self.added = added
        self.origin = origin
        self.changed = changed
    }
}
