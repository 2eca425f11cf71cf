import LanguageTexts
package import Sentences

// Unsafe: constants of the program, each of which ends with a zero.

extension Language {
    /// Its texts, made of what was compiled in: who needs them keeps them.
    package var translation: Translation {
        guard let text = unsafe language_text(rawValue) else { return .english }
        return Translation(self, text: unsafe String(cString: text))
    }
}

extension Wording {
    package init(_ language: DriverLanguage, _ choice: UnitChoice, isSpoken: Bool) {
        self.init(
            language.language.translation, region: language.region, choice, isSpoken: isSpoken)
    }
}
