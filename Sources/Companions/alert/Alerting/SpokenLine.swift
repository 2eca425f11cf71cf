package import Sentences

/// What is said: in the driver's language, and in English, for a voice that speaks nothing else.
package struct SpokenLine: Equatable, Sendable {
    /// In the driver's language.
    package var own: String
    /// The same in English.
    package var english: String

    /// - Parameters:
    ///   - wording: of speech, in the driver's language.
    ///   - text: writes it.
    package init(_ wording: Wording, _ text: (Wording) -> String) {
        own = text(wording)
        english = text(wording.inEnglish)
    }

    /// The two, one after the other.
    static func + (one: SpokenLine, other: SpokenLine) -> SpokenLine {
        var sum = one
        sum.own += " " + other.own
        sum.english += " " + other.english
        return sum
    }
}
