// Unsafe: a literal is in the program for ever, ends with a zero and is never written to.

/// SQL that a connection prepares once: a literal. Identified by the address of its text, not by
/// the text: hashing it would cost as much as running a small statement.
struct SQL: ExpressibleByStringLiteral, Equatable, Sendable {
    private let text: StaticString

    init(stringLiteral literal: StaticString) { text = literal }

    var cString: UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    static func == (a: SQL, b: SQL) -> Bool { unsafe a.text.utf8Start == b.text.utf8Start }
}

extension SQL: CustomStringConvertible {
    var description: String { text.description }
}
