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

    /// Which of the forms of a text a number takes, from 0 on.
    func form(of n: Int) -> Int {
        switch self {
        case .english: n != 1 ? 1 : 0
        case .german: n != 1 ? 1 : 0
        case .french: n > 1 ? 1 : 0
        case .spanish: n != 1 ? 1 : 0
        case .portuguese: n != 1 ? 1 : 0
        case .italian: n != 1 ? 1 : 0
        case .dutch: n != 1 ? 1 : 0
        case .polish: n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2
        case .czech: n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2
        case .romanian: n == 1 ? 0 : n == 0 || (n % 100 > 0 && n % 100 < 20) ? 1 : 2
        case .turkish: 0
        case .ukrainian: n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2
        }
    }
}
