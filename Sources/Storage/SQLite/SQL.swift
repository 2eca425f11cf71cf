// Unsafe: a literal, or a copy that is never given back: it is there for ever, ends with a zero,
// and nobody writes to it.

/// SQL that a connection prepares once. Known by where its text lies, not by what it says: hashing
/// the text would cost as much as a small statement does.
@safe struct SQL: ExpressibleByStringLiteral, Hashable, @unchecked Sendable {
    /// Ends with a zero; lies there for ever and is never written to.
    let text: UnsafePointer<CChar>

    init(stringLiteral literal: StaticString) {
        unsafe text = unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// For what no literal can say, as a `static let`: the text is never given back.
    init(composed text: String) {
        let bytes = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        // A string of C has at least its zero.
        unsafe self.text = unsafe UnsafePointer(copy.baseAddress!)
    }
}

extension SQL {
    static func == (a: SQL, b: SQL) -> Bool { unsafe a.text == b.text }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(text) }
}

extension SQL: CustomStringConvertible {
    var description: String { unsafe String(cString: text) }
}
