package import Time

/// A place in which the vehicle is at present, and which may be told.
package struct Place: Hashable, Sendable {
    /// Of the fence.
    package var id: String
    /// Its title, or the id of one without.
    package var title: String
    /// Since when; nil: not known.
    package var since: UTCTime?

    package init(id: String, title: String, since: UTCTime?) {
        self.id = id
        self.title = title.isEmpty ? id : title
        self.since = since
    }
}
