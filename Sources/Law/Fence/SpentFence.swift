package import Model

/// A fence that has ended: it has expired, or had its only exit. It is treated as absent until it
/// is removed from the catalogue.
package struct SpentFence: Hashable, Sendable {
    /// Its id.
    package var fence: String
    /// See ``CatalogueEntry/added``: distinguishes it from a later fence with that id.
    package var added: Generation

    package init(fence: String, added: Generation) {
        self.fence = fence
        self.added = added
    }

    init(_ entry: CatalogueEntry) { self.init(fence: entry.id, added: entry.added) }
}
