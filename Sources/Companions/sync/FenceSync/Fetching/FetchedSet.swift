/// What one look at a source has brought.
package struct FetchedSet: Sendable {
    /// The server says that nothing has changed.
    package var isUnchanged = false
    /// Of everything that was fetched, flawed entries included.
    package var sum = SetSum()
    /// Entries, flawed ones included.
    package var count = 0
    /// Entries of which no Feature is in the file.
    package var refusals: [FenceSet.Refusal] = []
    /// Of the document, for the next conditional request.
    package var etag = ""
    /// As the server wrote it.
    package var lastModified = ""
    /// Where to ask for what has changed since; empty: nowhere.
    package var deltaLink = ""
    /// Made of the former set and what has changed since, not of a whole set.
    package var isDelta = false
    /// OData's version.
    package var version = 0
    /// Lines of the file that are no entries: the metafence.
    package var ownLines = 0
    /// Another metafence is needed, even if the fences are the same.
    package var isMoved = false
    /// So many of the former fences may go; nil: as many as of every set.
    package var mostRemoved: Int?

    package init() {}

    /// Notes an entry that is counted already, and not in the file.
    mutating func refuse(_ id: String, _ reason: String) {
        sum.add(Array("\(id)\n\(reason)\n".utf8))
        refusals.append(FenceSet.Refusal(id: id, reason: reason))
    }
}
