// Unsafe: a text's own bytes, within the call.

/// A text as the key of a set, a dictionary or a cache where somebody else compares it by its bytes:
/// PostgreSQL, a file system, a broker, the bus. Swift's strings compare by canonical equivalence, so
/// that "é" as one code point equals "é" as two.
package struct ExactText: Hashable, Comparable, Sendable {
    /// What it is.
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.isExactly(other.text)
    }

    package static func < (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether the other one has the same bytes, see ``ExactText``.
    package func isExactly(_ other: String) -> Bool {
        let (one, other) = (utf8.span, other.utf8.span)
        return one.count == other.count && one.indices.allSatisfy { one[$0] == other[$0] }
    }
}

extension Dictionary where Key == ExactText {
    /// The value of exactly this text.
    package subscript(_ text: String) -> Value? {
        get { self[ExactText(text)] }
        set { self[ExactText(text)] = newValue }
    }

    /// The value of exactly this text, or the given one where there is none.
    package subscript(_ text: String, default value: @autoclosure () -> Value) -> Value {
        get { self[ExactText(text)] ?? value() }
        _modify { yield &self[ExactText(text), default: value()] }
    }

    /// Removes the value of exactly this text.
    @discardableResult
    package mutating func removeValue(forKey text: String) -> Value? {
        removeValue(forKey: ExactText(text))
    }
}

extension Set where Element == ExactText {
    /// Of these texts, each as it is.
    package init(exactly texts: some Sequence<String>) {
        self.init(texts.lazy.map { ExactText($0) })
    }

    /// Whether it has exactly this text.
    package func contains(_ text: String) -> Bool { contains(ExactText(text)) }

    /// Adds it; false if it has exactly this text already.
    @discardableResult
    package mutating func add(_ text: String) -> Bool { insert(ExactText(text)).inserted }

    /// Removes exactly this text.
    package mutating func remove(_ text: String) { remove(ExactText(text)) }
}
