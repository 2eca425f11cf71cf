/// What a committed change of the catalogue did.
package struct CatalogueChange: Hashable, Sendable {
    /// The catalogue's generation after it; the one before where nothing changed.
    package var generation: Generation
    /// Ids of fences that are new, or differ from what was stored.
    package var changed: Int
    /// Ids that were in the catalogue and no longer are.
    package var removed: Int
    /// Of fences that were accepted all the same, in the order of the batch.
    package var warnings: [CatalogueNote]

    package init(
        generation: Generation, changed: Int = 0, removed: Int = 0, warnings: [CatalogueNote] = []
    ) {
        self.generation = generation
        self.changed = changed
        self.removed = removed
        self.warnings = warnings
    }
}

/// A warning or an error about one entry of a batch.
package struct CatalogueNote: Hashable, Sendable, CustomStringConvertible {
    /// Id of the fence.
    package var fence: String
    /// A phrase without a full stop.
    package var reason: String

    package init(fence: String, reason: String) {
        self.fence = fence
        self.reason = reason
    }

    package var description: String { "fence \"\(fence)\": \(reason)" }
}

/// A batch of which nothing was stored, because of this entry.
package struct CatalogueRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which entry, and why.
    package var entry: CatalogueNote

    package init(fence: String, reason: String) {
        entry = CatalogueNote(fence: fence, reason: reason)
    }

    package var description: String { entry.description }
}
