/// The texts of one language, in the order of ``Sentence`` and ``Counted``. Those files, and the tables
/// beside them, are written by .ci/check-languages.
package struct Translation: Sendable {
    private let texts: [String]
    private let counted: [[String]]
    private let form: @Sendable (Int) -> Int

    /// - Parameters:
    ///   - texts: one a line.
    ///   - counted: one a line, its forms with | between them.
    ///   - form: which form a number takes.
    init(texts: String, counted: String, form: @escaping @Sendable (Int) -> Int) {
        self.texts = Self.parts(of: texts, at: "\n")
        self.counted = Self.parts(of: counted, at: "\n").map { Self.parts(of: $0, at: "|") }
        self.form = form
    }

    private static func parts(of text: String, at separator: Character) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// With its placeholders: `Low bridge {limit}`.
    package subscript(sentence: Sentence) -> String { texts[sentence.rawValue] }

    /// All forms, with their placeholders: `in {n} metres`.
    package subscript(counted: Counted) -> [String] { self.counted[counted.rawValue] }

    /// The one for this number, with its placeholders.
    package func text(_ counted: Counted, _ number: Int) -> String {
        let forms = self[counted]
        return forms[min(max(form(abs(number)), 0), forms.count - 1)]
    }
}
