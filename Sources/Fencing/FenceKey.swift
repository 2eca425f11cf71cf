/// An id as what it is: a row of bytes. Swift compares texts by what they look like, so that "é" as
/// one code point equals "é" as two; the store, the bus and the law compare bytes.
struct FenceKey: Hashable, Sendable {
    let id: String

    init(_ id: String) { self.id = id }

    static func == (a: FenceKey, b: FenceKey) -> Bool {
        guard a.id.utf8.count == b.id.utf8.count else { return false }
        var (a, b) = (a.id, b.id)
        return a.withUTF8 { a in
            b.withUTF8 { b in a.indices.allSatisfy { a[$0] == b[$0] } }
        }
    }

    func hash(into hasher: inout Hasher) {
        var id = id
        id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Sequence where Element == CatalogueEntry {
    /// The entries by id.
    var byKey: [FenceKey: CatalogueEntry] {
        Dictionary(map { (FenceKey($0.fence.id), $0) }) { first, _ in first }
    }
}

extension FenceMonitor {
    /// The id of its fence.
    var key: FenceKey { FenceKey(entry.fence.id) }
}
