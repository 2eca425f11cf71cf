/// A fence that is over: it has expired, or was left once. It is as if it were not there, until it is
/// gone from the catalogue.
package struct SpentFence: Hashable, Sendable {
    /// Its id.
    package var fence: String
    /// See ``CatalogueEntry/added``: another fence of that id is not meant.
    package var added: Generation

    package init(fence: String, added: Generation) {
        self.fence = fence
        self.added = added
    }

    init(_ entry: CatalogueEntry) { self.init(fence: entry.id, added: entry.added) }
}
