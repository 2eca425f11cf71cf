import SentenceTexts

// Unsafe: a constant of the program, which ends with a zero.

/// The texts of one language, in the order of ``Sentence`` and ``Counted``: they are compiled in as a text,
/// which .ci/check-languages writes, as it does those files.
package struct Translation: Sendable {
    /// In which the texts are.
    package let language: Language
    private let lines: [Substring]

    /// - Parameter text: one a line behind the first, which says where they come from; at the end those of
    ///   ``Counted``, whose forms have | between them.
    package init(_ language: Language, text: String) {
        self.language = language
        lines = Array(text.split(separator: "\n" as Character).dropFirst())
    }

    /// That of logs, which every program has.
    package static let english = Translation(
        .english, text: unsafe String(cString: sentences_in_english()))

    /// With its placeholders: `Low bridge {limit}`.
    package subscript(sentence: Sentence) -> String { String(lines[sentence.rawValue]) }

    /// All forms, with their placeholders: `in {n} metres`.
    package subscript(counted: Counted) -> [String] {
        lines[Sentence.allCases.count + counted.rawValue].split(separator: "|" as Character)
            .map(String.init)
    }

    /// The one for this number, with its placeholders.
    package func text(_ counted: Counted, _ number: Int) -> String {
        let forms = self[counted]
        return forms[min(max(language.form(of: abs(number)), 0), forms.count - 1)]
    }
}

extension Translation: Hashable {
    package static func == (one: Translation, other: Translation) -> Bool {
        one.language == other.language
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(language) }
}
