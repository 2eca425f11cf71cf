// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Written by .ci/check-languages --write, from po/*.po.

/// A language that the sentences are in; the raw value is its code of ISO 639-1.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case portuguese = "pt"
    case italian = "it"
    case dutch = "nl"
    case polish = "pl"
    case czech = "cs"
    case romanian = "ro"
    case turkish = "tr"
    case ukrainian = "uk"

    /// In English.
    package var name: String {
        switch self {
        case .english: "English"
        case .german: "German"
        case .french: "French"
        case .spanish: "Spanish"
        case .portuguese: "Portuguese"
        case .italian: "Italian"
        case .dutch: "Dutch"
        case .polish: "Polish"
        case .czech: "Czech"
        case .romanian: "Romanian"
        case .turkish: "Turkish"
        case .ukrainian: "Ukrainian"
        }
    }

    /// Whether a native speaker has read the translation.
    package var isReviewed: Bool {
        switch self {
        case .english: true
        case .german: false
        case .french: false
        case .spanish: false
        case .portuguese: false
        case .italian: false
        case .dutch: false
        case .polish: false
        case .czech: false
        case .romanian: false
        case .turkish: false
        case .ukrainian: false
        }
    }

    /// Its texts.
    package var translation: Translation {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        case .spanish: .spanish
        case .portuguese: .portuguese
        case .italian: .italian
        case .dutch: .dutch
        case .polish: .polish
        case .czech: .czech
        case .romanian: .romanian
        case .turkish: .turkish
        case .ukrainian: .ukrainian
        }
    }
}
