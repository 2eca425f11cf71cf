/// SQL that a connection prepares once. Known by where its text lies, not by what it says: hashing
/// the text would cost as much as a small statement does.
struct SQL: ExpressibleByStringLiteral, Hashable, @unchecked Sendable {
    /// Ends with a zero; lies there for ever and is never written to.
    let text: UnsafePointer<CChar>

    init(stringLiteral literal: StaticString) {
        text = UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// For what no literal can say, as a `static let`: the text is never given back.
    init(composed text: String) {
        let bytes = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        // A string of C has at least its zero.
        self.text = UnsafePointer(copy.baseAddress!)
    }
}

extension SQL: CustomStringConvertible {
    var description: String { String(cString: text) }
}
