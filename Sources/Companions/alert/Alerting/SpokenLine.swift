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

    /// A line as an engine gets it, which reads out words and obeys the rest: `[[…]]` are phonemes, `<…>`
    /// and `&…;` markup, `\…` and `{…}` commands, a hyphen at the beginning is an option.
    static func words(of line: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                scalars.append(" ")
            case _ where "[]<>&\\{}|`".unicodeScalars.contains(scalar): scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").joined(separator: " ")
        return String(words.drop { $0 == "-" || $0 == " " })
    }

    /// The two, one after the other.
    static func + (one: SpokenLine, other: SpokenLine) -> SpokenLine {
        var sum = one
        sum.own += " " + other.own
        sum.english += " " + other.english
        return sum
    }
}
