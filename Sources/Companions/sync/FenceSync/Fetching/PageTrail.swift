import HTTP

/// How far the links of a server are followed: to no page twice, to `MaxPages=` pages, and not for long
/// through pages in which nothing is.
struct PageTrail {
    /// Hashes: a server decides how long its links are.
    private var addresses: Set<Int> = []
    private var pages = 0
    private var empty = 0
    private let most: Int

    /// Pages without an entry, one after the other. Servers that filter what they have read give some.
    private static let mostEmpty = 16

    /// - Parameter most: pages.
    init(most: Int) { self.most = most }

    /// Whether the page that is asked for is the first.
    var isFirst: Bool { pages == 1 }

    /// That page is asked for now.
    mutating func follow(_ address: WebAddress) throws(SyncFailure) {
        guard addresses.insert(address.hashValue).inserted else {
            throw SyncFailure(.incomplete, "a next link to a page that came before")
        }
        pages += 1
        guard pages <= most else {
            throw SyncFailure(.overLimit, "more than \(most) pages (MaxPages=)")
        }
    }

    /// The page had that number of entries, and has a next link.
    mutating func found(_ entries: Int) throws(SyncFailure) {
        empty = entries > 0 ? 0 : empty + 1
        guard empty <= Self.mostEmpty else {
            throw SyncFailure(.incomplete, "\(empty) pages without an entry, one after the other")
        }
    }

    /// The same pages may come again, within what is left of their number.
    mutating func begin() {
        addresses = []
        empty = 0
    }
}
