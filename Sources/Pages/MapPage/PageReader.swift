package import Sentences

/// Who looks at the page: his language and units, and whose clock is shown.
package struct PageReader: Equatable, Sendable {
    /// In writing.
    package var wording: Wording
    /// A name of the time zone database; empty for that of the browser.
    package var timeZone: String

    /// English, metres and UTC, as a drive that is over is shown.
    package static let english = PageReader(wording: .log, timeZone: "UTC")

    package init(wording: Wording, timeZone: String) {
        self.wording = wording
        self.timeZone = timeZone
    }
}

/// The texts of the page, for its scripts.
enum PageWords {
    /// Those that programs have besides the page.
    private static let shared: [Sentence] = [
        .decimalPoint, .metres, .kilometres, .miles, .yards, .feet, .within, .kmh, .mph,
    ]

    /// Those that only the live page has.
    private static let live: Set<Sentence> = [
        .pageWaiting, .pageZoomIn, .pageLiveFrom, .pageLeaflet, .pageAgo, .pageMapSilent,
        .pageDaemonAbsent, .pageDaemonSilent, .pageResting, .pageNoFix, .pageDegraded,
        .pageNeedsAddress, .pageMapEnded, .pageNoConnection,
    ]

    /// A script that defines `WORDS`: the names of sentences, `pageFollow` as `follow`, `kindEnter` as it
    /// is, and their texts.
    static func script(_ language: Language, isLive: Bool) -> [UInt8] {
        let entries = Sentence.allCases.compactMap { sentence -> String? in
            guard isLive || !live.contains(sentence) else { return nil }
            let name = "\(sentence)"
            let text = quoted(language.translation[sentence])
            if shared.contains(sentence) || name.hasPrefix("kind") { return "\(name):\(text)" }
            guard name.hasPrefix("page") else { return nil }
            let rest = name.dropFirst(4)
            return "\(rest.prefix(1).lowercased())\(rest.dropFirst()):\(text)"
        }
        return Array("'use strict';\nconst WORDS={\(entries.joined(separator: ","))};\n".utf8)
    }

    /// As JavaScript, in which no markup begins. No text has a backslash or a line break.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "<": quoted += "\\u003c"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
