/// How things are said to a driver: in his language, in his units, aloud or in writing.
package struct Wording: Hashable, Sendable {
    /// The texts.
    package let translation: Translation
    private let region: String
    /// Which units.
    package var choice: UnitChoice
    /// Numbers and units as words that a voice reads well, instead of digits and symbols.
    package var isSpoken: Bool

    /// Of logs, and of the fields of events: English, in the units of the sign.
    package static let log = Wording(.english, .sign, isSpoken: false)

    /// - Parameter region: as in ``DriverLanguage``.
    package init(
        _ translation: Translation, region: String = "", _ choice: UnitChoice, isSpoken: Bool
    ) {
        self.translation = translation
        self.region = region
        self.choice = choice
        self.isSpoken = isSpoken
    }

    /// The same in writing.
    package var written: Wording {
        Wording(translation, region: region, choice, isSpoken: false)
    }

    /// The same in English, for a voice that speaks nothing else.
    package var inEnglish: Wording {
        Wording(.english, region: region, choice, isSpoken: isSpoken)
    }

    /// In which the texts are.
    package var language: DriverLanguage {
        DriverLanguage(language: translation.language, region: region)
    }

    /// The units.
    /// - Parameter isFeet: whether there is a sign in feet; nil: no sign.
    package func units(isFeet: Bool?) -> Units {
        choice.units(isFeet: isFeet, region: region)
    }

    /// A sentence.
    /// - Parameter values: for its placeholders.
    package func text(_ sentence: Sentence, _ values: KeyValuePairs<String, String> = [:]) -> String
    {
        Self.fill(translation[sentence], values)
    }

    /// One that depends on a number, which is put in for `{n}`.
    package func text(
        _ counted: Counted, _ number: Int, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        Self.fill(Self.fill(translation.text(counted, number), ["n": "\(number)"]), values)
    }

    /// A name from elsewhere, such as a title, as a value of a sentence: nobody listens to a long one while
    /// something else is to be said.
    package func name(_ text: String) -> String {
        // By scalar: one character may have any number of them.
        let scalars = text.unicodeScalars
        guard isSpoken, scalars.count > Self.longestName else { return text }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        // With what comes next: a word that ends there is whole.
        let begin = scalars.prefix(Self.longestName + 1)
        let words = begin.lastIndex(where: isSpace).map { begin[..<$0] }
        return String(words?.contains { !isSpace($0) } == true ? words ?? begin : begin.dropLast())
    }

    /// Scalars of a name that is spoken.
    private static let longestName = 80

    /// A value is put in once: braces in it stay.
    private static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            let inner = rest[rest.index(after: open)...].prefix { $0 != "}" }
            guard inner.endIndex < rest.endIndex else { break }
            filled += rest[..<open]
            if let value = values.first(where: { $0.key == inner }) {
                filled += value.value
            } else {
                filled += "{\(inner)}"
            }
            rest = rest[rest.index(after: inner.endIndex)...]
        }
        return filled + rest
    }

    /// Tenths as a decimal: 15 → `1.5`, `1,5`.
    package func decimal(tenths: Int) -> String {
        "\(tenths / 10)\(translation[.decimalPoint])\(tenths % 10)"
    }
}
