/// The result of one request to a source.
package struct FetchedSet: Sendable {
    /// The server says that nothing has changed.
    package var isUnchanged = false
    /// The checksum of everything that was fetched, flawed entries included.
    package var sum = SetSum()
    /// The number of entries, flawed ones included.
    package var count = 0
    /// Entries of which no Feature is in the file.
    package var refusals = FenceSet.Refusals()
    /// The entity tag of the document, for the next conditional request.
    package var etag = ""
    /// The modification time as the server wrote it.
    package var lastModified = ""
    /// The link to later changes; empty if there is none.
    package var deltaLink = ""
    /// Made by applying changes to the previous set, not from a full download.
    package var isDelta = false
    /// The version of OData.
    package var version = 0
    /// Lines of the file that are not entries: the metafence.
    package var ownLines = 0
    /// The metafence has changed, even if the fences have not.
    package var isMoved = false
    /// How many of the previous fences may be removed; nil for the usual limit.
    package var mostRemoved: Int?

    package init() {}

    /// Notes an entry that is already counted, but is not in the file.
    mutating func refuse(_ id: String, _ reason: String) {
        sum.add(Array("\(id)\n\(reason)\n".utf8))
        refusals.add(id, reason)
    }
}
