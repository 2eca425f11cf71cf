import Bytes

/// Who gave a fence to the catalogue, and alone may change or remove it: an id belongs to the origin
/// that had it first.
package enum FenceOrigin: Hashable, Sendable {
    /// Any caller on the bus, the tool among them.
    case bus
    /// A file of fences.d, by its name.
    case file(String)
    /// A program that owns a set of fences: `KIND/NAME`, such as `source/warehouses`.
    case named(String)

    /// Bytes of the name of a named origin.
    package static let longestName = 128

    /// What ``text`` or ``name`` gave. A text with a slash is a named origin, any other the name of a
    /// file.
    /// - Throws: ``FlawedOrigin`` for a named origin whose name is not two words of letters, digits,
    ///   `-`, `_` and `.` with a slash between them, each beginning with a letter or a digit.
    package init(text: String) throws(FlawedOrigin) {
        if text.isEmpty || text == "bus" {
            self = .bus
        } else if text.hasPrefix(Self.filePrefix) {
            self = .file(String(text.dropFirst(Self.filePrefix.count)))
        } else if !text.utf8.contains(UInt8(ascii: "/")) {
            self = .file(text)
        } else {
            let words = text.utf8.split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard text.utf8.count <= Self.longestName, words.count == 2,
                words.allSatisfy(Self.isWord)
            else { throw FlawedOrigin(text: text) }
            self = .named(text)
        }
    }

    /// Of fences.d.
    package var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// `bus`, `file:NAME`, or the name of a named origin.
    package var text: String {
        switch self {
        case .bus: "bus"
        case .file(let name): Self.filePrefix + name
        case .named(let name): name
        }
    }

    /// As it is stored, and told with a fence: empty for the bus, the name of the file, or that of
    /// the named origin, which alone has a slash.
    package var name: String {
        switch self {
        case .bus: ""
        case .file(let name), .named(let name): name
        }
    }

    /// Back from ``name``.
    package init(name: String) {
        if name.isEmpty {
            self = .bus
        } else {
            self = name.utf8.contains(UInt8(ascii: "/")) ? .named(name) : .file(name)
        }
    }

    private static let filePrefix = "file:"

    private static func isWord(_ word: Substring.UTF8View) -> Bool {
        guard let first = word.first, isAlphanumeric(first) else { return false }
        return word.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

extension FenceOrigin {
    /// By bytes: a directory may have two files whose names differ in nothing that Swift tells apart.
    package static func == (one: FenceOrigin, other: FenceOrigin) -> Bool {
        switch (one, other) {
        case (.bus, .bus): true
        case (.file(let name), .file(let other)), (.named(let name), .named(let other)):
            name.isExactly(other)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }
}

extension FenceOrigin: CustomStringConvertible {
    /// For messages.
    package var description: String {
        switch self {
        case .bus: "the bus"
        case .file(let name): "the file \(name)"
        case .named(let name): name
        }
    }
}

/// A text that names no origin.
package struct FlawedOrigin: Error, Hashable, Sendable {
    /// What was given.
    package let text: String
}
