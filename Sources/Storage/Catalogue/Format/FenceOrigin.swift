package import Engine

/// Who gave a fence to the catalogue, and alone may change or remove it.
///
/// An id belongs to whoever had it first. A batch from the bus that touches a fence of a file is
/// refused whole; an entry of a file whose id is taken is left out and named in the warnings, for
/// the rest of the administrator's file must not fall with it.
package enum FenceOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A program on the bus, or the tool.
    case bus
    /// A file of fences.d, by its name.
    case file(String)

    /// As stored: empty for the bus.
    init(name: String) { self = name.isEmpty ? .bus : .file(name) }

    var name: String {
        switch self {
        case .bus: ""
        case .file(let name): name
        }
    }

    package var description: String {
        switch self {
        case .bus: "the bus"
        case .file(let name): "the file \(name)"
        }
    }
}

/// A catalogue entry with its history.
package struct StoredFence: Hashable, Sendable {
    /// The fence and its history in the engine.
    package var entry: CatalogueEntry
    /// Who put it there.
    package var origin: FenceOrigin
    /// The generation of its last change.
    package var changed: Generation

    package init(entry: CatalogueEntry, origin: FenceOrigin, changed: Generation) {
        self.entry = entry
        self.origin = origin
        self.changed = changed
    }
}
