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

    /// Phrases about members of Features that stand where nothing is read.
    package var doubts: [String] = []

    /// Fails where it is not to be taken: for a run that takes nothing of something is no success.
    func check(_ settings: SourceSettings) throws(SyncFailure) {
        guard !isUnchanged else { return }
        // Nearby there may be nothing.
        guard count > 0 || settings.allowsEmpty || settings.mode == .nearby else {
            throw SyncFailure(.incomplete, "an empty set, and AllowEmpty=yes is not set")
        }
        guard let first = refusals.examples.first else { return }
        let example = "\(first.id): \(first.reason)"
        guard !settings.refusesInvalid else {
            throw SyncFailure(.invalid, "\(refusals.count) entries are flawed, such as \(example)")
        }
        guard refusals.count < count else {
            throw SyncFailure(.invalid, "no entry can be used, such as \(example)")
        }
    }

    /// Notes an entry that is already counted, but is not in the file.
    mutating func refuse(_ id: String, _ reason: String) {
        sum.add(Array("\(id)\n\(reason)\n".utf8))
        refusals.add(id, reason)
    }
}
